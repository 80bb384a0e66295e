"""Cells of a table that no kind has to itself: values at a path, counts, ages."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from ork.base import paths
from ork.base.objects import Object

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")

Cell = Callable[[Object, datetime], Any]


def age(moment: str | None, now: datetime) -> str:
    """Return how long ago a moment was, as `kubectl` shows it: `5s`, `3m10s`, `2d`; `<unknown>` without one."""
    if not moment:
        return "<unknown>"
    if not _RFC3339.match(moment):
        return "<invalid>"
    try:
        then = datetime.fromisoformat(moment.replace("Z", "+00:00"))
    except ValueError:
        return "<invalid>"
    return human((now - then.astimezone(UTC)).total_seconds())


_SCALES = (
    (120, 1, "s", 0, "", 0),
    (600, 60, "m", 1, "s", 60),
    (3 * 3600, 60, "m", 0, "", 0),
    (8 * 3600, 3600, "h", 60, "m", 60),
    (48 * 3600, 3600, "h", 0, "", 0),
    (192 * 3600, 86400, "d", 3600, "h", 24),
    (2 * 365 * 86400, 86400, "d", 0, "", 0),
    (8 * 365 * 86400, 365 * 86400, "y", 86400, "d", 365),
)
"""Below how many seconds which unit is shown, and which smaller one beside it."""


def human(seconds: float) -> str:
    """Return a length of time with one or two units."""
    if seconds < -1:
        return "<invalid>"
    whole = max(int(seconds), 0)
    for below, unit, name, smaller, small_name, modulo in _SCALES:
        if whole < below:
            rest = whole // smaller % modulo if smaller else 0
            return f"{whole // unit}{name}" + (f"{rest}{small_name}" if rest else "")
    return f"{whole // (365 * 86400)}y"


_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What Go's JSON writes otherwise, so that it may stand in HTML."""


def go_text(value: Any) -> str:
    """Return a value as Go's JSONPath printer writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        import json

        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return text.translate(_ESCAPED)
    return str(value)


def created(obj: Object, now: datetime) -> str:
    """The object's age."""
    return age(obj["metadata"].get("creationTimestamp"), now)


def created_at(obj: Object, _now: datetime) -> str:
    """When the object was made."""
    moment: str = obj["metadata"].get("creationTimestamp") or "0001-01-01T00:00:00Z"
    return moment


def at(path: str, missing: Any = "<none>") -> Cell:
    """The value at a path, or something else where it is not set."""
    steps = tuple(path.split("."))

    def read(obj: Object, _now: datetime) -> Any:
        value = paths.get(obj, steps)
        return missing if value is None or value == "" else value

    return read


def count(path: str) -> Cell:
    return at(path, 0)


def size(*names: str) -> Cell:
    return lambda obj, _now: sum(len(paths.get(obj, tuple(name.split("."))) or ()) for name in names)


def length(path: str) -> Cell:
    steps = tuple(path.split("."))
    return lambda obj, _now: len(paths.get(obj, steps) or ())


def since(path: str) -> Cell:
    steps = tuple(path.split("."))

    def read(obj: Object, now: datetime) -> str:
        moment = paths.get(obj, steps)
        return age(moment, now) if moment else "<none>"

    return read
