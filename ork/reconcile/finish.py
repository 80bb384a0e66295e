"""The end of a CR: what Kubernetes would leave behind is deleted, then the finalizer goes (language, section 6).

Only labels decide, never a rendered template: the list, endpoint or ConfigMap that a template reads may be gone.
"""

from __future__ import annotations

from ork.base.objects import annotations_of, deleting, finalizers_of, uid
from ork.engine import marks, order, ownership
from ork.engine.desired import Desired
from ork.engine.faults import Stop
from ork.engine.plan import delete
from ork.engine.turn import Turn
from ork.labels import SKIP_TEARDOWN
from ork.reconcile.cycle import marked
from ork.reconcile.ports import Outcome, OutcomeKind, Ports
from ork.reconcile.writes import Writer

NOTHING = Desired((), (), frozenset())


async def finish(turn: Turn, ports: Ports) -> Outcome:
    """Take a deleted CR one step further; the steps that remain are read off its live children each time."""
    if turn.crd.finalizer not in finalizers_of(turn.cr):
        return Outcome(OutcomeKind.SETTLED)
    if annotations_of(turn.cr).get(SKIP_TEARDOWN) != "true":
        left = ownership.uncovered(turn.cr, turn.children.values())
        writer = Writer(turn, NOTHING, ports)
        await writer.carry_out(order.backwards(delete(child) for child in left if not deleting(child.obj)))
        if writer.faults:
            return Outcome(OutcomeKind.FAILED, writer.faults[0].message, faults=tuple(writer.faults))
        if left:
            more = f" and {len(left) - 1} more" if len(left) > 1 else ""
            return Outcome(OutcomeKind.FINISHING, f"waits until these are gone: {left[0].ref}{more}")
    try:
        await marked(turn, {}, marks.released(turn), ports)
    except Stop as stop:
        return Outcome(OutcomeKind.FAILED, stop.faults[0].message, faults=stop.faults)
    ports.memory.forget(uid(turn.cr))
    return Outcome(OutcomeKind.GONE)
