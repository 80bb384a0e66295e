"""What server-side apply knows of a type: which fields a value has, how two values differ, merge, and lose fields.

One walker per schema node, compiled from an OpenAPI schema once. The rules are those of Kubernetes' structured merge:
maps are granular unless `x-kubernetes-map-type: atomic`, lists are atomic unless `x-kubernetes-list-type` is `set` or
`map`. Values are never mutated; what does not change is shared with the value that was handed in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from json.encoder import encode_basestring
from typing import Any

from ork.base.records import NamedTuple
from ork.cluster.memory.fieldset import MEMBER, SELF, Fields, element, is_member, member

Schema = Mapping[str, Any]


class MismatchError(Exception):
    """A value does not fit its type. The path grows while the error passes the nodes above."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text, self.path = text, ""

    def __str__(self) -> str:
        """`.spec.size: expected string, got 5`."""
        return f"{self.path}: {self.text}" if self.path else self.text

    def below(self, step: str) -> MismatchError:
        """Return the error as the node above sees it."""
        self.path = step + self.path
        return self


class Difference(NamedTuple):
    """The fields in the new value only, in both with different values, in the old value only; None is no field."""

    added: Fields | None = None
    modified: Fields | None = None
    removed: Fields | None = None


class Type:
    """What holds for every type; as it stands, for a value that is one field with one owner."""

    def fields(self, value: Any) -> Fields | None:  # noqa: ARG002
        """Return the fields that an applied configuration sets here; None where an empty list sets none.

        Raises MismatchError where the configuration does not fit the type.
        """
        return MEMBER

    def whole(self, value: Any) -> Fields:  # noqa: ARG002
        """Return every path in the value, its own included."""
        return MEMBER

    def compare(self, old: Any, new: Any) -> Difference | None:
        """Return how two present values differ; None where they do not."""
        return None if same(old, new) else Difference(modified=MEMBER)

    def merge(self, live: Any, config: Any) -> Any:
        """Return the live value with the configuration laid over it."""
        return live if same(live, config) else config

    def remove(self, value: Any, gone: Fields) -> Any:  # noqa: ARG002
        """Return the value without the fields in the set; None where nothing is left."""
        return value

    def named(self, fields: Fields) -> Fields:
        """Return the set with every declared field a member that has members below it."""
        return fields


class Scalar(Type):
    """Text, number or boolean."""

    def __init__(self, name: str, *accepted: type) -> None:
        self._name, self._accepted = name, accepted

    def fields(self, value: Any) -> Fields | None:
        """Return the path itself."""
        if value is not None and value.__class__ not in self._accepted:
            raise MismatchError(f"expected {self._name}, got {_json(value)}")
        return MEMBER


class AtomicList(Type):
    """A list that has one owner as a whole."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    @cached_property
    def _item(self) -> Type:
        return compile_type(self._schema.get("items") or {})

    def fields(self, value: Any) -> Fields | None:
        """Return the path itself."""
        for number, item in enumerate(_expected(value, list)):
            try:
                self._item.fields(item)
            except MismatchError as error:
                raise error.below(f"[{number}]") from None
        return MEMBER


class Struct(Type):
    """A granular map: declared properties, and for other keys the type of `additionalProperties` (or none)."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    @cached_property
    def declared(self) -> dict[str, Type]:
        """The properties by name."""
        return {name: compile_type(below) for name, below in (self._schema.get("properties") or {}).items()}

    @cached_property
    def rest(self) -> Type | None:
        """The type of every other key; None where there may be no other."""
        further = self._schema.get("additionalProperties")
        if isinstance(further, Mapping):
            return compile_type(further)
        return DEDUCED if further or self._schema.get("x-kubernetes-preserve-unknown-fields") else None

    def at(self, key: str) -> Type | None:
        """Return the type of the value under a key; None where the schema does not know it."""
        return self.declared.get(key) or self.rest

    def fields(self, value: Any) -> Fields | None:
        """Return the fields below; of keys that are data rather than declared, the key itself too."""
        declared, rest, out = self.declared, self.rest, {}
        for key, item in _expected(value, dict).items():
            below = declared.get(key) or rest
            if below is None:
                raise MismatchError("field not declared in schema").below(f".{key}")
            try:
                tree = below.fields(item)
            except MismatchError as error:
                raise error.below(f".{key}") from None
            if key not in declared:
                tree = member(tree)
            if tree is not None:
                out["f:" + key] = tree
            elif item is None:
                out["f:" + key] = MEMBER
        if not value:
            return MEMBER
        return out or None

    def whole(self, value: Any) -> Fields:
        """Return every path in the value, its own included."""
        if not value or value.__class__ is not dict:
            return MEMBER
        out: Fields = {SELF: MEMBER}
        for key, item in value.items():
            below = self.at(key)
            if below is not None:
                out["f:" + key] = below.whole(item)
        return out

    def compare(self, old: Any, new: Any) -> Difference | None:
        """Return how two maps differ, key by key; of two empty ones, whether one is null and the other is not."""
        if not _both(dict, old, new):
            return super().compare(old, new)
        before, after, parts = old or {}, new or {}, _Parts()
        for key, item in after.items():
            below = self.at(key)
            if below is None:
                continue
            if key in before:
                parts.changed("f:" + key, below, before[key], item)
            else:
                parts.added["f:" + key] = below.whole(item)
        for key, item in before.items():
            if key not in after and (below := self.at(key)) is not None:
                parts.removed["f:" + key] = below.whole(item)
        return parts.difference()

    def merge(self, live: Any, config: Any) -> Any:
        """Return the keys of both; where both have one, the configuration's value is merged into the live one."""
        if not live or not config:
            return live or super().merge(live, config)
        out = None
        for key, item in config.items():
            if key not in live:
                merged = item
            elif (merged := (self.at(key) or DEDUCED).merge(live[key], item)) is live[key]:
                continue
            out = dict(live) if out is None else out
            out[key] = merged
        return live if out is None else out

    def remove(self, value: Any, gone: Fields) -> Any:
        """Return the map without the keys in the set; what has only members below it is walked into."""
        if not value:
            return value
        out = None
        for mark, tree in gone.items():
            key = mark[2:]
            if mark[:2] != "f:" or key not in value:
                continue
            out = dict(value) if out is None else out
            below = self.at(key)
            if is_member(tree) or below is None:
                del out[key]
            else:
                out[key] = below.remove(value[key], tree)
        return value if out is None else out or None

    def named(self, fields: Fields) -> Fields:
        """Return the set with every declared field a member that has members below it."""
        return {mark: self._named(mark, tree) if tree else tree for mark, tree in fields.items()}

    def _named(self, mark: str, tree: Fields) -> Fields:
        key = mark[2:]
        below = self.at(key)
        inner = tree if below is None else below.named(tree)
        return member(inner) if key in self.declared else inner


class AtomicMap(Type):
    """A map that has one owner as a whole."""

    def __init__(self, inner: Struct) -> None:
        self._inner = inner

    def fields(self, value: Any) -> Fields | None:
        """Return the path itself."""
        self._inner.fields(value)
        return MEMBER


class Items(Type):
    """A list whose items are told apart by their keys (list type `map`) or by themselves (`set`)."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._keys = tuple(sorted(schema.get("x-kubernetes-list-map-keys") or ()))

    @cached_property
    def _item(self) -> Type:
        return compile_type(self._schema.get("items") or {})

    @cached_property
    def _key_defaults(self) -> dict[str, Any]:
        properties = (self._schema.get("items") or {}).get("properties") or {}
        return {key: properties[key].get("default") for key in self._keys if key in properties}

    def mark(self, item: Any) -> str:
        """Return the path element of an item: `k:{"name":"main"}`, or `v:"a"` in a set."""
        if not self._keys:
            return "v:" + _json(item)
        if item.__class__ is not dict:
            raise MismatchError("associative list with keys may not have non-map elements")
        parts = []
        for key in self._keys:
            value = item.get(key, self._key_defaults.get(key))
            if value is not None:
                parts.append(f'"{key}":{_json(value)}')
        if not parts:
            keys = _json([*self._keys])
            raise MismatchError(
                f"associative list with keys has an element that omits all key fields {keys} "
                "(and doesn't have default values for any key fields)"
            )
        return f"k:{{{','.join(parts)}}}"

    def _marked(self, items: Iterable[Any] | None) -> dict[str, list[Any]]:
        """Return the items by path element; what is stored may hold one twice."""
        out: dict[str, list[Any]] = {}
        for item in items or ():
            out.setdefault(self.mark(item), []).append(item)
        return out

    def fields(self, value: Any) -> Fields | None:
        """Return each item's path and the fields in it; None for an empty list."""
        out: Fields = {}
        for number, item in enumerate(_expected(value, list)):
            try:
                mark = self.mark(item)
            except MismatchError as error:
                raise MismatchError(f"element {number}: {error.text}") from None
            if mark in out:
                raise MismatchError(f"duplicate entries for key {element(mark)}")
            try:
                out[mark] = member(self._item.fields(item))
            except MismatchError as error:
                raise error.below(element(mark)) from None
        return out or None

    def whole(self, value: Any) -> Fields:
        """Return every path in the list, its own included."""
        if value.__class__ is not list:
            return MEMBER
        return member({mark: self._whole(at) for mark, at in self._marked(value).items()})

    def _whole(self, at: list[Any]) -> Fields:
        return self._item.whole(at[0]) if len(at) == 1 else MEMBER

    def compare(self, old: Any, new: Any) -> Difference | None:
        """Return how two lists differ, item by item; their order is no difference."""
        if not _both(list, old, new):
            return super().compare(old, new)
        before, after, parts = self._marked(old), self._marked(new), _Parts()
        for mark, at in after.items():
            was = before.get(mark)
            if was is None:
                parts.added[mark] = self._whole(at)
            elif len(was) == len(at) == 1:
                parts.changed(mark, self._item, was[0], at[0])
            elif len(was) > 1 and len(at) > 1:
                parts.changed(mark, _WHOLE, was, at)
            else:
                parts.added[mark], parts.removed[mark] = self._whole(at), self._whole(was)
        parts.removed.update({mark: self._whole(was) for mark, was in before.items() if mark not in after})
        return parts.difference()

    def merge(self, live: Any, config: Any) -> Any:
        """Return the items of both: the configuration's in its order, the live ones in theirs among them."""
        if not live or not config:
            return live or super().merge(live, config)
        there = self._marked(live)
        merged: dict[str, Any] = {}
        for item in config:
            was = there.get(mark := self.mark(item), ())
            merged[mark] = self._item.merge(was[0], item) if len(was) == 1 else item
        marks = [self.mark(item) for item in live]
        out = [live[at] if mark is None else merged[mark] for at, mark in _interleaved(marks, list(merged))]
        unchanged = len(out) == len(live) and all(new is old for new, old in zip(out, live, strict=True))
        return live if unchanged else out

    def remove(self, value: Any, gone: Fields) -> Any:
        """Return the list without the items in the set; those with only members below are walked into."""
        if not value:
            return value
        out = []
        for item in value:
            tree = gone.get(self.mark(item))
            if tree is None:
                out.append(item)
            elif not is_member(tree):
                out.append(self._item.remove(item, tree))
        return out or None

    def named(self, fields: Fields) -> Fields:
        """Return the set with every declared field inside the items a member."""
        return {mark: self._item.named(tree) if tree else tree for mark, tree in fields.items()}


def _interleaved(live: list[str], config: list[str]) -> Iterator[tuple[int, str | None]]:
    """Yield the items of a merged list: `(index of a live item, None)` or `(0, mark of a configured one)`.

    Items that both have come in the configuration's order; a live item that only the live list has stays behind the
    shared item that it stood behind.
    """
    wanted, present = set(config), set(live)
    shared = iter([mark for mark in config if mark in present])
    due, at, to, done = next(shared, None), 0, 0, set[str]()
    while at < len(live) or to < len(config):
        mine = live[at] if at < len(live) else None
        theirs = config[to] if to < len(config) else None
        if mine is not None and mine not in wanted:
            yield at, None
            at += 1
        elif mine is not None and theirs is not None and mine != theirs and due not in (None, mine):
            at += 1
        else:
            at += mine is not None and (mine == theirs or mine in done)
            if theirs is not None:
                yield 0, theirs
                to += 1
                done.add(theirs)
                due = next(shared, None) if due == theirs else due


class Deduced(Type):
    """A value without a schema: maps are granular, everything else is one field."""

    def fields(self, value: Any) -> Fields | None:
        """Return the keys of a map with what is below them; of anything else the path itself."""
        return _OPEN.fields(value) if value.__class__ is dict else MEMBER

    def whole(self, value: Any) -> Fields:
        """Return every path in the value, its own included."""
        return _OPEN.whole(value) if value.__class__ is dict else MEMBER

    def compare(self, old: Any, new: Any) -> Difference | None:
        """Return how the values differ; a map that becomes something else is modified and loses its keys."""
        maps = [value.__class__ is dict for value in (old, new)]
        if all(maps) or (any(maps) and (old is None or new is None)):
            return _OPEN.compare(old, new)
        if not any(maps):
            return super().compare(old, new)
        return Difference(_below(self.whole(new)), MEMBER, _below(self.whole(old)))

    def merge(self, live: Any, config: Any) -> Any:
        """Return merged maps, else the configuration's value."""
        both = live.__class__ is dict and config.__class__ is dict
        return _OPEN.merge(live, config) if both else super().merge(live, config)

    def remove(self, value: Any, gone: Fields) -> Any:
        """Return a map without the keys in the set."""
        return _OPEN.remove(value, gone) if value.__class__ is dict else value


def _below(tree: Fields) -> Fields | None:
    return {mark: inner for mark, inner in tree.items() if mark != SELF} or None


class _Parts:
    """The growing answer of a comparison."""

    __slots__ = ("added", "modified", "removed")

    def __init__(self) -> None:
        self.added: Fields = {}
        self.modified: Fields = {}
        self.removed: Fields = {}

    def changed(self, mark: str, below: Type, old: Any, new: Any) -> None:
        if old is new or (found := below.compare(old, new)) is None:
            return
        if found.added is not None:
            self.added[mark] = found.added
        if found.modified is not None:
            self.modified[mark] = found.modified
        if found.removed is not None:
            self.removed[mark] = found.removed

    def difference(self) -> Difference | None:
        if not (self.added or self.modified or self.removed):
            return None
        return Difference(self.added or None, self.modified or None, self.removed or None)


DEDUCED = Deduced()
_WHOLE = Type()
_OPEN = Struct({"type": "object", "additionalProperties": True})
_NUMERIC = Scalar("numeric (int or float)", int, float)
_EITHER = Scalar("scalar", str, int, float, bool)
_SCALARS: Mapping[str, Type] = {
    "string": Scalar("string", str),
    "integer": _NUMERIC,
    "number": _NUMERIC,
    "boolean": Scalar("boolean", bool),
}


def compile_type(schema: Schema) -> Type:
    """Return the walker of a schema node. What is below it is compiled when it is first needed."""
    kind = schema.get("type")
    if schema.get("x-kubernetes-int-or-string") or schema.get("format") in ("int-or-string", "quantity"):
        return _EITHER
    if kind == "array":
        granular = schema.get("x-kubernetes-list-type") in ("set", "map")
        return Items(schema) if granular else AtomicList(schema)
    if kind == "object":
        atomic = schema.get("x-kubernetes-map-type") == "atomic"
        return AtomicMap(Struct(schema)) if atomic else Struct(schema)
    return _SCALARS.get(str(kind), DEDUCED)


def same(left: Any, right: Any) -> bool:
    """Tell whether two JSON values are equal: `1` equals `1.0`, and neither equals `true`."""
    return left is right or (left == right and not _mixed(left, right))


def _mixed(left: Any, right: Any) -> bool:
    """Tell whether equal values hold a boolean on one side where the other has a number."""
    if left is right:
        return False
    if left.__class__ is dict:
        return any(_mixed(item, right[key]) for key, item in left.items())
    if left.__class__ is list:
        return any(map(_mixed, left, right))
    return (left.__class__ is bool) != (right.__class__ is bool)


def _both(shape: type, old: Any, new: Any) -> bool:
    """Tell whether two values are compared part by part: of one shape (null is empty), and not both empty."""
    fits = all(value is None or value.__class__ is shape for value in (old, new))
    return fits and bool(old or new)


def _expected(value: Any, shape: type) -> Any:
    """Return the value, or an empty one for null; raise MismatchError where it has another shape."""
    if value is None:
        return shape()
    if value.__class__ is not shape:
        raise MismatchError(f"expected {'list' if shape is list else 'map'}, got {_json(value)}")
    return value


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _json(value: Any) -> str:
    if value.__class__ is str:
        return encode_basestring(value)
    return str(value) if value.__class__ is int else _encode(value)
