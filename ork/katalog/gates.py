"""`preReconcile`: sentinels, shared calls and the two gates (language, section 8)."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.records import NamedTuple
from ork.expr.conditions import Condition, Guard, constant, guard_reads
from ork.expr.functions import Function, Layers
from ork.katalog import conditions, scope
from ork.katalog.calls import Calls
from ork.katalog.expressions import Expressions, Site
from ork.katalog.scope import LAST, Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping
from ork.program import Call, Gate


class PreReconcile(NamedTuple):
    """The compiled block."""

    sentinels: tuple[str, ...] = ()
    shared: tuple[Call, ...] = ()
    enqueue: Gate = Gate("enqueueGate")
    reconcile: Gate = Gate("reconcileGate")


def sentinel(name: str) -> Function:
    """Return the function by which a gate asks whether something changed."""
    reads = frozenset((("@sentinel", name),))
    return Function(name, lambda env: env.sentinels.get(name, False), 0, 0, needs_env=True, reads=reads)


def pre_reconcile(expressions: Expressions, node: Mapping, trail: Trail, allowed: tuple[str, ...]) -> PreReconcile:
    """Return what is asked before an object is worked on."""
    declared = node.sequence("sentinels")
    sentinels = tuple(dict.fromkeys(str(name.value) for name in declared or () if hasattr(name, "value")))
    functions = Layers({name: sentinel(name) for name in sentinels}, expressions.functions)
    inside = Expressions(functions, expressions.types, expressions.findings, expressions.names)
    known = frozenset(sentinels)
    calls = Calls(inside, scope.GATE, Stage.SHARED, allowed)
    shared = calls.compile(node.sequence("external"), (trail, "external"), known)
    gates = Gates(inside, known, allowed)
    return PreReconcile(
        sentinels,
        shared,
        gates.gate("enqueueGate", Stage.ENQUEUE, node, trail),
        gates.gate("reconcileGate", Stage.RECONCILE, node, trail),
    )


class Gates:
    """Compiles the gates of one block."""

    def __init__(self, expressions: Expressions, sentinels: frozenset[str], allowed: tuple[str, ...]) -> None:
        self.expressions, self.sentinels, self.allowed = expressions, sentinels, allowed

    def gate(self, name: str, stage: Stage, block: Mapping, above: Trail) -> Gate:
        """Return one gate; one that is not declared lets everything pass."""
        node, trail = block.mapping(name), (above, name)
        if node is None:
            return Gate(name)
        calls = Calls(self.expressions, scope.GATE, stage, self.allowed)
        made = calls.compile(node.sequence("external"), (trail, "external"), self.sentinels)
        site = Site(scope.GATE, Moment(stage, LAST), sentinels=self.sentinels)
        guard = conditions.guard(self.expressions, node, site, trail)
        reads = guard_reads(guard).union(*(call.reads for call in made))
        self._advise(name, node, guard, trail)
        return Gate(name, made, guard, node.value("failPolicy", "open") != "closed", reads)

    def _advise(self, name: str, node: Mapping, guard: Guard, trail: Trail) -> None:
        """Warn of a gate that does not say what a failed call means, and of one that never opens."""
        findings = self.expressions.findings
        if node.sequence("external") and "failPolicy" not in node.keys:
            message = f"the {name} makes external calls and does not say what their failure means"
            hint = "add `failPolicy: closed` to hold the object back then, or `open` to let it pass"
            findings.warning("ORK0502", node.key_span("external"), message, hint, path=path_text((trail, "external")))
        closed = next(_closed(guard), None)
        if closed is not None:
            span = closed.field.where(0, len(closed.field.text)) if closed.field.where else node.head
            message = f"the {name} can never open: this condition holds for no object"
            hint = 'a sentinel is "true" or "false"' if closed.reads else "a condition on constants is always the same"
            findings.warning("ORK0503", span, message, hint, path=path_text(trail))


def _closed(guard: Guard) -> Iterator[Condition]:
    """Go over the conditions that keep a guard from ever holding."""
    for condition in guard.every:
        if _never(condition):
            yield condition
    if guard.some and all(map(_never, guard.some)):
        yield guard.some[0]


def _never(condition: Condition) -> bool:
    """Tell whether a condition reads nothing but constants and sentinels, and holds for none of their values."""
    return constant(Guard((condition,))) is False
