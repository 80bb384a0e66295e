"""A rendered value made to fit its destination: `"3"` becomes 3 where an integer is wanted, 3 becomes `"3"` for a text.

Language, section 4.3: one that cannot be made to fit is an error that names value and type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.base.patterns import pattern
from ork.base.text import cut
from ork.openapi.causes import json_text, number_text
from ork.openapi.schema import child, type_of

_INTEGER = pattern(r"[+-]?[0-9]+")
_NUMBER = pattern(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": True, "false": False}
_BITS = {"int32": 31, "int64": 63}


class CoercionError(ValueError):
    """A value cannot be made to fit; the text names value and type."""


def coerce(schema: Object, value: Any) -> Any:
    """Return the value as the schema wants it, lists and maps to their depth; the same value where it fits already.

    Raises CoercionError, a ValueError.
    """
    if value is None:
        return None
    return _BY_TYPE.get(type_of(schema), _unchanged)(schema, value)


def _unchanged(_schema: Object, value: Any) -> Any:
    return value


def _refused(value: Any, wanted: str) -> CoercionError:
    return CoercionError(f"{cut(json_text(value), 80)} is not {wanted}")


def _string(schema: Object, value: Any) -> Any:
    if schema.get("format") == "quantity":
        return _quantity(value)
    return value if isinstance(value, str) else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, float):
        return number_text(value)
    return json_text(value)


def _quantity(value: Any) -> str:
    from ork.base import quantities

    text = value if isinstance(value, str) else _text(value)
    try:
        quantities.parse(text)
    except ValueError as error:
        raise CoercionError(str(error)) from None
    return text


def _integer(schema: Object, value: Any) -> Any:
    whole = _INTEGER.fullmatch(value) if isinstance(value, str) else isinstance(value, float) and value.is_integer()
    number = int(value) if whole else value
    if number.__class__ is not int:
        raise _refused(value, "an integer")
    bits = _BITS.get(schema.get("format", ""), 63)
    if not -(2**bits) <= number < 2**bits:
        raise CoercionError(f"{cut(json_text(value), 80)} is too large for an integer of {bits + 1} bits")
    return number


def _number(_schema: Object, value: Any) -> Any:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        number = float(value)
        return int(value) if _INTEGER.fullmatch(value) else number
    if value.__class__ in (int, float):
        return value
    raise _refused(value, "a number")


def _boolean(_schema: Object, value: Any) -> Any:
    found = _BOOLEANS.get(value, value) if isinstance(value, str) else value
    if found.__class__ is not bool:
        raise _refused(value, "true or false")
    return found


def _int_or_string(_schema: Object, value: Any) -> Any:
    if isinstance(value, str):
        return int(value) if _INTEGER.fullmatch(value) else value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value.__class__ is not int:
        raise _refused(value, "an integer or a text")
    return value


def _array(schema: Object, value: Any) -> Any:
    if not isinstance(value, list):
        raise _refused(value, "a list")
    items = schema.get("items") or {}
    coerced = [_inside(items, item, f"[{index}]") for index, item in enumerate(value)]
    return value if all(new is old for new, old in zip(coerced, value, strict=True)) else coerced


def _object(schema: Object, value: Any) -> Any:
    if not isinstance(value, dict):
        raise _refused(value, "a map")
    coerced = {key: _inside(child(schema, key) or {}, item, f".{key}") for key, item in value.items()}
    return value if all(coerced[key] is value[key] for key in value) else coerced


def _inside(schema: Object, value: Any, step: str) -> Any:
    try:
        return coerce(schema, value)
    except CoercionError as error:
        text = str(error)
        raise CoercionError(f"at {step}{text[3:]}" if text.startswith("at ") else f"at {step}: {text}") from None


_BY_TYPE: dict[str, Callable[[Object, Any], Any]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "int-or-string": _int_or_string,
    "array": _array,
    "object": _object,
}
