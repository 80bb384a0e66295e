"""`when` and `or`: conditions on one field each, held by a guard."""

from __future__ import annotations

from typing import Any, NamedTuple

from ork.expr.env import Env, Scope
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


def holds(guard: Guard, scope: Scope, env: Env) -> bool:
    """Tell whether both blocks hold. Raises EvaluationError."""
    raise NotImplementedError


def explain(guard: Guard, scope: Scope, env: Env) -> list[Verdict]:
    """Evaluate every condition once more and say how each came out. Raises EvaluationError."""
    raise NotImplementedError
