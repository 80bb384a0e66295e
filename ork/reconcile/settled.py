"""When a turn need not be told again: all that it reads is as it was when it last settled."""

from __future__ import annotations

from ork.base.objects import Object, uid
from ork.engine.rules import asks_peers
from ork.engine.turn import Turn
from ork.program import Box, Crd, Rules, turn_calls
from ork.reconcile.ports import Outcome, OutcomeKind, Ports

_OUTSIDE = frozenset(("@clock", "@random", "external", "cross", "health", "metrics"))
"""What an expression reads that neither the CR nor its children show."""

SETTLED = Outcome(OutcomeKind.SETTLED, rests=True)


def known(turn: Turn, ports: Ports) -> bool:
    """Tell whether this very turn was told before and settled: a resourceVersion stands for an object's content."""
    noted = ports.memory.recall(uid(turn.cr), "settled")
    return noted is not None and noted == _mark(turn)


def noted(turn: Turn, outcome: Outcome, ports: Ports) -> Outcome:
    """Remember a turn that settled and left all as it was.

    One that wrote is not remembered: what it began with may come again, as when a child is deleted for the second time,
    and then wants the same writes.
    """
    if outcome.kind is not OutcomeKind.SETTLED or outcome.after is not None or not _closed(turn.crd, turn.box):
        return outcome
    if not _unchanged(turn, ports):
        return outcome
    ports.memory.note(uid(turn.cr), "settled", _mark(turn))
    return outcome._replace(rests=True)


def _closed(crd: Crd, box: Box) -> bool:
    """Tell whether a turn follows from the CR, its children and the sentinels alone."""
    if box.hook or any(entry.source for entry in box.entries) or asks_peers(crd.rules):
        return False
    return not any(turn_calls(box, crd.rules)) and _OUTSIDE.isdisjoint(path[0] for path in box.reads)


def volatile(rules: Rules) -> bool:
    """Tell whether a CR that rules deny can pass them without being changed itself: they read a call's result, the
    clock, randomness, or other objects (language, section 10)."""
    reads = [*(rule.reads for rule in rules.assertions), *(rule.reads for rule in rules.mutations)]
    return asks_peers(rules) or not _OUTSIDE.isdisjoint(path[0] for paths in reads for path in paths)


def _mark(turn: Turn) -> tuple[object, ...]:
    children = (_version(child.obj) for child in turn.children.values())
    return (turn.crd, tuple(turn.env.sentinels.items()), _version(turn.cr), *children)


def _unchanged(turn: Turn, ports: Ports) -> bool:
    cr = ports.view.get(turn.ref)
    if cr is None or _version(cr) != _version(turn.cr):
        return False
    before = [_version(child.obj) for child in turn.children.values()]
    return before == [_version(child.obj) for child in ports.view.owned(uid(cr))]


def _version(obj: Object) -> tuple[str, str]:
    meta = obj["metadata"]
    return (meta["uid"], meta["resourceVersion"])
