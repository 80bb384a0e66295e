"""`when` and `or`: conditions on one field each, held by a guard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from typing import Any, Literal

from ork.base.errors import OrkError
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.base.text import cut, did_you_mean
from ork.expr.compare import VALUE_TYPES, plain
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.expr.operators import NAMES, OPERATORS, Operand, OperandError, Operator, Test
from ork.expr.template import Reads, Template


class Condition(NamedTuple):
    """`field` + one operator, compiled."""

    field: Template
    operator: str
    """The canonical name: `eq neq gt gte lt lte between notBetween in notIn contains … unique`."""
    operand: Any
    """A literal of any type, a `Template`, or a list of both."""
    negate: bool
    value_type: str
    """`string int float bool quantity duration`, or empty."""
    reads: Reads
    test: Test | None = None
    """The operator's test of a literal operand, made once; None where the operand is known only when it is asked."""


class Guard(NamedTuple):
    """`every` condition (when) and, where there are any, at least one of `some` (or)."""

    every: tuple[Condition, ...] = ()
    some: tuple[Condition, ...] = ()


ALWAYS = Guard()


class Verdict(NamedTuple):
    """How one condition came out: what `--explain` and a gate's reason show."""

    condition: Condition
    block: str
    """`when` or `or`."""
    value: Any
    """The field's value; None where it is missing."""
    operand: Any
    held: bool


class ConditionError(OrkError):
    """A condition that can never be evaluated. `about` says which part of it is wrong."""

    def __init__(self, message: str, hint: str, about: Literal["operator", "operand", "valueType"]) -> None:
        super().__init__(message)
        self.message, self.hint, self.about = message, hint, about


# ── compiling ───────────────────────────────────────────────────────────────────────────────────
def condition(field: Template, operator: str, operand: Any, negate: bool = False, value_type: str = "") -> Condition:
    """Compile one condition.

    `operator` is a name or a short key (`eq`, `equals`); `operand` a literal scalar or list, a `Template`, or a list
    of both; None where none is written. Raises ConditionError for an unknown operator or type, and for a literal
    operand that the operator cannot take.
    """
    known = _operator(operator)
    _check_type(known, value_type)
    test = None
    if next(_templates(operand), None) is None:
        try:
            test = known.build(operand, value_type)
        except ValueError as error:
            raise ConditionError(str(error), getattr(error, "hint", ""), "operand") from None
    reads = field.reads.union(*(part.reads for part in _templates(operand)))
    return Condition(field, known.name, operand, negate, value_type, reads, test)


def _operator(word: str) -> Operator:
    name = NAMES.get(word)
    if name is None:
        hint = did_you_mean(word, NAMES) or f"one of {', '.join(OPERATORS)}"
        raise ConditionError(f'there is no operator "{word}"', hint, "operator")
    return OPERATORS[name]


def _check_type(operator: Operator, value_type: str) -> None:
    if value_type in ("", "string"):
        return
    known = VALUE_TYPES.get(value_type)
    if known is None:
        hint = did_you_mean(value_type, VALUE_TYPES) or f"one of {', '.join(VALUE_TYPES)}"
        raise ConditionError(f'there is no valueType "{value_type}"', hint, "valueType")
    if not operator.typed or (operator.measures and not known.ordered):
        raise ConditionError(f'"{operator.name}" does not compare values as {value_type}', "", "valueType")


def _templates(operand: Any) -> Iterator[Template]:
    for part in operand if isinstance(operand, list | tuple) else (operand,):
        if isinstance(part, Template):
            yield part


def guard_reads(guard: Guard) -> Reads:
    """Return what the conditions of a guard read."""
    return frozenset().union(*(each.reads for each in (*guard.every, *guard.some)))


# ── evaluating ──────────────────────────────────────────────────────────────────────────────────
def holds(guard: Guard, scope: Scope, env: Env) -> bool:
    """Tell whether both blocks hold. Raises EvaluationError."""
    for each in guard.every:
        if not met(each, scope, env):
            return False
    for each in guard.some:
        if met(each, scope, env):
            return True
    return not guard.some


def met(condition: Condition, scope: Scope, env: Env) -> bool:
    """Tell whether one condition holds, `negate` included. Raises EvaluationError.

    A condition with the operator `unique` is the engine's to answer: it alone sees the other CRs.
    """
    value = condition.field(scope, env)
    operand = None if condition.test else _render(condition.operand, scope, env)
    return _decide(condition, value, operand)


def explain(guard: Guard, scope: Scope, env: Env) -> list[Verdict]:
    """Evaluate every condition once more and say how each came out. Raises EvaluationError."""
    every = [judge(each, "when", scope, env) for each in guard.every]
    return every + [judge(each, "or", scope, env) for each in guard.some]


def judge(condition: Condition, block: str, scope: Scope, env: Env) -> Verdict:
    """Evaluate one condition and keep what it saw. Raises EvaluationError."""
    value = condition.field(scope, env)
    operand = _render(condition.operand, scope, env)
    return Verdict(condition, block, value, operand, _decide(condition, value, operand))


def _decide(condition: Condition, value: Any, operand: Any) -> bool:
    operator = OPERATORS[condition.operator]
    if operator.missing is not None and (value is None or (operator.measures and value == "")):
        return operator.missing is not condition.negate
    test = condition.test
    if test is None:
        if operator.measures and (operand is None or operand == ""):
            return condition.negate
        test = _build(operator, condition, operand)
    try:
        return test(value) is (operator.inverse is condition.negate)
    except ValueError as error:
        raise _failure(condition.field, error) from error


def _build(operator: Operator, condition: Condition, operand: Any) -> Test:
    try:
        return operator.build(operand, condition.value_type)
    except ValueError as error:
        raise _failure(next(_templates(condition.operand), condition.field), error) from error


def _render(operand: Any, scope: Scope, env: Env) -> Any:
    if isinstance(operand, Template):
        return operand(scope, env)
    if isinstance(operand, list | tuple):
        return [part(scope, env) if isinstance(part, Template) else part for part in operand]
    return operand


def _failure(template: Template, error: ValueError) -> EvaluationError:
    hint = f"; {error.hint}" if isinstance(error, OperandError) and error.hint else ""
    return EvaluationError(f"{written(template)}: {error}{hint}", 0, len(template.text), template.where)


# ── explaining ──────────────────────────────────────────────────────────────────────────────────
_ACTION = pattern(r"\{\{(?:-\s)?\s*(.*?)\s*(?:\s-)?\}\}", re.DOTALL)
_PATH = pattern(r"\.[A-Za-z_][\w.]*")


def written(field: Template) -> str:
    """Return a field as its author would say it: `spec.enabled` of `{{ .spec.enabled }}`, `len .spec.regions`."""
    text = field.text.strip()
    if field.lone and (action := _ACTION.fullmatch(text)):
        text = action[1]
    return text[1:] if _PATH.fullmatch(text) else text


def describe(verdict: Verdict) -> str:
    """Return what a condition saw: `spec.enabled is false`, `spec.x is not set` (language, section 8)."""
    if verdict.value is None:
        return f"{written(verdict.condition.field)} is not set"
    return f"{written(verdict.condition.field)} is {cut(plain(verdict.value), 80) or _QUOTES}"


_QUOTES = '""'


def demand(verdict: Verdict) -> str:
    """Return what a condition asks for: `spec.tier equals premium`, `not (spec.tier equals premium)`."""
    condition = verdict.condition
    operator = OPERATORS[condition.operator]
    sentence = f"{written(condition.field)} {operator.words}"
    if operator.operand is not Operand.FLAG:
        sentence += f" {cut(_operand_text(verdict.operand), 80) or _QUOTES}"
    elif verdict.operand is not None and plain(verdict.operand) == "false":
        sentence = f"{written(condition.field)} {'is not set' if operator.name == 'exists' else 'is set'}"
    return f"not ({sentence})" if condition.negate else sentence


def _operand_text(operand: Any) -> str:
    return ", ".join(map(plain, operand)) if isinstance(operand, list) else plain(operand)


def why_not(guard: Guard, scope: Scope, env: Env) -> str:
    """Return in words why a guard does not hold, evaluating no further than `holds` did; empty where it does.

    The first `when` that failed, as `describe` says it; else what none of the `or` conditions found:
    `none of: spec.tier equals premium, spec.tier equals gold (spec.tier is free)`. Raises EvaluationError.
    """
    for each in guard.every:
        verdict = judge(each, "when", scope, env)
        if not verdict.held:
            return describe(verdict)
    some = [judge(each, "or", scope, env) for each in guard.some]
    if not some or any(verdict.held for verdict in some):
        return ""
    seen = dict.fromkeys(map(describe, some))
    return f"none of: {', '.join(map(demand, some))} ({', '.join(seen)})"


# ── what is known before anything runs ──────────────────────────────────────────────────────────
_NO_DATA = Env(datetime(2000, 1, 1, tzinfo=UTC))
_MOST_SENTINELS = 6


def constant(guard: Guard) -> bool | None:
    """Tell whether a guard always (True) or never (False) holds, whatever the data; None where that depends.

    Conditions that read nothing are evaluated; those that read sentinels only, for every combination of their values.
    """
    names = sorted({path[1] for path in guard_reads(guard) if path[0] == "@sentinel"})
    if len(names) > _MOST_SENTINELS:
        return None
    outcomes = {
        _known(guard, dict(zip(names, values, strict=True))) for values in product((False, True), repeat=len(names))
    }
    return outcomes.pop() if len(outcomes) == 1 else None


def _known(guard: Guard, sentinels: dict[str, bool]) -> bool | None:
    env = _NO_DATA._replace(sentinels=sentinels)
    every = _all([_outcome(each, env) for each in guard.every])
    some = _all([_not(_outcome(each, env)) for each in guard.some])
    return _all([every, _not(some) if guard.some else True])


def _outcome(condition: Condition, env: Env) -> bool | None:
    if any(path[0] != "@sentinel" for path in condition.reads) or condition.operator == "unique":
        return None
    try:
        return met(condition, {}, env)
    except EvaluationError:
        return None


def _all(outcomes: list[bool | None]) -> bool | None:
    """Three-valued "and": False wins, then what is not known."""
    return False if False in outcomes else None if None in outcomes else True


def _not(outcome: bool | None) -> bool | None:
    return None if outcome is None else not outcome
