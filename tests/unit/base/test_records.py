"""Our `NamedTuple` does what that of `typing` does, as far as records use it."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import pytest

from ork.base.records import NamedTuple


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    """How high."""

    @property
    def both(self) -> int:
        """Return the sum."""
        return self.x + self.y

    def __str__(self) -> str:
        """`1/2`."""
        return f"{self.x}/{self.y}"


class Reference(typing.NamedTuple):
    """The same, made by `typing`."""

    x: int
    y: int = 2


class Empty(NamedTuple):
    """Nothing."""


ANY: Any = Point
"""The same, for calls that a type checker refuses."""


def test_a_record_is_a_tuple_with_names() -> None:
    point = Point(1)
    assert point == (1, 2) == Point(x=1, y=2) == Point(*(1, 2))
    assert (point.x, point.y, point.both, str(point)) == (1, 2, 3, "1/2")
    assert (hash(point), Empty()) == (hash((1, 2)), ())
    assert isinstance(point, tuple)


def test_it_has_the_methods_of_a_named_tuple() -> None:
    point: Any = Point(1)
    other: Any = Reference(1)
    assert repr(point) == repr(other).replace("Reference", "Point")
    assert point._replace(y=5) == other._replace(y=5)
    assert point._asdict() == other._asdict()
    assert Point._make([3, 4]) == (3, 4)
    assert type(point._replace(x=0)) is Point
    assert (Point._fields, Point._field_defaults) == (Reference._fields, Reference._field_defaults)
    assert Point.__doc__ == "A place."
    assert Point.__annotations__ == {"x": "int", "y": "int"}


def test_it_can_be_copied_pickled_and_matched() -> None:
    point = Point(1)
    assert copy.deepcopy(point) == point
    assert pickle.loads(pickle.dumps(point)) == point
    match point:
        case Point(1, y=2):
            return
    pytest.fail("it does not match")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ANY(), "missing 1 required positional argument: 'x'"),
        (lambda: ANY(1, 2, 3), "takes from 2 to 3 positional arguments"),
        (lambda: ANY(1, z=3), "unexpected keyword argument 'z'"),
    ],
)
def test_a_wrong_call_is_told_as_of_any_function(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_it_cannot_be_changed() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2
    with pytest.raises(AttributeError):
        point.other = 2
    with pytest.raises(ValueError, match="unexpected field names"):
        point._replace(z=1)
