"""Duplicates in lists that are sets or maps (`x-kubernetes-list-type`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ork.base.objects import Object
from ork.openapi.causes import Cause, Judge, duplicate, invalid, json_text
from ork.openapi.memo import Memo
from ork.openapi.schema import LIST_MAP_KEYS, LIST_TYPE, parts


def compile_unique(schema: Object, memo: Memo) -> Judge | None:
    """Return the closure that finds duplicates below a value; None where no list is a set or a map."""
    if not _has_keyed_list(schema):
        return None
    of_map, of_list = _map(schema, memo), _list(schema, memo)

    def check(value: Any, path: str, out: list[Cause]) -> None:
        if value.__class__ is dict:
            of_map(value, path, out)
        elif value.__class__ is list:
            of_list(value, path, out)

    return check


def _nothing(_value: Any, _path: str, _out: list[Cause]) -> None:
    return


def _below(schema: Any, memo: Memo) -> Judge:
    return (memo.compiled(schema, compile_unique) if isinstance(schema, dict) else None) or _nothing


def _map(schema: Object, memo: Memo) -> Judge:
    fields = {name: _below(sub, memo) for name, sub in (schema.get("properties") or {}).items()}
    rest = _below(schema.get("additionalProperties"), memo)

    def check(value: dict[str, Any], path: str, out: list[Cause]) -> None:
        for key, item in value.items():
            if key in fields:
                fields[key](item, f"{path}.{key}" if path else key, out)
            else:
                rest(item, f"{path}[{key}]", out)

    return check


def _list(schema: Object, memo: Memo) -> Judge:
    each = _below(schema.get("items"), memo)
    own = {"set": _duplicates, "map": _keyed(schema.get(LIST_MAP_KEYS) or [])}.get(schema.get(LIST_TYPE, ""))

    def check(value: list[Any], path: str, out: list[Cause]) -> None:
        if own:
            out += own(value, path)
        for index, item in enumerate(value):
            each(item, f"{path}[{index}]", out)

    return check


def _has_keyed_list(schema: Object) -> bool:
    return schema.get(LIST_TYPE) in ("set", "map") or any(map(_has_keyed_list, parts(schema)))


def _duplicates(value: list[Any], path: str) -> list[Cause]:
    return [duplicate(f"{path}[{index}]", value[index]) for index in _second_ones(value)]


def _second_ones(values: list[Any]) -> Iterator[int]:
    """Yield the place of each value's second occurrence; further ones are not reported."""
    seen: dict[str, int] = {}
    for index, value in enumerate(values):
        key = json_text(value) if value.__class__ is dict else repr(value)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == 2:
            yield index


def _keyed(keys: list[str]) -> Callable[[list[Any], str], list[Cause]]:
    def check(value: list[Any], path: str) -> list[Cause]:
        for index, item in enumerate(value):
            if item is not None and not isinstance(item, dict):
                return [invalid(f"{path}[{index}]", item, "must be an object for an array of list-type map")]
        names = [[(key, item[key]) for key in keys if key in item] if item else [] for item in value]
        return [duplicate(f"{path}[{index}]", dict(names[index])) for index in _second_ones(names)]

    return check
