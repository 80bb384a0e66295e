"""All codes, and the page that documents them."""

from __future__ import annotations

from collections.abc import Mapping

from ork.katalog.codes import (
    admission,
    calls,
    conditions,
    expressions,
    gates,
    reading,
    references,
    resources,
    scenarios,
)
from ork.katalog.codes import schema as schemas
from ork.katalog.codes.entry import Code

RANGES: Mapping[str, tuple[str, tuple[Code, ...]]] = {
    "ORK00": ("Reading YAML", reading.CODES),
    "ORK01": ("Schema and unknown keys", schemas.CODES),
    "ORK02": ("References, includes, files", references.CODES),
    "ORK03": ("Expressions", expressions.CODES),
    "ORK04": ("Conditions", conditions.CODES),
    "ORK05": ("Gates and sentinels", gates.CODES),
    "ORK06": ("Resources and the Kubernetes schema", resources.CODES),
    "ORK07": ("External calls", calls.CODES),
    "ORK08": ("Admission, serve, gateway", admission.CODES),
    "ORK09": ("Simulate and E2E files", scenarios.CODES),
}
"""By the beginning of the code: what the range is about, and its codes in order."""

CODES: Mapping[str, Code] = {code.code: code for _, codes in RANGES.values() for code in codes}
"""Every code by its name."""


def page() -> str:
    """Return the documentation of all codes, as Markdown."""
    parts = ["# Findings\n", _INTRODUCTION]
    for title, codes in RANGES.values():
        if codes:
            parts += [f"\n## {title}\n", *map(_section, codes)]
    return "\n".join(parts)


_INTRODUCTION = (
    "Every finding of `ork validate` has a code that keeps its meaning. `ork explain ORK0101` shows its entry of "
    "this page.\nA comment `# ork: ignore ORK0101` silences a code on its line; `--select` and `--ignore` choose "
    "codes for a whole call.\n"
)


def _section(code: Code) -> str:
    return (
        f"### {code.code}: {code.title}\n\n{code.severity.value.capitalize()}. {code.meaning}\n\n"
        f"Wrong:\n\n```yaml\n{code.bad.strip()}\n```\n\nRight:\n\n```yaml\n{code.good.strip()}\n```\n"
    )
