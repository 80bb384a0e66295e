"""Lists under server-side apply: one field as a whole, or items with owners of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from ork.cluster.memory.fieldset import MEMBER, Fields, element, is_member, member
from ork.cluster.memory.typed import (
    Difference,
    MismatchError,
    Parts,
    Schema,
    Type,
    both,
    expected,
    json_text,
)

Compile = Callable[[Schema], Type]
_WHOLE = Type()


class AtomicList(Type):
    """A list that has one owner as a whole."""

    def __init__(self, schema: Schema, compiled: Compile) -> None:
        self._schema, self._compiled = schema, compiled

    @cached_property
    def _item(self) -> Type:
        return self._compiled(self._schema.get("items") or {})

    def fields(self, value: Any) -> Fields | None:
        """Return the path itself."""
        for number, item in enumerate(expected(value, list)):
            try:
                self._item.fields(item)
            except MismatchError as error:
                raise error.below(f"[{number}]") from None
        return MEMBER


_UNFIT: dict[type, str] = {
    dict: "associative list without keys has an element that's a map type",
    list: "not supported: associative list with lists as elements",
    type(None): "associative list without keys has an element that's an explicit null",
}
"""What is no element of a set to server-side apply."""


class Items(Type):
    """A list whose items are told apart by their keys (list type `map`) or by themselves (`set`)."""

    def __init__(self, schema: Schema, compiled: Compile) -> None:
        self._schema, self._compiled = schema, compiled
        self._keys = tuple(sorted(schema.get("x-kubernetes-list-map-keys") or ()))

    @cached_property
    def _item(self) -> Type:
        return self._compiled(self._schema.get("items") or {})

    @cached_property
    def _key_defaults(self) -> dict[str, Any]:
        items = self._schema.get("items") or {}
        properties, zeros = items.get("properties") or {}, items.get("x-stay") or {}
        return {key: properties[key].get("default", zeros.get(key)) for key in self._keys if key in properties}

    def mark(self, item: Any) -> str:
        """Return the path element of an item: `k:{"name":"main"}`, or `v:"a"` in a set."""
        if not self._keys:
            if item.__class__ in _UNFIT:
                raise MismatchError(_UNFIT[item.__class__])
            return "v:" + json_text(item)
        if item.__class__ is not dict:
            raise MismatchError("associative list with keys may not have non-map elements")
        parts = []
        for key in self._keys:
            value = item.get(key, self._key_defaults.get(key))
            if value is not None:
                parts.append(f'"{key}":{json_text(value)}')
        if not parts:
            keys = json_text([*self._keys])
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
        for number, item in enumerate(expected(value, list)):
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
        if not both(list, old, new):
            return super().compare(old, new)
        before, after, parts = self._marked(old), self._marked(new), Parts()
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
