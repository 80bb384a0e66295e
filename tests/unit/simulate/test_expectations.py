"""How expectations are judged, on cycles made by hand. That cycles come out right is tested with the runner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from ork.base.findings import Span
from ork.katalog.scenario import Absence, Claim, ErrorClaim, Expect, OpClaim
from ork.simulate.expect import Subject, error_free, judge
from ork.simulate.report import Cycle, Gating, Op, Problem

SPAN = Span("simulate.yaml", 1, 1, 1, 2)
NOW = datetime(2026, 1, 5, tzinfo=UTC)
DEPLOYMENT = {"spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "nginx"}]}}}}


def op(verb: str = "create", resource: str = "deployments", name: str = "web", written: Any = None) -> Op:
    via = "delete" if verb == "delete" else "apply"
    return Op(verb, via, resource, "v1", "Kind", "default", name, "app", "default/my-app", written or DEPLOYMENT)


def cycles(*given: Sequence[Op | Gating | Problem]) -> list[Cycle]:
    """Make one cycle of each list."""
    return [
        Cycle(
            number,
            NOW,
            [thing for thing in things if isinstance(thing, Op)],
            [thing for thing in things if isinstance(thing, Gating)],
            [],
            [thing for thing in things if isinstance(thing, Problem)],
        )
        for number, things in enumerate(given, start=1)
    ]


GATED = Gating("app", "default/my-app", "reconcileGate", "spec.enabled is false")
ERROR = Problem("app", "default/my-app", "division by zero", None)


def subject(given: list[Cycle], status: Mapping[str, Any] | None = None) -> Subject:
    mine = ("default/my-app",)
    known = frozenset({"deployments", "configmaps", "nodes"})
    return Subject(given, "app", mine[0], mine, status or {}, mine, known)


def verdicts(expect: Expect, given: list[Cycle], status: Mapping[str, Any] | None = None) -> list[str]:
    """Return what is wrong, expectation by expectation; empty where one holds."""
    results = list(judge(expect, subject(given, status)))
    assert all(result.span == SPAN for result in results)
    return ["" if result.passed else result.message for result in results]


def steady(value: bool) -> Expect:
    return Expect(steady=Claim(value, "expect.steady", SPAN))


@pytest.mark.parametrize(
    ("given", "settles", "unsettled"),
    [
        ([[op()], []], True, False),
        ([[op()], [op("update")]], False, True),
        ([[op()], [ERROR]], False, True),
        ([[GATED], [GATED]], True, True),
        ([[op()], [GATED]], True, False),
    ],
    ids=["quiet in the end", "a write in the end", "an error in the end", "gated throughout", "gated in the end"],
)
def test_the_two_readings_of_steady(given: list[list[Any]], settles: bool, unsettled: bool) -> None:
    assert (verdicts(steady(True), cycles(*given)) == [""]) is settles
    assert (verdicts(steady(False), cycles(*given)) == [""]) is unsettled


def test_steady_false_wants_every_object_gated() -> None:
    two = subject(cycles([GATED], [GATED]))._replace(objects=("default/my-app", "default/other"))
    (result,) = judge(steady(False), two)
    assert not result.passed


@pytest.mark.parametrize(
    ("claimed", "wrong"),
    [(3, ""), (2, "quiet from cycle 3 on"), (4, "quiet from cycle 3 on"), (9, "cycle 9 did not run; there were 4")],
)
def test_steady_at_names_the_first_of_the_final_quiet_cycles(claimed: int, wrong: str) -> None:
    expect = Expect(steady_at=Claim(claimed, "expect.steadyAt", SPAN))
    (found,) = verdicts(expect, cycles([op()], [op("update")], [], []))
    assert wrong in found
    assert bool(found) is bool(wrong)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ({"verb": "create"}, True),
        ({"verb": "apply"}, True),
        ({"verb": "update"}, False),
        ({"resource": "deployments", "name": "web", "cycle": 1}, True),
        ({"resource": "deployments", "name": "web", "cycle": 2}, False),
        ({"resource": "deployments", "namespace": "default"}, True),
        ({"resource": "deployments", "namespace": ""}, False),
        ({"resource": "deployments", "exactly": 2}, True),
        ({"resource": "deployments", "exactly": 1}, False),
        ({"resource": "deployments", "at_least": 2}, True),
        ({"resource": "deployments", "at_least": 3}, False),
        ({"verb": "delete", "absent": True}, True),
        ({"verb": "create", "absent": True}, False),
        ({"verb": "create", "cycle": 7}, False),
        ({"verb": "delete", "cycle": 7, "absent": True}, False),
        ({"resource": "deployments", "fields": {"spec.replicas": 2}}, True),
        ({"resource": "deployments", "fields": {"spec.replicas": "2"}}, False),
        ({"resource": "deployments", "fields": {"spec.template.spec.containers[0].image": "nginx"}}, True),
        ({"resource": "deployments", "fields": {"spec.template.spec.containers.0.image": "nginx"}}, True),
        ({"resource": "deployments", "fields": {"spec.template.spec": {"containers": [{"name": "web"}]}}}, True),
        ({"resource": "deployments", "fields": {"spec.paused": None}}, True),
        ({"resource": "deployments", "fields": {"spec.paused": False}}, False),
    ],
    ids=str,
)
def test_an_op_matches_with_all_that_it_says(claim: dict[str, Any], holds: bool) -> None:
    expect = Expect(ops=(OpClaim("expect.ops[0]", SPAN, **claim),))
    assert (verdicts(expect, cycles([op(), op(name="db")], [])) == [""]) is holds


def failure(given: list[Cycle], **claim: Any) -> str:
    (found,) = verdicts(Expect(ops=(OpClaim("expect.ops[0]", SPAN, **claim),)), given)
    return found


def test_a_missed_op_says_what_happened_instead_and_what_was_meant() -> None:
    assert failure(cycles([op()]), verb="create", resource="deployments", name="wbe", cycle=1).splitlines() == [
        "create deployments/wbe in cycle 1: it did not happen",
        "cycle 1 wrote create deployments/web",
        "did you mean web?",
    ]


def test_a_missed_op_says_what_its_resource_is_called() -> None:
    found = failure(cycles([op()]), verb="create", resource="deployment", name="web", cycle=1)
    assert found.splitlines()[-1] == "did you mean deployments?"


def test_a_missed_op_says_in_which_cycle_it_happened() -> None:
    found = failure(cycles([], [op()]), verb="create", resource="deployments", name="web", cycle=1)
    assert found.splitlines()[1:] == ["cycle 1 wrote nothing", "create deployments/web happened in cycle 2"]


def test_a_missed_op_says_which_gate_held_the_object() -> None:
    found = failure(cycles([GATED]), resource="deployments", cycle=1)
    assert "app default/my-app is held at reconcileGate: spec.enabled is false" in found


def test_a_wrong_field_says_both_values_and_what_to_quote() -> None:
    assert failure(cycles([op()]), resource="deployments", fields={"spec.replicas": "2"}) == (
        'any write of deployments: spec.replicas is 2, expected "2" (not a text: write it without quotes)'
    )


def test_a_wrong_count_says_how_often_it_happened() -> None:
    assert failure(cycles([op()]), resource="deployments", exactly=2) == (
        "any write of deployments, twice: it happened once: create deployments/web"
    )


@pytest.mark.parametrize(
    ("absence", "wrong"),
    [
        ({"resource": "configmaps"}, ""),
        ({"resource": "deployments", "name": "db"}, ""),
        ({"resource": "deployments", "cycle": 2}, ""),
        ({"resource": "deployments"}, "it happened once: create deployments/web"),
        ({"resource": "deployment"}, 'nobody knows the resource "deployment"'),
        ({"resource": "deployments", "cycle": 3}, "cycle 3 did not run"),
    ],
)
def test_absent_means_no_such_write_of_a_resource_that_is_known(absence: dict[str, Any], wrong: str) -> None:
    (found,) = verdicts(Expect(absent=(Absence("expect.absent[0]", SPAN, **absence),)), cycles([op()], []))
    assert wrong in found
    assert bool(found) is bool(wrong)


def test_status_is_compared_as_a_subset() -> None:
    status = {"phase": "Ready", "conditions": [{"type": "Ready", "status": "True", "message": "m"}], "n": 1}
    expect = Expect(
        status=Claim({"phase": "Ready", "conditions": [{"type": "Ready", "status": "True"}]}, "expect.status", SPAN)
    )
    assert verdicts(expect, cycles([]), status) == [""]
    assert verdicts(expect, cycles([]), status | {"phase": "Pending"}) == [
        'status of default/my-app: status.phase is "Pending", expected "Ready"'
    ]
    assert verdicts(expect, cycles([]), status | {"conditions": []}) != [""]


@pytest.mark.parametrize(
    ("claimed", "last", "holds"), [(True, [GATED], True), (False, [GATED], False), (False, [], True)]
)
def test_gated_speaks_of_the_last_cycle(claimed: bool, last: list[Any], holds: bool) -> None:
    expect = Expect(gated=Claim(claimed, "expect.gated", SPAN))
    assert (verdicts(expect, cycles([], last)) == [""]) is holds


def test_an_expected_error_must_happen() -> None:
    expect = Expect(errors=(ErrorClaim("expect.errors[0]", SPAN, "by zero", 2),))
    assert verdicts(expect, cycles([], [ERROR])) == [""]
    assert verdicts(expect, cycles([ERROR], [])) == ['an error that says "by zero" in cycle 2: there was no error']


@pytest.mark.parametrize(
    ("expect", "free"),
    [
        (Expect(), False),
        (Expect(no_errors=Claim(True, "expect.noErrors", SPAN)), False),
        (Expect(no_errors=Claim(False, "expect.noErrors", SPAN)), True),
        (Expect(errors=(ErrorClaim("expect.errors[0]", SPAN, "by zero"),)), True),
        (Expect(errors=(ErrorClaim("expect.errors[0]", SPAN, "by zero", 1),)), False),
        (Expect(errors=(ErrorClaim("expect.errors[0]", SPAN, "other"),)), False),
        (Expect(crds={"app": Expect(errors=(ErrorClaim("e", SPAN, "by zero"),))}), True),
        (Expect(crds={"app": Expect(no_errors=Claim(False, "e", SPAN))}), True),
        (Expect(crds={"db": Expect(no_errors=Claim(False, "e", SPAN))}), False),
    ],
)
def test_an_error_that_nobody_listed_fails_the_run(expect: Expect, free: bool) -> None:
    result = error_free(expect, cycles([], [ERROR]))
    assert (result is None or result.passed) is free


def test_no_errors_and_nothing_said_is_no_expectation() -> None:
    assert error_free(Expect(), cycles([op()])) is None
