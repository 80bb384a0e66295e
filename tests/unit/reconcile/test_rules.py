"""Admission rules at reconcile: mutation of the cycle's copy, validation, uniqueness (language, section 10)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.findings import FaultKind
from ork.reconcile.ports import OutcomeKind

BOX = 'operatorBox: {onReconcile: {configMaps: [{name: "{{ .metadata.name }}", data: {tier: "{{ .spec.tier }}"}}]}}'


def rules(*lines: str) -> str:
    return BOX + "\n" + "\n".join(lines) + "\n"


def test_a_default_fills_in_what_is_missing_or_empty_in_this_cycle_only(world: Any) -> None:
    w = world(rules("mutation: {rules: [{field: spec.tier, default: free}, {field: spec.zone.name, default: eu}]}"))
    for spec, tier in [({}, "free"), ({"tier": ""}, "free"), ({"tier": "gold"}, "gold")]:
        w.cr(spec=spec)
        w.turn()
        assert w.get("configmaps", "web")["data"] == {"tier": tier}
        assert w.store.get(w.crd.kind, "default", "web")["spec"] == spec, "the stored object is never changed"


def test_an_override_always_applies_and_each_rule_sees_those_before(world: Any) -> None:
    w = world(
        rules(
            "mutation:",
            "  rules:",
            "    - {field: spec.base, override: gold}",
            '    - {field: spec.tier, override: "{{ .spec.base }}-{{ .spec.tier }}"}',
            "    - {field: spec.tier, override: never, when: [{field: spec.base, equals: tin}]}",
        )
    )
    w.cr(spec={"tier": "x"})
    w.turn()
    assert w.get("configmaps", "web")["data"] == {"tier": "gold-x"}


def test_mutation_comes_before_validation(world: Any) -> None:
    w = world(
        rules(
            "mutation: {rules: [{field: spec.tier, default: free}]}",
            "validation: {rules: [{field: spec.tier, exists: true, message: no tier}]}",
        )
    )
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.SETTLED


def test_a_denied_cr_gets_every_violation_and_no_child(world: Any) -> None:
    w = world(
        rules(
            "validation:",
            "  rules:",
            '    - {field: spec.tier, in: "free,gold", message: "tier {{ .spec.tier }} is unknown"}',
            "    - {field: spec.size, lessThan: 5}",
            "    - {field: spec.size, greaterThan: 50, when: [{field: spec.tier, equals: gold}]}",
        )
    )
    w.cr(spec={"tier": "tin", "size": 9})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.DENIED
    assert outcome.reason == "tier tin is unknown; spec.size is 9"
    assert outcome.faults[0].kind is FaultKind.DENIED
    assert w.ops == ["update status/default/web"]
    assert w.status()["Ready"]["reason"] == "ValidationFailed"
    w.turn()
    assert w.requests == []


def test_a_warning_is_an_event_once_and_stops_nothing(world: Any) -> None:
    w = world(rules("validation: {rules: [{field: spec.tier, notEquals: tin, message: tin rusts, action: warn}]}"))
    w.cr(spec={"tier": "tin"})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert "event Warning ValidationWarning: tin rusts" in w.requests
    w.turn()
    assert w.requests == []


def test_a_warning_is_not_said_again_after_a_restart_over_a_settled_cr(world: Any) -> None:
    w = world(rules("validation: {rules: [{field: spec.tier, notEquals: tin, message: tin rusts, action: warn}]}"))
    w.cr(spec={"tier": "tin"})
    w.turn()
    w.restart()
    w.turn()
    assert w.requests == []


def test_a_warning_that_comes_back_is_said_again(world: Any) -> None:
    w = world(rules("validation: {rules: [{field: spec.tier, notEquals: tin, message: tin rusts, action: warn}]}"))
    for tier, said in [("gold", 0), ("tin", 1), ("tin", 0), ("gold", 0), ("tin", 1)]:
        w.cr(spec={"tier": tier})
        w.turn()
        assert sum(request.startswith("event") for request in w.requests) == said


SEED = """
validation:
  external:
    - name: healthCheck
      url: "http://h.example.org/health"
      continueOnError: true
      fires: {reconcile: FIRES}
  rules:
    - {field: "{{ .external.healthCheck.status }}", equals: "200", message: unhealthy}
    - {field: spec.tier, exists: true, message: no tier}
"""


def test_a_rule_that_reads_a_call_which_does_not_fire_at_reconcile_is_not_evaluated(world: Any, ok: Any) -> None:
    w = world(rules(SEED.replace("FIRES", "false")))
    w.answers = {"healthCheck": ok(status=500)}
    w.cr(spec={"tier": "x"})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.calls == []
    w.cr(spec={})
    assert w.turn().reason == "no tier"


def test_a_call_of_validation_that_fires_is_judged(world: Any, ok: Any) -> None:
    w = world(rules(SEED.replace("FIRES", "true")))
    w.answers = {"healthCheck": ok(status=500)}
    w.cr(spec={"tier": "x"})
    assert w.turn().reason == "unhealthy"
    w.answers = {"healthCheck": ok()}
    assert w.turn().kind is OutcomeKind.SETTLED


def test_a_mutation_reads_its_own_calls(world: Any, ok: Any) -> None:
    w = world(
        rules(
            "mutation:",
            '  external: [{name: plan, url: "http://p.example.org/"}]',
            '  rules: [{field: spec.tier, default: "{{ .external.plan.tier }}"}]',
        )
    )
    w.answers = {"plan": ok({"tier": "silver"})}
    w.cr(spec={})
    w.turn()
    assert w.get("configmaps", "web")["data"] == {"tier": "silver"}


def test_a_rule_that_cannot_be_evaluated_is_a_fault_with_its_place(world: Any) -> None:
    w = world(rules("validation: {rules: [{field: spec.size, greaterThan: 5}]}"))
    w.cr(spec={"tier": "x", "size": "large"})
    outcome = w.turn()
    assert (outcome.kind, outcome.faults[0].kind) == (OutcomeKind.FAILED, FaultKind.EVALUATION)
    assert outcome.faults[0].span.file == "katalog.yaml"


UNIQUE = rules("validation: {rules: [{field: spec.host, unique: true, message: 'host {{ .spec.host }} is taken'}]}")


def test_of_two_crs_with_one_value_the_older_wins(world: Any) -> None:
    w = world(UNIQUE)
    w.cr("first", spec={"tier": "x", "host": "a"})
    w.clock.moment = w.clock.moment.replace(hour=11)
    w.cr("second", spec={"tier": "x", "host": "a"})
    assert w.turn("first").kind is OutcomeKind.SETTLED
    assert w.turn("second").reason == "host a is taken"
    w.store.delete(w.crd.kind, "default", "first")
    assert w.turn("second").kind is OutcomeKind.SETTLED


def test_of_two_equally_old_crs_one_wins(world: Any) -> None:
    w = world(UNIQUE)
    for name in ("first", "second"):
        w.cr(name, spec={"tier": "x", "host": "a"})
    kinds = {w.turn(name).kind for name in ("first", "second")}
    assert kinds == {OutcomeKind.SETTLED, OutcomeKind.DENIED}


@pytest.mark.parametrize("host", [None, ""])
def test_a_missing_value_is_not_unique(world: Any, host: str | None) -> None:
    w = world(UNIQUE)
    w.cr(spec={"tier": "x"} | ({} if host is None else {"host": host}))
    assert w.turn().kind is OutcomeKind.DENIED
