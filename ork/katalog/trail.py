"""Where in its document a node stands, as a chain that costs nothing until somebody asks for its text."""

from __future__ import annotations

from ork.base import paths

Trail = tuple["Trail | None", str | int]
"""The place above (None: the document), then a key or an index."""


def path_text(trail: Trail | None) -> str:
    """Return `spec.crds.app.operatorBox.onCreate.deployments[0].image`."""
    steps: list[str | int] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    out = ""
    for step in reversed(steps):
        if isinstance(step, int):
            out += f"[{step}]"
        else:
            quoted = paths.text((step,))
            out += quoted if quoted.startswith("[") or not out else f".{quoted}"
    return out
