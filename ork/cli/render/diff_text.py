"""What would happen to a cluster, as people read it: a unified diff of each object, what is held, what fails."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base import yaml_writer
from ork.base.objects import Object, in_written_order
from ork.cli.terminal import Palette, visible
from ork.runtime.rehearsed import Change, Plan

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def render(plan: Plan, paint: Palette) -> str:
    """Return the text; one line where nothing would happen."""
    return "\n".join(_lines(plan, paint)) + "\n"


def _lines(plan: Plan, paint: Palette) -> Iterator[str]:
    for change in plan.changes:
        yield paint("bold", _title(change))
        yield from (_painted(line, paint) for line in _difference(change))
        yield ""
    for gated in plan.gated:
        yield f"{paint('yellow', 'gated')}   {gated.crd} {gated.object} at {gated.gate}: {visible(gated.reason)}"
    for failed in plan.failed:
        place = f" ({failed.span})" if failed.span else ""
        yield f"{paint('red', 'fails')}   {failed.crd} {failed.object}: {visible(failed.message)}{place}"
    yield _summary(plan)


def _title(change: Change) -> str:
    part = f" {change.part}" if change.part else ""
    behalf = f"  ({change.crd} {change.object})" if change.crd else ""
    return f"{change.verb} {change.ref}{part}{behalf}"


def _difference(change: Change) -> Iterator[str]:
    from difflib import unified_diff

    before, after = _yaml(change.before), _yaml(change.after)
    yield from (visible(line) for line in unified_diff(before, after, "live", "after", lineterm=""))


def _yaml(obj: Object | None) -> list[str]:
    return yaml_writer.dump(in_written_order(obj)).splitlines() if obj is not None else []


def _painted(line: str, paint: Palette) -> str:
    style = _STYLES.get(line[:1])
    return paint(style, line) if style else line


def _summary(plan: Plan) -> str:
    verbs = [change.verb for change in plan.changes]
    counts = [f"{verbs.count(verb)} to {verb}" for verb in ("create", "update", "delete") if verb in verbs]
    if plan.gated:
        counts.append(f"{len(plan.gated)} gated")
    if plan.failed:
        counts.append(f"{len(plan.failed)} failing")
    return ", ".join(counts) if counts else "nothing to do"
