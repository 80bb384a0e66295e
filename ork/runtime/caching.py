"""Writes whose answers are known at once, so that the next turn sees them before their watch events arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ork.base.objects import Object, Ref
from ork.base.requests import Done, Write
from ork.reconcile.ports import Cluster
from ork.runtime.cache import Cache


class CachingCluster:
    """A cluster whose answers go into the cache; their echoes on the watch are then no change."""

    def __init__(self, cluster: Cluster, cache: Cache) -> None:
        self._cluster, self._cache = cluster, cache

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out writes side by side."""
        done = await self._cluster.write(wave)
        for ref, obj in done.objects.items():
            self._cache.put(ref.kind, obj)
        return done

    async def read(self, ref: Ref) -> Object | None:
        """Read one object from the API server itself."""
        return await self._cluster.read(ref)

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Apply a CR's status."""
        return self._known(ref, await self._cluster.status(ref, status, uid))

    async def mark(
        self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Mapping[str, str | None]
    ) -> Object:
        """Set a CR's finalizers and annotations."""
        marked = await self._cluster.mark(cr, ref, finalizers, annotations)
        # The last finalizer of a deleted CR: the answer is its old state, and its end comes with the watch.
        return self._known(ref, marked) if finalizers or "deletionTimestamp" not in marked["metadata"] else marked

    async def event(self, ref: Ref, kind: str, reason: str, message: str) -> None:
        """Record an Event."""
        await self._cluster.event(ref, kind, reason, message)

    def _known(self, ref: Ref, obj: Object) -> Object:
        self._cache.put(ref.kind, obj)
        return obj
