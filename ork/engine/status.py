"""What `ork` says in a CR's status, evaluated after the writes (language, section 11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base import paths
from ork.base.clock import rfc3339
from ork.base.findings import Fault
from ork.base.objects import Object
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.base.text import cut
from ork.engine import faults
from ork.engine.turn import Turn
from ork.expr.conditions import ALWAYS, Guard, guard_reads, holds
from ork.expr.env import Scope
from ork.expr.errors import EvaluationError
from ork.expr.template import MISSING
from ork.openapi import schema as schemas
from ork.program import Box, StatusField

READY = "Ready"
MESSAGE_LIMIT = 256


class Ready(NamedTuple):
    """The condition that says how the cycle went."""

    good: bool
    reason: str
    message: str


class Fields(NamedTuple):
    """The declared fields' values, by path below `status`, and what could not be evaluated."""

    values: Mapping[Path, Any]
    faults: tuple[Fault, ...]


def fields(turn: Turn, scope: Scope, good: bool) -> Fields:
    """Evaluate `status.fields`. Of several entries for a path the last whose conditions hold wins; where none does, the
    field keeps its value. After a cycle that was not `good`, only entries with conditions are evaluated."""
    values: dict[Path, Any] = {}
    cleared: set[Path] = set()
    found: list[Fault] = []
    for field in turn.box.status:
        values.setdefault(field.path, MISSING)
        try:
            value = _value(turn, field, scope, good)
        except EvaluationError as error:
            found.append(faults.of_evaluation(error, f"status.{paths.text(field.path)}", turn.cr, field.span))
            continue
        if value is not MISSING:
            values[field.path] = value
        elif field.clear_on_false:
            cleared.add(field.path)
    return Fields(_resolved(turn, values, cleared), tuple(found))


def status(turn: Turn, values: Mapping[Path, Any], ready: Ready) -> Object | None:
    """Return the whole owned status; None where the CR's status says all of it already."""
    live = turn.cr.get("status") or {}
    whole: Object = {}
    if turn.box.conditions:
        whole = _own(turn, live, ready)
    if _holds(live, whole, values) or _holds(live, whole := _with_room(turn, whole), values):
        return None
    for path, value in values.items():
        whole = paths.put(whole, path, value)
    return whole


def kept(cr: Object, sent: Object, values: Mapping[Path, Any]) -> bool:
    """Tell whether the server's answer holds the status that it was sent."""
    return _holds(cr.get("status") or {}, sent, values)


def read_by_conditions(box: Box, before: Object, after: Object) -> bool:
    """Tell whether a status write changed a path that a condition of the box reads, so that another turn is due."""
    if not any(path[0] == "status" for path in box.reads):
        return False
    old, new = before.get("status"), after.get("status")
    reads = {path[1:] for guard in guards(box) for path in guard_reads(guard) if path[0] == "status"}
    return any(paths.get(old, path) != paths.get(new, path) for path in reads)


def guards(box: Box) -> Iterator[Guard]:
    """Give every guard of a box."""
    for gate in (box.enqueue, box.reconcile):
        yield gate.guard
        yield from (call.guard for call in gate.calls)
    for call in (*box.shared, *box.create_calls, *box.calls):
        yield call.guard
    yield from (entry.guard for entry in box.entries)
    yield from (field.guard for field in box.status)


# ── fields ──────────────────────────────────────────────────────────────────────────────────────
def _value(turn: Turn, field: StatusField, scope: Scope, good: bool) -> Any:
    if field.guard == ALWAYS:
        value = field.value(scope, turn.env) if good else MISSING
    else:
        value = field.value(scope, turn.env) if holds(field.guard, scope, turn.env) else MISSING
    return MISSING if value == "" and not _takes_text(turn, field.path) else value


def _takes_text(turn: Turn, path: Path) -> bool:
    """A field that is no string cannot be empty: it keeps its value."""
    known = turn.crd.schema and schemas.at(turn.crd.schema, ("status", *path))
    return not known or schemas.type_of(known) in ("string", "any", "int-or-string")


def _resolved(turn: Turn, values: dict[Path, Any], cleared: set[Path]) -> dict[Path, Any]:
    live = turn.cr.get("status")
    for path, value in values.items():
        if value is MISSING:
            values[path] = "" if path in cleared and _takes_text(turn, path) else paths.get(live, path)
    return {path: value for path, value in values.items() if value is not None}


# ── Ready and observedGeneration ────────────────────────────────────────────────────────────────
def _own(turn: Turn, live: Object, ready: Ready) -> Object:
    return {
        "conditions": [*_others(turn, live), _condition(turn, ready_of(live), ready)],
        "observedGeneration": turn.cr["metadata"].get("generation"),
    }


def _condition(turn: Turn, before: Object, ready: Ready) -> Object:
    said = "True" if ready.good else "False"
    since = before.get("lastTransitionTime") if before.get("status") == said else None
    return {
        "type": READY,
        "status": said,
        "reason": ready.reason,
        "message": cut(ready.message, MESSAGE_LIMIT),
        "lastTransitionTime": since or rfc3339(turn.env.now),
    }


def _with_room(turn: Turn, own: Object) -> Object:
    """Return conditions and observedGeneration as far as the CRD's schema has room for them."""
    room = schemas.ANY if turn.crd.schema is None else schemas.at(turn.crd.schema, ("status",))
    found = _within(room, {key: value for key, value in own.items() if value is not None})
    if "conditions" in found:
        *others, mine = found["conditions"]
        element = room and schemas.at(room, ("conditions", schemas.EVERY))
        found["conditions"] = [*others, _within(element, mine)]
    return found


def _within(room: Object | None, own: Object) -> Object:
    return {key: value for key, value in own.items() if room is not None and schemas.child(room, key) is not None}


def _others(turn: Turn, live: Object) -> list[Object]:
    """Return other controllers' conditions where the list is written as a whole; a list map keeps them by itself."""
    known = turn.crd.schema and schemas.at(turn.crd.schema, ("status", "conditions"))
    if known and schemas.list_keys(known):
        return []
    return [each for each in _conditions(live) if each.get("type") != READY]


def ready_of(live: Object) -> Object:
    """Return the Ready condition of a status; empty where there is none."""
    return next((each for each in _conditions(live) if each.get("type") == READY), {})


def _conditions(live: Object) -> list[Object]:
    found = live.get("conditions")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _holds(live: Object, own: Object, values: Mapping[Path, Any]) -> bool:
    if "observedGeneration" in own and own["observedGeneration"] != live.get("observedGeneration"):
        return False
    if "conditions" in own and own["conditions"][-1] != ready_of(live):
        return False
    return all(paths.get(live, path) == value for path, value in values.items())
