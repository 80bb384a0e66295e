"""What passes between a transport and the API: requests, responses, streams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object
from ork.base.records import NamedTuple


class Request(NamedTuple):
    """An HTTP request, whole. Header names are in lower case; the path is as it came, still escaped."""

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    body: bytes = b""

    def param(self, name: str, default: str = "") -> str:
        """Return the first value of a query parameter."""
        return next((value for key, value in self.query if key == name), default)

    def params(self, name: str) -> list[str]:
        """Return every value of a query parameter."""
        return [value for key, value in self.query if key == name]

    def flag(self, name: str) -> bool:
        """Tell whether a boolean query parameter is set: `?watch`, `?watch=true`, but not `?watch=0`."""
        values = self.params(name)
        return bool(values) and values[0].lower() not in ("false", "0")


class Content(NamedTuple):
    """Bytes of a media type; of no type where that is empty."""

    kind: str
    data: bytes


class Response(NamedTuple):
    """An HTTP answer: an object or list to be encoded, or text."""

    code: int
    body: Any
    """A dict is encoded as the client accepts it; a str is plain text; Content stays as it is."""
    warnings: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()


class Stream(NamedTuple):
    """An open watch."""

    poll: Callable[[], list[Object]]
    """Returns the events that are due: `{"type", "object"}`. Raises ApiError where it cannot go on."""
    bookmark: Callable[[], Object] | None
    """Makes a bookmark, where the client asked for them."""
    seconds: float
    """How long it stays open."""
    warnings: tuple[str, ...] = ()
    ended: Callable[[], bool] = lambda: False
    """Tells whether nothing more will come, as what it watches is served no longer."""


class Refused(Exception):
    """A request that is answered with plain text, such as a path that nobody serves."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


NOT_FOUND = "404 page not found\n"
