"""The API of a frozen store, asked without a socket."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ork.base.objects import Object
from ork.cluster.server.api import Api
from ork.cluster.server.asgi import encoded
from ork.cluster.server.messages import Request, Response, Stream
from tests.unit.cluster.world import SetClock, new_store, with_widgets

TOKEN = "secret"


class Reply(NamedTuple):
    """An answer as a client sees it."""

    code: int
    body: Any
    kind: str
    """The content type."""
    warnings: tuple[str, ...]

    @property
    def reason(self) -> str:
        reason: str = self.body["reason"]
        return reason


class Client:
    """Sends requests of the administrator, unless told otherwise."""

    def __init__(self) -> None:
        self.clock = SetClock()
        self.store = with_widgets(new_store(self.clock))
        self.api = Api(self.store, TOKEN)

    def send(self, method: str, path: str, body: Any = None, token: str = TOKEN, **headers: str) -> Reply:
        answer, form = self.api.handle(self._request(method, path, body, token, headers))
        assert isinstance(answer, Response)
        body = json.loads(json.dumps(answer.body)) if isinstance(answer.body, dict) else answer.body
        kind, content = encoded(body, form)
        readable = kind.startswith("application/json") or content.startswith(b"{")
        shown = json.loads(content) if readable else content.decode()
        return Reply(answer.code, shown, kind, tuple(answer.warnings))

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, **headers)

    def watch(self, path: str, **headers: str) -> Stream:
        answer, _ = self.api.handle(self._request("GET", path, None, TOKEN, headers))
        assert isinstance(answer, Stream)
        return answer

    def _request(self, method: str, path: str, body: Any, token: str, headers: dict[str, str]) -> Request:
        place, _, query = path.partition("?")
        pairs = tuple(_pair(part) for part in query.split("&") if part)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            given["authorization"] = f"Bearer {token}"
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return Request(method, place, pairs, given, content)


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def names(listed: Object | Sequence[Object]) -> list[str]:
    """Return the names of a list's items."""
    items = listed["items"] if isinstance(listed, dict) else listed
    return [obj["metadata"]["name"] for obj in items]
