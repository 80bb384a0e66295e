"""What a condition saw, in words: verdicts, a gate's reason, and conditions that are known before anything runs
(language, sections 5 and 8)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.expr.conditions import Condition, Guard, condition, constant, demand, describe, explain, holds, judge, why_not
from ork.expr.env import Env, Place
from ork.expr.functions import Function, Functions
from ork.expr.notes import functions
from ork.expr.template import parse, parse_field

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


def sentinel(name: str) -> Function:
    def call(env: Env) -> str:
        return "true" if env.sentinels.get(name) else "false"

    return Function(name, call, 0, 0, needs_env=True, reads=frozenset({("@sentinel", name)}))


FUNCTIONS: Functions = {
    **functions(),
    **{name: sentinel(name) for name in ("generationChanged", "labelsChanged")},
}


def asks(field: str, operator: str, operand: Any = None, negate: bool = False) -> Condition:
    return condition(parse_field(field, FUNCTIONS), operator, operand, negate)


@pytest.mark.parametrize(
    ("field", "spec", "text"),
    [
        ("spec.enabled", {"enabled": False}, "spec.enabled is false"),
        (".spec.enabled", {"enabled": False}, "spec.enabled is false"),
        ("{{ .spec.enabled }}", {"enabled": False}, "spec.enabled is false"),
        ("{{- .spec.enabled -}}", {"enabled": False}, "spec.enabled is false"),
        ("{{ len .spec.regions }}", {"regions": []}, "len .spec.regions is 0"),
        ("{{ len .spec.regions }}", {}, "len .spec.regions is 0"),
        ("{{ .spec.x }}", {}, "spec.x is not set"),
        ("spec.x", {"x": None}, "spec.x is not set"),
        ("spec.x", {"x": ""}, 'spec.x is ""'),
        ("spec.x", {"x": ["a", 1]}, 'spec.x is ["a",1]'),
        ("{{ .spec.a }}-{{ .spec.b }}", {"a": "x", "b": 1}, "{{ .spec.a }}-{{ .spec.b }} is x-1"),
        ("{{ (index .spec.a 0) }}", {"a": ["x"]}, "(index .spec.a 0) is x"),
        ("spec.x", {"x": "y" * 500}, f"spec.x is {'y' * 79}…"),
    ],
)
def test_a_verdict_is_described_by_field_and_value(field: str, spec: dict[str, Any], text: str) -> None:
    assert describe(judge(asks(field, "eq", "wanted"), "when", {"spec": spec}, ENV)) == text


@pytest.mark.parametrize(
    ("operator", "operand", "text"),
    [
        ("equals", "premium", "spec.x equals premium"),
        ("equals", "", 'spec.x equals ""'),
        ("notEquals", 3, "spec.x does not equal 3"),
        ("gt", "1Gi", "spec.x is greater than 1Gi"),
        ("between", [1, 10], "spec.x is between 1, 10"),
        ("in", ["a", "b"], "spec.x is one of a, b"),
        ("regex", "^a", "spec.x matches ^a"),
        ("exists", None, "spec.x is set"),
        ("exists", False, "spec.x is not set"),
        ("notExists", True, "spec.x is not set"),
        ("notExists", False, "spec.x is set"),
        ("typeOf", "map", "spec.x is of type map"),
        ("semver", "^1", "spec.x satisfies ^1"),
    ],
)
def test_a_condition_can_say_what_it_asks_for(operator: str, operand: Any, text: str) -> None:
    verdict = judge(asks("spec.x", operator, operand), "or", {}, ENV)
    assert demand(verdict) == text
    turned = judge(asks("spec.x", operator, operand, negate=True), "or", {}, ENV)
    assert demand(turned) == f"not ({text})"


def test_explain_tells_every_condition_with_its_operands() -> None:
    operand = parse("{{ .spec.wanted }}", Place.CONDITION, FUNCTIONS)
    guard = Guard((asks("spec.x", "eq", operand), asks("spec.y", "exists")), (asks("spec.z", "in", ["a"]),))
    verdicts = explain(guard, {"spec": {"x": 1, "wanted": 1, "z": "b"}}, ENV)
    assert [(each.block, each.value, each.operand, each.held) for each in verdicts] == [
        ("when", 1, 1, True),
        ("when", None, None, False),
        ("or", "b", ["a"], False),
    ]


def test_the_reason_is_the_first_condition_that_failed() -> None:
    guard = Guard((asks("spec.a", "exists"), asks("{{ .spec.b }}", "eq", "true"), asks("spec.c", "exists")))
    assert why_not(guard, {"spec": {"a": 1, "b": False}}, ENV) == "spec.b is false"


def test_the_reason_of_an_or_block_names_what_was_asked_and_what_was_found() -> None:
    tier = "{{ .spec.tier }}"
    guard = Guard((), (asks(tier, "eq", "premium"), asks(tier, "eq", "gold"), asks("spec.force", "exists")))
    assert why_not(guard, {"spec": {"tier": "free"}}, ENV) == (
        "none of: spec.tier equals premium, spec.tier equals gold, spec.force is set "
        "(spec.tier is free, spec.force is not set)"
    )


def test_a_guard_that_holds_has_no_reason() -> None:
    guard = Guard((asks("spec.a", "exists"),), (asks("spec.b", "exists"), asks("spec.a", "eq", 1)))
    scope = {"spec": {"a": 1}}
    assert holds(guard, scope, ENV)
    assert why_not(guard, scope, ENV) == ""


CHANGED = "{{ generationChanged }}"


@pytest.mark.parametrize(
    ("every", "some", "known"),
    [
        ([], [], True),
        ([("spec.x", "exists", None)], [], None),
        ([("{{ eq 1 2 }}", "eq", "true")], [], False),
        ([("{{ eq 1 1 }}", "eq", "true")], [], True),
        ([("spec.x", "exists", None), ('{{ "a" }}', "eq", "b")], [], False),
        ([(CHANGED, "eq", "true")], [], None),
        ([(CHANGED, "eq", True)], [], None),
        ([(CHANGED, "eq", "yes")], [], False),
        ([(CHANGED, "eq", "1")], [], False),
        ([(CHANGED, "neq", "yes")], [], True),
        ([(CHANGED, "in", "true,false")], [], True),
        ([(CHANGED, "eq", "true"), (CHANGED, "eq", "false")], [], False),
        ([(CHANGED, "eq", "true"), ("{{ labelsChanged }}", "eq", "true")], [], None),
        ([], [(CHANGED, "eq", "true"), (CHANGED, "eq", "false")], True),
        ([], [(CHANGED, "eq", "yes"), ("spec.x", "exists", None)], None),
        ([], [(CHANGED, "eq", "yes"), ('{{ "a" }}', "eq", "b")], False),
        ([("spec.x", "exists", None)], [('{{ "a" }}', "eq", "a")], None),
        ([("{{ weekday }}", "eq", "true")], [], None),
        ([("{{ div 1 0 }}", "eq", "true")], [], None),
    ],
)
def test_a_guard_that_no_data_can_change_is_known(
    every: list[tuple[str, str, Any]], some: list[tuple[str, str, Any]], known: bool | None
) -> None:
    guard = Guard(tuple(asks(*each) for each in every), tuple(asks(*each) for each in some))
    assert constant(guard) is known
