"""The health of a CRD: its states, what moves it between them, counters and gate reasons."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ork.base.objects import Kind, Ref
from ork.reconcile.ports import Outcome, OutcomeKind
from ork.runtime.health import CrdHealth, State

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)
APPS = Kind("apps.demo.io", "v1", "App", "apps", True)
SETTLED = Outcome(OutcomeKind.SETTLED)
FAILED = Outcome(OutcomeKind.FAILED, "spec.image is not set")


def ref(name: str) -> Ref:
    return Ref(APPS, "default", name)


def gated(reason: str) -> Outcome:
    return Outcome(OutcomeKind.GATED, reason, gate="reconcileGate")


@pytest.fixture
def health() -> CrdHealth:
    return CrdHealth(threshold=3)


def test_a_crd_is_pending_then_started_then_healthy(health: CrdHealth) -> None:
    states = [health.state]
    health.started = True
    states.append(health.state)
    health.record(ref("a"), SETTLED, NOW)
    states.append(health.state)
    assert states == [State.PENDING, State.STARTED, State.HEALTHY]


def test_it_is_degraded_after_the_threshold_of_failures_in_a_row_and_healthy_after_one_success(
    health: CrdHealth,
) -> None:
    health.started = True
    for _ in range(2):
        health.record(ref("a"), FAILED, NOW)
    states = [health.state]
    for outcome in (FAILED, SETTLED):
        health.record(ref("b"), outcome, NOW)
        states.append(health.state)
    assert states == [State.HEALTHY, State.DEGRADED, State.HEALTHY]
    assert (health.total, health.failed, health.consecutive) == (4, 3, 0)
    assert health.last_error == "spec.image is not set"


def test_a_gated_object_makes_it_gated_until_a_turn_of_that_object_passes(health: CrdHealth) -> None:
    health.started = True
    health.record(ref("a"), SETTLED, NOW)
    health.record(ref("b"), gated("spec.enabled is false"), NOW)
    assert (health.state, health.gated_objects) == (State.GATED, 1)
    assert health.gate_reason == "spec.enabled is false"
    health.record(ref("a"), SETTLED, NOW)
    assert health.state is State.GATED
    health.record(ref("b"), SETTLED, NOW)
    assert (health.state, health.gate_reason) == (State.HEALTHY, "")


def test_degraded_outweighs_gated(health: CrdHealth) -> None:
    health.started = True
    health.record(ref("b"), gated("spec.enabled is false"), NOW)
    for _ in range(3):
        health.record(ref("a"), FAILED, NOW)
    assert health.state is State.DEGRADED


def test_a_gate_is_no_failure_and_no_reconcile(health: CrdHealth) -> None:
    health.started = True
    health.record(ref("a"), FAILED, NOW)
    health.record(ref("b"), gated("spec.enabled is false"), NOW)
    assert (health.total, health.failed, health.consecutive) == (1, 1, 1)


def test_an_object_that_is_gone_leaves_no_trace(health: CrdHealth) -> None:
    health.started = True
    health.record(ref("a"), gated("spec.enabled is false"), NOW)
    health.record(ref("a"), Outcome(OutcomeKind.GONE), NOW)
    assert (health.objects, health.gated_objects) == ({}, 0)


def test_failures_in_a_row_are_counted_per_object(health: CrdHealth) -> None:
    for _ in range(2):
        health.record(ref("a"), FAILED, NOW)
    health.record(ref("b"), FAILED, NOW)
    assert (health.objects[ref("a")].failures, health.objects[ref("b")].failures) == (2, 1)


def test_only_transitions_are_events_of_the_operator(health: CrdHealth) -> None:
    for outcome in (SETTLED, SETTLED, FAILED, FAILED, SETTLED):
        health.record(ref("a"), outcome, NOW)
    assert [event.outcome for event in health.recent] == [
        OutcomeKind.SETTLED,
        OutcomeKind.FAILED,
        OutcomeKind.SETTLED,
    ]


def test_a_crd_that_cannot_work_is_degraded_whatever_else_holds(health: CrdHealth) -> None:
    health.blocked = "cannot list deployments.apps"
    assert health.state is State.DEGRADED
