"""Texts that Kubernetes stores in one form: quantities, times, base64. Malformed ones are refused in Go's words."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from ork.base import quantities
from ork.base.patterns import pattern

_QUANTITY = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$"
_LIKE_A_QUANTITY = pattern(r"[+-]?(?=\.?[0-9])[0-9]*(?:\.[0-9]*)?[eEinumkKMGTP]*[+-]?[0-9]*")
_SECONDS = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_MICROS = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_DATE_AND_TIME = (
    *(("2006", r"[0-9]{4}"), ("-", "-"), ("01", r"[0-9]{2}"), ("-", "-"), ("02", r"[0-9]{2}"), ("T", "T")),
    *(("15", r"[0-9]{2}"), (":", ":"), ("04", r"[0-9]{2}"), (":", ":"), ("05", r"[0-9]{2}")),
)
_ZONE = ("Z07:00", r"(?:Z|[+-][0-9]{2}:[0-9]{2})")
_ESCAPES = {34: '\\"', 92: "\\\\", **{byte: f"\\x{byte:02x}" for byte in (*range(32), *range(128, 256))}}
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]")


@lru_cache(4096)
def _canonical(text: str) -> str:
    try:
        return quantities.canonical(text)
    except ValueError:
        if _LIKE_A_QUANTITY.fullmatch(text):
            raise ValueError("unable to parse quantity's suffix") from None
        raise ValueError(f"quantities must match the regular expression '{_QUANTITY}'") from None


def quantity(value: Any) -> Any:
    """Return the canonical form of a quantity, which may have been written as a number."""
    text = value.strip() if isinstance(value, str) else str(value)
    found = _canonical(text)
    return value if found == value else found


def seconds(value: Any) -> Any:
    """Return a time in UTC and whole seconds."""
    return value if _SECONDS.fullmatch(value) else _moment(value, fraction="").strftime("%Y-%m-%dT%H:%M:%SZ")


def micros(value: Any) -> Any:
    """Return a time in UTC with its microseconds, which must be written out."""
    return value if _MICROS.fullmatch(value) else _moment(value, fraction=".000000").strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _moment(text: str, fraction: str) -> datetime:
    layout = f"2006-01-02T15:04:05{fraction}Z07:00"
    part = ((".000000", r"\.[0-9]{6}"),) if fraction else (("", r"(?:[.,][0-9]+)?"),)
    rest = text
    for name, shape in (*_DATE_AND_TIME, *part, _ZONE):
        found = re.match(shape, rest)
        if found is None:
            raise ValueError(f'parsing time {_raw(text)} as "{layout}": cannot parse {_raw(rest)} as "{name}"')
        rest = rest[found.end() :]
    if rest:
        raise ValueError(f"parsing time {_raw(text)}: extra text: {_raw(rest)}")
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"parsing time {_raw(text)}: {error}") from None


def _raw(text: str) -> str:
    """Return a text in quotes as Go's times quote it: by bytes."""
    return '"' + "".join(_ESCAPES.get(byte) or chr(byte) for byte in text.encode()) + '"'


def base64_text(value: Any) -> Any:
    """Return base64 without line ends."""
    text = re.sub(r"[\r\n]", "", value)
    if _BASE64.fullmatch(text):
        return value if text == value else text
    bad = _NOT_BASE64.search(text.rstrip("="))
    place = bad.start() if bad else len(text.rstrip("=")) if text.endswith("=") else len(text) - len(text) % 4
    raise ValueError(f"illegal base64 data at input byte {place}")


BY_FORMAT: dict[str, Callable[[Any], Any]] = {
    "quantity": quantity,
    "date-time": seconds,
    "micro-time": micros,
    "byte": base64_text,
}
