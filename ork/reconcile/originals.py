"""The objects that entries copy, read before anything is rendered."""

from __future__ import annotations

from ork.base.objects import Object, Ref
from ork.base.requests import WriteError
from ork.engine.copies import Originals
from ork.engine.desired import copied
from ork.engine.turn import Turn, key_of
from ork.expr.env import Scope
from ork.reconcile.ports import Ports


async def originals(turn: Turn, scope: Scope, ports: Ports) -> Originals:
    """Read everything that a turn's copies need; what cannot be read is a fault of the entries that copy it."""
    return {key_of(ref): await _read(ref, ports) for ref in copied(turn, scope)}


async def _read(ref: Ref, ports: Ports) -> Object | str:
    try:
        found = await ports.cluster.read(ref)
    except WriteError as error:
        return f"cannot be read: {error}"
    return found or "does not exist"
