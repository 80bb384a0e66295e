"""Go's literals: quoted strings, character constants and numbers."""

from __future__ import annotations

import re
from math import isinf

from ork.base.patterns import pattern

_ESCAPE = pattern(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_D = "[0-9](?:_?[0-9])*"
_H = "[0-9a-fA-F](?:_?[0-9a-fA-F])*"
_INTEGER = pattern(
    r"([+-]?)(?:0[xX]((?:_?[0-9a-fA-F])+)|0[bB]((?:_?[01])+)|0[oO]((?:_?[0-7])+)|0((?:_?[0-7])+)|(0|[1-9](?:_?[0-9])*))"
)
_BASES = ((2, 16), (3, 2), (4, 8), (5, 8), (6, 10))
_DECIMAL = pattern(rf"[+-]?(?:{_D}(?:\.(?:{_D})?)?|\.{_D})(?:[eE][+-]?{_D})?")
_HEXADECIMAL = pattern(rf"[+-]?0[xX](?:_?{_H}(?:\.(?:{_H})?)?|\.{_H})[pP][+-]?{_D}")
_IMAGINARY = pattern(r"(?:(.*[^eEpP])(?=[+-]))?([+-]?[^+-]+(?:[eEpP][+-][0-9_]+)?)i")
_INT64 = range(-(2**63), 2**63)

Number = int | float | complex


def unquote(literal: str) -> str:
    """Return the value of a string literal in double quotes or backquotes. Raises ValueError.

    Bytes that are no UTF-8 (`"\\xff"`) are kept as Python's surrogate escapes.
    """
    if literal[0] == "`":
        return literal[1:-1].replace("\r", "")
    return _unescape(literal[1:-1], '"')


def character(literal: str) -> int:
    """Return the code of a character constant (`'a'`). Raises ValueError."""
    body = literal[1:-1]
    if code := re.fullmatch(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{3}))", body):
        return _byte(code[1], code[2])
    value = _unescape(body, "'")
    if len(value) != 1:
        raise ValueError(f"{literal} is not one character")
    return ord(value)


def _unescape(body: str, quote: str) -> str:
    if "\\" not in body:
        return body
    parts: list[bytes] = []
    at = 0
    for escape in _ESCAPE.finditer(body):
        parts += (body[at : escape.start()].encode(), _escaped(escape, quote))
        at = escape.end()
    return b"".join((*parts, body[at:].encode())).decode("utf-8", "surrogateescape")


def _escaped(escape: re.Match[str], quote: str) -> bytes:
    hexadecimal, octal, short, long, simple = escape.groups()
    if hexadecimal or octal:
        return bytes((_byte(hexadecimal, octal),))
    if short or long:
        code = int(short or long, 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            raise ValueError(f"{escape[0]} is no Unicode character")
        return chr(code).encode()
    if simple == quote:
        return quote.encode()
    if simple not in _SIMPLE:
        raise ValueError(f"{escape[0]} is no escape; write \\\\ for a backslash")
    return _SIMPLE[simple].encode()


def _byte(hexadecimal: str | None, octal: str | None) -> int:
    code = int(hexadecimal, 16) if hexadecimal else int(octal or "", 8)
    if code > 0xFF:
        raise ValueError(f"\\{octal} is more than a byte")
    return code


def number(literal: str) -> Number:
    """Return the value of a number as Go types an untyped constant. Raises ValueError."""
    if literal.endswith("i"):
        return _complex(literal)
    found = _INTEGER.fullmatch(literal)
    if found is None:
        if not re.search("[.eEpP]", literal):
            raise _malformed(literal)
        return _float(literal)
    value = next(int(found[group].replace("_", ""), base) for group, base in _BASES if found[group])
    value = -value if found[1] == "-" else value
    if value not in _INT64:
        raise ValueError(f"{literal} does not fit 64 bits")
    return value


def _complex(literal: str) -> complex:
    parts = _IMAGINARY.fullmatch(literal)
    if parts is None:
        raise _malformed(literal)
    return complex(_float(parts[1] or "0"), _float(parts[2]))


def _float(literal: str) -> float:
    plain = literal.replace("_", "")
    try:
        if _HEXADECIMAL.fullmatch(literal):
            return float.fromhex(plain)
        value = float(plain) if _DECIMAL.fullmatch(literal) else None
    except OverflowError:
        value = None
    if value is None or isinf(value):
        raise _malformed(literal)
    return value


def _malformed(literal: str) -> ValueError:
    return ValueError(f'"{literal}" is not a number')
