"""Settled CRs rest: a resync counts them and gives them no turn, until anything of theirs has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from ork.base.objects import Ref
from ork.labels import OWNER_UID_LABEL
from ork.runtime.informer import Change
from tests.kinds import CONFIG_MAPS
from tests.unit.runtime.conftest import Entry
from tests.unit.runtime.office import Office, seen

BOX = "reconciler: {resync: 0.1s}"
"""An interval of one slot."""

Story = Callable[[Callable[[Office], Awaitable[None]]], None]


@pytest.fixture
def told(entry: Entry) -> Story:
    """Run a story with an office whose CR rests."""

    def tell(story: Callable[[Office], Awaitable[None]]) -> None:
        async def whole() -> None:
            office = Office(entry(BOX)._replace(has_status=False))
            office.see(1)
            await office.begin()
            await office.work()
            assert await office.resting()
            await story(office)
            await office.kordinator.stop(0)

        asyncio.run(whole())

    return tell


def test_a_resting_cr_is_counted_as_settled(told: Story) -> None:
    async def story(office: Office) -> None:
        before, total = office.turns, office.kordinator.health.total
        await office.resync()
        assert (office.turns, office.kordinator.health.total) == (before + 1, total + 1)
        assert office.kordinator.figures.turn_time.buckets()[-1] == ("+Inf", office.turns)

    told(story)


def test_a_change_of_the_cr_ends_its_rest(told: Story) -> None:
    async def story(office: Office) -> None:
        before = office.turns
        office.see(2, labels={"new": "label"})
        await office.work()
        assert await office.resting()
        assert office.turns == before + 2

    told(story)


def test_a_child_that_comes_changes_leaves_or_goes_ends_its_rest(told: Story) -> None:
    """Even where nobody told the kordinator, as after a write of ours that took another CR's child."""

    async def story(office: Office) -> None:
        ours = {OWNER_UID_LABEL: "a"}
        for version, labels in enumerate((ours, {**ours, "x": "y"}, {OWNER_UID_LABEL: "b"}), 2):
            office.cache.put(CONFIG_MAPS, seen("c", version, labels=labels))
            assert [await office.resting() for _ in range(2)] == [False, True], labels
        office.cache.put(CONFIG_MAPS, seen("d", 9, labels=ours))
        assert [await office.resting() for _ in range(2)] == [False, True]
        office.cache.remove(Ref(CONFIG_MAPS, "d", "d"), 10)
        assert not await office.resting()

    told(story)


def test_a_cr_that_is_gone_is_not_counted(told: Story) -> None:
    async def story(office: Office) -> None:
        gone = office.cache.remove(office.ref, 5)
        office.kordinator.changed(Change(office.ref, gone, None))
        before = office.turns
        await office.resync()
        assert office.turns == before

    told(story)


def test_nobody_is_counted_while_this_process_does_not_work(told: Story) -> None:
    async def story(office: Office) -> None:
        await office.kordinator.stop(0)
        before = office.turns
        office.kordinator.due()
        assert office.turns == before

    told(story)
