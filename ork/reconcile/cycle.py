"""What one cycle came to, handed from step to step of the story."""

from __future__ import annotations

from ork.base.findings import Fault
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.base.requests import WriteError
from ork.engine.faults import Stop
from ork.engine.marks import Mark
from ork.engine.turn import Turn
from ork.expr.env import Scope
from ork.reconcile.ports import Ports
from ork.reconcile.writes import FENCED


class Cycle(NamedTuple):
    """How far a turn has come."""

    turn: Turn
    scope: Scope
    faults: tuple[Fault, ...] = ()
    notices: tuple[str, ...] = ()
    written: Object | None = None
    """The CR after a write of its status."""


async def marked(turn: Turn, scope: Scope, mark: Mark | None, ports: Ports) -> Turn:
    """Give the CR its finalizers and annotations, if they change; return the turn that knows it so. Raises Stop."""
    if mark is None:
        return turn
    if not ports.may_write():
        raise Stop(scope, FENCED)
    try:
        cr = await ports.cluster.mark(turn.cr, turn.ref, mark.finalizers, mark.annotations)
    except WriteError as error:
        raise Stop(scope, error.fault) from error
    return turn._replace(cr=cr)
