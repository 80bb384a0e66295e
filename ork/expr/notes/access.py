"""Notes that read what may not be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.expr.compare import number
from ork.expr.notes.conditional import default
from ork.expr.notes.note import Example, note, text


def step(value: Any, key: Any) -> Any:
    """Return what stands under a key of a map or at a place of a list; None where nothing does."""
    if isinstance(value, dict):
        return value.get(text(key))
    at = number(key)
    if isinstance(value, list) and isinstance(at, int) and 0 <= at < len(value):
        return value[at]
    return None


def get(value: Any, *keys: Any) -> Any:
    """Follow keys from an object; None where a step is missing. A key that is not there is tried as a dotted path."""
    for key in keys:
        found = step(value, key)
        if found is None and "." in text(key):
            found = get(value, *text(key).strip(".").split(".")) if text(key).strip(".") else value
        value = found
    return value


def _or(accept: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Make a note that takes a value and a fallback, or an object, keys and a fallback."""

    def read(value: Any, *rest: Any) -> Any:
        *keys, fallback = rest
        return accept(get(value, *keys), fallback)

    return read


def _string(value: Any, fallback: Any) -> Any:
    return value if isinstance(value, str) and value else fallback


def _int(value: Any, fallback: Any) -> Any:
    if value.__class__ is float and value - value == 0:
        return int(value)
    return value if value.__class__ is int else fallback


def _bool(value: Any, fallback: Any) -> Any:
    return value if value.__class__ is bool else fallback


NOTES = (
    note(
        "get OBJECT KEY...",
        get,
        "What stands under these keys, one inside the other, or at a dotted path; nothing where a step is missing.",
        Example(
            '{{ get .children.cronjob "status" "lastScheduleTime" }}',
            {"children": {"cronjob": {"status": {"lastScheduleTime": "2026-01-05T09:00:00Z"}}}},
            "2026-01-05T09:00:00Z",
        ),
    ),
    note(
        "getOr VALUE [KEY...] FALLBACK",
        _or(default),
        "The value, or what stands under the keys in it; the fallback where that is empty.",
        Example('{{ getOr .spec "size" "replicas" 1 }}', {"spec": {"size": {"replicas": 3}}}, 3),
    ),
    note(
        "getStringOr VALUE [KEY...] FALLBACK",
        _or(_string),
        "As `getOr`, and the fallback where it is no text.",
        Example('{{ getStringOr .spec.image "nginx" }}', {"spec": {"image": 3}}, "nginx"),
    ),
    note(
        "getIntOr VALUE [KEY...] FALLBACK",
        _or(_int),
        "As `getOr`, and the fallback where it is no number; 0 is one.",
        Example("{{ getIntOr .spec.replicas 2 }}", {"spec": {"replicas": 0}}, 0),
    ),
    note(
        "getBoolOr VALUE [KEY...] FALLBACK",
        _or(_bool),
        "As `getOr`, and the fallback where it is neither true nor false.",
        Example("{{ getBoolOr .spec.debug true }}", {"spec": {"debug": False}}, False),
    ),
)
