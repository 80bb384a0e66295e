"""The two gates of a box: at event time before the queue, and at dequeue before the turn (language, section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ork.base.objects import Object, Ref, deleting, uid
from ork.base.records import NamedTuple
from ork.engine import gates
from ork.engine import scope as scopes
from ork.engine.gates import Held
from ork.engine.sentinels import either, sentinels
from ork.engine.turn import Turn
from ork.expr.env import Scope
from ork.program import Box, Crd, box_of
from ork.reconcile.calls import Called, skipped, with_calls
from ork.reconcile.ports import Cause, Item, Ports


# ── at dequeue ──────────────────────────────────────────────────────────────────────────────────
class Passed(NamedTuple):
    """What the way to a turn came to."""

    called: Called
    """The shared calls and the gate's; a failure in it is the cycle's own, for no gate's failPolicy decides over it."""
    held: Held | None = None
    notices: tuple[str, ...] = ()
    """What could not be evaluated on the way and did not hold the CR, that of the event included."""


async def gated(turn: Turn, item: Item, ports: Ports) -> Passed:
    """Make the shared calls, unless they came with the item, and ask the reconcileGate about the CR as it is now."""
    box, env = turn.box, turn.env
    scope = _scope(turn, item.external, ports)
    shared = await with_calls([call for call in box.shared if call.name not in item.external], scope, env, ports)
    if not gates.declared(box.enqueue) and not gates.declared(box.reconcile):
        return Passed(shared, notices=_said(item.notice))
    failure = item.failure or shared.failure
    own = Called(shared.scope, failure) if failure else await with_calls(box.reconcile.calls, shared.scope, env, ports)
    held, notice = gates.decide(box.reconcile, own.scope, env, own.failure)
    return Passed(Called(own.scope), held, _said(item.notice, notice))


def _said(*notices: str) -> tuple[str, ...]:
    return tuple(filter(None, notices))


def _scope(turn: Turn, external: Mapping[str, Any], ports: Ports) -> Scope:
    scope = scopes.scope(turn, ports.operator())
    return {**scope, "external": {**skipped(turn.box, turn.crd.rules), **external}}


# ── at event time ───────────────────────────────────────────────────────────────────────────────
class Event(NamedTuple):
    """Something that may be worth a turn of a CR."""

    ref: Ref
    cause: Cause
    new: Object
    old: Object | None = None
    """Before the change; None when the CR is new to this process, and for every cause but a change of the CR."""
    last: Item | None = None
    """The item of the CR's last admitted event."""
    waiting: bool = False
    """That item is still in the queue: this event joins it."""
    load: float = 0.0
    """To how many percent of `maxDepth` the queue is filled; 0 where it has no limit."""


async def admit_event(crd: Crd, event: Event, ports: Ports) -> Item | Held:
    """Return the item to queue, or the reason of the enqueueGate, or of a full queue, to drop the event.

    The caller keeps the item as the CR's last one; a dropped event changes nothing. Deletion passes every gate.
    """
    box = box_of(crd, event.new)
    item = Item(event.ref, _sentinels(box, event), event.cause)
    asked, levels = gates.declared(box.enqueue), gates.reached(crd.settings.behaviour, event.load)
    if (asked or levels) and not deleting(event.new):
        turn = Turn(crd, box, event.new, ports.env(item), {}, partial(ports.memory.recall, uid(event.new)))
        found = await _event_calls(turn, event, ports) if asked else Called(_scope(turn, {}, ports))
        held, notice = gates.decide(box.enqueue, found.scope, turn.env, found.failure)
        if held is None:
            held, of_queue = gates.overflow(levels, event.load, _of_the_queue(turn, found.scope, ports), turn.env)
            notice = notice or of_queue
        if held is not None:
            return held
        item = item._replace(notice=notice)
        if asked:
            item = item._replace(external=_made(box, found.scope), failure=_shared_failure(box, found))
    return _joined(item, event)


def _of_the_queue(turn: Turn, scope: Scope, ports: Ports) -> Scope:
    """Return what the conditions of `queue.behaviour` read; the box's own reads do not tell what that is."""
    return {**scope, "request": scopes.request(turn.cr), **ports.operator()}


def _sentinels(box: Box, event: Event) -> Mapping[str, bool]:
    """Return what the event changed. Any other cause changed nothing, and carries what the last admitted event did."""
    if event.cause is Cause.EVENT:
        return sentinels(box.sentinels, event.old, event.new)
    carried = event.last.sentinels if event.last else {}
    return {**sentinels(box.sentinels, None, event.new), **carried}


def _joined(item: Item, event: Event) -> Item:
    if event.last is None or not event.waiting:
        return item
    return item._replace(sentinels=either(item.sentinels, event.last.sentinels))


async def _event_calls(turn: Turn, event: Event, ports: Ports) -> Called:
    """Make the shared calls and the gate's; an event of a child asks nobody anew."""
    box, env = turn.box, turn.env
    if event.cause is Cause.CHILD and event.last is not None:
        return Called(_scope(turn, event.last.external, ports), event.last.failure)
    shared = await with_calls(box.shared, _scope(turn, {}, ports), env, ports)
    return shared if shared.failure else await with_calls(box.enqueue.calls, shared.scope, env, ports)


def _made(box: Box, scope: Scope) -> dict[str, Any]:
    return {call.name: scope["external"][call.name] for call in (*box.shared, *box.enqueue.calls)}


def _shared_failure(box: Box, found: Called) -> str:
    """A failure of a shared call counts for the reconcileGate as well; one of the enqueueGate's own does not."""
    return found.failure if found.call is None or found.call in box.shared else ""
