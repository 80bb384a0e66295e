"""Strategic merge patch: a merge patch that knows which lists are merged item by item, and by which key.

Directives of a patch: `$patch` (`merge`, `replace`, `delete`), `$retainKeys`, `$setElementOrder/LIST`,
`$deleteFromPrimitiveList/LIST`. Nothing is mutated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.cluster.memory import status
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.resource import Resource

Schema = Mapping[str, Any]

_PATCH, _RETAIN = "$patch", "$retainKeys"
_ORDER, _DELETE = "$setElementOrder/", "$deleteFromPrimitiveList/"


def strategic_patch(resource: Resource, patch: Any) -> Callable[[Object], Any]:
    """Return what a strategic merge patch makes of an object. The function raises ApiError for a malformed patch."""
    assert isinstance(resource, BuiltIn)
    return lambda obj: _merged_map(obj, patch, resource.schema)


def _merged_map(live: Any, patch: Object, schema: Schema) -> Any:
    directive = patch.get(_PATCH)
    if directive == "replace":
        return {key: value for key, value in patch.items() if key != _PATCH}
    if directive == "delete":
        return {}
    if directive not in (None, "merge"):
        raise status.internal(f"unknown patch type: {directive}")
    out = dict(live) if isinstance(live, dict) else {}
    if _RETAIN in patch:
        out = {key: value for key, value in out.items() if key in patch[_RETAIN]}
    for key, value in _changes(patch):
        new = _merged(out, key, value, patch, _below(schema, key))
        if new is _NOTHING:
            out.pop(key, None)
        else:
            out[key] = new
    return out


_NOTHING: Any = object()


def _merged(live: Object, key: str, value: Any, patch: Object, schema: Schema) -> Any:
    """Return what becomes of a key of a map, or that it goes."""
    if value is None:
        return _NOTHING
    if key not in live:
        kept = _without_directives(value)
        return _NOTHING if kept == [] else kept
    if isinstance(value, list):
        return _merged_list(live[key] or [], value, patch, key, schema)
    if not isinstance(value, dict):
        return value
    merged = _merged_map(live[key], value, schema)
    return merged if merged or value.get(_PATCH) != "delete" else _NOTHING


def _without_directives(value: Any) -> Any:
    """Return what a patch brings where nothing was, without nulls, and without maps and items with a directive."""
    if isinstance(value, list):
        return [kept for item in value if (kept := _without_directives(item)) is not _NOTHING]
    if not isinstance(value, dict):
        return value
    if _PATCH in value:
        return _NOTHING
    kept = {key: _without_directives(item) for key, item in value.items() if not key.startswith("$")}
    return {key: item for key, item in kept.items() if item is not None and item is not _NOTHING}


def _changes(patch: Object) -> Iterator[tuple[str, Any]]:
    """Yield what the patch sets; a list of which only an order or a deletion is given changes too."""
    for key, value in patch.items():
        if not key.startswith("$"):
            yield key, value
    for key in patch:
        name = key.partition("/")[2]
        if key.startswith((_ORDER, _DELETE)) and name not in patch:
            yield name, []


def _below(schema: Schema, key: str) -> Schema:
    found = (schema.get("properties") or {}).get(key)
    if found is None and isinstance(further := schema.get("additionalProperties"), Mapping):
        found = further
    return found or {}


def _merged_list(live: list[Any], items: list[Any], patch: Object, key: str, schema: Schema) -> list[Any]:
    strategies = str(schema.get("x-kubernetes-patch-strategy", "")).split(",")
    if "merge" not in strategies:
        return items
    order, gone = patch.get(_ORDER + key), patch.get(_DELETE + key) or []
    _check_sorts(live, [*items, *gone])
    merge_key = schema.get("x-kubernetes-patch-merge-key")
    if not merge_key or not all(isinstance(item, dict) for item in items):
        return _merged_scalars([item for item in live if item not in gone], items, order, live)
    return _merged_items(live, items, order, str(merge_key), schema.get("items") or {})


def _check_sorts(live: list[Any], items: list[Any]) -> None:
    if len({item.__class__ for item in (*live, *items)}) > 1:
        raise status.internal(f"list element types are not identical: {[live, items]}")


def _check_order(items: list[Object], order: list[Object], key: str) -> None:
    """Refuse a patch whose items do not come in the order that it asks for."""
    wanted = iter(row[key] for row in order)
    if not all(item[key] in wanted for item in items if item.get(_PATCH) != "delete"):
        text = f"The order in patch list:\n{items}\n doesn't match {_ORDER.rstrip('/')} list:\n{order}\n"
        raise status.internal(text)


def _merged_scalars(left: list[Any], added: list[Any], order: list[Any] | None, live: list[Any]) -> list[Any]:
    out = [*left, *(item for item in added if item not in left)]
    return _ordered(out, added if order is None else order, live, lambda item: item)


def _merged_items(live: list[Any], items: list[Any], order: list[Any] | None, key: str, schema: Schema) -> list[Any]:
    for item in (*items, *(order or ())):
        if item.get(_PATCH) != "replace" and key not in item:
            raise status.internal(f"map: {item} does not contain declared merge key: {key}")
    if any(item.get(_PATCH) == "replace" for item in items):
        return [_plain(item) for item in items if item.get(_PATCH) != "replace"]
    if order is not None:
        _check_order(items, order, key)
    gone = {_hashable(item[key]) for item in items if item.get(_PATCH) == "delete"}
    out = [item for item in live if _hashable(item.get(key)) not in gone]
    places: dict[Any, int] = {}
    for number, item in enumerate(out):
        places.setdefault(_hashable(item.get(key)), number)
    for item in items:
        if item.get(_PATCH) == "delete":
            continue
        at = places.get(_hashable(item[key]))
        if at is None:
            places[_hashable(item[key])] = len(out)
            out.append(item)
        else:
            out[at] = _merged_map(out[at], item, schema)
    wanted = [row[key] for row in (items if order is None else order)]
    return _ordered(out, wanted, [row.get(key) for row in live], _by(key))


def _plain(item: Object) -> Object:
    return {key: value for key, value in item.items() if not key.startswith("$")}


def _hashable(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _by(key: str) -> Callable[[Any], Any]:
    return lambda item: item.get(key)


def _ordered(items: list[Any], order: list[Any], live: list[Any], name: Callable[[Any], Any]) -> list[Any]:
    """Return the items that the patch orders in its order; the others go before the first that they stood before."""
    named = sorted((item for item in items if name(item) in order), key=lambda item: order.index(name(item)))
    others = [item for item in items if name(item) not in order]
    out: list[Any] = []
    while named or others:
        if not named or (others and _stands_before(name(others[0]), name(named[0]), live)):
            out.append(others.pop(0))
        else:
            out.append(named.pop(0))
    return out


def _stands_before(left: Any, right: Any, live: list[Any]) -> bool:
    return left in live and right in live and live.index(left) < live.index(right)
