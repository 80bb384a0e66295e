"""Settled CRs rest: a resync counts them and gives them no turn, until anything of theirs has changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from ork.base.clock import SystemClock
from ork.base.objects import Kind, Object, Ref
from ork.expr.env import Env
from ork.program import OWNER_UID_LABEL, Crd
from ork.reconcile.memory import Memory
from ork.reconcile.ports import Item, OutcomeKind, Ports
from ork.runtime.cache import Cache
from ork.runtime.informer import Change
from ork.runtime.kordinator import Kordinator, Tools
from ork.runtime.metrics import Metrics
from tests.unit.runtime.conftest import Entry

BOX = "reconciler: {resync: 0.1s}"
"""An interval of one slot."""
CONFIG_MAPS = Kind("", "v1", "ConfigMap", "configmaps", True)


class Office:
    """A kordinator with one CR `a`, whose box asks for nothing."""

    def __init__(self, crd: Crd) -> None:
        self.cache = Cache()
        unused: Any = None
        env = Env(datetime(2026, 1, 5, tzinfo=UTC), {}, {}, Random(1))

        def ports(_: Crd) -> Ports:
            def here(item: Item) -> Env:
                return env._replace(sentinels=item.sentinels)

            return Ports(self.cache, unused, unused, here, dict, lambda: True, Memory())

        now = asyncio.get_running_loop().time
        log = logging.getLogger("test.resting")
        self.kordinator = Kordinator(crd, Tools(ports, self.cache, Metrics(), SystemClock(), now, log, unused))
        self.cache.touched = self.kordinator.touched
        self.ref = Ref(crd.kind, "d", "a")

    async def work(self) -> None:
        """Let the workers do what there is to do."""
        while not self.kordinator.at_rest:
            await asyncio.sleep(0)

    async def resync(self) -> None:
        """Let a resync fall due."""
        self.kordinator.due()
        await self.work()

    async def resting(self) -> bool:
        """Tell whether the next resync gives the CR no turn."""
        before = self.kordinator.figures.adds
        await self.resync()
        return self.kordinator.figures.adds == before

    def see(self, version: int, **metadata: Any) -> None:
        """Let the watch tell of a state of the CR."""
        replaced = self.cache.put(self.ref.kind, _object("a", version, **metadata))
        assert replaced is not None
        self.kordinator.changed(Change(self.ref, replaced.old, replaced.new))

    @property
    def turns(self) -> int:
        return self.kordinator.figures.turns[OutcomeKind.SETTLED]


def _object(name: str, version: int, **metadata: Any) -> Object:
    return {"metadata": {"name": name, "namespace": "d", "uid": name, "resourceVersion": str(version), **metadata}}


Story = Callable[[Callable[[Office], Awaitable[None]]], None]


@pytest.fixture
def told(entry: Entry) -> Story:
    """Run a story with an office whose CR rests."""

    def tell(story: Callable[[Office], Awaitable[None]]) -> None:
        async def whole() -> None:
            office = Office(entry(BOX)._replace(has_status=False))
            office.see(1)
            await office.kordinator.begin(1)
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
            office.cache.put(CONFIG_MAPS, _object("c", version, labels=labels))
            assert [await office.resting() for _ in range(2)] == [False, True], labels
        office.cache.put(CONFIG_MAPS, _object("d", 9, labels=ours))
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
