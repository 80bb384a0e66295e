"""Conditions: every operator on every kind of value, `when`/`or`/`negate`, and what is refused when compiled (language,
section 5). Reasons and explanations are in `test_conditions_explained.py`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.expr.conditions import Condition, ConditionError, Guard, condition, guard_reads, holds, met
from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError
from ork.expr.notes import functions
from ork.expr.operators import NAMES, OPERATORS, SHORT
from ork.expr.template import parse, parse_field

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))
FUNCTIONS = functions()


def compiled(operator: str, operand: Any = None, negate: bool = False, value_type: str = "") -> Condition:
    return condition(parse_field("spec.x", FUNCTIONS), operator, operand, negate, value_type)


def asked(value: Any, operator: str, operand: Any = None, negate: bool = False, value_type: str = "") -> bool:
    return met(compiled(operator, operand, negate, value_type), {"spec": {"x": value}}, ENV)


def rendered(text: str) -> Any:
    """An operand that is a template."""
    return parse(text, Place.CONDITION, FUNCTIONS)


@pytest.mark.parametrize(
    ("value", "operator", "operand", "held"),
    [
        # equality is of text, as it would be printed
        (True, "eq", "true", True),
        ("true", "eq", True, True),
        (False, "eq", "true", False),
        (3, "eq", "3", True),
        ("1.10", "eq", 1.1, False),
        ("1.10", "eq", "1.10", True),
        (1.0, "eq", "1", True),
        (1e21, "eq", "1e+21", True),
        (9007199254740993, "eq", "9007199254740993", True),
        ("Ready", "neq", "ready", True),
        ("", "eq", "", True),
        ("", "neq", "", False),
        (["a", 1], "eq", '["a",1]', True),
        ({"b": 1, "a": 2}, "eq", '{"a":2,"b":1}', True),
        # numbers
        (10, "gt", 9, True),
        ("10", "gt", "9", True),
        (9007199254740993, "gt", 9007199254740992, True),
        (0.1, "gte", "0.1", True),
        (3, "lt", 3, False),
        (3, "lte", 3, True),
        (-1, "lt", "0", True),
        ("1e3", "gte", 1000, True),
        # quantities, where one side has a suffix that only they have
        ("2Gi", "gt", "1Gi", True),
        ("1024Mi", "gte", "1Gi", True),
        ("1Gi", "gt", 1073741823, True),
        (1073741825, "gt", "1Gi", True),
        ("5k", "lt", "1M", True),
        ("500m", "lt", "1k", True),
        # durations, where it is not
        ("65s", "gt", "1m", True),
        ("5m", "lt", "1h", True),
        ("30d", "gte", "720h", True),
        # ranges are inclusive
        (1, "between", "1,10", True),
        (10, "between", [1, 10], True),
        (11, "between", "1, 10", False),
        ("90s", "between", "1m,2m", True),
        ("1Gi", "between", ["512Mi", "2Gi"], True),
        (11, "notBetween", "1,10", True),
        (5, "notBetween", "1,10", False),
        # membership
        ("dev", "in", "dev,test", True),
        ("dev", "in", "dev , test", True),
        ("de", "in", "dev,test", False),
        (3, "in", [1, 2, 3], True),
        (True, "in", "true,yes", True),
        ("", "in", "Pending,", True),
        ("Running", "in", "Pending,", False),
        ("a,b", "in", ["a,b"], True),
        ("prod", "notIn", ["dev", "test"], True),
        ("dev", "notIn", ["dev", "test"], False),
        # text
        ("production", "contains", "prod", True),
        (8080, "contains", "80", True),
        (["eu", "us"], "contains", "eu", True),
        (["eu-west"], "contains", "eu", False),
        ([1, 2], "contains", 2, True),
        (["eu"], "notContains", "us", True),
        ("web-1", "prefix", "web", True),
        ("web-1", "notPrefix", "api", True),
        ("web-1", "suffix", "-1", True),
        ("web-1", "notSuffix", "-1", False),
        ("web-12", "regex", "[0-9]{2}", True),
        ("web-12", "regex", "^[0-9]", False),
        ("", "regex", "^$", True),
        ("web", "notRegex", "^api", True),
        ("größe", "regex", "^gr.ße$", True),
        # existence: what prints as something exists
        (False, "exists", None, True),
        (0, "exists", True, True),
        ("", "exists", True, False),
        ([], "exists", True, True),
        ("x", "exists", "false", False),
        ("", "exists", False, True),
        ("x", "notExists", None, False),
        ("", "notExists", True, True),
        ("x", "notExists", False, True),
        # types
        ("x", "typeOf", "string", True),
        (1, "typeOf", "int", True),
        (1.5, "typeOf", "float", True),
        (True, "typeOf", "bool", True),
        ([], "typeOf", "list", True),
        ({}, "typeOf", "map", True),
        (True, "typeOf", "int", False),
        # versions
        ("1.4.2", "semver", ">=1.2 <2", True),
        ("2.0.0", "semver", ">=1.2 <2", False),
        ("1.4.2", "semver", "^1.2", True),
        ("v1.4", "semver", "1.x", True),
        ("1.4.2", "semver", ">=1.2, <2", True),
        ("2.0.0-rc.1", "semver", ">=1.2", False),
        ("1.5.0", "semver", "<1 || >= 1.5", True),
        ("latest", "semver", "*", False),
        ("", "semver", "*", False),
    ],
)  # fmt: skip
def test_an_operator_holds_as_the_language_says(value: Any, operator: str, operand: Any, held: bool) -> None:
    assert asked(value, operator, operand) is held
    assert asked(value, operator, operand, negate=True) is not held


MISSING_HOLDS = [
    ("eq", ""), ("neq", "x"), ("in", "Pending,"), ("in", ["", "a"]), ("notIn", "a,b"), ("notContains", "x"),
    ("notContains", ""), ("notPrefix", "x"), ("notSuffix", "x"), ("notRegex", "x"), ("notRegex", ".*"),
    ("exists", False), ("exists", "false"), ("notExists", None), ("notExists", True), ("typeOf", None),
    ("typeOf", "null"),
]  # fmt: skip
MISSING_FAILS = [
    ("eq", "x"), ("neq", ""), ("gt", 0), ("gte", 0), ("lt", 10), ("lte", "1Gi"), ("between", "0,1"),
    ("notBetween", "0,1"), ("in", "a,b"), ("notIn", "Pending,"), ("contains", "x"), ("contains", ""), ("prefix", ""),
    ("suffix", ""), ("regex", ".*"), ("exists", None), ("exists", True), ("notExists", False), ("typeOf", "string"),
    ("typeOf", "map"), ("semver", "*"),
]  # fmt: skip


@pytest.mark.parametrize(
    "scope",
    [{}, {"spec": None}, {"spec": {}}, {"spec": {"x": None}}],
    ids=["no spec", "null spec", "empty spec", "null field"],
)
@pytest.mark.parametrize(
    ("operator", "operand", "held"),
    [(*row, True) for row in MISSING_HOLDS] + [(*row, False) for row in MISSING_FAILS],
)
def test_a_missing_field_follows_its_own_table(operator: str, operand: Any, held: bool, scope: dict[str, Any]) -> None:
    assert met(compiled(operator, operand), scope, ENV) is held
    assert met(compiled(operator, operand, negate=True), scope, ENV) is not held


def test_the_table_of_missing_fields_names_every_operator() -> None:
    named = {operator for operator, _ in MISSING_HOLDS + MISSING_FAILS}
    assert named == set(OPERATORS) - {"unique"}


@pytest.mark.parametrize("operator", ["gt", "gte", "lt", "lte", "between", "notBetween"])
def test_an_empty_text_has_no_size_and_compares_as_a_missing_field(operator: str) -> None:
    assert asked("", operator, "0,1" if "etween" in operator else 0) is False


@pytest.mark.parametrize(
    ("value", "operator", "operand", "value_type", "held"),
    [
        ("1024Mi", "eq", "1Gi", "quantity", True),
        ("1000m", "in", "1,2", "quantity", True),
        ("500m", "lt", "1", "quantity", True),
        ("60s", "eq", "1m", "duration", True),
        ("1.10", "eq", 1.1, "float", True),
        ("007", "eq", 7, "int", True),
        (7.0, "eq", "7", "int", True),
        ("true", "eq", True, "bool", True),
        (False, "neq", "true", "bool", True),
        ("b", "gt", "a", "string", True),
        ("10", "lt", "9", "string", True),
        ("10", "between", "9,11", "int", True),
        (3, "notIn", ["03"], "int", False),
        ("", "eq", 0, "int", False),
        ("", "neq", 0, "int", True),
        ("", "in", ["", 3], "int", True),
        (3, "contains", "3", "string", True),
    ],
)
def test_a_value_type_forces_the_comparison(
    value: Any, operator: str, operand: Any, value_type: str, held: bool
) -> None:
    assert asked(value, operator, operand, value_type=value_type) is held


@pytest.mark.parametrize(
    ("value", "operator", "operand", "value_type", "message"),
    [
        ("abc", "gt", 1, "", 'spec.x: "abc" and "1" are neither two numbers, two quantities nor two durations'),
        (True, "gt", 1, "", 'spec.x: "true" and "1" are neither'),
        ("500m", "lt", "1", "", 'spec.x: "500m" and "1" are neither'),
        ("10Gi", "gt", "5m", "", None),
        (["a"], "lt", "1", "", "are neither"),
        ("many", "between", "1,10", "", "are neither"),
        ("many", "eq", 3, "int", 'spec.x: "many" is not a whole number, such as 3'),
        (1.5, "eq", 1, "int", "is not a whole number"),
        ("yes", "eq", True, "bool", "is not true or false"),
        ("1x", "lt", "1", "quantity", "is not a quantity"),
    ],
)
def test_what_cannot_be_compared_is_an_evaluation_error(
    value: Any, operator: str, operand: Any, value_type: str, message: str | None
) -> None:
    if message is None:
        assert asked(value, operator, operand, value_type=value_type) is True
        return
    with pytest.raises(EvaluationError) as caught:
        asked(value, operator, operand, value_type=value_type)
    assert message in str(caught.value)
    assert (caught.value.start, caught.value.end) == (0, len("spec.x"))


@pytest.mark.parametrize(
    ("operator", "operand", "value_type", "about", "message"),
    [
        ("equal", "x", "", "operator", 'there is no operator "equal"'),
        ("custom", "x", "", "operator", 'there is no operator "custom"'),
        ("eq", 1, "integral", "valueType", 'there is no valueType "integral"'),
        ("regex", "x", "int", "valueType", '"regex" does not compare values as int'),
        ("gt", "true", "bool", "valueType", '"gt" does not compare values as bool'),
        ("eq", "many", "int", "operand", '"many" is not a whole number'),
        ("eq", "1.5.2", "float", "operand", '"1.5.2" is not a number'),
        ("eq", "maybe", "bool", "operand", '"maybe" is not true or false'),
        ("lt", "5", "duration", "operand", '"5" is not a duration'),
        ("in", ["1Gi", "big"], "quantity", "operand", '"big" is not a quantity'),
        ("gt", "big", "", "operand", '"big" is neither a number, a quantity nor a duration'),
        ("gt", None, "", "operand", "is neither a number"),
        ("lt", [1], "", "operand", "is neither a number"),
        ("between", "1", "", "operand", '"1" is no range'),
        ("between", [1, 2, 3], "", "operand", "is no range"),
        ("between", "10,1", "", "operand", 'nothing lies between "10" and "1"'),
        ("between", "1,1Gi,", "", "operand", "is no range"),
        ("between", "1s,1Gi", "", "operand", "are neither"),
        ("prefix", ["a"], "", "operand", "a list is no operand here"),
        ("in", None, "", "operand", "a null is no operand here"),
        ("regex", "(", "", "operand", '"(" is no regular expression: missing )'),
        ("regex", r"(?=x)", "", "operand", "is no regular expression"),
        ("exists", "maybe", "", "operand", '"maybe" is not true or false'),
        ("typeOf", "text", "", "operand", '"text" is no type'),
        ("semver", "newest", "", "operand", '"newest" is not a range of versions'),
        ("unique", False, "", "operand", "unique cannot be turned off"),
    ],
)
def test_a_condition_that_could_never_be_evaluated_is_refused(
    operator: str, operand: Any, value_type: str, about: str, message: str
) -> None:
    with pytest.raises(ConditionError) as caught:
        compiled(operator, operand, value_type=value_type)
    assert caught.value.about == about
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("operator", "operand", "hint"),
    [
        ("equal", "x", 'did you mean "equals"?'),
        ("typeOf", "strng", 'did you mean "string"?'),
        ("between", "10,1", "write the smaller bound first"),
        ("regex", "(", "RE2"),
    ],
)
def test_a_refusal_says_what_to_write(operator: str, operand: Any, hint: str) -> None:
    with pytest.raises(ConditionError) as caught:
        compiled(operator, operand)
    assert hint in caught.value.hint


def test_an_operand_may_be_a_template() -> None:
    scope = {"spec": {"x": "web-7", "wanted": "web-7", "pattern": "^web", "low": 1, "allowed": ["web-7"]}}
    for operator, template in [
        ("eq", "{{ .spec.wanted }}"),
        ("regex", "{{ .spec.pattern }}"),
        ("in", "{{ .spec.allowed }}"),
        ("in", "api-1,{{ .spec.wanted }}"),
        ("prefix", "{{ slice .spec.wanted 0 3 }}"),
        ("notExists", "{{ eq .spec.low 2 }}"),
    ]:
        assert met(compiled(operator, rendered(template)), scope, ENV), template
    assert met(compiled("in", ["api", rendered("{{ .spec.wanted }}")]), scope, ENV)
    scope["spec"]["x"] = 5
    assert met(compiled("between", [rendered("{{ .spec.low }}"), 9]), scope, ENV)
    assert met(compiled("gt", rendered("{{ .spec.low }}"), value_type="int"), scope, ENV)


@pytest.mark.parametrize("negate", [False, True])
def test_a_size_compared_with_a_missing_operand_is_false(negate: bool) -> None:
    missing = compiled("gt", rendered("{{ .spec.least }}"), negate)
    assert met(missing, {"spec": {"x": 5}}, ENV) is negate


def test_a_template_operand_that_is_wrong_for_its_data_is_an_evaluation_error() -> None:
    pattern = compiled("regex", rendered("{{ .spec.pattern }}"))
    with pytest.raises(EvaluationError, match=r"spec.pattern: .* is no regular expression"):
        met(pattern, {"spec": {"x": "a", "pattern": "("}}, ENV)


def test_text_that_is_no_unicode_is_an_evaluation_error_and_no_crash() -> None:
    with pytest.raises(EvaluationError):
        asked("\ud800", "regex", "x")


def test_every_spelling_leads_to_its_operator() -> None:
    assert SHORT == {
        "equals": "eq", "notEquals": "neq",
        "greaterThan": "gt", "gt": "gt", "min": "gte", "gte": "gte", "greaterThanOrEqual": "gte",
        "lessThan": "lt", "lt": "lt", "max": "lte", "lte": "lte", "lessThanOrEqual": "lte",
        "between": "between", "notBetween": "notBetween", "in": "in", "notIn": "notIn",
        "contains": "contains", "notContains": "notContains",
        "prefix": "prefix", "startsWith": "prefix", "notPrefix": "notPrefix",
        "suffix": "suffix", "endsWith": "suffix", "notSuffix": "notSuffix",
        "regex": "regex", "matches": "regex", "notRegex": "notRegex",
        "exists": "exists", "notExists": "notExists", "typeOf": "typeOf", "semver": "semver", "unique": "unique",
    }  # fmt: skip
    assert all(compiled("equals", "x").operator == "eq" for _ in [0])
    assert {NAMES[name] for name in OPERATORS} == set(OPERATORS)


def test_both_blocks_must_hold_and_an_absent_one_does() -> None:
    yes, no = compiled("exists"), compiled("notExists")
    scope = {"spec": {"x": "there"}}
    for every, some, held in [
        ((), (), True),
        ((yes, yes), (), True),
        ((yes, no), (), False),
        ((), (no, yes), True),
        ((), (no, no), False),
        ((yes,), (no, yes), True),
        ((yes,), (no,), False),
        ((no,), (yes,), False),
    ]:
        assert holds(Guard(every, some), scope, ENV) is held


def test_evaluation_stops_where_the_answer_is_known() -> None:
    no, broken = compiled("notExists"), compiled("gt", 1)
    assert holds(Guard((no, broken)), {"spec": {"x": "text"}}, ENV) is False


def test_a_condition_reads_what_its_field_and_operand_read() -> None:
    one = compiled("eq", rendered("{{ .status.phase }}"))
    assert one.reads == {("spec", "x"), ("status", "phase")}
    two = condition(parse_field("{{ now }}", FUNCTIONS), "neq", "")
    assert guard_reads(Guard((one,), (two,))) == {("spec", "x"), ("status", "phase"), ("@clock",)}


def test_a_condition_made_by_hand_is_evaluated_too() -> None:
    field = parse_field(".spec.x", FUNCTIONS)
    assert met(Condition(field, "in", "a,b", False, "", field.reads), {"spec": {"x": "b"}}, ENV)


def test_unique_is_not_answered_here() -> None:
    with pytest.raises(EvaluationError, match="only a validation rule"):
        asked("x", "unique", True)
