"""Reading an object as a typed server reads it: wrong types are refused, unknown fields dropped, nulls left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.openapi.memo import Memo

Read = Callable[[Any, list[str]], Any]
"""`read(value, unknown)`: returns the value as it is kept, and adds the paths of unknown fields."""

Schema = dict[str, Any]


class DecodeError(ValueError):
    """A value of a wrong type; the text is the one of Go's JSON decoder. The path grows on the way up."""

    def __init__(self, value: Any, wanted: str) -> None:
        super().__init__(wanted)
        self._found, self._wanted, self._path = _NAMES.get(value.__class__, "null"), wanted, ""

    def below(self, step: str) -> DecodeError:
        """Return the error as the node above sees it."""
        self._path = _joined(step, self._path)
        return self

    def __str__(self) -> str:
        """`json: cannot unmarshal number into Go struct field metadata.name of type string`."""
        return f"json: cannot unmarshal {self._found} into Go struct field {self._path} of type {self._wanted}"


def _joined(step: str, path: str) -> str:
    return step + path if not path or path[0] == "[" else f"{step}.{path}"


_NAMES = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_GO = {"string": "string", "integer": "int64", "number": "float64", "boolean": "bool"}
_CLASSES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_LIMITS = {"int32": 2**31, "int64": 2**63}
_ZERO: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False}


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
    accepted = _accepted(schema)
    if _limit(schema):
        return _bounded(str(schema["format"]), _limit(schema))
    return _scalar(_GO.get(str(kind), "intstr.IntOrString"), accepted) if accepted else _anything


def _accepted(schema: Schema) -> tuple[type, ...]:
    """Return the classes of a scalar's values; none where the schema is no scalar's.

    Nor for a quantity: it may be a number, too; defaulting brings it into one form and refuses what is none.
    """
    if schema.get("format") == "quantity":
        return ()
    if schema.get("format") == "int-or-string" or schema.get("x-kubernetes-int-or-string"):
        return (str, int)
    return _CLASSES.get(str(schema.get("type")), ())


def _plain(schema: Schema) -> tuple[type, ...]:
    """Return the classes of which every value is right."""
    return () if _limit(schema) else _accepted(schema)


def _limit(schema: Schema) -> int:
    """Return where the integers of a format end; 0 where they do not."""
    return _LIMITS.get(str(schema.get("format")), 0) if schema.get("type") == "integer" else 0


def _bounded(wanted: str, limit: int) -> Read:
    def read(value: Any, unknown: list[str]) -> Any:  # noqa: ARG001
        if value.__class__ is int and -limit <= value < limit:
            return value
        raise DecodeError(value, wanted)

    return read


def _anything(value: Any, unknown: list[str]) -> Any:  # noqa: ARG001
    return value


def _scalar(wanted: str, accepted: tuple[type, ...]) -> Read:
    def read(value: Any, unknown: list[str]) -> Any:  # noqa: ARG001
        if value.__class__ in accepted:
            return value
        raise DecodeError(value, wanted)

    return read


def _struct(schema: Schema, memo: Memo) -> Read:
    readers = {name: memo.compiled(below, _build) for name, below in schema["properties"].items()}
    plain = {name: _plain(below) for name, below in schema["properties"].items()}

    def read(value: Any, unknown: list[str]) -> Any:
        if value.__class__ is not dict:
            raise DecodeError(value, "struct")
        out = None
        for key, item in value.items():
            if item.__class__ in plain.get(key, ()):
                continue
            reader = readers.get(key)
            if reader is None:
                unknown.append(key)
            elif item is not None:
                kept = _read_below(reader, item, key, unknown)
                if kept is item:
                    continue
                out = dict(value) if out is None else out
                out[key] = kept
                continue
            out = dict(value) if out is None else out
            del out[key]
        return value if out is None else out

    return read


def _zero(schema: Schema) -> Any:
    """Return what a null among a map's values becomes."""
    return "0" if schema.get("format") == "quantity" else _ZERO.get(str(schema.get("type")))


def _map(below: Schema, memo: Memo) -> Read:
    reader, zero = memo.compiled(below, _build), _zero(below)
    plain = _plain(below)

    def read(value: Any, unknown: list[str]) -> Any:
        if value.__class__ is not dict:
            raise DecodeError(value, "map")
        if all(item.__class__ in plain for item in value.values()):
            return value
        out = None
        for key, item in value.items():
            kept = zero if item is None else _read_below(reader, item, key, unknown)
            if kept is not item:
                out = dict(value) if out is None else out
                out[key] = kept
        return value if out is None else out

    return read


def _list(below: Schema, memo: Memo) -> Read:
    reader, zero = memo.compiled(below, _build), _ZERO.get(str(below.get("type")), {})

    def read(value: Any, unknown: list[str]) -> Any:
        if value.__class__ is not list:
            raise DecodeError(value, "[]")
        out = [zero if x is None else _read_below(reader, x, f"[{n}]", unknown) for n, x in enumerate(value)]
        return value if all(new is old for new, old in zip(out, value, strict=True)) else out

    return read


def _read_below(reader: Read, value: Any, step: str, unknown: list[str]) -> Any:
    """Read a value below a node, and put the step to it before the paths of what is wrong there."""
    seen = len(unknown)
    try:
        kept = reader(value, unknown)
    except DecodeError as error:
        raise error.below(step) from None
    if len(unknown) > seen:
        unknown[seen:] = [_joined(step, path) for path in unknown[seen:]]
    return kept
