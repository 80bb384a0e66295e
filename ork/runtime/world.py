"""The outside, as an operator needs it: an API server, external calls, time, chance, and who leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from random import Random
from typing import Protocol

from ork.base.clock import Clock
from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple
from ork.expr.env import Env
from ork.reconcile.ports import Caller, Cluster, Item
from ork.runtime.informer import Source
from ork.runtime.metrics import Metrics


class Installer(Protocol):
    """What the start needs of the API server, beside lists and writes."""

    async def install(self, manifest: Object) -> None:
        """Apply a CRD and wait until it is Established. Raises OutsideError."""

    async def apply(self, obj: Object) -> Object:
        """Apply any object, as for development, and return it. Raises OutsideError."""

    async def kind(self, group_kind: str) -> Kind | None:
        """Return the kind behind `Deployment.apps`, in the server's preferred version; None where it has none. Raises
        OutsideError."""


class Election(Protocol):
    """Who leads."""

    def left(self) -> float:
        """Return for how many seconds this process may go on writing; nothing or less is not at all."""

    def start(self) -> None:
        """Begin to run for the lease."""

    def stop(self) -> None:
        """Release the lease."""


Elect = Callable[[Callable[[bool], None]], Election]
"""Makes an election, given what to call (on any thread) when leadership begins and ends."""


class World(NamedTuple):
    """The outside, as the operator needs it."""

    source: Source
    cluster: Callable[[Callable[[], float]], Cluster]
    """Makes the cluster, whose writes end within the seconds that the lease has left when they are sent."""
    installer: Installer
    call: Caller
    clock: Clock
    random: Random
    environ: Mapping[str, str]
    metrics: Metrics
    election: Elect | None = None
    """None: this process always leads."""

    def env(self, item: Item) -> Env:
        """Return what a turn's expressions may read beside its scope."""
        return Env(self.clock.now(), item.sentinels, self.environ, self.random)

    def unfenced(self) -> Cluster:
        """Return a cluster whose writes no lease bounds."""
        return self.cluster(lambda: inf)
