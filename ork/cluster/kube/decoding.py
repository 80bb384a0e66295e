"""JSON of the API server, an object nested without measure included: it must not keep others from being read."""

from __future__ import annotations

import re
from typing import Any

import orjson

DEEPEST = 500
"""Levels that are read of an answer whose nesting the decoder refuses (at about a thousand; the server allows ten)."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]')


def decode(data: bytes) -> Any:
    """Return what a JSON text says; what lies deeper than `DEEPEST` levels is null. Raises orjson.JSONDecodeError."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        flat = shallow(data)
        if flat is data:
            raise
        return orjson.loads(flat)


def shallow(data: bytes, deepest: int = DEEPEST) -> bytes:
    """Return a JSON text in which every container below that level is null; the same bytes where there is none."""
    parts: list[bytes] = []
    depth = start = 0
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in (b"{", b"["):
            depth += 1
            if depth == deepest + 1:
                parts.append(data[start : token.start()])
        elif mark in (b"}", b"]"):
            if depth == deepest + 1:
                parts.append(b"null")
                start = token.end()
            depth -= 1
    return b"".join((*parts, data[start:])) if parts else data
