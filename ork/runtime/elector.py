"""An election at work: the lease is run for and renewed on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

from ork.base.clock import Clock
from ork.base.errors import OutsideError
from ork.runtime.lease import Candidate, Leases, Terms

Connect = Callable[[], AbstractAsyncContextManager[Leases]]
"""Opens a connection of the elector's own, in the elector's own event loop. Raises OutsideError."""


class Elector:
    """Runs an election on a thread of its own, so that a busy event loop never costs the lease.

    `changed(True)` and `changed(False)` are called on that thread when leadership begins and ends, `troubled` with each
    new reason why it cannot be run for: a replica that waits for good must not look as one that waits for its turn.
    """

    def __init__(
        self,
        terms: Terms,
        connect: Connect,
        clock: Clock,
        changed: Callable[[bool], None],
        troubled: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.terms, self._connect, self._clock, self._changed = terms, connect, clock, changed
        self._troubled, self._problem = troubled, ""
        self._candidate: Candidate | None = None
        self._stop: Callable[[], None] = lambda: None
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="lease", daemon=True)

    def left(self) -> float:
        """Return for how many seconds this process may go on writing; nothing or less is not at all."""
        return self._candidate.left() if self._candidate is not None else 0.0

    def start(self) -> None:
        """Begin to run for the lease."""
        self._thread.start()
        self._started.wait()

    def stop(self) -> None:
        """Release the lease if it is held, and end the thread."""
        self._stop()
        self._thread.join(self.terms.deadline)

    async def _run(self) -> None:
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        self._stop = partial(_call, loop, stopping.set)
        self._started.set()
        while not stopping.is_set():
            try:
                async with self._connect() as leases:
                    await self._stand(Candidate(self.terms, leases, self._clock, time.monotonic), stopping)
            except OutsideError as error:  # a kubeconfig that cannot be read for a moment does not end the candidacy
                self._tell(str(error))
            await _within(self.terms.retry, stopping.wait())

    async def _stand(self, candidate: Candidate, stopping: asyncio.Event) -> None:
        self._candidate = candidate
        leading = False
        while not stopping.is_set():
            await _within(self.terms.deadline / 2, candidate.attempt())
            self._tell(candidate.problem)
            if candidate.may_write() != leading:
                leading = not leading
                self._changed(leading)
            wait = self.terms.retry
            if leading:  # the end of leadership is told on time, not at the next attempt
                wait = min(wait, max(0.0, candidate.left()))
            await _within(wait, stopping.wait())
        if leading:
            self._changed(False)
        await _within(self.terms.deadline / 2, candidate.release())

    def _tell(self, problem: str) -> None:
        if problem and problem != self._problem:
            self._troubled(problem)
        self._problem = problem


def _call(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    loop.call_soon_threadsafe(function)


async def _within(seconds: float, work: Awaitable[object]) -> None:
    """Wait for the work, but no longer than that."""
    try:
        async with asyncio.timeout(seconds):
            await work
    except TimeoutError:
        return
