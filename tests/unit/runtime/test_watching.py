"""What an operator watches beside the kinds of its Katalog: those that an earlier one made, and a CR still names."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from random import Random
from typing import Any

from ork.base.errors import OutsideError
from ork.base.objects import Kind
from ork.cluster.source import Page, Scope, WatchEvent
from ork.labels import INVENTORY
from ork.runtime.cache import Cache
from ork.runtime.informer import BLOCKED_PAUSE
from ork.runtime.watching import Lookout, Watching
from tests import documents
from tests.unit.runtime.conftest import TYPES
from tests.unit.runtime.office import seen

SECRETS = Kind("", "v1", "Secret", "secrets", True)


class Source:
    """A server with one CR, which names Secrets among what was made for it."""

    def __init__(self) -> None:
        self.watched: list[str] = []

    async def list(self, scope: Scope) -> AsyncIterator[Page]:
        cr = seen("a", 1, annotations={INVENTORY: '{"kinds": ["Secret"]}'})
        yield Page([cr] if scope.kind.kind == "App" else [], "5")

    async def watch(self, scope: Scope, since: str) -> AsyncIterator[WatchEvent]:
        self.watched.append(scope.kind.kind)
        await asyncio.Event().wait()
        yield  # type: ignore[misc]  # makes it a generator


def test_a_server_that_cannot_say_for_a_while_what_was_left_behind_is_asked_until_it_can() -> None:
    async def story() -> list[float]:
        source, tasks, pauses = Source(), list[asyncio.Task[None]](), list[float]()
        answers: list[OutsideError | Kind] = [OutsideError("not now"), OutsideError("not yet"), SECRETS]

        def spawn(story: Coroutine[Any, Any, None]) -> None:
            tasks.append(asyncio.ensure_future(story))

        async def kind_of(_: str) -> Kind | None:
            answer = answers.pop(0)
            if isinstance(answer, OutsideError):
                raise answer
            return answer

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        def nothing(*_: Any) -> None:
            return

        program = documents.program(documents.katalog("k", app=documents.entry("status: {}", TYPES)))
        log = logging.getLogger("test.watching")
        watching = Watching(program, Lookout(source, Cache(), Random(1), nothing, nothing, spawn, log))
        watching.begin(())
        await watching.watch_what_left(kind_of, sleep)
        await watching.synced("app")
        while "Secret" not in source.watched:
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        return pauses

    assert asyncio.run(story()) == [BLOCKED_PAUSE, BLOCKED_PAUSE]
