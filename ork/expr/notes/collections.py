"""Notes on lists and maps. They never change what they are handed: what they give is new."""

from __future__ import annotations

from typing import Any

from ork.expr.notes.note import Example, alias, items, mapping, note, text, whole


def _element(value: Any, index: Any) -> Any:
    elements, at = items(value), whole(index)
    return elements[at] if -len(elements) <= at < len(elements) else None


def _dict(*pairs: Any) -> dict[str, Any]:
    if len(pairs) % 2:
        raise ValueError("dict takes pairs of key and value; the last key has no value")
    return {text(pairs[at]): pairs[at + 1] for at in range(0, len(pairs), 2)}


def _has(value: Any, wanted: Any) -> bool:
    return text(wanted) in map(text, items(value))


def _ordered(value: Any) -> dict[str, Any]:
    return dict(sorted(mapping(value).items()))


def _pick(value: Any, *keys: Any) -> dict[str, Any]:
    wanted = set(map(text, keys))
    return {key: each for key, each in mapping(value).items() if key in wanted}


def _omit(value: Any, *keys: Any) -> dict[str, Any]:
    unwanted = set(map(text, keys))
    return {key: each for key, each in mapping(value).items() if key not in unwanted}


def _merge(*maps: Any) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for each in maps:
        merged.update(mapping(each))
    return merged


def _uniq(value: Any) -> list[Any]:
    found: dict[str, Any] = {}
    for each in items(value):
        found.setdefault(text(each), each)
    return list(found.values())


def _size(value: Any) -> int:
    return len(mapping(value)) if isinstance(value, dict) else len(items(value))


_map_get = note(
    "mapGet MAP KEY",
    lambda value, key: mapping(value).get(text(key)),
    "The value under a key, whatever characters the key has; nothing where it is not there.",
    Example(
        '{{ mapGet .metadata.labels "app.kubernetes.io/name" }}',
        {"metadata": {"labels": {"app.kubernetes.io/name": "web"}}},
        "web",
    ),
)
_list_has = note(
    "listHas LIST VALUE",
    _has,
    "Whether the list has that element.",
    Example('{{ listHas .spec.regions "eu-west" }}', {"spec": {"regions": ["eu-west", "us-east"]}}, True),
)
_keys = note(
    "mapKeys MAP",
    lambda value: list(_ordered(value)),
    "The keys, in order.",
    Example('{{ join (mapKeys .metadata.labels) "," }}', {"metadata": {"labels": {"b": "2", "a": "1"}}}, "a,b"),
)
_values = note(
    "mapValues MAP",
    lambda value: list(_ordered(value).values()),
    "The values, in the order of their keys.",
    Example('{{ join (mapValues .metadata.labels) "," }}', {"metadata": {"labels": {"b": "2", "a": "1"}}}, "1,2"),
)
_pick_note = note(
    "mapPick MAP KEY...",
    _pick,
    "The map with these keys only.",
    Example('{{ toJSON (mapPick .spec "size") }}', {"spec": {"size": 3, "image": "web"}}, '{"size":3}'),
)
_omit_note = note(
    "mapOmit MAP KEY...",
    _omit,
    "The map without these keys.",
    Example('{{ toJSON (mapOmit .spec "size") }}', {"spec": {"size": 3, "image": "web"}}, '{"image":"web"}'),
)
_merge_note = note(
    "mapMerge MAP...",
    _merge,
    "All keys of the maps; where several have one, the last wins.",
    Example('{{ toJSON (mapMerge (dict "a" 1) (dict "a" 2)) }}', {}, '{"a":2}'),
    in_order=True,
)

NOTES = (
    note(
        "list [VALUE...]",
        lambda *values: list(values),
        "A list of these values.",
        Example('{{ join (list "a" .spec.b) "-" }}', {"spec": {"b": "c"}}, "a-c"),
        in_order=True,
    ),
    note(
        "dict [PAIRS...]",
        _dict,
        "A map of these keys and values.",
        Example('{{ toJSON (dict "tier" .spec.tier) }}', {"spec": {"tier": "gold"}}, '{"tier":"gold"}'),
        in_order=True,
    ),
    _list_has,
    alias("has", _list_has),
    note(
        "listGet LIST INDEX",
        _element,
        "The element at that place, counted from 0, or from the end with -1; nothing where there is none.",
        Example("{{ listGet .spec.regions 0 }}", {"spec": {"regions": ["eu-west", "us-east"]}}, "eu-west"),
    ),
    note(
        "listLen LIST",
        _size,
        "How many elements the list, or keys the map, has.",
        Example("{{ listLen .spec.regions }}", {"spec": {}}, 0),
    ),
    note(
        "first LIST",
        lambda value: _element(value, 0),
        "The first element.",
        Example("{{ first .spec.regions }}", {"spec": {"regions": ["eu-west", "us-east"]}}, "eu-west"),
    ),
    note(
        "last LIST",
        lambda value: _element(value, -1),
        "The last element.",
        Example("{{ last .spec.regions }}", {"spec": {"regions": ["eu-west", "us-east"]}}, "us-east"),
    ),
    note(
        "concat LIST...",
        lambda *lists: [each for part in lists for each in items(part)],
        "One list of all elements.",
        Example('{{ join (concat .spec.a .spec.b) "," }}', {"spec": {"a": ["x"], "b": ["y"]}}, "x,y"),
        in_order=True,
    ),
    note(
        "reverse LIST",
        lambda value: items(value)[::-1],
        "The list from its end.",
        Example('{{ join (reverse .spec.steps) "," }}', {"spec": {"steps": ["a", "b"]}}, "b,a"),
    ),
    note(
        "uniq LIST",
        _uniq,
        "The list without repetitions; the first of equal elements stays.",
        Example('{{ join (uniq .spec.zones) "," }}', {"spec": {"zones": ["b", "a", "b"]}}, "b,a"),
    ),
    note(
        "sortAlpha LIST",
        lambda value: sorted(map(text, items(value))),
        "The elements as texts, in alphabetical order.",
        Example('{{ join (sortAlpha .spec.zones) "," }}', {"spec": {"zones": ["b", "a"]}}, "a,b"),
    ),
    _map_get,
    _keys,
    alias("keys", _keys),
    _values,
    alias("values", _values),
    _pick_note,
    alias("pick", _pick_note),
    _omit_note,
    alias("omit", _omit_note),
    _merge_note,
    alias("merge", _merge_note),
)
