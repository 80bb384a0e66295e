"""Writes whose answers are known at once, and whose echoes on the watch are no news."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ork.base.objects import Object, Ref
from ork.base.requests import Done, Write
from ork.reconcile.ports import Annotations, Cluster
from ork.runtime.cache import Cache, version_of
from ork.runtime.informer import Change


class Echoes:
    """Tells our own changes from those of others.

    The watch event of a write may arrive before the write's answer. So while a write is under way, changes of its
    object wait; the answer's version then says which of them is the echo, and the others are passed on.
    """

    def __init__(self, deliver: Callable[[Change], None]) -> None:
        self._deliver = deliver
        self._held: dict[Ref, list[Change]] = {}

    def changed(self, change: Change) -> None:
        """Take in a change that an informer tells of."""
        if change.ref in self._held:
            self._held[change.ref].append(change)
        else:
            self._deliver(change)

    @contextmanager
    def writing(self, refs: Iterable[Ref], answers: Callable[[], Mapping[Ref, Object]]) -> Iterator[None]:
        """Hold the changes of these objects while they are written; `answers` are read at the end."""
        held: dict[Ref, list[Change]] = {ref: [] for ref in refs}
        self._held |= held
        try:
            yield
        finally:
            found = answers()
            for ref in held:
                self._held.pop(ref, None)
            for ref, changes in held.items():
                for change in changes:
                    if not _echo(change, found.get(ref)):
                        self._deliver(change)


def _echo(change: Change, answer: Object | None) -> bool:
    return change.new is not None and answer is not None and version_of(change.new) == version_of(answer)


class CachingCluster:
    """A cluster whose answers go into the cache: the next turn sees the world after its predecessor's writes."""

    def __init__(self, cluster: Cluster, cache: Cache, echoes: Echoes) -> None:
        self._cluster, self._cache, self._echoes = cluster, cache, echoes

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out writes side by side."""
        answers: dict[Ref, Object] = {}
        with self._echoes.writing([write.ref for write in wave], lambda: answers):
            done = await self._cluster.write(wave)
            answers |= done.objects
            for ref, obj in answers.items():
                self._cache.put(ref.kind, obj)
        return done

    async def read(self, ref: Ref) -> Object | None:
        """Read one object from the API server itself."""
        return await self._cluster.read(ref)

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Apply a CR's status."""
        answers: dict[Ref, Object] = {}
        with self._echoes.writing([ref], lambda: answers):
            answers[ref] = written = await self._cluster.status(ref, status, uid)
            self._cache.put(ref.kind, written)
        return written

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        """Set a CR's finalizers and annotations."""
        answers: dict[Ref, Object] = {}
        with self._echoes.writing([ref], lambda: answers):
            answers[ref] = marked = await self._cluster.mark(cr, ref, finalizers, annotations)
            # The answer to the last finalizer's removal is the old state of an object that has ended.
            if finalizers or "deletionTimestamp" not in marked["metadata"]:
                self._cache.put(ref.kind, marked)
        return marked

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        """Record an Event."""
        await self._cluster.event(ref, kind, reason, message, uid)
