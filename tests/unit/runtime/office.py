"""A kordinator at work, without a cluster."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from random import Random
from typing import Any

from ork.base.clock import SystemClock
from ork.base.objects import Object, Ref
from ork.expr.env import Env
from ork.program import Crd
from ork.reconcile.memory import Memory
from ork.reconcile.ports import Item, OutcomeKind, Ports
from ork.runtime.cache import Cache
from ork.runtime.informer import Change
from ork.runtime.kordinator import Kordinator, Tools
from ork.runtime.metrics import Metrics


class Office:
    """A kordinator with one CR `a`, its cache, and a cluster that is only there where a test needs one."""

    def __init__(self, crd: Crd, cluster: Any = None) -> None:
        self.cache = Cache()
        unused: Any = None

        def ports(_: Crd) -> Ports:
            return desk_ports(self.cache, cluster=cluster)

        now = asyncio.get_running_loop().time
        log = logging.getLogger("test.kordinator")
        self.kordinator = Kordinator(crd, Tools(ports, self.cache, Metrics(), SystemClock(), now, log, unused))
        self.cache.touched = self.kordinator.touched
        self.ref = Ref(crd.kind, "d", "a")

    async def begin(self) -> None:
        """Start to work, with one worker."""
        await self.kordinator.begin(self.kordinator.crd.settings._replace(workers=1))

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

    def see(self, version: int, name: str = "a", **metadata: Any) -> None:
        """Let the watch tell of a state of the CR, or of another."""
        replaced = self.cache.put(self.ref.kind, seen(name, version, **metadata))
        assert replaced is not None
        self.kordinator.changed(Change(self.ref._replace(name=name), replaced.old, replaced.new))

    @property
    def turns(self) -> int:
        return self.kordinator.figures.turns[OutcomeKind.SETTLED]


def desk_ports(cache: Cache, *, cluster: Any = None, call: Any = None) -> Ports:
    """Return the ports of a turn that sees a cache; its cluster and calls are there only where a test needs them."""

    def env(item: Item) -> Env:
        return Env(datetime(2026, 1, 5, tzinfo=UTC), item.sentinels, {}, Random(1))

    return Ports(cache, cluster, call, env, dict, lambda: True, Memory())


def seen(name: str, version: int, **metadata: Any) -> Object:
    """Return an object as a watch tells of it."""
    return {"metadata": {"name": name, "namespace": "d", "uid": name, "resourceVersion": str(version), **metadata}}
