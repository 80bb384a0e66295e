"""One informer: list, then watch from there, for ever, telling a listener what changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import Enum
from random import Random
from typing import Protocol

from ork.base.objects import Object, Ref, ref_of
from ork.base.records import NamedTuple
from ork.cluster.source import EventType, Page, Refusal, Scope, SourceError, WatchEvent
from ork.runtime.cache import Cache, version_of

FIRST_PAUSE, LAST_PAUSE = 0.2, 30.0
"""Seconds between reconnects: the first, and the longest after repeated failures."""

BLOCKED_PAUSE = 5.0
"""Seconds after which, at the latest, it is looked again whether a CRD has come or a permission was given."""
BREATH = 50
"""So many objects are taken in before others get the event loop."""


_BLOCKING = (Refusal.FORBIDDEN, Refusal.STRANGER, Refusal.UNKNOWN)


class Source(Protocol):
    """Lists and watches; a real cluster gives them."""

    def list(self, scope: Scope) -> AsyncIterator[Page]:
        """Give every object of the scope in pages of one snapshot. Raises SourceError."""

    def watch(self, scope: Scope, since: str) -> AsyncIterator[WatchEvent]:
        """Give what happened after the version `since`, until the server ends the stream. Raises SourceError."""


class Change(NamedTuple):
    """What happened to one object. `old` is None for a new one, `new` is None for one that is gone."""

    ref: Ref
    old: Object | None
    new: Object | None


class State(Enum):
    """How an informer is doing."""

    STARTING = "starting"
    SYNCED = "synced"
    BLOCKED = "blocked"
    """The server refuses, or does not serve the kind: it is asked again."""


class Told(NamedTuple):
    """Whom an informer tells."""

    changed: Callable[[Change], None]
    """Of each object that is new, different or gone."""
    judged: Callable[[], None] = lambda: None
    """That the informer's own state is another."""


class Informer:
    """Keeps one scope of the cache equal to the server.

    A list replaces what is known and yields the differences; the watch goes on from the list's version; a version that
    the server no longer has (410) means a new list, never a watch from the dead version.
    """

    def __init__(
        self,
        source: Source,
        scope: Scope,
        cache: Cache,
        told: Told,
        random: Random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.scope, self.state, self.problem = scope, State.STARTING, ""
        self.synced = asyncio.Event()
        """Set when the first list is in the cache."""
        self.settled = asyncio.Event()
        """Set when the first list is in, or was refused: nobody needs to wait for it."""
        self._source, self._cache, self._told = source, cache, told
        self._random, self._sleep = random, sleep
        self._failures = 0

    async def run(self) -> None:
        """List and watch until cancelled."""
        version = ""
        while True:
            try:
                if not version:
                    version = await self._list()
                version = await self._watch(version)
                pause = self._pause(0)
            except SourceError as error:
                pause = self._failed(error)
                if error.refusal is not Refusal.UNAVAILABLE:
                    version = ""
            await self._sleep(pause)

    def _failed(self, error: SourceError) -> float:
        blocked = error.refusal in _BLOCKING
        if error.refusal is Refusal.EXPIRED:  # as every version will: nobody needs to know
            self._failures += 1
        else:
            self._trouble(_in_words(self.scope, error), State.BLOCKED if blocked else self.state)
        pause = self._pause(self._failures)
        if blocked:
            pause = min(pause, BLOCKED_PAUSE)
        if error.refusal is Refusal.UNKNOWN and self.synced.is_set():
            self._forget()
        return max(error.retry_after, pause)

    def _trouble(self, problem: str, state: State) -> None:
        self._failures += 1
        if state is State.BLOCKED:
            self.settled.set()
        self._judge(problem, state)

    def _judge(self, problem: str, state: State) -> None:
        if (problem, state) != (self.problem, self.state):
            self.problem, self.state = problem, state
            self._told.judged()

    def _forget(self) -> None:
        """The CRD was removed, and its objects with it."""
        for ref in sorted(self._known()):
            known = self._cache.get(ref)
            self._remove(ref, version_of(known) if known else 0)

    def _pause(self, failures: int) -> float:
        limit = min(LAST_PAUSE, FIRST_PAUSE * 2.0 ** min(failures, 10))
        # Half of it is random, so that the watches of many kinds do not come back at one moment.
        return limit * (0.5 + 0.5 * self._random.random())

    async def _list(self) -> str:
        """Take the list in page by page, so that neither memory nor the event loop ever holds the whole of it."""
        listed: set[Ref] = set()
        async for page in self._source.list(self.scope):
            for count, obj in enumerate(page.items, 1):
                listed.add(ref_of(self.scope.kind, obj))
                self._take_in(obj)
                if count % BREATH == 0:
                    await asyncio.sleep(0)
        version = page.version
        for ref in sorted(self._known() - listed):
            self._remove(ref, int(version))
        self._healthy()
        return version

    def _known(self) -> set[Ref]:
        known = self._cache.of_kind(self.scope.kind)
        return {ref for ref in known if self.scope.namespace in ("", ref.namespace)}

    def _healthy(self) -> None:
        self.synced.set()
        self.settled.set()
        self._well(State.SYNCED)

    def _well(self, state: State) -> None:
        self._failures = 0
        self._judge("", state)

    async def _watch(self, version: str) -> str:
        """Follow the stream to its end and return the version to go on from."""
        try:
            async for event in self._source.watch(self.scope, version):
                self._well(self.state)
                version = event.obj["metadata"]["resourceVersion"]
                self._deliver(event)
        except SourceError as error:
            if error.refusal is not Refusal.UNAVAILABLE:
                raise
            # A broken stream is no reason to list again: what was seen so far is a good place to go on.
            self._trouble(str(error), self.state)
            await self._sleep(max(error.retry_after, self._pause(self._failures)))
        return version

    def _deliver(self, event: WatchEvent) -> None:
        if event.type is EventType.DELETED:
            self._remove(ref_of(self.scope.kind, event.obj), version_of(event.obj))
        elif event.type is not EventType.BOOKMARK:
            self._take_in(event.obj)

    def _take_in(self, obj: Object) -> None:
        replaced = self._cache.put(self.scope.kind, obj)
        if replaced is not None:
            self._told.changed(Change(ref_of(self.scope.kind, obj), replaced.old, replaced.new))

    def _remove(self, ref: Ref, version: int) -> None:
        known = self._cache.remove(ref, version)
        if known is not None:
            self._told.changed(Change(ref, known, None))


def _in_words(scope: Scope, error: SourceError) -> str:
    """Say what keeps an informer from its work, and what to do."""
    if error.refusal is Refusal.UNKNOWN:
        return f"the API server has no {scope.kind.resource} ({scope.kind.api_version}): apply the CRD"
    if error.refusal is Refusal.STRANGER:
        return f"{error}; the operator's credentials are not accepted any more: renew them"
    if error.refusal is Refusal.FORBIDDEN:
        return f"{error}; allow the operator to list and watch {scope.kind.resource}"
    return str(error)
