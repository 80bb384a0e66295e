"""One process around an operator.

The live API is first up and last down, so that whoever watches the process sees its start and its end; signals end it:
the first SIGTERM or SIGINT asks for an orderly stop, a second one ends it at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ork.base.listening import served
from ork.base.objects import Object
from ork.program import Program
from ork.runtime.collector import Collector
from ork.runtime.kordinator import Kordinator
from ork.runtime.live import Inside, Watched, live_api
from ork.runtime.operator import Operator

AT_ONCE = 130
"""The exit code of a process that was interrupted."""

Stop = asyncio.Future[signal.Signals]
"""Done when a signal asks the process to end."""


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


async def serve(operator: Operator, inside: Inside, at: socket.socket, asked: Stop) -> signal.Signals:
    """Run an operator and its live API until a signal, which is returned. Raises OutsideError where it cannot start,
    and whatever broke it."""
    operator.cache.took_in = Collector().took_in
    async with served(live_api(inside), at):
        try:
            await _unless(asked, operator.start())
            await _unless(asked, operator.broken)
        finally:
            await operator.stop()
    return asked.result()


def inside(program: Program, operator: Operator, declared: Mapping[str, Object]) -> Inside:
    """Return what the live API shows of an operator; `declared` are the entries as their author wrote them."""
    crds = {name: _watched(each, declared.get(name, {})) for name, each in operator.kordinators.items()}
    return Inside(program.name, crds, operator.cache, operator.figures, operator.not_ready)


def _watched(kordinator: Kordinator, declared: Object) -> Watched:
    return Watched(
        crd=kordinator.crd,
        health=kordinator.health,
        depth=lambda: len(kordinator.queue),
        workers=lambda: kordinator.workers,
        declared=declared,
    )


async def _unless(asked: Stop, story: Awaitable[None]) -> None:
    """Go through a story, unless a signal comes first."""
    task = asyncio.ensure_future(story)
    waiting: set[asyncio.Future[Any]] = {task, asked}
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    else:
        task.cancel()
        await asyncio.wait([task])
