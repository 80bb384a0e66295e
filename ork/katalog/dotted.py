"""Dotted paths as authors write them: `spec.replicas`, `metadata.labels["app.kubernetes.io/name"]`."""

from __future__ import annotations

from ork.base.paths import Path
from ork.base.patterns import pattern

_STEP = pattern(r"""\.?([A-Za-z_][\w-]*)|\["([^"\]]+)"\]|\['([^'\]]+)'\]""")


def parse(text: str) -> Path | None:
    """Return the steps of a path through maps, a leading dot allowed; None where the text is none."""
    steps: list[str] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None:
            return None
        steps.append(next(group for group in match.groups() if group is not None))
        position = match.end()
    return tuple(steps) or None
