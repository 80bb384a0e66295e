"""The API as an ASGI application: whole requests in, answers and watches out, one event loop, no threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from ork.base.objects import Object
from ork.cluster.memory import status
from ork.cluster.memory.history import Change
from ork.cluster.memory.status import ApiError
from ork.cluster.server import bodies
from ork.cluster.server.api import Api
from ork.cluster.server.messages import Content, Request, Response, Stream
from ork.cluster.server.negotiation import Form

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_BOOKMARK_EVERY = 60.0
BOOKMARK_BEFORE_END = 2.0
_PRETTY_AGENTS = ("curl", "Wget", "Mozilla/5.0")


class Application:
    """Serves an API. The simulated controllers run after every write, between two requests."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._changed: asyncio.Future[None] | None = None
        self._settling = False
        api.store.state.observers.append(self._on_change)

    def _on_change(self, _change: Change) -> None:
        if self._changed is not None:
            self._changed.set_result(None)
            self._changed = None
        if not self._settling:
            self._settling = True
            asyncio.get_running_loop().call_soon(self._settle)

    def _next_change(self) -> asyncio.Future[None]:
        if self._changed is None:
            self._changed = asyncio.get_running_loop().create_future()
        return self._changed

    def _settle(self) -> None:
        try:
            self._api.settle()
        finally:
            self._settling = False

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one connection's request (ASGI)."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Message, receive: Receive, send: Send) -> None:
        body = await _whole_body(receive)
        if body is None:
            await _respond(send, Response(413, _too_large().status), Form(), False)
            return
        request = _request(scope, body)
        answer, form = self._api.handle(request)
        if isinstance(answer, Response):
            await _respond(send, answer, form, _pretty(request))
        else:
            await self._stream(answer, receive, send)

    # ── watches ─────────────────────────────────────────────────────────────────────────────────
    async def _stream(self, stream: Stream, receive: Receive, send: Send) -> None:
        """Send events as they come, until the time is over, an ERROR ends it or the client goes away."""
        await send(_head(200, "application/json", stream.warnings))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await self._events(stream, send, gone)
        finally:
            gone.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _events(self, stream: Stream, send: Send, gone: asyncio.Future[None]) -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + stream.seconds
        bookmark = _next_bookmark(stream, clock(), end)
        while not gone.done():
            changed = self._next_change()
            events = _polled(stream)
            await _send_events(send, events)
            if stream.ended() or (events and events[-1]["type"] == "ERROR"):
                return
            now = clock()
            if stream.bookmark and now >= bookmark:
                await _send_events(send, [stream.bookmark()])
                bookmark = _next_bookmark(stream, now, end)
            if now >= end:
                return
            wait = min(end, bookmark) - now
            await asyncio.wait({gone, changed}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)


def _polled(stream: Stream) -> list[Object]:
    try:
        return stream.poll()
    except ApiError as error:
        return [{"type": "ERROR", "object": error.status}]


def _next_bookmark(stream: Stream, now: float, end: float) -> float:
    """Return when the next bookmark is due: every minute, and shortly before the end."""
    if stream.bookmark is None:
        return end
    last = end - BOOKMARK_BEFORE_END
    return min(now + _BOOKMARK_EVERY, last) if now < last else end + 1


async def _send_events(send: Send, events: list[Object]) -> None:
    if events:
        lines = b"".join(bodies.encode_json(event) + b"\n" for event in events)
        await send({"type": "http.response.body", "body": lines, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


# ── requests and responses ──────────────────────────────────────────────────────────────────────
async def _whole_body(receive: Receive) -> bytes | None:
    """Return a request's body; None where it is longer than the server takes."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        more = message.get("more_body", False)
        if size <= bodies.LIMIT:
            parts.append(part)
    return b"".join(parts) if size <= bodies.LIMIT else None


def _request(scope: Message, body: bytes) -> Request:
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    path = scope.get("raw_path") or scope["path"].encode()
    return Request(scope["method"], path.decode("latin-1"), tuple(query), headers, body)


def _too_large() -> ApiError:
    limit = bodies.LIMIT
    text = f"Request entity too large: limit is {limit}"
    return status.failure(413, "RequestEntityTooLarge", text)


def _pretty(request: Request) -> bool:
    if request.params("pretty"):
        return request.flag("pretty")
    return request.headers.get("user-agent", "").startswith(_PRETTY_AGENTS)


async def _respond(send: Send, response: Response, form: Form, pretty: bool) -> None:
    kind, content = encoded(response.body, form, pretty)
    await send(_head(response.code, kind, response.warnings, response.headers, len(content)))
    await send({"type": "http.response.body", "body": content})


def encoded(body: Any, form: Form, pretty: bool = False) -> tuple[str, bytes]:
    """Return content type and bytes of an answer; none of them where only its head is wanted."""
    if form.bare:
        return encoded(body, form._replace(bare=False), pretty)[0], b""
    if isinstance(body, Content):
        return body
    if isinstance(body, str):
        return "text/plain; charset=utf-8", body.encode()
    if form.format == "yaml":
        return "application/yaml", bodies.encode_yaml(body)
    aggregated = body.get("kind") == "APIGroupDiscoveryList"
    suffix = f";g=apidiscovery.k8s.io;v={form.version};as=APIGroupDiscoveryList" if aggregated else ""
    return f"application/json{suffix}", bodies.encode_json(body, pretty)


def _head(
    code: int,
    kind: str,
    warnings: tuple[str, ...] = (),
    extra: tuple[tuple[str, str], ...] = (),
    length: int | None = None,
) -> Message:
    rows = [("content-type", kind)] if kind else []
    rows += [("cache-control", "no-cache, private"), *extra]
    rows += [("warning", f"299 - {_quoted(text)}") for text in warnings]
    if length is not None:
        rows.append(("content-length", str(length)))
    headers = [(name.encode(), value.encode("utf-8", "replace")) for name, value in rows]
    return {"type": "http.response.start", "status": code, "headers": headers}


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
