"""Which turns get a line in the log, how loud, and what it says."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from ork.base.findings import Fault, FaultKind, Span
from ork.base.objects import Kind, Ref
from ork.reconcile.ports import Outcome, OutcomeKind
from ork.runtime.health import ObjectHealth
from ork.runtime.telling import Ended, tell_turn
from ork.runtime.trace import Step, Trace

REF = Ref(Kind("demo.io", "v1", "App", "apps", True), "d", "a")
SETTLED = Outcome(OutcomeKind.SETTLED)
GATED = Outcome(OutcomeKind.GATED, "spec.enabled is false", gate="reconcileGate")
FAULT = Fault(FaultKind.EVALUATION, "no image", Span("katalog.yaml", 4, 7, 4, 20))
FAILED = Outcome(OutcomeKind.FAILED, FAULT.message, faults=(FAULT,))
CONFLICT = Outcome(OutcomeKind.FAILED, "changed", faults=(Fault(FaultKind.CONFLICT, "changed"),))
CREATE = Step("create", "configmaps/d/a", 0.004)
STATUS = Step("status", str(REF), 0.002)

Tell = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def tell(caplog: pytest.LogCaptureFixture) -> Tell:
    log = logging.getLogger("test.telling")

    def told(outcome: Outcome, *steps: Step, before: Outcome | None = None, level: int = logging.INFO) -> Any:
        nowhere: Any = type("Ports", (), {"cluster": None, "call": None, "_replace": lambda self, **_: self})()
        trace = Trace(nowhere, lambda: 0.0)
        trace.steps += steps
        last = ObjectHealth(before.kind, before.reason, "", datetime(2026, 1, 5, tzinfo=UTC), 0) if before else None
        caplog.clear()
        with caplog.at_level(level, "test.telling"):
            tell_turn(log, Ended("app", REF, outcome, trace, last))
        return [(record.levelname, record.message) for record in caplog.records]

    return told


@pytest.mark.parametrize(
    ("outcome", "steps", "before"),
    [(SETTLED, (), None), (SETTLED, (), SETTLED), (GATED, (), GATED), (FAILED, (), FAILED), (CONFLICT, (), SETTLED)],
)
def test_what_is_as_before_is_not_worth_a_line(
    tell: Tell, outcome: Outcome, steps: tuple[Step, ...], before: Outcome | None
) -> None:
    assert tell(outcome, *steps, before=before) == []


@pytest.mark.parametrize(
    ("outcome", "steps", "before", "line"),
    [
        (SETTLED, (CREATE, STATUS), None, ("INFO", "apps/d/a: settled [create configmaps/d/a, status]")),
        (SETTLED, (STATUS,), SETTLED, ("INFO", "apps/d/a: settled [status]")),
        (SETTLED, (), FAILED, ("INFO", "apps/d/a: settled")),
        (GATED, (), None, ("INFO", "apps/d/a: gated: spec.enabled is false")),
        (FAILED, (), None, ("WARNING", "apps/d/a: failed: no image (katalog.yaml:4:7)")),
        (FAILED, (STATUS,), SETTLED, ("WARNING", "apps/d/a: failed: no image (katalog.yaml:4:7) [status]")),
    ],
)
def test_what_changes_something_is_one_line(
    tell: Tell, outcome: Outcome, steps: tuple[Step, ...], before: Outcome | None, line: tuple[str, str]
) -> None:
    assert tell(outcome, *steps, before=before) == [line]


def test_of_many_steps_the_first_are_named(tell: Tell) -> None:
    steps = [Step("create", f"configmaps/d/{n}", 0.0) for n in range(8)]
    ((_, line),) = tell(SETTLED, *steps)
    assert line.endswith("create configmaps/d/4 and 3 more]")


def test_the_trace_of_the_cycle_has_every_step_with_its_time_and_its_problem(tell: Tell) -> None:
    refused = Step("update", "deployments/d/a", 0.01, "forbidden")
    call = Step("call", "health (503)", 0.1, "GET: 503")
    lines = tell(SETTLED, call, CREATE, refused, level=logging.DEBUG)
    assert [line for level, line in lines if level == "DEBUG"] == [
        "apps/d/a:   call health (503) in 100.0 ms: GET: 503",
        "apps/d/a:   create configmaps/d/a in 4.0 ms",
        "apps/d/a:   update deployments/d/a in 10.0 ms: forbidden",
    ]


def test_reads_calls_and_refused_writes_change_nothing(tell: Tell) -> None:
    read, call = Step("read", "configmaps/d/a", 0.0), Step("call", "health (200)", 0.0)
    refused = Step("update", "configmaps/d/a", 0.0, "forbidden")
    assert tell(SETTLED, read, call, refused) == []
