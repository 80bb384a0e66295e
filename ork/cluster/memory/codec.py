"""Reading an object as a typed server reads it: wrong types are refused, unknown fields dropped, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.openapi.memo import Memo

Read = Callable[[Any, str, list[str]], Any]
"""`read(value, path, unknown)`: returns the value as it is kept, and adds the paths of unknown fields."""

Schema = dict[str, Any]


class DecodeError(ValueError):
    """A value of a wrong type; the text is the one of Go's JSON decoder."""


_NAMES = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_GO = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool", "array": "[]", "object": "map"}
_CLASSES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_ZERO = {"string": "", "integer": 0, "number": 0, "boolean": False}


def compile_reader(schema: Schema) -> Read:
    """Return the reader of a schema; it hands back the very value where nothing has to change."""
    return Memo().compiled(schema, _build)


def _build(schema: Schema, memo: Memo) -> Read:
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        return _struct(schema, memo)
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return _map(schema["additionalProperties"], memo)
    if kind == "array" and isinstance(schema.get("items"), dict):
        return _list(schema["items"], memo)
    if kind in _CLASSES and schema.get("format") != "int-or-string" and not schema.get("x-kubernetes-int-or-string"):
        return _scalar(str(kind))
    return _anything


def _anything(value: Any, path: str, unknown: list[str]) -> Any:  # noqa: ARG001
    return value


def _refuse(value: Any, path: str, wanted: str) -> DecodeError:
    found = _NAMES.get(value.__class__, "null")
    return DecodeError(f"json: cannot unmarshal {found} into Go struct field {path} of type {wanted}")


def _scalar(kind: str) -> Read:
    accepted, wanted = _CLASSES[kind], _GO[kind]

    def read(value: Any, path: str, unknown: list[str]) -> Any:  # noqa: ARG001
        if value.__class__ not in accepted:
            if kind == "integer" and value.__class__ is float and value.is_integer():
                return int(value)
            raise _refuse(value, path, wanted)
        return value

    return read


def _struct(schema: Schema, memo: Memo) -> Read:
    readers = {name: memo.compiled(below, _build) for name, below in schema["properties"].items()}

    def read(value: Any, path: str, unknown: list[str]) -> Any:
        if value.__class__ is not dict:
            raise _refuse(value, path, "struct")
        out = None
        for key, item in value.items():
            reader = readers.get(key)
            place = f"{path}.{key}" if path else key
            if reader is None:
                unknown.append(place)
            elif item is not None:
                kept = reader(item, place, unknown)
                if kept is item:
                    continue
                out = dict(value) if out is None else out
                out[key] = kept
                continue
            out = dict(value) if out is None else out
            del out[key]
        return value if out is None else out

    return read


def _map(below: Schema, memo: Memo) -> Read:
    reader, zero = memo.compiled(below, _build), _ZERO.get(str(below.get("type")))

    def read(value: Any, path: str, unknown: list[str]) -> Any:
        if value.__class__ is not dict:
            raise _refuse(value, path, "map")
        out = None
        for key, item in value.items():
            kept = zero if item is None else reader(item, f"{path}.{key}", unknown)
            if kept is not item:
                out = dict(value) if out is None else out
                out[key] = kept
        return value if out is None else out

    return read


def _list(below: Schema, memo: Memo) -> Read:
    reader, zero = memo.compiled(below, _build), _ZERO.get(str(below.get("type")), {})

    def read(value: Any, path: str, unknown: list[str]) -> Any:
        if value.__class__ is not list:
            raise _refuse(value, path, "[]")
        out = [zero if x is None else reader(x, f"{path}[{n}]", unknown) for n, x in enumerate(value)]
        return value if all(new is old for new, old in zip(out, value, strict=True)) else out

    return read
