"""Dropping the fields that a structural schema does not declare, and naming them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ork.base.objects import Object
from ork.openapi import objectmeta
from ork.openapi.memo import Memo
from ork.openapi.schema import EMBEDDED, PRESERVE

Prune = Callable[[Any], Any]
"""A value without undeclared fields; the same value where there are none."""


def compile_prune(schema: Object, memo: Memo) -> Prune:
    """Return the closure that prunes what a schema does not declare."""
    return _both(schema, memo, keep=bool(schema.get(PRESERVE)))


def compile_inside_preserved(schema: Object, memo: Memo) -> Prune:
    """Return the closure for the elements of a list that preserves unknown fields: only declared fields are pruned."""
    return _both(schema, memo, keep=True)


def _both(schema: Object, memo: Memo, *, keep: bool) -> Prune:
    of_map, of_list = _map(schema, memo, keep=keep), _list(schema.get("items"), memo, keep=keep)

    def prune(value: Any) -> Any:
        if value.__class__ is dict:
            return of_map(value)
        return of_list(value) if value.__class__ is list else value

    return prune


def _keep(value: Any) -> Any:
    return value


def _empty(value: Any) -> Any:
    """Prune what has no schema at all: no field of a map is declared."""
    if value.__class__ is dict:
        return {} if value else value
    return _each(_empty, value) if value.__class__ is list else value


def _list(items: Object | None, memo: Memo, *, keep: bool) -> Prune:
    if not isinstance(items, dict):
        return _keep if keep else _empty
    step = memo.compiled(items, compile_inside_preserved if keep else compile_prune)
    return lambda value: _each(step, value)


def _each(step: Prune, value: list[Any]) -> list[Any]:
    pruned = [step(item) for item in value]
    return value if all(new is old for new, old in zip(pruned, value, strict=True)) else pruned


def _map(schema: Object, memo: Memo, *, keep: bool) -> Prune:
    steps = {name: memo.compiled(sub, compile_prune) for name, sub in (schema.get("properties") or {}).items()}
    if schema.get(EMBEDDED):
        of_metadata = memo.compiled(objectmeta.SCHEMA, compile_prune)
        steps |= {"apiVersion": _keep, "kind": _keep, "metadata": of_metadata}
    other = _other(schema.get("additionalProperties"), memo) or (_keep if keep else None)

    def prune(value: dict[str, Any]) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        dropped: set[str] = set()
        for key, item in value.items():
            step = steps.get(key, other)
            if step is None:
                dropped.add(key)
            elif (kind := item.__class__) is dict or kind is list:
                new = step(item)
                if new is not item:
                    changed[key] = new
        if not dropped and not changed:
            return value
        return {key: changed.get(key, item) for key, item in value.items() if key not in dropped}

    return prune


def _other(extra: Any, memo: Memo) -> Prune | None:
    """Return the closure of a map's values; `additionalProperties: true` keeps their keys, and nothing inside."""
    if extra is None:
        return None
    return memo.compiled(extra, compile_prune) if isinstance(extra, dict) else _empty


def dropped_fields(before: Any, after: Any) -> list[str]:
    """Return the paths of the fields that pruning took away, sorted: `spec.bogus`, `spec.list[0].x`."""
    return sorted(_dropped(before, after, ""))


def _dropped(before: Any, after: Any, path: str) -> Iterator[str]:
    if before is after:
        return
    if isinstance(before, dict):
        for key, item in before.items():
            here = f"{path}.{key}" if path else key
            if key in after:
                yield from _dropped(item, after[key], here)
            else:
                yield here
    elif isinstance(before, list):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _dropped(old, new, f"{path}[{index}]")
