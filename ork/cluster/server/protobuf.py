"""Request bodies in Kubernetes' protobuf, which `kubectl create` and its like send, read by the numbers of fields."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from ork.base.objects import Kind, Object, split_api_version
from ork.cluster.memory import status
from ork.cluster.server.options import DELETE_OPTIONS
from ork.openapi import kubernetes

MAGIC = b"k8s\0"
"""What a body begins with; an envelope follows: apiVersion and kind, and the object's own bytes."""

Schema = Mapping[str, Any]
_Numbers = Mapping[str, str | list[str]]
_OBJECT = Kind("", "v1", "ConfigMap", "configmaps", True)


def decode(content: bytes) -> Object | None:
    """Return the object of a body; None where its kind is not known here. Raises ApiError (400)."""
    try:
        if not content.startswith(MAGIC):
            raise ValueError("it does not begin as Kubernetes' protobuf does")
        envelope = dict(_values(content[len(MAGIC) :]))
        named = dict(_values(envelope[1]))
        version, kind = named.get(1, b"").decode(), named.get(2, b"").decode()
        schema = _schema(version, kind)
        if schema is None:
            return None
        return {"apiVersion": version, "kind": kind, **_message(envelope.get(2, b""), schema, schema[kubernetes.TYPE])}
    except (ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
        raise status.bad_request(f"the body cannot be read as Kubernetes' protobuf: {error}") from None


def _schema(version: str, kind: str) -> Schema | None:
    if kind in _BODIES:
        return _BODIES[kind]()
    found = kubernetes.kinds().get((*split_api_version(version), kind))
    schema = kubernetes.schema_of(found) if found else None
    return schema if schema and schema[kubernetes.TYPE] in _numbers() else None


@cache
def _numbers() -> Mapping[str, _Numbers]:
    import json

    from ork.base import shipped

    found: Mapping[str, _Numbers] = json.loads(
        (shipped.folder("schemas") / "kubernetes" / "protobuf.json").read_bytes()
    )
    return found


# ── bodies that are no objects ──────────────────────────────────────────────────────────────────
def _delete_options() -> Schema:
    return DELETE_OPTIONS


def _scale() -> Schema:
    spec = _struct("autoscaling.v1.ScaleSpec", replicas={"type": "integer"})
    return _struct("autoscaling.v1.Scale", metadata=_metadata(), spec=spec)


def _token_request() -> Schema:
    text = {"type": "string"}
    bound = _struct("authentication.v1.BoundObjectReference", kind=text, apiVersion=text, name=text, uid=text)
    audiences, seconds = {"type": "array", "items": text}, {"type": "integer"}
    spec = _struct(
        "authentication.v1.TokenRequestSpec", audiences=audiences, expirationSeconds=seconds, boundObjectRef=bound
    )
    return _struct("authentication.v1.TokenRequest", metadata=_metadata(), spec=spec)


def _metadata() -> Schema:
    schema = kubernetes.schema_of(_OBJECT)
    assert schema is not None
    found: Schema = schema["properties"]["metadata"]
    return found


def _struct(name: str, /, **properties: Schema) -> Schema:
    return {kubernetes.TYPE: name, "type": "object", "properties": properties}


_BODIES: Mapping[str, Callable[[], Schema]] = {
    "DeleteOptions": _delete_options,
    "Scale": _scale,
    "TokenRequest": _token_request,
}


# ── messages ────────────────────────────────────────────────────────────────────────────────────
def _message(content: bytes, schema: Schema, name: str) -> Object:
    """Return a struct; fields that are not known are passed over, as in JSON."""
    out: Object = {}
    numbers = _numbers()[name]
    for number, value in _values(content):
        field = numbers.get(str(number))
        if isinstance(field, list):
            out |= _message(value, schema, field[0])
        elif field is not None and (below := schema["properties"].get(field)) is not None:
            _add(out, field, value, below)
    return out


def _add(out: Object, field: str, value: Any, schema: Schema) -> None:
    if schema.get("type") == "array":
        out.setdefault(field, []).append(_value(value, schema["items"]))
    elif isinstance(item := schema.get("additionalProperties"), Mapping):
        entry = dict(_values(value))
        key: str = entry.get(1, b"").decode()
        out.setdefault(field, {})[key] = _value(entry.get(2, b""), item)
    else:
        out[field] = _value(value, schema)


def _value(value: Any, schema: Schema) -> Any:
    if kubernetes.TYPE in schema:
        return _message(value, schema, schema[kubernetes.TYPE])
    if schema.get("type") == "array":
        return [_value(item, schema["items"]) for _, item in _values(value)]
    read = _FORMATS.get(str(schema.get("format"))) or _TYPES.get(str(schema.get("type")), _raw_json)
    return read(value)


def _text(value: bytes) -> str:
    return value.decode()


def _integer(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _number(value: bytes) -> float:
    found: float = struct.unpack("<d", value)[0]
    return found


def _base64(value: bytes) -> str:
    import base64

    return base64.b64encode(value).decode()


def _quantity(value: bytes) -> str:
    found: bytes = dict(_values(value)).get(1, b"")
    return found.decode()


def _int_or_string(value: bytes) -> int | str:
    parts = dict(_values(value))
    found: bytes = parts.get(3, b"")
    return found.decode() if parts.get(1) else _integer(parts.get(2, 0))


def _moment(pattern: str) -> Callable[[bytes], str | None]:
    def read(value: bytes) -> str | None:
        from datetime import UTC, datetime, timedelta

        parts = dict(_values(value))
        if not parts:
            return None
        since = timedelta(seconds=_integer(parts.get(1, 0)), microseconds=parts.get(2, 0) // 1000)
        return (datetime(1970, 1, 1, tzinfo=UTC) + since).strftime(pattern)

    return read


def _raw_json(value: bytes) -> Any:
    import json

    content = dict(_values(value)).get(1, b"")
    return json.loads(content) if content else None


_FORMATS: Mapping[str, Callable[[Any], Any]] = {
    "byte": _base64,
    "quantity": _quantity,
    "int-or-string": _int_or_string,
    "date-time": _moment("%Y-%m-%dT%H:%M:%SZ"),
    "micro-time": _moment("%Y-%m-%dT%H:%M:%S.%fZ"),
}
_TYPES: Mapping[str, Callable[[Any], Any]] = {
    "string": _text,
    "integer": _integer,
    "boolean": bool,
    "number": _number,
}


# ── the wire ────────────────────────────────────────────────────────────────────────────────────
def _values(content: bytes) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field: an integer, or the bytes of everything else."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(content, at)
            yield number, value
            continue
        length, at = _varint(content, at) if wire == 2 else (_FIXED[wire], at)
        if at + length > len(content):
            raise ValueError("it ends in the middle of a field")
        yield number, content[at : at + length]
        at += length


_FIXED = {1: 8, 5: 4}
"""Bytes of the wire types of fixed length."""


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = content[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (1 << 64) - 1, at
    raise ValueError("it has a number that is too long")
