"""Defaults of a structural schema, and the nulls that they replace.

A null where none may be becomes the field's default, or is dropped where there is none; in a list it stays, and
validation refuses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.openapi.memo import Memo

Fill = Callable[[Any], Any]
"""A value with its defaults; the same value where nothing is to be filled in."""


def compile_default(schema: Object, memo: Memo) -> Fill:
    """Return the closure that fills in what a schema defaults."""
    if isinstance(schema.get("items"), dict):
        return _list(schema["items"], memo)
    if schema.get("properties") or isinstance(schema.get("additionalProperties"), dict):
        return _map(schema, memo)
    return _same


def _same(value: Any) -> Any:
    return value


def _list(items: Object, memo: Memo) -> Fill:
    fill = memo.compiled(items, compile_default)
    initial = None if items.get("nullable") else _initial(items, memo)

    def each(value: Any) -> Any:
        if value.__class__ is not list:
            return value
        filled = [initial if item is None else fill(item) for item in value]
        return value if all(map(_is, filled, value)) else filled

    return each


def _is(one: Any, other: Any) -> bool:
    return one is other


def _initial(schema: Object, memo: Memo) -> Any:
    """Return a field's default, itself completed; None where it has none."""
    if schema.get("default") is None:
        return None
    return memo.compiled(schema, compile_default)(schema["default"])


_KEPT: Any = object()


def _map(schema: Object, memo: Memo) -> Fill:
    properties: dict[str, Object] = schema.get("properties") or {}
    extra = schema.get("additionalProperties")
    fills = {name: memo.compiled(sub, compile_default) for name, sub in properties.items()}
    rest = memo.compiled(extra, compile_default) if isinstance(extra, dict) else _same
    initial = {name: found for name, sub in properties.items() if (found := _initial(sub, memo)) is not None}
    nulls = {name: _in_place_of_null(sub, memo) for name, sub in properties.items()}
    other_null = _in_place_of_null(extra, memo) if isinstance(extra, dict) else _KEPT

    def fill(value: Any) -> Any:
        if value.__class__ is not dict:
            return value
        changed: dict[str, Any] = {}
        for key, item in value.items():
            if item is None:
                changed[key] = nulls.get(key, other_null)
            elif (kind := item.__class__) is dict or kind is list:
                new = fills.get(key, rest)(item)
                if new is not item:
                    changed[key] = new
        for key, item in initial.items():
            if key not in value:
                changed[key] = item
        return _merged(value, changed) if changed else value

    return fill


def _in_place_of_null(schema: Object, memo: Memo) -> Any:
    """Return what replaces a null: the field's default, None where it is dropped, or `_KEPT`."""
    return _KEPT if schema.get("nullable") else _initial(schema, memo)


def _merged(value: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    kept = {key: item for key, item in changed.items() if item is not _KEPT}
    if not kept:
        return value
    merged = {**value, **kept}
    for key, item in kept.items():
        if item is None:
            del merged[key]
    return merged
