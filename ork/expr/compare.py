"""How two values compare: as numbers, quantities or durations, or as a type that the author names (language,
section 5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ork.base import durations
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.base.text import cut
from ork.expr import values

_NUMBER = pattern(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = pattern(r"[+-]?[0-9]+")
_SIZED = pattern(r"[0-9.]([KMGTPE]i|[nukMGTPE])\Z")
_LONGEST_NUMBER = 400
"""Characters; a longer text is no number that anybody wrote on purpose, and reading one takes quadratic time."""


def plain(value: Any) -> str:
    """Return a value as conditions compare it: rendered as in output, and empty where it is missing."""
    if value.__class__ is str:
        text: str = value
        return text
    if isinstance(value, dict):
        return values.json(value)
    return "" if value is None else values.text(value)


def shown(value: Any) -> str:
    """Return a value for a message: quoted, and not too long."""
    return f'"{cut(plain(value), 60)}"'


def number(value: Any) -> int | float | None:
    """Return the number that a value is, or that its text writes; None where it is none. A bool is none."""
    kind = value.__class__
    if kind is int or kind is float:
        found: int | float = value
        return found
    if kind is not str or len(value) > _LONGEST_NUMBER:
        return None
    text = value.strip()
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


def type_name(value: Any) -> str:
    """Return what `typeOf` says of a value: `string int float bool list map null`."""
    return "map" if isinstance(value, dict) else values.kind(value)


TYPE_NAMES = ("string", "int", "float", "bool", "list", "map", "null")


# ── without a declared type: numbers, else quantities, else durations ───────────────────────────
class Side(NamedTuple):
    """One side of an ordered comparison, looked at once."""

    text: str
    number: int | float | None
    sized: bool
    """It has a suffix that only a quantity can have (`1Gi`; not `5m`, which may be minutes)."""


def side(value: Any) -> Side:
    """Look at one side of an ordered comparison."""
    text = plain(value)
    return Side(text, number(value), bool(_SIZED.search(text)))


def pair(left: Side, right: Side) -> tuple[Any, Any]:
    """Return both sides in the first measure that fits both. Raises ValueError where there is none."""
    if left.number is not None and right.number is not None:
        return left.number, right.number
    try:
        if left.sized or right.sized:
            return _quantity(left.text), _quantity(right.text)
        return _duration(left.text), _duration(right.text)
    except ValueError:
        raise ValueError(
            f"{shown(left.text)} and {shown(right.text)} are neither two numbers, two quantities nor two durations"
        ) from None


def measured(value: Any) -> Side:
    """Return a side that some other side can be compared with. Raises ValueError where nothing can."""
    found = side(value)
    if found.number is None:
        try:
            (_quantity if found.sized else _either)(found.text)
        except ValueError:
            raise ValueError(f"{shown(value)} is neither a number, a quantity nor a duration") from None
    return found


def _either(text: str) -> Any:
    try:
        return _duration(text)
    except ValueError:
        return _quantity(text)


@lru_cache(maxsize=1024)
def _quantity(text: str) -> Any:
    from ork.base import quantities

    return quantities.parse(text.strip())


@lru_cache(maxsize=1024)
def _duration(text: str) -> Any:
    return durations.parse(text.strip(), long_units=True)


# ── with a declared type ────────────────────────────────────────────────────────────────────────
class ValueType(NamedTuple):
    """One `valueType`."""

    read: Callable[[Any], Any]
    """Gives what is compared; raises ValueError."""
    looks: str
    """What its values look like, for messages."""
    ordered: bool = True


def cast(value: Any, value_type: str) -> Any:
    """Return a value as one of `VALUE_TYPES`. Raises ValueError that says what such a value looks like."""
    wanted = VALUE_TYPES[value_type]
    try:
        return wanted.read(value)
    except ValueError:
        raise ValueError(f"{shown(value)} is not {wanted.looks}") from None


def _int(value: Any) -> int:
    found = number(value)
    if found is None or found != found // 1:
        raise ValueError
    return int(found)


def _float(value: Any) -> float:
    found = number(value)
    if found is None:
        raise ValueError
    return found


def _bool(value: Any) -> bool:
    found = {"true": True, "false": False}.get(plain(value))
    if found is None:
        raise ValueError
    return found


VALUE_TYPES: Mapping[str, ValueType] = {
    "string": ValueType(plain, "a text"),
    "int": ValueType(_int, "a whole number, such as 3"),
    "float": ValueType(_float, "a number, such as 0.5"),
    "bool": ValueType(_bool, "true or false", ordered=False),
    "quantity": ValueType(lambda value: _quantity(plain(value)), 'a quantity, such as "500m" or "1Gi"'),
    "duration": ValueType(lambda value: _duration(plain(value)), 'a duration, such as "30s" or "1h30m"'),
}
