"""Walkers for the nodes of an OpenAPI schema: maps, values without a schema, and the choice among all of them.

Maps are granular unless `x-kubernetes-map-type: atomic`, lists are atomic unless `x-kubernetes-list-type` is `set` or
`map`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ork.cluster.memory.fieldset import MEMBER, SELF, Fields, is_member, member
from ork.cluster.memory.typed import (
    Difference,
    MismatchError,
    Parts,
    Scalar,
    Schema,
    Type,
    both,
    expected,
)
from ork.cluster.memory.typed_lists import AtomicList, Items
from ork.openapi.schema import EMBEDDED, complete


class Struct(Type):
    """A granular map: declared properties, and for other keys the type of `additionalProperties` (or none)."""

    def __init__(self, schema: Schema) -> None:
        self._schema = complete({**schema}) if schema.get(EMBEDDED) else schema

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
        for key, item in expected(value, dict).items():
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
        if not both(dict, old, new):
            return super().compare(old, new)
        before, after, parts = old or {}, new or {}, Parts()
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
        """Return merged maps, else the configuration's value; null takes nothing of a map away."""
        maps = live.__class__ is dict and (config is None or config.__class__ is dict)
        return _OPEN.merge(live, config) if maps else super().merge(live, config)

    def remove(self, value: Any, gone: Fields) -> Any:
        """Return a map without the keys in the set."""
        return _OPEN.remove(value, gone) if value.__class__ is dict else value


def _below(tree: Fields) -> Fields | None:
    return {mark: inner for mark, inner in tree.items() if mark != SELF} or None


DEDUCED = Deduced()
_OPEN = Struct({"type": "object", "additionalProperties": True})
_NUMERIC = Scalar("numeric (int or float)", int, float)
_EITHER = Scalar("scalar", str, int, float, bool)
_SCALARS: Mapping[str, Type] = {
    "string": Scalar("string", str),
    "integer": _NUMERIC,
    "number": _NUMERIC,
    "boolean": Scalar("boolean", bool),
}


def _is_formatted(schema: Schema) -> bool:
    """Tell whether a text's format makes server-side apply take any scalar for it."""
    return schema.get("format") not in (None, "", "byte")


def compile_type(schema: Schema) -> Type:
    """Return the walker of a schema node. What is below it is compiled when it is first needed."""
    kind = schema.get("type")
    if schema.get("x-kubernetes-int-or-string"):
        return DEDUCED
    if schema.get("format") in ("int-or-string", "quantity") or (kind == "string" and _is_formatted(schema)):
        return _EITHER
    if kind == "array":
        granular = schema.get("x-kubernetes-list-type") in ("set", "map")
        return Items(schema, compile_type) if granular else AtomicList(schema, compile_type)
    if kind == "object":
        atomic = schema.get("x-kubernetes-map-type") == "atomic"
        return AtomicMap(Struct(schema)) if atomic else Struct(schema)
    return _SCALARS.get(str(kind), DEDUCED)
