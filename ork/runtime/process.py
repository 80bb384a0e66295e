"""One process around an operator.

The live API is first up and last down, so that whoever watches the process sees its start and its end; signals end it:
the first SIGTERM or SIGINT asks for an orderly stop, a second one ends it at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

from ork.base.listening import served
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.program import Program
from ork.runtime.collector import Collector
from ork.runtime.kordinator import Kordinator
from ork.runtime.live import Inside, Watched, live_api
from ork.runtime.operator import Operator

AT_ONCE = 130
"""The exit code of a process that was interrupted."""

T = TypeVar("T")

Stop = asyncio.Future[signal.Signals]
"""Done when a signal asks the process to end."""


class Katalog(NamedTuple):
    """What an operator is made of, and the entries as their author wrote them."""

    program: Program
    declared: Mapping[str, Object]


async def _never() -> Katalog:
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


def _nothing() -> None:
    return


class Plot(NamedTuple):
    """What is served."""

    first: Katalog
    make: Callable[[Program], Operator]
    following: Callable[[], Awaitable[Katalog]] = _never
    """Returns what to go on with, when there is something else."""
    started: Callable[[], None] = _nothing
    """Told when the first operator has started."""


class Stopped(Exception):
    """A signal came first."""


@contextmanager
def stop_signals() -> Iterator[Stop]:
    """Let SIGTERM and SIGINT ask for the end, instead of ending the process."""
    loop = asyncio.get_running_loop()
    asked: Stop = loop.create_future()

    def received(which: signal.Signals) -> None:
        if asked.done():
            os._exit(AT_ONCE)
        asked.set_result(which)

    for which in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(which, received, which)
    try:
        yield asked
    finally:
        for which in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(which)


async def serve(plot: Plot, at: socket.socket, asked: Stop) -> NoReturn:
    """Run an operator and its live API; where another Katalog comes, its operator follows.

    Raises Stopped after a signal, OutsideError where it cannot start, and whatever broke it.
    """
    shown, katalog, started = _Shown(), plot.first, plot.started
    async with served(shown, at):
        while True:
            operator = plot.make(katalog.program)
            operator.cache.took_in = Collector().took_in
            shown.application = live_api(_inside(katalog, operator))
            try:
                await unless(asked, operator.start())
                started()
                katalog = await unless(asked, _alive(operator, plot.following()))
            finally:
                await operator.stop()
            started = _nothing


async def once(operator: Operator, asked: Stop) -> bool:
    """Give every CR its turn, and stop; tell whether all went well. Raises as `serve`."""
    try:
        await unless(asked, operator.start())
        return await unless(asked, _alive(operator, operator.rest()))
    finally:
        await operator.stop()


async def unless(asked: Stop, story: Awaitable[T]) -> T:
    """Go through a story and return what it returns, unless a signal comes first. Raises Stopped."""
    task = asyncio.ensure_future(story)
    waiting: set[asyncio.Future[Any]] = {task, asked}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        return task.result()
    task.cancel()
    await asyncio.wait([task])
    raise Stopped


async def _alive(operator: Operator, story: Awaitable[T]) -> T:
    """Go through a story while no part of the operator breaks; raises what it broke of."""
    task = asyncio.ensure_future(story)
    waiting: set[asyncio.Future[Any]] = {task, operator.broken}
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if operator.broken.done():
            operator.broken.result()
        return task.result()
    finally:
        task.cancel()


class _Shown:
    """The live API of whichever operator runs."""

    application: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request (ASGI)."""
        await self.application(scope, receive, send)


def _inside(katalog: Katalog, operator: Operator) -> Inside:
    watched = {name: _watched(each, katalog.declared.get(name, {})) for name, each in operator.kordinators.items()}
    return Inside(katalog.program.name, watched, operator.cache, operator.figures, operator.not_ready)


def _watched(kordinator: Kordinator, declared: Object) -> Watched:
    return Watched(
        crd=kordinator.crd,
        health=kordinator.health,
        depth=lambda: len(kordinator.queue),
        workers=lambda: kordinator.workers,
        declared=declared,
    )
