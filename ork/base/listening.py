"""A socket of this machine, and an ASGI application on it in the running event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ork.base.errors import OutsideError, in_words

if TYPE_CHECKING:
    import ssl

    import uvicorn

LAST_ANSWERS = 1
"""Seconds that requests in progress have to be answered when listening ends."""


def listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens; an empty host is every address, port 0 a free port. Raises OutsideError."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        return _bound(found[0][0], found[0][4])
    except OSError as error:
        advice = "choose another port or address"
        raise OutsideError(f"cannot listen on {host}:{port}: {in_words(error)}; {advice}") from error


def _bound(family: int, address: Any) -> socket.socket:
    # asyncio sends small answers at once only on sockets that say they are TCP; else each waits 40 ms for the last one.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(128)
    except OSError:
        found.close()
        raise
    return found


@asynccontextmanager
async def served(application: Any, at: socket.socket, tls: ssl.SSLContext | None = None) -> AsyncIterator[None]:
    """Serve an application on a socket while the context lasts; the socket is closed at its end."""
    started, ending = asyncio.Event(), asyncio.Event()
    server = _server(_config(application, tls), started, ending)
    running = asyncio.ensure_future(server.serve(sockets=[at]))
    try:
        await started.wait()
        yield
    finally:
        ending.set()
        await running
        at.close()


def _config(application: Any, tls: ssl.SSLContext | None) -> uvicorn.Config:
    import uvicorn

    config = uvicorn.Config(
        application,
        http="h11",
        ws="none",
        interface="asgi3",
        lifespan="off",
        proxy_headers=False,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS,
    )
    config.load()
    config.ssl = tls
    return config


def _server(config: uvicorn.Config, started: asyncio.Event, ending: asyncio.Event) -> uvicorn.Server:
    """Return a server that leaves the process's signals alone, says when it listens, and ends when it is told."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

        async def main_loop(self) -> None:
            # The library's own looks ten times a second whether it shall end; the Date header wants one look.
            while not ending.is_set():
                await self.on_tick(0)
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await ending.wait()

    return Server(config)
