"""Notes that ask for a type, and that turn one into another."""

from __future__ import annotations

import json
from typing import Any

from ork.expr.compare import number, shown, type_name
from ork.expr.notes.note import Example, alias, items, mapping, missing, note, text

_TRUE = frozenset(("true", "yes", "on", "y", "t", "1"))
_FALSE = frozenset(("false", "no", "off", "n", "f", "0"))


def to_bool(value: Any) -> bool:
    """Return the truth that a value writes; nothing is false. Raises ValueError."""
    if value.__class__ is bool:
        return bool(value)
    if missing(value):
        return False
    found = number(value)
    if found is not None:
        return found != 0
    word = text(value).strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(f"{shown(value)} says neither true nor false")


def to_int(value: Any) -> int:
    """Return a whole number, what is behind the point cut off; nothing is 0. Raises ValueError."""
    if value.__class__ is bool or missing(value):
        return int(bool(value))
    found = number(value)
    if found is None or found - found != 0:
        raise ValueError(f"{shown(value)} is not a number")
    return int(found)


def to_float(value: Any) -> float:
    """Return a number with a fraction; nothing is 0. Raises ValueError."""
    if value.__class__ is bool or missing(value):
        return float(bool(value))
    found = number(value)
    if found is None:
        raise ValueError(f"{shown(value)} is not a number")
    return float(found)


def _to_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [part.strip() for part in text(value).split(",")] if not missing(value) else []


def _parsed(value: Any) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _is(*names: str) -> Any:
    return lambda value: type_name(value) in names


_to_string = note(
    "toString VALUE",
    text,
    "The value as text, as an expression prints it; nothing gives the empty text.",
    Example("{{ toString .spec.replicas }}", {"spec": {"replicas": 3}}, "3"),
)

NOTES = (
    note(
        "typeOf VALUE",
        type_name,
        "The name of the value's type: `string int float bool list map null`.",
        Example("{{ typeOf .spec.schedule }}", {"spec": {"schedule": {"minute": "0"}}}, "map"),
    ),
    note(
        "typeMap VALUE",
        _is("map"),
        "Whether the value is a map.",
        Example("{{ typeMap .spec.schedule }}", {"spec": {"schedule": {"minute": "0"}}}, True),
    ),
    note(
        "typeList VALUE",
        _is("list"),
        "Whether the value is a list.",
        Example("{{ typeList .spec.regions }}", {"spec": {"regions": "eu"}}, False),
    ),
    note(
        "typeString VALUE",
        _is("string"),
        "Whether the value is a text.",
        Example("{{ typeString .spec.image }}", {"spec": {"image": "nginx"}}, True),
    ),
    note(
        "typeNumber VALUE",
        _is("int", "float"),
        "Whether the value is a number.",
        Example("{{ typeNumber .spec.port }}", {"spec": {"port": "8080"}}, False),
    ),
    note(
        "typeBool VALUE",
        _is("bool"),
        "Whether the value is true or false.",
        Example("{{ typeBool .spec.debug }}", {"spec": {"debug": False}}, True),
    ),
    note(
        "typeNull VALUE",
        _is("null"),
        "Whether the value is missing or null.",
        Example("{{ typeNull .spec.image }}", {"spec": {}}, True),
    ),
    note(
        "isScalar VALUE",
        _is("string", "int", "float", "bool"),
        "Whether the value is a text, a number, true or false.",
        Example("{{ isScalar .spec.port }}", {"spec": {"port": 80}}, True),
    ),
    note(
        "isComposite VALUE",
        _is("list", "map"),
        "Whether the value is a list or a map.",
        Example("{{ isComposite .spec.port }}", {"spec": {"port": 80}}, False),
    ),
    note(
        "toInt VALUE",
        to_int,
        "The value as a whole number; what is behind the point is cut off, true is 1.",
        Example("{{ toInt .spec.replicas }}", {"spec": {"replicas": "3"}}, 3),
    ),
    note(
        "toFloat VALUE",
        to_float,
        "The value as a number that may have a fraction.",
        Example("{{ toFloat .spec.threshold }}", {"spec": {"threshold": "0.75"}}, 0.75),
    ),
    note(
        "toBool VALUE",
        to_bool,
        "What the value says: true of `true yes on 1`, false of `false no off 0` and of nothing.",
        Example("{{ toBool .spec.enabled }}", {"spec": {"enabled": "yes"}}, True),
    ),
    _to_string,
    alias("asString", _to_string),
    note(
        "toList TEXT",
        _to_list,
        "The pieces between commas, without the spaces around them.",
        Example("{{ len (toList .spec.zones) }}", {"spec": {"zones": "a, b"}}, 2),
    ),
    note(
        "asList VALUE",
        lambda value: items(_parsed(value)),
        "The list, also where it is written as JSON text; nothing gives an empty list.",
        Example("{{ len (asList .spec.hosts) }}", {"spec": {"hosts": '["a", "b"]'}}, 2),
    ),
    note(
        "asMap VALUE",
        lambda value: mapping(_parsed(value)),
        "The map, also where it is written as JSON text; nothing gives an empty map.",
        Example("{{ (asMap .spec.settings).mode }}", {"spec": {"settings": '{"mode": "fast"}'}}, "fast"),
    ),
)
