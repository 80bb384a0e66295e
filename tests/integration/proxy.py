"""A proxy between an operator and the API server that can misbehave, and that writes down what passes through it."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.controlplane.controlplane import ControlPlane

HEAD_END = b"\r\n\r\n"
LIMIT = 2**22
"""Bytes of the longest head or line."""


class Request(NamedTuple):
    """One request, as it came from the operator."""

    method: str
    target: str
    head: bytes
    body: bytes

    @property
    def path(self) -> str:
        """The target without its query."""
        return urlsplit(self.target).path

    @property
    def watch(self) -> bool:
        """Tell whether it opens a stream."""
        return "watch=true" in self.target

    @property
    def lease(self) -> bool:
        """Tell whether it belongs to the election."""
        return "/leases" in self.path

    @property
    def write(self) -> bool:
        """Tell whether it changes the cluster, and not only the lease or an Event."""
        return self.method != "GET" and not self.lease and not self.path.endswith("/events")


class Passed(NamedTuple):
    """A request that reached the API server, or was answered in its place."""

    request: Request
    at: float
    """When it was handed on, in monotonic seconds."""
    status: int
    """The answer's code, 0 where there was none."""

    @property
    def holder(self) -> str | None:
        """Whom a lease was written for; None where this is no such write, or it was refused."""
        if not self.request.lease or self.request.method not in ("PUT", "POST") or not 200 <= self.status < 300:
            return None
        return str(json.loads(self.request.body)["spec"]["holderIdentity"])


class Treatment(NamedTuple):
    """What happens to one request on its way."""

    delay: float = 0.0
    """Seconds before it is handed on."""
    busy: int | None = None
    """Answer 429 in place of the server, with so many seconds of Retry-After."""
    swallow: bool = False
    """Hand it on, and end the connection when its answer comes."""
    cut: int | None = None
    """End the connection after so many bytes of the answer's body."""


FAIR = Treatment()


class Gone(Exception):
    """The connection ends here."""


class Proxy:
    """Passes requests of one operator on. `treat` decides over each request; `hold` and `release` are a partition."""

    def __init__(self, plane: ControlPlane) -> None:
        self.treat: Callable[[Request], Treatment] = lambda _: FAIR
        self.log: list[Passed] = []
        self._plane = plane
        self._through = asyncio.Event()
        self._through.set()
        self._open: set[asyncio.Task[None]] = set()
        self._tls = ssl.create_default_context(cafile=str(plane.folder / "certs" / "apiserver.crt"))
        self._server: asyncio.Server | None = None

    # ── what tests do ───────────────────────────────────────────────────────────────────────────
    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def kubeconfig(self, path: Path) -> Path:
        """Write a kubeconfig that leads through this proxy."""
        text = self._plane.kubeconfig.read_text()
        path.write_text(text.replace(self._plane.url, f"http://127.0.0.1:{self.port}"))
        return path

    def hold(self) -> None:
        """Let nothing through, in either direction, and end no connection: packets are lost, nobody is told."""
        self._through.clear()

    def release(self) -> None:
        """Let through again what was held and is still wanted."""
        self._through.set()

    def sever(self) -> None:
        """End every connection at once, streams in the middle of a line."""
        for task in self._open:
            task.cancel()

    def writes(self, since: float = 0.0) -> list[Passed]:
        """Return the writes that reached the server since a moment."""
        return [passed for passed in self.log if passed.at >= since and passed.request.write]

    # ── one connection ──────────────────────────────────────────────────────────────────────────
    async def start(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=LIMIT)

    async def stop(self) -> None:
        """End everything."""
        assert self._server is not None
        self._server.close()
        self.sever()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        link = Link(reader, writer)
        try:
            await self._requests(link)
        except (Gone, OSError, ssl.SSLError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # whatever ends one side ends the other
        finally:
            self._open.discard(task)
            link.end()

    async def _requests(self, link: Link) -> None:
        while True:
            request = await _request(link.reader)
            await self._through.wait()
            if link.reader.exception() is not None:
                raise Gone  # reset by the operator while it was held; a mere end would be sent on, as a kernel does
            await self._pass(request, link, self.treat(request))

    async def _pass(self, request: Request, link: Link, treatment: Treatment) -> None:
        if treatment.delay:
            await asyncio.sleep(treatment.delay)
        if treatment.busy is not None:
            self.log.append(Passed(request, time.monotonic(), 429))
            await link.send(_busy(treatment.busy))
            return
        server = await link.server(self._plane.port, self._tls)
        at = time.monotonic()
        link.upstream.write(request.head + request.body)
        try:
            head = await server.readuntil(HEAD_END)
        except (OSError, asyncio.IncompleteReadError):
            self.log.append(Passed(request, at, 0))
            raise
        self.log.append(Passed(request, at, int(head.split(b" ", 2)[1])))
        if treatment.swallow:
            raise Gone
        await self._answer(head, link, treatment.cut)

    async def _answer(self, head: bytes, link: Link, cut: int | None) -> None:
        await self._through.wait()
        await link.send(head)
        left = cut
        async for piece in _body(head, link.from_server):
            await self._through.wait()
            if left is not None:
                if len(piece) >= left:
                    await link.send(piece[:left])
                    raise Gone
                left -= len(piece)
            await link.send(piece)


class Link:
    """One connection of the operator, and the one to the server behind it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer
        self._behind: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def server(self, port: int, tls: ssl.SSLContext) -> asyncio.StreamReader:
        """Return what comes from the server, to which a connection is opened at the first call."""
        if self._behind is None:
            self._behind = await asyncio.open_connection("127.0.0.1", port, ssl=tls, limit=LIMIT)
        return self.from_server

    @property
    def from_server(self) -> asyncio.StreamReader:
        """What comes from the server."""
        assert self._behind is not None
        return self._behind[0]

    @property
    def upstream(self) -> asyncio.StreamWriter:
        """What goes to the server."""
        assert self._behind is not None
        return self._behind[1]

    async def send(self, data: bytes) -> None:
        """Send something to the operator."""
        self._writer.write(data)
        await self._writer.drain()

    def end(self) -> None:
        """End both connections."""
        for writer in (self._writer, *(self._behind or ())[1:]):
            assert isinstance(writer, asyncio.StreamWriter)
            writer.transport.abort()


async def _request(reader: asyncio.StreamReader) -> Request:
    head = await reader.readuntil(HEAD_END)
    method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ")
    length = _header(head, b"content-length")
    body = await reader.readexactly(int(length)) if length else b""
    return Request(method, target, head, body)


async def _body(head: bytes, server: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Give an answer's body as it is on the wire."""
    length = _header(head, b"content-length")
    if length:
        yield await server.readexactly(int(length))
        return
    while True:
        size = await server.readline()
        if not size:
            raise Gone  # the server went away in the middle
        chunk = await server.readexactly(int(size, 16) + 2)
        yield size + chunk
        if int(size, 16) == 0:
            return


def _header(head: bytes, name: bytes) -> bytes:
    return next(_values(head, name), b"")


def _values(head: bytes, name: bytes) -> Iterator[bytes]:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.lower() == name:
            yield value.strip()


def _busy(seconds: int) -> bytes:
    status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "TooManyRequests", "code": 429}
    body = json.dumps(status | {"message": "the server has received too many requests"}).encode()
    head = f"HTTP/1.1 429 Too Many Requests\r\nRetry-After: {seconds}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


@asynccontextmanager
async def proxy(plane: ControlPlane) -> AsyncIterator[Proxy]:
    """Give a proxy before an API server."""
    found = Proxy(plane)
    await found.start()
    try:
        yield found
    finally:
        await found.stop()
