"""The work queue: one entry per key, a lock on the key in work, priorities, delays and back-off.

Invariants (each has a property test):
- a key is never handed to two workers at once;
- a key added while it is in work is handed out once more after it, however often it was added;
- a key added is handed out at some time, unless it is dropped by name; a cancelled worker gives its key back;
- of two ready keys the one of the more urgent priority goes first, within one priority the older one.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager
from enum import IntEnum
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)


class Priority(IntEnum):
    """How urgent a key is; the smaller the sooner."""

    EVENT = 0
    """Something changed just now, or a retry fell due."""
    INITIAL = 1
    """The object was there when the operator started."""
    RESYNC = 2
    """Nothing is known to have changed."""


class Limits:
    """Back-off per key: `first` seconds after one failure, doubled by each further one up to `last`.

    `attempts` is how often a key is tried in a row; 0 is without end.
    """

    def __init__(self, first: float = 0.005, last: float = 1000.0, multiplier: float = 2.0, attempts: int = 0) -> None:
        self.first, self.last, self.multiplier, self.attempts = first, last, multiplier, attempts

    def delay(self, failures: int) -> float | None:
        """Return how long to wait in seconds after that many failures in a row (at least 1); None: not again."""
        if self.attempts and failures >= self.attempts:
            return None
        # The exponent is capped, since a float overflows long before the limit of a patient cluster is reached.
        return min(self.first * self.multiplier ** min(failures - 1, 64), self.last)


class WorkQueue(Generic[Key]):
    """Keys that want a turn. Not thread-safe: it belongs to one event loop, whose clock is `now` (seconds)."""

    def __init__(self, now: Callable[[], float], limits: Limits | None = None) -> None:
        self._now, self._limits = now, limits or Limits()
        self._ready: tuple[dict[Key, None], ...] = tuple({} for _ in Priority)
        self._waiting: dict[Key, tuple[float, int, Priority]] = {}
        self._due: list[tuple[float, int, Key]] = []
        self._active: dict[Key, Priority | None] = {}
        self._failures: dict[Key, int] = {}
        self._count = 0
        self._takers: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        """How many keys are ready for a worker (`workqueue_depth`)."""
        return sum(map(len, self._ready))

    @property
    def delayed(self) -> int:
        """How many keys wait for their time."""
        return len(self._waiting)

    @property
    def active(self) -> int:
        """How many keys are in work."""
        return len(self._active)

    def failures(self, key: Key) -> int:
        """Return how often a key failed in a row."""
        return self._failures.get(key, 0)

    def pressing(self, seconds: float) -> Iterator[Key]:
        """Give the keys that are in work, those that are ready, and those that will be within so many seconds."""
        yield from self._active
        for ready in self._ready:
            yield from ready
        limit = self._now() + seconds
        yield from (key for key, (due, _, _) in self._waiting.items() if due <= limit)

    def add(self, key: Key, priority: Priority = Priority.EVENT) -> None:
        """Ask for a turn now. A key that is in work is handed out again after it."""
        if key in self._active:
            wanted = self._active[key]
            self._active[key] = priority if wanted is None else min(priority, wanted)
            return
        self._waiting.pop(key, None)
        for other in Priority:
            if key in self._ready[other]:
                if other <= priority:
                    return
                del self._ready[other][key]
        self._ready[priority][key] = None
        self._wake()

    def add_after(self, key: Key, delay: float, priority: Priority = Priority.EVENT) -> None:
        """Ask for a turn in `delay` seconds, unless one is due sooner."""
        if delay <= 0:
            self.add(key, priority)
        elif key not in self._active and not any(key in ready for ready in self._ready):
            due = self._now() + delay
            if key not in self._waiting or due < self._waiting[key][0]:
                self._count += 1
                self._waiting[key] = (due, self._count, priority)
                heapq.heappush(self._due, (due, self._count, key))
                self._wake()

    def take(self) -> Key | None:
        """Lock and return the most urgent ready key; None where there is none now."""
        self._promote()
        for ready in self._ready:
            if ready:
                key = next(iter(ready))
                del ready[key]
                self._active[key] = None
                return key
        return None

    def done(self, key: Key, again: float | None = None) -> None:
        """Release a key. It is handed out once more if it was added meanwhile, else after `again` seconds if given."""
        wanted = self._active.pop(key)
        if wanted is not None:
            self.add(key, wanted)
        elif again is not None:
            self.add_after(key, again)

    def failed(self, key: Key) -> float | None:
        """Count a failure in a row and return how long to wait before the next attempt, in seconds; None where it was
        the last one, and only a change or a resync gives the key another turn."""
        self._failures[key] = self._failures.get(key, 0) + 1
        return self._limits.delay(self._failures[key])

    def succeeded(self, key: Key) -> None:
        """Start the key's back-off anew."""
        self._failures.pop(key, None)

    def drop(self, key: Key) -> None:
        """Forget a key whose object is gone; a turn in progress is not followed by another."""
        for ready in self._ready:
            ready.pop(key, None)
        self._waiting.pop(key, None)
        self._failures.pop(key, None)
        if key in self._active:
            self._active[key] = None

    def due_in(self) -> float | None:
        """Return the seconds until the next delayed key is ready; None where none waits."""
        while self._due and self._waiting.get(self._due[0][2], (0, -1))[1] != self._due[0][1]:
            heapq.heappop(self._due)
        return max(0.0, self._due[0][0] - self._now()) if self._due else None

    async def get(self) -> Key:
        """Wait for a key and lock it; `done` must follow."""
        while (key := self.take()) is None:
            taker = asyncio.get_running_loop().create_future()
            self._takers.append(taker)
            self._schedule()
            try:
                await taker
            except asyncio.CancelledError:
                if taker in self._takers:
                    self._takers.remove(taker)
                else:
                    self._wake()  # the key that this taker was woken for must reach another
                raise
        return key

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Key]:
        """Wait for a key; a turn that is cancelled or fails gives the key back."""
        key = await self.get()
        try:
            yield key
        except BaseException:
            if key in self._active:
                self.add(key)
                self.done(key)
            raise

    def _promote(self) -> None:
        while (wait := self.due_in()) is not None and wait <= 0:
            _, _, key = heapq.heappop(self._due)
            _, _, priority = self._waiting.pop(key)
            self._ready[priority][key] = None

    def _wake(self) -> None:
        while self._takers and len(self):
            taker = self._takers.popleft()
            if not taker.done():
                taker.set_result(None)
                return
        self._schedule()

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        wait = self.due_in()
        if wait is not None and self._takers:
            self._timer = asyncio.get_running_loop().call_later(wait, self._fire)

    def _fire(self) -> None:
        self._timer = None
        self._promote()
        self._wake()
