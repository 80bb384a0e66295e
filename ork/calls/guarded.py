"""Connections to hosts that a CR chose: the address is looked at when it is dialled, so no name can change under it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from ssl import SSLContext
from typing import Any

import httpcore
import httpx

from ork.calls import hosts
from ork.calls.refused import Refused


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Resolves names itself, refuses inner addresses, and dials only what it looked at."""

    def __init__(self) -> None:
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the signature is httpcore's)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to one of the host's addresses. Raises Refused where any of them is an inner one."""
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(info[4][0]) for info in found]
        for address in addresses:
            if hosts.forbidden(address):
                raise Refused(hosts.forbidden_text(host, address))
        options = (timeout, local_address, socket_options)
        return await self._first(list(dict.fromkeys(addresses)), port, options)

    async def _first(
        self, addresses: list[str], port: int, options: tuple[float | None, str | None, Iterable[Any] | None]
    ) -> httpcore.AsyncNetworkStream:
        for address in addresses[:-1]:
            try:
                return await self._inner.connect_tcp(address, port, *options)
            except httpcore.ConnectError:
                continue
        return await self._inner.connect_tcp(addresses[-1], port, *options)

    async def sleep(self, seconds: float) -> None:
        """Pause between httpcore's own connection attempts."""
        await self._inner.sleep(seconds)


class GuardedTransport(httpx.AsyncBaseTransport):
    """httpx over an httpcore pool with that backend; without proxies, which would dial in our place."""

    def __init__(self, context: SSLContext) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context, max_connections=None, max_keepalive_connections=32, network_backend=GuardedBackend()
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and return the response, its body unread."""
        url = request.url
        assert isinstance(request.stream, httpx.AsyncByteStream)
        answer = await self._pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            answer.status, headers=answer.headers, stream=_Stream(answer.stream), extensions=answer.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Stream(httpx.AsyncByteStream):
    """httpcore's body as httpx reads it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
