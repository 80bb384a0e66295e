"""What values are and how they read as text (language, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring as quoted
from typing import Any

from ork.base.patterns import pattern
from ork.expr import floats
from ork.expr.errors import MissingError

_ESCAPED_BYTE = pattern("[\udc80-\udcff]")
_NO_CHARACTER = pattern("[\ud800-\udc7f\udd00-\udfff]")
MAX_OUTPUT = 4 << 20
"""How many characters one expression may make."""


def kind(value: Any) -> str:
    """Return `string int float bool list map null` (`complex` for Go's imaginary constants)."""
    return _KINDS[shape(value)]


def shape(value: Any) -> type:
    """Return the plain type of a value: `dict` for every kind of map. Raises ValueError for what is no data."""
    for base in type(value).__mro__:
        if base in _KINDS:
            return base
    raise ValueError(f"a {type(value).__name__} is no value of this language")


def named(value: Any) -> str:
    """Return what a value is, for messages: `a string`, `an int`, `nothing`."""
    if value is None:
        return "nothing"
    name = kind(value)
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def counted(number: int, noun: str) -> str:
    """Return `1 argument` or `2 arguments`, for messages."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def truth(value: Any) -> bool:
    """Tell whether Go takes the value for true: it is neither false, null, 0 nor empty."""
    return bool(value)


def text(value: Any) -> str:
    """Return the value as output: numbers as Go's `%v`, lists and maps as compact JSON with sorted keys.

    Raises MissingError for null.
    """
    if value.__class__ is str:
        return value
    return _TEXTS[shape(value)](value)


def text_or_empty(value: Any) -> str:
    """Return the value as output, and the empty string for null."""
    return "" if value is None else text(value)


def mend(value: Any) -> Any:
    """Return text without surrogate escapes: bytes that form characters again do so, others become U+FFFD."""
    if not isinstance(value, str) or value.isascii():
        return value
    data = _NO_CHARACTER.sub("\ufffd", value).encode("utf-8", "surrogateescape")
    return _ESCAPED_BYTE.sub("\ufffd", data.decode("utf-8", "surrogateescape"))


def json(value: Any) -> str:
    """Return compact JSON with sorted keys."""
    if isinstance(value, dict):
        return "{" + ",".join([f"{quoted(key)}:{json(value[key])}" for key in sorted(value)]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([json(item) for item in value]) + "]"
    if value is None:
        return "null"
    return quoted(value) if isinstance(value, str) else text(value)


def bounded(result: str) -> str:
    """Return the text if it is not too long. Raises ValueError."""
    if len(result) > MAX_OUTPUT:
        raise ValueError(f"the text is longer than {MAX_OUTPUT} characters")
    return result


def _missing(_: None) -> str:
    raise MissingError


def _truth_text(value: bool) -> str:
    return "true" if value else "false"


_KINDS: dict[type, str] = {
    str: "string",
    int: "int",
    float: "float",
    bool: "bool",
    list: "list",
    tuple: "list",
    dict: "map",
    type(None): "null",
    complex: "complex",
}
_TEXTS: dict[type, Callable[[Any], str]] = {
    str: str,
    int: int.__repr__,
    float: floats.general,
    bool: _truth_text,
    list: json,
    tuple: json,
    dict: json,
    type(None): _missing,
    complex: floats.imaginary,
}
