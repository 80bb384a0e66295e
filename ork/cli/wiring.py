"""The only place that builds real parts: what reaches beyond the machine's files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ork.base.requests import CallRequest, CallResult
    from ork.calls.retry import Send


class Outside(NamedTuple):
    """What a simulation may use of the world."""

    send: Send | None = None
    """Makes external calls; None: none leaves."""
    environ: Mapping[str, str] = {}
    """Where tokens and headers find their variables."""


@contextmanager
def outside(live: bool) -> Iterator[Outside]:
    """Lend the world to a simulation, or with `live` false nothing of it.

    A simulation runs without an event loop, so each attempt is one run of a loop of its own.
    """
    if not live:
        yield Outside()
        return
    import asyncio
    import os

    from ork.calls.http import HttpClient

    with asyncio.Runner() as runner:
        client = HttpClient()

        async def send(request: CallRequest) -> CallResult:
            return runner.run(client.send(request))

        try:
            yield Outside(send, os.environ)
        finally:
            runner.run(client.close())
