"""The end of a cycle: status, and Events for what a user should not miss (language, section 11)."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence

from ork.base.objects import Object, uid
from ork.base.requests import WriteError
from ork.engine import status
from ork.engine.status import Fields, Ready
from ork.engine.turn import Turn
from ork.reconcile.cycle import Cycle
from ork.reconcile.errors import meaning
from ork.reconcile.ports import Ports
from ork.reconcile.writes import FENCED

SUCCEEDED = "ReconcileSucceeded"


async def report(cycle: Cycle, ports: Ports) -> Cycle:
    """Write the CR's status, if it says anything new, and the Events of a transition."""
    if not cycle.turn.crd.has_status:
        return cycle
    fields = status.fields(cycle.turn, cycle.scope, not cycle.faults)
    cycle = cycle._replace(faults=(*cycle.faults, *fields.faults))
    ready = _ready(cycle)
    return cycle if ready is None else await _written(cycle, fields, ready, ports)


def _ready(cycle: Cycle) -> Ready | None:
    """Return the condition; None where the cycle has nothing to say (a conflict is only a reason to look again)."""
    if not cycle.faults:
        return Ready(True, SUCCEEDED, "reconciled")
    reason = meaning(cycle.faults).reason
    return Ready(False, reason, cycle.faults[0].message) if reason else None


async def _written(cycle: Cycle, fields: Fields, ready: Ready, ports: Ports) -> Cycle:
    turn, owner = cycle.turn, uid(cycle.turn.cr)
    new = status.status(turn, fields.values, ready)
    refused = ports.memory.recall(owner, "status")
    if new is None or (refused is not None and refused == _memento(turn.cr, fields, ready)):
        return cycle
    if not ports.may_write():
        return cycle._replace(faults=(*cycle.faults, FENCED))
    try:
        cr = await ports.cluster.status(turn.ref, new, owner)
    except WriteError as error:
        return cycle._replace(faults=(*cycle.faults, error.fault))
    # A server that does not keep what it was sent (a pruning schema, a webhook) would be sent it for ever.
    if status.kept(cr, new, fields.values):
        ports.memory.drop(owner, "status")
    else:
        ports.memory.note(owner, "status", _memento(cr, fields, ready))
    await _event(turn, ready, ports)
    return cycle._replace(written=cr)


def _memento(cr: Object, fields: Fields, ready: Ready) -> Hashable:
    generation = cr["metadata"].get("generation")
    return json.dumps([sorted(fields.values.items()), ready, generation, cr.get("status")], sort_keys=True)


async def _event(turn: Turn, ready: Ready, ports: Ports) -> None:
    """Record a transition of Ready. The first success is none: a CR that simply works causes no Event."""
    before = status.ready_of(turn.cr.get("status") or {})
    if before.get("reason") == ready.reason or (ready.good and not before):
        return
    kind = "Normal" if ready.good else "Warning"
    await ports.cluster.event(turn.ref, kind, ready.reason, ready.message, uid(turn.cr))


async def warn(turn: Turn, ports: Ports, messages: Sequence[str]) -> None:
    """Record a Warning for each violation that was not there in the turn before.

    A process that starts anew over a CR whose generation was looked at already has nothing new to say.
    """
    subject, owner = "warnings", uid(turn.cr)
    before = ports.memory.recall(owner, subject)
    ports.memory.note(owner, subject, tuple(messages))
    if before is None and _observed(turn.cr):
        return
    known = before if isinstance(before, tuple) else ()
    for message in messages:
        if message not in known:
            await ports.cluster.event(turn.ref, "Warning", "ValidationWarning", message, owner)


def _observed(cr: Object) -> bool:
    observed = (cr.get("status") or {}).get("observedGeneration")
    return bool(observed == cr["metadata"].get("generation"))
