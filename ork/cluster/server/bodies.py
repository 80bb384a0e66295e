"""Bodies of requests and responses: JSON, YAML and protobuf in, JSON and YAML out."""

from __future__ import annotations

import codecs
import json
import re
from decimal import Decimal
from functools import cache
from typing import Any

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.memory import status
from ork.cluster.memory.status import ApiError

LIMIT = 3 * 1024 * 1024
"""Bytes that a request's body may have."""

PROTOBUF = "application/vnd.kubernetes.protobuf"
_READABLE = "application/json, application/yaml, application/vnd.kubernetes.protobuf"


class Body(NamedTuple):
    """A decoded body."""

    data: Any
    complaints: tuple[str, ...] = ()
    """What a client is told of fields that occur twice: `duplicate field "spec.size"`."""


def media_type(header: str) -> str:
    """Return a Content-Type without its parameters."""
    return header.partition(";")[0].strip().lower()


def decode(content: bytes, content_type: str, what: str = "") -> Body:
    """Return the data of a body in JSON, YAML or protobuf. Raises ApiError (400, 415); `what` is the kind expected."""
    kind = media_type(content_type) or "application/json"
    if kind == PROTOBUF:
        return decode_protobuf(content)
    if kind not in ("application/json", "application/yaml"):
        raise unsupported_media()
    return decode_json(content, what) if kind == "application/json" else decode_yaml(content, what)


def decode_protobuf(content: bytes) -> Body:
    """Return the data of a body in protobuf. Raises ApiError (400, or 415 where the kind is not known here)."""
    from ork.cluster.server import protobuf

    found = protobuf.decode(content)
    if found is None:
        raise unsupported_media()
    return Body(found)


def unsupported_media() -> ApiError:
    """415: a body of a type that the server does not read."""
    text = f"the body of the request was in an unknown format - accepted media types include: {_READABLE}"
    return status.failure(415, "UnsupportedMediaType", text)


class _Doubled(dict[str, Any]):
    """A JSON object in which a key occurs twice."""

    keys_twice: tuple[str, ...] = ()


def decode_json(content: bytes, what: str = "") -> Body:
    """Return the data of a JSON body. Raises ApiError (400)."""
    doubled: list[_Doubled] = []

    def made(pairs: list[tuple[str, Any]]) -> Object:
        out = dict(pairs)
        if len(out) == len(pairs):
            return out
        keys = [key for key, _ in pairs]
        marked = _Doubled(out)
        marked.keys_twice = tuple(dict.fromkeys(key for number, key in enumerate(keys) if key in keys[:number]))
        doubled.append(marked)
        return marked

    try:
        if content.startswith(codecs.BOM_UTF8):
            raise ValueError("invalid character 'ï' looking for beginning of value")
        data = json.loads(content, object_pairs_hook=made, **_NUMBERS)
    except (ValueError, RecursionError) as error:
        raise _unreadable(what, f"couldn't get version/kind; json parse error: {error}", content) from None
    complaints = tuple(f'duplicate field "{path}"' for path in _paths_twice(data)) if doubled else ()
    return Body(_plain(data) if doubled else data, complaints)


def _number(text: str) -> int | float:
    """Return a number; one that is whole is an integer, as Go writes it back."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < _EXPONENTS else number


_EXPONENTS = 1e21
"""From where on Go writes a number with an exponent."""


def _integer(text: str) -> int | float:
    """Return an integer; one of more than 64 bits is as exact as a float."""
    number = int(text)
    return number if -(2**63) <= number < 2**63 else int(Decimal(repr(float(number))))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"invalid character {name[:1]!r} looking for beginning of value")


_NUMBERS: dict[str, Any] = {"parse_float": _number, "parse_int": _integer, "parse_constant": _refuse_constant}


def _plain(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(item) for item in data] if isinstance(data, list) else data


def _paths_twice(data: Any, at: str = "") -> list[str]:
    if isinstance(data, list):
        return [path for n, item in enumerate(data) for path in _paths_twice(item, f"{at}[{n}]")]
    if not isinstance(data, dict):
        return []
    here = f"{at}." if at else ""
    out = [here + key for key in getattr(data, "keys_twice", ())]
    return out + [path for key, value in data.items() for path in _paths_twice(value, here + key)]


def decode_yaml(content: bytes, what: str = "", lax: bool = False) -> Body:
    """Return the data of a YAML body's first document, its scalars read as `kubectl` reads them. Raises ApiError (400).

    A key that occurs twice is refused, or with `lax` (an applied configuration) complained of.
    """
    import yaml

    loader = _loader()(content)
    try:
        data = _json_keys(loader.get_data()) if loader.check_data() else None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        text = str(error).replace("\n", " ")
        raise _unreadable(what, f"error converting YAML to JSON: yaml: {text}", content) from None
    finally:
        loader.dispose()
    doubled = tuple(loader.doubled)
    if doubled and not lax:
        raise _unreadable(what, f"error converting YAML to JSON: yaml: unmarshal errors: {doubled[0]}", content)
    return Body(data, doubled)


@cache
def _loader() -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """YAML 1.1 as sigs.k8s.io/yaml reads it: no timestamps, no sexagesimal numbers, `y` and `n` are booleans."""

        def __init__(self, content: bytes) -> None:
            super().__init__(content)
            self.doubled: list[str] = []

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[str] = set()
            for key, _ in node.value:
                if key.value in seen:
                    self.doubled.append(f'line {key.start_mark.line + 1}: key "{key.value}" already set in map')
                seen.add(key.value)
            return super().construct_mapping(node, deep)

        def construct_yaml_int(self, node: Any) -> Any:
            text = self.construct_scalar(node).replace("_", "").replace("0o", "0")
            return int(text, 0) if not re.fullmatch(r"[-+]?0\d+", text) else int(text, 8)

        def construct_yaml_float(self, node: Any) -> int | float:
            number = float(super().construct_yaml_float(node))
            return int(number) if number.is_integer() and abs(number) < _EXPONENTS else number

        def construct_yaml_bool(self, node: Any) -> Any:
            return self.construct_scalar(node).lower() in ("y", "yes", "on", "true")

    Loader.yaml_implicit_resolvers = {
        first: [row for row in rows if row[0].rpartition(":")[2] not in ("timestamp", "int", "float", "bool")]
        for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    for tag, pattern, firsts in _SCALARS:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(firsts))
    Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_yaml_int)
    Loader.add_constructor("tag:yaml.org,2002:float", Loader.construct_yaml_float)
    Loader.add_constructor("tag:yaml.org,2002:bool", Loader.construct_yaml_bool)
    return Loader


_SCALARS = (
    ("bool", r"(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)\Z", "yYnNtTfFoO"),
    ("int", r"[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|0|[1-9][0-9_]*)\Z", "-+0123456789"),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z|[-+]?\.(?:inf|Inf|INF)\Z|\.nan\Z",
        "-+0123456789.",
    ),
)
"""Tag, pattern and first characters of the scalars that are no text."""


def _json_keys(data: Any) -> Any:
    if isinstance(data, dict):
        return {key if isinstance(key, str) else json.dumps(key): _json_keys(value) for key, value in data.items()}
    return [_json_keys(item) for item in data] if isinstance(data, list) else data


def _unreadable(what: str, why: str, content: bytes) -> ApiError:
    if not what:
        return status.bad_request(why)
    shown = content[:31].decode("utf-8", "replace") + (" ..." if len(content) > 31 else "")
    return status.bad_request(
        f"the object provided is unrecognized (must be of type {what}): {why} ({shown or '<empty>'})"
    )


def encode_json(data: Any, pretty: bool = False) -> bytes:
    """Return JSON."""
    import orjson

    try:
        return orjson.dumps(data, option=orjson.OPT_INDENT_2 if pretty else None)
    except TypeError:  # an integer of more than 64 bits
        return json.dumps(data, ensure_ascii=False, indent=2 if pretty else None).encode()


def encode_yaml(data: Any) -> bytes:
    """Return YAML."""
    from ork.base import yaml_writer

    return yaml_writer.dump(data).encode()
