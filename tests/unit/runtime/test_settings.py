"""Settings at work: autoscale with its cooldown, resync intervals that change, attempts that end."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from ork.base.objects import Kind, Ref
from ork.expr.conditions import ALWAYS
from ork.program import Autoscale, Settings
from ork.runtime.autoscale import Autoscaler
from ork.runtime.queue import Limits, WorkQueue
from ork.runtime.resync import Resync
from tests.unit.runtime.conftest import Entry
from tests.unit.runtime.office import Office

APPS = Kind("apps.demo.io", "v1", "App", "apps", True)


def test_autoscale_goes_there_and_back_and_never_twice_within_its_cooldown() -> None:
    usual = Settings(workers=2, max_depth=10)
    scaler = Autoscaler(Autoscale(ALWAYS, cooldown=timedelta(seconds=60), workers=8), usual)
    told = [(now, scaler.decide(holds, now)) for now, holds in [(0, False), (15, True), (30, True), (45, False)]]
    assert [(now, found.workers) for now, found in told if found] == [(15, 8)]
    assert scaler.decide(False, 74) is None
    assert scaler.decide(False, 75) == usual
    assert scaler.decide(True, 80) is None


def test_autoscale_leaves_alone_what_it_does_not_name() -> None:
    usual = Settings(workers=2, max_depth=10, resync=timedelta(seconds=30))
    scaled = Autoscaler(Autoscale(ALWAYS, max_depth=50, resync=timedelta(minutes=5)), usual).decide(True, 0)
    assert scaled == usual._replace(max_depth=50, resync=timedelta(minutes=5))


@pytest.mark.parametrize("seconds", [0.1, 0.3, 30.0, 7200.0])
def test_every_cr_is_due_once_in_an_interval(seconds: float) -> None:
    resync = Resync(seconds)
    refs = [Ref(APPS, "default", f"app-{n}") for n in range(200)]
    for ref in refs:
        resync.add(ref)
    rounds = round(seconds / resync.pause)
    assert sorted(ref for _ in range(rounds) for ref in resync.due().refs) == sorted(refs)


def test_ticks_are_spread_over_the_interval() -> None:
    resync = Resync(30.0)
    for n in range(10_000):
        resync.add(Ref(APPS, "default", f"app-{n}"))
    assert max(len(resync.due().refs) for _ in range(60)) < 300


def test_another_interval_has_the_same_crs() -> None:
    resync = Resync(30.0)
    ref = Ref(APPS, "default", "a")
    resync.add(ref)
    resting = Ref(APPS, "default", "b")
    resync.add(resting)
    resync.rest(resting)
    assert resync.every(30.0) is resync
    other = resync.every(0.1)
    assert (other.seconds, sorted(other.due().refs)) == (0.1, [ref, resting])


def test_a_cr_that_rests_is_counted_until_it_is_added_again() -> None:
    resync = Resync(0.1)
    refs = [Ref(APPS, "default", name) for name in "abc"]
    for ref in refs:
        resync.add(ref)
    for ref in refs[:2]:
        resync.rest(ref)
    assert resync.due() == (refs[2:], 2)
    resync.add(refs[0])
    resync.remove(refs[1])
    assert resync.due() == ([refs[2], refs[0]], 0)
    resync.rest(refs[1])
    assert resync.due() == ([refs[2], refs[0]], 0)


def test_attempts_end_where_they_are_bounded_and_a_success_starts_them_anew() -> None:
    queue: WorkQueue[str] = WorkQueue(lambda: 0.0, Limits(1.0, 3.0, 2.0, attempts=4))
    assert [queue.failed("a") for _ in range(4)] == [1.0, 2.0, 3.0, None]
    queue.succeeded("a")
    assert queue.failed("a") == 1.0


def test_a_leader_begins_with_the_usual_settings_though_it_was_scaled_before(entry: Entry) -> None:
    async def story() -> tuple[int, float]:
        kordinator = Office(entry("reconciler: {resync: 30s, queue: {maxDepth: 5}}")).kordinator
        usual = kordinator.crd.settings
        kordinator.adopt(usual._replace(max_depth=9, resync=timedelta(seconds=7)))
        await kordinator.begin(usual)
        await kordinator.stop(0)
        return kordinator.intake.max_depth, kordinator.resync.seconds

    assert asyncio.run(story()) == (5, 30)
