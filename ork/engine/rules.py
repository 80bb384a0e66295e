"""Admission rules: what changes an object before it is judged, and what must hold of it (language, section 10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from ork.base import paths
from ork.base.findings import Span
from ork.base.objects import Object, uid
from ork.base.records import NamedTuple
from ork.engine import faults
from ork.expr.conditions import describe, holds, judge, met
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.expr.template import MISSING, Reads
from ork.program import Assertion, Call, Mutation, Rules

Peers = Callable[[], Sequence[Object]]
"""Gives the CRs of this CRD; asked only by a rule that must know them."""


UNIQUE = "unique"
"""The operator that compares a CR with the others of its CRD."""


class Phase(Enum):
    """When rules are evaluated."""

    ADMISSION = "admission"
    RECONCILE = "reconcile"


class Violation(NamedTuple):
    """A rule that does not hold."""

    message: str
    deny: bool
    """False: only a warning."""
    span: Span


def fires(call: Call, phase: Phase) -> bool:
    """Tell whether a call of a rules list runs in that phase (`fires.reconcile`)."""
    return call.at_reconcile or phase is Phase.ADMISSION


def mutate(rules: Rules, scope: Scope, env: Env, phase: Phase) -> Scope:
    """Return the scope with the mutation rules applied, each seeing its predecessors' work. Raises Stop."""
    silent = _silent(rules, phase)
    for rule in rules.mutations:
        if _evaluated(rule, silent, phase):
            try:
                scope = _mutated(rule, scope, env)
            except EvaluationError as error:
                subject = f"the mutation of {paths.text(rule.path)}"
                fault = faults.of_evaluation(error, subject, scope, rule.span)
                raise faults.Stop(scope, fault) from error
    return scope


def violations(rules: Rules, scope: Scope, env: Env, phase: Phase, peers: Peers) -> list[Violation]:
    """Return every assertion that does not hold, not only the first. Raises Stop."""
    silent, found = _silent(rules, phase), []
    for rule in rules.assertions:
        if _evaluated(rule, silent, phase):
            try:
                if holds(rule.guard, scope, env) and not _asserted(rule, scope, env, peers):
                    found.append(Violation(_message(rule, scope, env), rule.deny, rule.span))
            except EvaluationError as error:
                fault = faults.of_evaluation(error, "a validation rule", scope, rule.span)
                raise faults.Stop(scope, fault) from error
    return found


def _silent(rules: Rules, phase: Phase) -> frozenset[str]:
    calls = (*rules.mutation_calls, *rules.validation_calls)
    return frozenset(call.name for call in calls if not fires(call, phase))


def _evaluated(rule: Assertion | Mutation, silent: frozenset[str], phase: Phase) -> bool:
    """A rule that reads a call which does not fire in this phase has nothing to judge by."""
    if phase is Phase.RECONCILE and not rule.at_reconcile:
        return False
    return not (silent and any(name in silent for name in external_names(rule.reads)))


def asks_peers(rules: Rules) -> bool:
    """Tell whether a rule must know the other CRs of the CRD."""
    return any(rule.condition.operator == UNIQUE for rule in rules.assertions)


def external_names(reads: Reads) -> list[str]:
    """Return the calls whose results are read."""
    return [path[1] for path in reads if path[0] == "external" and len(path) > 1]


def _mutated(rule: Mutation, scope: Scope, env: Env) -> Scope:
    if not holds(rule.guard, scope, env) or not (rule.override or _empty(paths.get(scope, rule.path))):
        return scope
    value = rule.value(scope, env)
    if value is MISSING:
        return scope
    changed: Scope = paths.put(scope, rule.path, value)
    return changed


def _empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _asserted(rule: Assertion, scope: Scope, env: Env, peers: Peers) -> bool:
    if rule.condition.operator != UNIQUE:
        return met(rule.condition, scope, env)
    value = rule.condition.field(scope, env)
    alone = not _empty(value) and not any(_claims(rule, value, scope, other, env) for other in peers())
    return alone is not rule.condition.negate


def _claims(rule: Assertion, value: Any, scope: Scope, other: Object, env: Env) -> bool:
    """Tell whether another CR has the value, and had it first: so two CRs never block each other."""
    if uid(other) == scope["metadata"].get("uid") or _age(other) > _age(scope):
        return False
    try:
        return bool(rule.condition.field({**other, "external": {}}, env) == value)
    except EvaluationError:
        return False


def _age(cr: Object) -> tuple[str, str]:
    return (cr["metadata"].get("creationTimestamp", "~"), uid(cr))


def _message(rule: Assertion, scope: Scope, env: Env) -> str:
    """Return the rule's message. One that cannot be rendered must not hide the violation."""
    try:
        text = str(rule.message(scope, env))
    except EvaluationError:
        text = ""
    if text:
        return f"{text} ({rule.link})" if rule.link else text
    if rule.condition.operator == UNIQUE:
        return f"{rule.condition.field.text} must be unique"
    return describe(judge(rule.condition, "when", scope, env))
