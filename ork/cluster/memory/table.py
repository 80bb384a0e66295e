"""The objects of one resource, in key order, with the indexes that make finding some of them quick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.objects import Object, labels_of


def key_of(namespace: str, name: str) -> str:
    """Return the key of an object: `namespace/name`, or `name` where it is cluster-scoped."""
    return f"{namespace}/{name}" if namespace else name


class Table:
    """Rows by key. Keys are ordered as etcd orders them: as text, so `a-b/x` comes before `a/x`."""

    def __init__(self) -> None:
        self.rows: dict[str, Object] = {}
        self._ordered: list[str] | None = []

    def put(self, key: str, obj: Object | None) -> None:
        """Set a row, or take it out where there is no object."""
        if obj is None:
            del self.rows[key]
            self._ordered = None
            return
        if key not in self.rows:
            self._ordered = None
        self.rows[key] = obj

    def ordered(self, namespace: str = "") -> Iterator[str]:
        """Yield the keys in order, all or those of a namespace."""
        if self._ordered is None:
            self._ordered = sorted(self.rows)
        if not namespace:
            return iter(self._ordered)
        from bisect import bisect_left

        prefix = f"{namespace}/"
        first = bisect_left(self._ordered, prefix)
        last = bisect_left(self._ordered, f"{namespace}0", first)
        return iter(self._ordered[first:last])

    def objects(self, namespace: str = "") -> list[Object]:
        """Return the objects in key order, all or those of a namespace."""
        rows = self.rows
        return [rows[key] for key in self.ordered(namespace)]


Place = tuple[str, str]
"""A table's name and a key in it."""


class Index:
    """Where the objects are that have a value of one sort, such as a label or an owner's uid."""

    def __init__(self) -> None:
        self._places: dict[Any, dict[Place, None]] = {}

    def move(self, place: Place, old: set[Any], new: set[Any]) -> None:
        """Take an object from the values it had to those it has."""
        for value in old - new:
            below = self._places[value]
            del below[place]
            if not below:
                del self._places[value]
        for value in new - old:
            self._places.setdefault(value, {})[place] = None

    def places(self, value: Any) -> list[Place]:
        """Return where the objects with that value are, ordered by table and key."""
        return sorted(self._places.get(value, ()))


def owner_uids(obj: Object | None) -> set[str]:
    """Return the uids of an object's owners."""
    references = obj["metadata"].get("ownerReferences") if obj else None
    return {reference["uid"] for reference in references} if references else set()


def label_value(obj: Object | None, label: str) -> set[str]:
    """Return the value of one label, as a set of at most one."""
    value = labels_of(obj).get(label) if obj else None
    return set() if value is None else {value}
