"""Leader election: who gets the lease and when, and until when a leader may write.

The Lease is kept in memory; two candidates share it on a clock that is moved by hand.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object
from ork.base.requests import WriteError
from ork.runtime.lease import Candidate, Terms


class World:
    """A Lease with versions, a clock, and a network that can be cut for one candidate."""

    def __init__(self) -> None:
        self.lease: Object | None = None
        self.seconds = 0.0
        self.wall = datetime(2026, 1, 5, 10, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return self.wall

    def candidate(self, identity: str) -> tuple[Candidate, Line]:
        line = Line(self)
        return Candidate(Terms("ork", "default", identity), line, self, self.monotonic), line


class Line:
    """One candidate's way to the Lease."""

    def __init__(self, world: World) -> None:
        self.world, self.cut, self.delay = world, False, 0.0

    async def read(self) -> Object | None:
        self._pass()
        return self.world.lease

    async def write(self, lease: Object) -> Object:
        self._pass()
        current = self.world.lease
        if current is not None and lease["metadata"].get("resourceVersion") != current["metadata"]["resourceVersion"]:
            raise WriteError(Fault(FaultKind.CONFLICT, "the lease was changed"))
        version = int(current["metadata"]["resourceVersion"]) + 1 if current else 1
        self.world.lease = {**lease, "metadata": {**lease["metadata"], "resourceVersion": str(version)}}
        return self.world.lease

    def _pass(self) -> None:
        self.world.seconds += self.delay
        if self.cut:
            raise WriteError(Fault(FaultKind.UNAVAILABLE, "no route"))


@pytest.fixture
def world() -> World:
    return World()


def attempt(candidate: Candidate) -> bool:
    asyncio.run(candidate.attempt())
    return candidate.may_write()


def test_the_first_candidate_gets_a_free_lease_and_the_second_waits(world: World) -> None:
    (one, _), (two, _) = world.candidate("one"), world.candidate("two")
    assert attempt(one)
    assert not attempt(two)
    assert world.lease is not None
    assert world.lease["spec"]["holderIdentity"] == "one"
    assert world.lease["spec"]["renewTime"] == "2026-01-05T10:00:00.000000Z"


def test_a_leader_that_renews_keeps_the_lease_and_its_acquire_time(world: World) -> None:
    one, _ = world.candidate("one")
    for _ in range(20):
        assert attempt(one)
        world.seconds += 2
        world.wall += timedelta(seconds=2)
    assert world.lease is not None
    assert world.lease["spec"]["acquireTime"] == "2026-01-05T10:00:00.000000Z"
    assert world.lease["spec"]["leaseTransitions"] == 0


def test_no_write_after_the_renew_deadline_and_no_new_leader_before_the_lease_has_run_out(world: World) -> None:
    (one, line), (two, _) = world.candidate("one"), world.candidate("two")
    assert attempt(one)
    assert not attempt(two)
    line.cut = True
    for second in range(1, 15):
        world.seconds = second
        asyncio.run(one.attempt())
        assert one.may_write() == (second < 10)
        assert not attempt(two)
    world.seconds = 15
    assert attempt(two)
    assert not one.may_write()
    assert world.lease is not None
    assert world.lease["spec"]["leaseTransitions"] == 1


def test_a_candidate_says_what_keeps_it_from_the_lease_and_not_that_another_has_it(world: World) -> None:
    (one, line), (two, _) = world.candidate("one"), world.candidate("two")
    line.cut = True
    assert not attempt(one)
    assert one.problem == "no route"
    line.cut = False
    assert attempt(two)
    assert not attempt(one)
    assert one.problem == two.problem == ""


def test_the_deadline_counts_from_before_the_renewal_was_sent(world: World) -> None:
    one, line = world.candidate("one")
    line.delay = 4
    assert attempt(one)
    assert one.allowed_until == 10


def test_a_leader_that_comes_back_after_another_took_over_does_not_write(world: World) -> None:
    (one, line), (two, _) = world.candidate("one"), world.candidate("two")
    attempt(one)
    attempt(two)
    line.cut = True
    world.seconds = 16
    assert attempt(two)
    line.cut = False
    assert not attempt(one)


def test_a_jump_of_the_wall_clock_moves_no_lease(world: World) -> None:
    (one, _), (two, _) = world.candidate("one"), world.candidate("two")
    assert attempt(one)
    world.wall += timedelta(days=400)
    assert not attempt(two)
    world.wall -= timedelta(days=800)
    world.seconds += 2
    assert attempt(one)
    assert not attempt(two)


def test_a_released_lease_is_free_at_once(world: World) -> None:
    (one, _), (two, _) = world.candidate("one"), world.candidate("two")
    attempt(one)
    attempt(two)
    asyncio.run(one.release())
    assert not one.may_write()
    assert attempt(two)


def test_releasing_a_lease_that_another_holds_changes_nothing(world: World) -> None:
    (one, _), (two, _) = world.candidate("one"), world.candidate("two")
    attempt(one)
    before = world.lease
    asyncio.run(two.release())
    assert world.lease is before


def test_of_two_that_see_a_free_lease_at_once_only_one_gets_it(world: World) -> None:
    (one, _), (two, _) = world.candidate("one"), world.candidate("two")

    async def race() -> None:
        await asyncio.gather(one.attempt(), two.attempt())

    asyncio.run(race())
    assert [one.may_write(), two.may_write()].count(True) == 1
