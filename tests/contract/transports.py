"""The ways to a server under contract: straight into the API in virtual time, or over HTTP."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import queue
import socket
import ssl
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import yaml

from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.server.api import Api
from ork.cluster.server.asgi import BOOKMARK_BEFORE_END, encoded
from ork.cluster.server.bodies import LIMIT
from ork.cluster.server.messages import Request, Response, Stream

TOKEN = "admintoken"
Stop = Callable[[list[dict[str, Any]]], bool]
"""Tells whether the events so far are enough."""


class Sent(NamedTuple):
    """A request as it goes out."""

    method: str
    target: str
    """Path and query, escaped."""
    headers: Mapping[str, str]
    body: bytes | None


class Got(NamedTuple):
    """An answer as it came."""

    code: int
    content_type: str | None
    warnings: list[str]
    retry_after: str | None
    content: bytes


class Events(NamedTuple):
    """What a watch brought, and whether the server ended it."""

    events: list[dict[str, Any]]
    ended: bool


class Watching(Protocol):
    """An open watch."""

    head: Got
    """The answer to the request; with content where the watch was refused."""

    def collect(self, stop: Stop, seconds: float) -> Events:
        """Return the events until enough came, the server ended it, or the time was over; closes it."""


class Transport(Protocol):
    """A way to a server."""

    def send(self, request: Sent) -> Got:
        """Send a request."""

    def watch(self, request: Sent) -> Watching:
        """Open a watch."""

    def together(self, requests: Sequence[Sent]) -> list[int]:
        """Send requests at once; returns their codes."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""


# ── in memory ───────────────────────────────────────────────────────────────────────────────────
class VirtualClock:
    """Time that passes only when a scenario waits."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 5, 10, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the present moment."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)


class InMemory:
    """The API itself, without a socket: watches are read at once, nothing is waited for."""

    def __init__(self) -> None:
        self._clock = VirtualClock()
        self._api = Api(Store(self._clock), TOKEN, workloads="never")

    def send(self, request: Sent) -> Got:
        """Send a request, and let the controllers do what it calls for."""
        got, _ = self._answer(request)
        self._api.settle()
        return got

    def _answer(self, request: Sent) -> tuple[Got, Stream | None]:
        if len(request.body or b"") > LIMIT:
            body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "code": 413}
            too_large = {**body, "reason": "RequestEntityTooLarge"}
            return Got(413, "application/json", [], None, json.dumps(too_large).encode()), None
        path, _, query = request.target.partition("?")
        pairs = tuple(urllib.parse.parse_qsl(query, keep_blank_values=True))
        headers = {name.lower(): value for name, value in request.headers.items()}
        answer, form = self._api.handle(Request(request.method, path, pairs, headers, request.body or b""))
        if isinstance(answer, Stream):
            return Got(200, "application/json", [*answer.warnings], None, b""), answer
        kind, content = encoded(answer.body, form)
        return Got(answer.code, kind, [*answer.warnings], _retry_after(answer), content), None

    def watch(self, request: Sent) -> Watching:
        """Open a watch."""
        got, stream = self._answer(request)
        return InMemoryWatch(got, stream)

    def together(self, requests: Sequence[Sent]) -> list[int]:
        """Send requests one after the other: there is no other way here."""
        return [self.send(request).code for request in requests]

    def wait(self, seconds: float) -> None:
        """Move the clock."""
        self._clock.advance(seconds)


def _retry_after(answer: Response) -> str | None:
    return next((value for name, value in answer.headers if name == "Retry-After"), None)


class InMemoryWatch:
    """A watch that ends as soon as nothing more can come: its end is moved here."""

    def __init__(self, head: Got, stream: Stream | None) -> None:
        self.head = head
        self._stream = stream
        self._first = self._poll() if stream else []

    def _poll(self) -> list[dict[str, Any]]:
        assert self._stream is not None
        try:
            return self._stream.poll()
        except ApiError as error:
            return [{"type": "ERROR", "object": error.status}]

    def collect(self, stop: Stop, seconds: float) -> Events:
        """Return what came until now, and the bookmark before the end."""
        stream, events = self._stream, list[dict[str, Any]]()
        assert stream is not None
        for event in self._first + self._poll():
            events.append(event)
            if stop(events):
                return Events(events, False)
        ended = stream.ended() or stream.seconds <= seconds
        if ended and stream.bookmark and stream.seconds > BOOKMARK_BEFORE_END:
            events.append(stream.bookmark())
        return Events(events, ended)


# ── over HTTP ───────────────────────────────────────────────────────────────────────────────────
class OverHttp:
    """A server that a kubeconfig names; each instance keeps one connection."""

    def __init__(self, kubeconfig: Path) -> None:
        config = yaml.safe_load(kubeconfig.read_text(encoding="utf-8"))
        cluster = config["clusters"][0]["cluster"]
        self._url = urllib.parse.urlsplit(cluster["server"])
        self._context = _context(cluster, kubeconfig.parent) if self._url.scheme == "https" else None
        self._kept: http.client.HTTPConnection | None = None

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port
        if self._context:
            return http.client.HTTPSConnection(host, port, context=self._context, timeout=60)
        return http.client.HTTPConnection(host, port, timeout=60)

    def send(self, request: Sent) -> Got:
        """Send a request; a connection that the server had closed meanwhile is opened again."""
        for fresh in (False, True):
            connection = self._connect() if fresh or self._kept is None else self._kept
            reused, self._kept = connection is self._kept, None
            try:
                return self._exchange(connection, request)
            except (http.client.HTTPException, OSError):
                connection.close()
                if not reused:
                    raise
        raise AssertionError

    def _exchange(self, connection: http.client.HTTPConnection, request: Sent) -> Got:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request(request.method, request.target, request.body, dict(request.headers))
        answer = connection.getresponse()
        got = _got(answer, answer.read())
        if answer.will_close:
            connection.close()
        else:
            self._kept = connection
        return got

    def watch(self, request: Sent) -> Watching:
        """Open a watch on a connection of its own."""
        return HttpWatch(self._connect(), request)

    def together(self, requests: Sequence[Sent]) -> list[int]:
        """Send requests at once, each on a connection of its own."""
        codes: list[int] = []
        ready = threading.Barrier(len(requests))

        def one(request: Sent) -> None:
            connection = self._connect()
            ready.wait()
            connection.request(request.method, request.target, request.body, dict(request.headers))
            codes.append(connection.getresponse().status)
            connection.close()

        threads = [threading.Thread(target=one, args=(request,)) for request in requests]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return codes

    def wait(self, seconds: float) -> None:
        """Let time pass: times in metadata have whole seconds."""
        time.sleep(seconds)

    def close(self) -> None:
        """Close the kept connection."""
        if self._kept is not None:
            self._kept.close()


def _context(cluster: Mapping[str, str], folder: Path) -> ssl.SSLContext:
    inline = cluster.get("certificate-authority-data")
    if inline:
        return ssl.create_default_context(cadata=base64.b64decode(inline).decode())
    return ssl.create_default_context(cafile=str(folder / cluster["certificate-authority"]))


def _got(answer: http.client.HTTPResponse, content: bytes) -> Got:
    headers = answer.headers
    warnings = [*(headers.get_all("Warning") or [])]
    return Got(answer.status, headers.get("Content-Type"), warnings, headers.get("Retry-After"), content)


class HttpWatch:
    """A watch over HTTP: a thread reads its lines, so that a scenario may act meanwhile."""

    def __init__(self, connection: http.client.HTTPConnection, request: Sent) -> None:
        self._connection = connection
        connection.request(request.method, request.target, headers=dict(request.headers))
        self._socket: socket.socket = connection.sock
        answer = connection.getresponse()
        self.head = _got(answer, b"" if answer.status == 200 else answer.read())
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, args=(answer,), daemon=True)
        if answer.status == 200:
            self._reader.start()
        else:
            connection.close()

    def _read(self, answer: http.client.HTTPResponse) -> None:
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException, AttributeError):
            while line := answer.readline():
                self._lines.put(line)
        self._lines.put(None)

    def collect(self, stop: Stop, seconds: float) -> Events:
        """Return the events until enough came, the server ended it, or the time was over."""
        events: list[dict[str, Any]] = []
        deadline = time.monotonic() + seconds
        try:
            while True:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
                if line is None:
                    return Events(events, True)
                events.append(json.loads(line))
                if stop(events):
                    return Events(events, False)
        except queue.Empty:
            return Events(events, False)
        finally:
            self._close()

    def _close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._connection.close()
        self._socket.close()
