"""When a turn need not be told again: all that it reads is as it was when it last settled."""

from __future__ import annotations

from ork.base.objects import Object, uid
from ork.engine.turn import Turn
from ork.program import Box, Crd
from ork.reconcile.ports import Item, Outcome, OutcomeKind, Ports

_OUTSIDE = frozenset(("@clock", "@random", "external", "cross", "health", "metrics"))
"""What an expression reads that neither the CR nor its children show."""

SETTLED = Outcome(OutcomeKind.SETTLED, rests=True)


def known(turn: Turn, item: Item, ports: Ports) -> bool:
    """Tell whether this very turn was told before and settled: a resourceVersion stands for an object's content."""
    noted = ports.memory.recall(uid(turn.cr), "settled")
    return noted is not None and noted == _mark(turn, item)


def noted(turn: Turn, item: Item, outcome: Outcome, ports: Ports) -> Outcome:
    """Remember a turn that settled. If it wrote anything, the versions have moved, and it is told once more."""
    if outcome.kind is not OutcomeKind.SETTLED or outcome.after is not None or not _closed(turn.crd, turn.box):
        return outcome
    ports.memory.note(uid(turn.cr), "settled", _mark(turn, item))
    return outcome._replace(rests=_unchanged(turn, item, ports))


def _closed(crd: Crd, box: Box) -> bool:
    """Tell whether a turn follows from the CR, its children and the sentinels alone."""
    rules = crd.rules
    calls = (box.shared, box.enqueue.calls, box.reconcile.calls, box.create_calls, box.calls)
    if any(entry.source for entry in box.entries):
        return False
    if any(calls) or rules.mutation_calls or rules.validation_calls or box.hook:
        return False
    if any(rule.condition.operator == "unique" for rule in rules.assertions):
        return False
    return not any(path[0] in _OUTSIDE for path in box.reads)


def _mark(turn: Turn, item: Item) -> tuple[object, ...]:
    children = (_version(child.obj) for child in turn.children.values())
    return (turn.crd, tuple(item.sentinels.items()), _version(turn.cr), *children)


def _unchanged(turn: Turn, item: Item, ports: Ports) -> bool:
    cr = ports.view.get(item.ref)
    if cr is None or _version(cr) != _version(turn.cr):
        return False
    before = [_version(child.obj) for child in turn.children.values()]
    return before == [_version(child.obj) for child in ports.view.owned(uid(cr))]


def _version(obj: Object) -> tuple[str, str]:
    meta = obj["metadata"]
    return (meta["uid"], meta["resourceVersion"])
