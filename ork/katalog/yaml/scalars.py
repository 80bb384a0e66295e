"""What an unquoted scalar means to `kubectl` (sigs.k8s.io/yaml: YAML 1.1 words, Go's numbers, JSON's values)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from ork.base.patterns import pattern

WORDS: dict[str, Any] = (
    dict.fromkeys(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], True)
    | dict.fromkeys(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], False)
    | dict.fromkeys(["", "~", "null", "Null", "NULL"])
)
"""Plain scalars that are no strings and no numbers."""

NUMERIC = frozenset("+-.0123456789")
"""How a number can begin."""

_UNWRITABLE = pattern(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_INTEGER = pattern(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_BASES = (16, 2, 8, 10)
_BETWEEN_DIGITS = pattern(r"(?<=[0-9])_(?=[0-9])")
_FLOAT = pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class UnwritableError(ValueError):
    """A value that JSON, and so a Kubernetes object, cannot hold."""


def resolve(text: str) -> Any:
    """Return the value of an unquoted scalar. Raises UnwritableError for infinities and `.nan`."""
    if text in WORDS:
        return WORDS[text]
    return number(text) if text[0] in NUMERIC else text


def number(text: str) -> Any:
    """Return the number that a plain scalar is, or the text itself. Raises UnwritableError for infinities."""
    if _UNWRITABLE.fullmatch(text):
        raise UnwritableError(f"`{text}` is a number that JSON cannot hold")
    digits = _BETWEEN_DIGITS.sub("", text) if text[0] == "." else text.replace("_", "")
    found: int | float | None = _integer(digits)
    if found is None and _FLOAT.fullmatch(digits):
        found = _float(digits)
    return text if found is None else found


def _integer(digits: str) -> int | None:
    """Go's `ParseInt` and `ParseUint` with base 0: what does not fit into 64 bits is no integer."""
    match = _INTEGER.fullmatch(digits)
    if match is None:
        return None
    sign, *groups = match.groups()
    magnitude = next(int(group, base) for group, base in zip(groups, _BASES, strict=True) if group is not None)
    if magnitude >= 2 ** (64 if not sign else 63) + (sign == "-"):
        return None
    return -magnitude if sign == "-" else magnitude


def _float(digits: str) -> int | float | None:
    """A float as it comes out of JSON: one that is a whole number of 64 bits is an integer there."""
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        return None
    if value.is_integer() and abs(value) < 2**63:
        return int(Decimal(repr(value)))
    return value


def _binary(text: str) -> str:
    from base64 import b64decode

    return b64decode("".join(text.split()), validate=True).decode()


def _whole(text: str) -> int:
    value = resolve(text)
    if value.__class__ is not int:
        raise ValueError("an integer")
    return int(value)


def _number(text: str) -> int | float:
    value = resolve(text)
    if value.__class__ not in (int, float):
        raise ValueError("a number")
    found: int | float = value
    return found


def _boolean(text: str) -> bool:
    value = resolve(text)
    if value.__class__ is not bool:
        raise ValueError("a boolean")
    return bool(value)


def _null(text: str) -> None:
    if resolve(text) is not None:
        raise ValueError("null")


_TAG = "tag:yaml.org,2002:"
_TAGS: dict[str, Callable[[str], Any]] = {
    _TAG + "int": _whole,
    _TAG + "float": _number,
    _TAG + "bool": _boolean,
    _TAG + "null": _null,
    _TAG + "binary": _binary,
}


def tagged(tag: str, text: str) -> Any:
    """Return the value of a scalar with an explicit tag; a tag that YAML does not define means a string.

    Raises ValueError, whose text says what the tag wants.
    """
    convert = _TAGS.get(tag)
    return text if convert is None else convert(text)
