"""When a CR whose turn failed is looked at again: after its back-off, or later where the server asks for it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, Ref
from ork.base.requests import WriteError
from ork.reconcile.ports import OutcomeKind
from ork.runtime.informer import Change
from ork.runtime.kordinator import PATIENCE
from tests.unit.runtime.conftest import Entry
from tests.unit.runtime.office import Office

BOX = "reconciler: {queue: {retryBackoff: {initial: 2s, max: 60s, multiplier: 2}}}"


class Busy:
    """A cluster that refuses every status."""

    def __init__(self, kind: FaultKind, after: float | None) -> None:
        self._fault = Fault(kind, "come back later", after=None if after is None else timedelta(seconds=after))

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        raise WriteError(self._fault)


@pytest.mark.parametrize(
    ("kind", "after", "wait"),
    [
        (FaultKind.UNAVAILABLE, None, 2.0),
        (FaultKind.UNAVAILABLE, 0.5, 2.0),
        (FaultKind.UNAVAILABLE, 30.0, 30.0),
        (FaultKind.CONFLICT, None, 2.0),
    ],
)
def test_a_failed_turn_is_repeated_after_its_back_off_or_later_where_the_server_asks_for_it(
    entry: Entry, kind: FaultKind, after: float | None, wait: float
) -> None:
    async def story() -> float | None:
        office = Office(entry(BOX), Busy(kind, after))
        office.see(1)
        await office.begin()
        await office.work()
        assert office.kordinator.figures.turns[OutcomeKind.FAILED] == 1
        due = office.kordinator.queue.due_in()
        await office.kordinator.stop(0)
        return due

    assert asyncio.run(story()) == pytest.approx(wait, abs=0.2)


def test_nobody_waits_for_a_cr_that_fails_time_and_again(entry: Entry) -> None:
    """Else a look at every CR would not end where pauses are short."""

    async def story() -> int:
        office = Office(entry(BOX.replace("2s", "1ms").replace("60s", "1ms")), Busy(FaultKind.UNAVAILABLE, None))
        office.see(1)
        await office.begin()
        async with asyncio.timeout(10):
            await office.work()
        await office.kordinator.stop(0)
        return office.kordinator.figures.turns[OutcomeKind.FAILED]

    assert asyncio.run(story()) >= PATIENCE


def test_crs_that_found_the_queue_full_are_waited_for(entry: Entry) -> None:
    async def story() -> int:
        office = Office(entry("reconciler: {queue: {maxDepth: 1}}")._replace(has_status=False))
        for name in "abc":
            office.see(1, name)
        await office.begin()
        async with asyncio.timeout(10):
            while not office.kordinator.at_rest:
                office.kordinator.due()
                await asyncio.sleep(0)
        await office.kordinator.stop(0)
        return len(office.kordinator.health.objects)

    assert asyncio.run(story()) == 3


def test_a_cr_that_goes_during_its_turn_is_not_entered_into_the_books_again(entry: Entry) -> None:
    async def story() -> None:
        office: Office

        class Late:
            """A cluster in which the CR goes while its status is written."""

            async def status(self, ref: Ref, status: Object, uid: str) -> Object:
                gone = office.cache.remove(ref, 2)
                office.kordinator.changed(Change(ref, gone, None))
                raise WriteError(Fault(FaultKind.UNAVAILABLE, f"{ref} is not found"))

        office = Office(entry(BOX), Late())
        office.see(1)
        await office.begin()
        await office.work()
        await office.kordinator.stop(0)
        assert office.kordinator.health.objects == {}
        assert office.kordinator.health.failed == 0
        assert office.kordinator.queue.delayed == 0

    asyncio.run(story())
