"""A real HTTP server on loopback that behaves well or badly, as its paths say, and how tests call it."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast

import pytest

from ork.base.requests import CallRequest, CallResult
from ork.calls.http import HttpClient

MEGABYTE = bytes(2**20)


class Endpoint(BaseHTTPRequestHandler):
    """One answer per path."""

    protocol_version = "HTTP/1.1"
    released = threading.Event()
    seen: list[str]

    def do_GET(self) -> None:
        self.server.seen.append(self.path)  # type: ignore[attr-defined]
        try:
            getattr(self, "_" + self.path.strip("/").partition("/")[0].partition("?")[0])()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_POST = do_GET

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _status(self) -> None:
        self._answer(int(self.path.rpartition("/")[2]), b"{}", ("Retry-After", "7"))

    def _echo(self) -> None:
        size = int(self.headers.get("Content-Length", "0"))
        told = {"headers": dict(self.headers), "body": self.rfile.read(size).decode(), "method": self.command}
        self._answer(200, json.dumps(told).encode(), ("Set-Cookie", "crumb=1"))

    def _bytes(self) -> None:
        self._answer(200, b"\xff\xfe\x00")

    def _hang(self) -> None:
        self.released.wait(30)

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.released.wait(0.01):
            self.wfile.write(b".")

    def _huge(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(100 * len(MEGABYTE)))
        self.end_headers()
        for _ in range(100):
            self.wfile.write(MEGABYTE)

    def _bomb(self) -> None:
        self._answer(200, gzip.compress(MEGABYTE * 100), ("Content-Encoding", "gzip"))

    def _small(self) -> None:
        self._answer(200, gzip.compress(b'{"ok": true}'), ("Content-Encoding", "gzip"))

    def _lie(self) -> None:
        self._answer(200, b"not gzip at all", ("Content-Encoding", "gzip"))

    def _brotli(self) -> None:
        self._answer(200, b"x", ("Content-Encoding", "br"))

    def _cut(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"half")
        self.close_connection = True

    def _nonsense(self) -> None:
        self.wfile.write(b"\x00\x01 this is no HTTP\r\n\r\n")
        self.close_connection = True

    def _redirect(self) -> None:
        kind = self.path.rpartition("/")[2]
        port = cast(tuple[str, int], self.server.server_address)[1]
        places = {
            "same": "/echo",
            "away": f"http://localhost:{port}/echo",
            "port": "http://127.0.0.1:1/echo",
            "loop": "/redirect/loop",
        }
        self._answer(302, b"", ("Location", places[kind]))

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serving(address: str) -> Iterator[ThreadingHTTPServer]:
    Endpoint.released.clear()
    with ThreadingHTTPServer((address, 0), Endpoint) as server:
        server.daemon_threads = True
        server.seen = []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        Endpoint.released.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def endpoint() -> Iterator[ThreadingHTTPServer]:
    """A running server; `seen` lists the paths that were asked for."""
    with serving("127.0.0.1") as server:
        yield server


@pytest.fixture
def outer_endpoint() -> Iterator[ThreadingHTTPServer]:
    """The same on an address of this machine that is no loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no address but loopback")
        address = probe.getsockname()[0]
    with serving(address) as server:
        yield server


Build = Callable[..., CallRequest]


@pytest.fixture
def a_request() -> Build:
    """A GET with a second's time and one attempt; keywords change it."""

    def build(url: str, **changes: object) -> CallRequest:
        plain = CallRequest(
            name="check",
            method="GET",
            url=url,
            headers={},
            body=b"",
            timeout=timedelta(seconds=5),
            expect=0,
            delay=timedelta(),
            attempts=1,
            backoff=timedelta(seconds=1),
            backoff_limit=timedelta(seconds=30),
            multiplier=2.0,
            host_from_cr=False,
            allowed_hosts=(),
            hidden=(),
        )
        return plain._replace(**changes)  # type: ignore[arg-type]

    return build


@pytest.fixture
def ask(endpoint: ThreadingHTTPServer, a_request: Build) -> Callable[..., CallResult]:
    """Make one attempt at a path of the server."""

    def call(path: str, **changes: object) -> CallResult:
        async def run() -> CallResult:
            async with HttpClient() as client:
                return await client.send(a_request(f"http://127.0.0.1:{endpoint.server_address[1]}{path}", **changes))

        return asyncio.run(run())

    return call
