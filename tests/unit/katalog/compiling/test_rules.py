"""Admission rules, served fields and status: what they compile to, and what is refused (language, 10 to 12)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.expr.conditions import holds, met
from ork.expr.errors import EvaluationError
from ork.expr.template import MISSING
from ork.program import Assertion, Mutation

from .conftest import ENV, Compile, Result, cr


def assertion(made: Result, index: int = 0) -> Assertion:
    return made.crd.rules.assertions[index]


def mutation(made: Result, index: int = 0) -> Mutation:
    return made.crd.rules.mutations[index]


# ── validation ──────────────────────────────────────────────────────────────────────────────────
def test_a_rule_asserts(compiled: Compile) -> None:
    rule = assertion(
        compiled("""
            validation:
              rules:
                - field: spec.replicas
                  max: 3
                  message: "{{ .metadata.name }} wants {{ .spec.replicas }}{{ .spec.memory }}"
                  action: warn
                  link: https://docs.example.com
                  when: [{field: spec.tier, equals: silver}]
                  fires: {reconcile: false}
        """)
    )
    assert met(rule.condition, cr(replicas=3), ENV)
    assert not met(rule.condition, cr(replicas=4), ENV)
    assert rule.message(cr(replicas=4), ENV) == "web wants 4"
    assert (rule.deny, rule.link, rule.at_reconcile) == (False, "https://docs.example.com", False)
    assert holds(rule.guard, cr(tier="silver"), ENV)
    assert rule.reads == {("spec", "replicas"), ("spec", "tier"), ("metadata", "name"), ("spec", "memory")}


def test_a_rule_denies_and_holds_at_reconcile_unless_it_says_otherwise(compiled: Compile) -> None:
    rule = assertion(compiled("validation: {rules: [{field: spec.image, prefix: nginx}]}"))
    assert (rule.deny, rule.at_reconcile, rule.message(cr(), ENV)) == (True, True, "")


def test_only_a_validation_rule_may_ask_for_unique(compiled: Compile) -> None:
    rule = assertion(compiled("validation: {rules: [{field: spec.image, unique: true}]}"))
    assert rule.condition.operator == "unique"
    when = "validation: {rules: [{field: spec.image, exists: true, when: [{field: spec.image, unique: true}]}]}"
    assert compiled(when).codes == ["ORK0405"]


def test_included_rules_come_first(compiled: Compile) -> None:
    made = compiled(
        """
        validation:
          include: ./rules.yaml
          rules: [{field: spec.image, exists: true}]
        mutation:
          rules:
            - include: ./defaults.yaml
            - {field: spec.tier, default: gold}
        """,
        rules__yaml="rules: [{field: spec.tier, exists: true}]",
        defaults__yaml="rules: [{field: spec.memory, default: 1Gi}]",
    )
    assert [rule.condition.field.text for rule in made.crd.rules.assertions] == ["spec.tier", "spec.image"]
    assert [rule.path for rule in made.crd.rules.mutations] == [("spec", "memory"), ("spec", "tier")]


# ── mutation ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("rule", "path", "value", "override"),
    [
        ("{field: spec.tier, default: gold}", ("spec", "tier"), "gold", False),
        ("{field: spec.replicas, override: '3'}", ("spec", "replicas"), 3, True),
        ("{field: spec.replicas, default: '{{ add 1 2 }}'}", ("spec", "replicas"), 3, False),
        ("{field: spec.enabled, default: 'true'}", ("spec", "enabled"), True, False),
        ("{field: spec.regions, default: [eu, '{{ .metadata.name }}']}", ("spec", "regions"), ["eu", "web"], False),
        ("{field: spec.free.size, default: '5', valueType: int}", ("spec", "free", "size"), 5, False),
        ("{field: .spec.free.size, default: 5}", ("spec", "free", "size"), 5, False),
        (
            """{field: 'metadata.labels["a/b"]', default: '{{ .spec.image }}'}""",
            ("metadata", "labels", "a/b"),
            "nginx:1",
            False,
        ),
    ],
)
def test_a_mutation_sets_a_value_of_the_fields_type(
    compiled: Compile, rule: str, path: tuple[str, ...], value: Any, override: bool
) -> None:
    made = compiled(f"mutation: {{rules: [{rule}]}}")
    assert made.findings == []
    found = mutation(made)
    assert (found.path, found.value(cr(), ENV), found.override) == (path, value, override)


def test_a_mutation_from_an_optional_field_that_is_missing_changes_nothing(compiled: Compile) -> None:
    found = mutation(compiled("mutation: {rules: [{field: spec.memory, default: '{{ .spec.tier }}'}]}"))
    assert found.value(cr(), ENV) is MISSING


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("{field: spec.imge, default: x}", "ORK0801"),
        ("{field: status.phase, default: x}", "ORK0801"),
        ("{field: metadata.name, default: x}", "ORK0801"),
        ("{field: '{{ .spec.image }}', default: x}", "ORK0801"),
        ("{field: spec.tier}", "ORK0802"),
        ("{field: spec.tier, default: gold, override: silver}", "ORK0802"),
        ("{field: spec.tier, default: bronze}", "ORK0603"),
        ("{field: spec.replicas, default: many}", "ORK0603"),
    ],
)
def test_a_mutation_that_cannot_be_is_an_error(compiled: Compile, rule: str, code: str) -> None:
    assert compiled(f"mutation: {{rules: [{rule}]}}").codes == [code]


# ── served fields ───────────────────────────────────────────────────────────────────────────────
SERVED = """
    serve:
      enabled: %s
      fields:
        image: {required: true}
        tier: {enum: [gold, silver], default: silver}
        size: {path: spec.replicas, override: "{{ add 1 1 }}", when: [{field: spec.tier, equals: gold}]}
      labels:
        team: {required: true}
      annotations:
        example.com/owner: {required: true}
"""


def test_served_fields_become_rules_that_every_client_meets(compiled: Compile) -> None:
    made = compiled(SERVED % "true")
    assert made.findings == []
    rules = made.crd.rules
    assert [(rule.path, rule.override) for rule in rules.mutations] == [
        (("spec", "tier"), False),
        (("spec", "replicas"), True),
    ]
    assert len(rules.mutations[1].guard.every) == 1
    fields = [(rule.condition.field.text, rule.condition.operator) for rule in rules.assertions]
    assert fields == [
        ("spec.image", "exists"),
        ("spec.tier", "in"),
        ("metadata.labels.team", "exists"),
        ('{{ index .metadata.annotations "example.com/owner" }}', "exists"),
    ]
    assert all(rule.deny and rule.at_reconcile for rule in rules.assertions)


def test_an_enumeration_is_not_held_against_a_field_that_is_not_set(compiled: Compile) -> None:
    rule = assertion(compiled(SERVED % "true"), 1)
    assert not holds(rule.guard, cr(), ENV)
    assert holds(rule.guard, cr(tier="bronze"), ENV)
    assert not met(rule.condition, cr(tier="bronze"), ENV)


@pytest.mark.parametrize(
    ("value", "codes"),
    [("{{ .request.image }}", []), ("{{ .request.image | uper }}", ["ORK0301"]), ("{{ .item }}", ["ORK0303"])],
)
def test_what_a_form_writes_is_an_expression_too(compiled: Compile, value: str, codes: list[str]) -> None:
    made = compiled(f"serve: {{enabled: true, fields: {{image: {{value: '{value}'}}}}}}")
    assert made.codes == codes


def test_fields_of_a_surface_that_is_off_make_no_rules(compiled: Compile) -> None:
    assert compiled(SERVED % "false").crd.rules.assertions == ()


# ── status ──────────────────────────────────────────────────────────────────────────────────────
def test_status_fields_keep_their_order_and_conditions(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          status:
            conditions: false
            fields:
              - {path: phase, value: Pending}
              - {path: phase, value: "{{ .spec.tier }}!", clearOnFalse: true, when: [{field: spec.tier, exists: true}]}
    """)
    first, second = made.box().status
    assert not made.box().conditions
    assert (first.path, first.value(cr(), ENV), first.clear_on_false) == (("phase",), "Pending", False)
    assert (second.value(cr(tier="gold"), ENV), second.clear_on_false) == ("gold!", True)
    assert not holds(second.guard, cr(), ENV)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("{{ .spec.replicas }}", 3),
        ("'3'", 3),
        ("3", 3),
        ("{{ .spec.memory }}", ""),
        ("{{ len .spec.regions }}", 0),
    ],
)
def test_a_status_value_takes_the_type_of_its_field(compiled: Compile, value: str, result: Any) -> None:
    text = value if value.startswith("'") or value == "3" else f"'{value}'"
    made = compiled(f"operatorBox: {{status: {{fields: [{{path: ready, value: {text}}}]}}}}")
    assert made.findings == []
    assert made.box().status[0].value(cr(replicas=3), ENV) == result


def test_a_status_value_of_a_wrong_type_is_an_error(compiled: Compile) -> None:
    text = "operatorBox: {status: {fields: [{path: ready, value: %s}]}}"
    assert compiled(text % "many").codes == ["ORK0603"]
    with pytest.raises(EvaluationError, match=r"`status\.ready`: \"nginx:1\" is not an integer"):
        compiled(text % "'{{ .spec.image }}'").box().status[0].value(cr(), ENV)


@pytest.mark.parametrize("path", ["fase", "status.phase", "phase.x", "a b", ""])
def test_a_status_path_that_would_be_pruned_is_an_error(compiled: Compile, path: str) -> None:
    assert compiled(f"operatorBox: {{status: {{fields: [{{path: '{path}', value: x}}]}}}}").codes == ["ORK0620"]


def test_status_paths_are_free_where_no_schema_is_known(compiled: Compile) -> None:
    made = compiled("operatorBox: {status: {fields: [{path: any.thing, value: x}]}}", typed=False)
    assert made.box().status[0].path == ("any", "thing")
