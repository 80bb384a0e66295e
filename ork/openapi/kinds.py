"""The types and formats that a schema asks for, and those of a value, as an API server names them."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object
from ork.openapi import formats
from ork.openapi.numbers import is_int64
from ork.openapi.schema import INT_OR_STRING


def type_names(schema: Object) -> tuple[str, ...]:
    """Return the types that a value may have; none where every type fits."""
    if schema.get(INT_OR_STRING):
        return ("integer", "string")
    return (schema["type"],) if schema.get("type") else ()


def effective_format(schema: Object) -> str:
    """Return the format that counts: the empty string for one that an API server does not know for that type."""
    style: str = schema.get("format") or ""
    types = type_names(schema)
    kind = types[0] if len(types) == 1 else ""
    if kind in ("", "string"):
        return style if formats.is_known(style) else ""
    known = {"integer": ("int32", "int64"), "number": ("float", "double")}
    return style if style in known.get(kind, ()) else ""


_KINDS: dict[type, tuple[str, str]] = {
    str: ("string", ""),
    bool: ("boolean", ""),
    list: ("array", ""),
    dict: ("object", ""),
    float: ("number", "float64"),
}


def kind_of(value: Any) -> tuple[str, str]:
    """Return type and format of a JSON value, as an API server reads it."""
    if value.__class__ is int:
        return ("integer", "int64") if is_int64(value) else ("number", "float64")
    return _KINDS[value.__class__]
