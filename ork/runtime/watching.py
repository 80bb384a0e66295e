"""All informers of one operator: what it waits for, what keeps it from its work, and what it may not forget."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from typing import Any

from ork.base.errors import OutsideError
from ork.base.records import NamedTuple
from ork.program import Program
from ork.runtime.cache import Cache
from ork.runtime.informer import BLOCKED_PAUSE, Change, Informer, Source, State, Told
from ork.runtime.watches import KindOf, Watch, left_behind, watches


class Lookout(NamedTuple):
    """What informers look with, and whom they tell."""

    source: Source
    cache: Cache
    random: Random
    changed: Callable[[Change], None]
    judged: Callable[[], None]
    """That something keeps a CRD from its work, or does so no more."""
    spawn: Callable[[Coroutine[Any, Any, None]], object]
    log: logging.Logger


class Watching:
    """The informers of one program."""

    def __init__(self, program: Program, lookout: Lookout) -> None:
        self._program, self._lookout = program, lookout
        self._informers: list[tuple[Informer, Watch]] = []
        self._troubles: set[str] = set()

    def begin(self, namespaces: Sequence[str]) -> None:
        """Watch everything that the program's boxes speak of."""
        self._watch(watches(self._program, namespaces))

    async def watch_what_left(self, kind_of: KindOf, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Once all is listed, watch the kinds that no entry makes any more, but an inventory still names.

        A server that cannot tell what they are is asked again: without them, children would be left for good.
        """
        for informer, _ in self._informers:
            await informer.settled.wait()
        known = [watch.scope.kind for _, watch in self._informers]
        while True:
            try:
                left = await left_behind(self._program, self._lookout.cache, known, kind_of)
                break
            except OutsideError as error:
                self._lookout.log.warning("%s; it is asked again", error)
                await sleep(BLOCKED_PAUSE)
        self._watch([Watch(scope, tuple(self._program.crds)) for scope in left])

    async def synced(self, crd: str) -> None:
        """Wait until everything is in the cache that a CRD needs."""
        for informer in self._needed_by(crd):
            await informer.synced.wait()

    def problem(self, crd: str) -> str:
        """Say what keeps a CRD from its work: a permission or a CRD that is missing; the empty string where nothing."""
        problems = [informer.problem for informer in self._needed_by(crd) if informer.state is State.BLOCKED]
        return problems[0] if problems else ""

    def waits_for(self) -> list[str]:
        """Return the resources whose first list is not in yet."""
        return [watch.scope.kind.resource for informer, watch in self._informers if not informer.settled.is_set()]

    @property
    def begun(self) -> bool:
        """Whether anything is watched yet."""
        return bool(self._informers)

    def _watch(self, wanted: Sequence[Watch]) -> None:
        look = self._lookout
        for watch in wanted:
            told = Told(look.changed, self._judged)
            informer = Informer(look.source, watch.scope, look.cache, told, look.random)
            self._informers.append((informer, watch))
            look.spawn(informer.run())

    def _needed_by(self, crd: str) -> list[Informer]:
        return [informer for informer, watch in self._informers if crd in watch.needed_by]

    def _judged(self) -> None:
        """Say once which watches are in trouble; what is blocked is told as the CRD's own problem."""
        working = [informer for informer, _ in self._informers if informer.state is not State.BLOCKED]
        troubles = {informer.problem for informer in working} - {""}
        for trouble in sorted(troubles - self._troubles):
            self._lookout.log.warning("%s; it is asked again", trouble)
        if self._troubles and not troubles:
            self._lookout.log.info("every watch is well again")
        self._troubles = troubles
        self._lookout.judged()
