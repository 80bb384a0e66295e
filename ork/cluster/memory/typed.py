"""What server-side apply knows of a type: which fields a value has, how two values differ, merge, and lose fields.

The rules are those of Kubernetes' structured merge. Values are never mutated; what does not change is shared with the
value that was handed in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

from ork.base.records import NamedTuple
from ork.cluster.memory.fieldset import MEMBER, Fields

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
            raise MismatchError(f"expected {self._name}, got {json_text(value)}")
        return MEMBER


class Parts:
    """The growing answer of a comparison."""

    __slots__ = ("added", "modified", "removed")

    def __init__(self) -> None:
        self.added: Fields = {}
        self.modified: Fields = {}
        self.removed: Fields = {}

    def changed(self, mark: str, below: Type, old: Any, new: Any) -> None:
        """Add how the values at a path element differ."""
        if old is new or (found := below.compare(old, new)) is None:
            return
        if found.added is not None:
            self.added[mark] = found.added
        if found.modified is not None:
            self.modified[mark] = found.modified
        if found.removed is not None:
            self.removed[mark] = found.removed

    def difference(self) -> Difference | None:
        """Return the answer; None where there is no difference."""
        if not (self.added or self.modified or self.removed):
            return None
        return Difference(self.added or None, self.modified or None, self.removed or None)


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


def both(shape: type, old: Any, new: Any) -> bool:
    """Tell whether two values are compared part by part: of one shape (null is empty), and not both empty."""
    fits = all(value is None or value.__class__ is shape for value in (old, new))
    return fits and bool(old or new)


def expected(value: Any, shape: type) -> Any:
    """Return the value, or an empty one for null; raise MismatchError where it has another shape."""
    if value is None:
        return shape()
    if value.__class__ is not shape:
        raise MismatchError(f"expected {'list' if shape is list else 'map'}, got {json_text(value)}")
    return value


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def json_text(value: Any) -> str:
    if value.__class__ is str:
        return encode_basestring(value)
    return str(value) if value.__class__ is int else _encode(value)
