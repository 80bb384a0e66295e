"""What a value of a known type can never be equal to (language, section 4.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ork.base.patterns import pattern
from ork.base.text import did_you_mean
from ork.expr.compare import plain
from ork.katalog.types import Found
from ork.openapi import schema as openapi

Doubt = tuple[str, str]
"""Message and hint."""

_COMPARES = pattern(r"(?:^|[\s({|])(?:eq|ne)\s+$")
_LITERAL = pattern(r"""\s+(?:"([^"\\]*)"|`([^`]*)`|(true|false|-?\d[\d.]*))(?=[\s)}|])""")


def compared(text: str, start: int, end: int) -> str | None:
    """Return the literal with which `eq` or `ne` compares what stands from `start` to `end` of an expression."""
    if not _COMPARES.search(text, max(0, start - 8), start):
        return None
    found = _LITERAL.match(text, end)
    return None if found is None else next(group for group in found.groups() if group is not None)


def equality(name: str, found: Found, text: str) -> Doubt | None:
    """Return message and hint where a value of that type never has that text."""
    if text == "":
        return None
    options = openapi.enum(found.schema)
    if options is not None:
        return _enumerated(name, [plain(option) for option in options if option is not None], text)
    check = _FITS.get(found.type)
    if check is None or check(text):
        return None
    return f'`{name}` is {_NOUNS[found.type]}: it is never equal to "{text}"', _HINTS.get(found.type, "")


def _enumerated(name: str, options: list[str], text: str) -> Doubt | None:
    if text in options:
        return None
    hint = did_you_mean(text, options) or f"its values are {', '.join(options)}"
    return f'`{name}` never has the value "{text}"', hint


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_FITS: Mapping[str, Callable[[str], bool]] = {
    "boolean": lambda text: text in ("true", "false"),
    "integer": _is_number,
    "number": _is_number,
}
_NOUNS = {"boolean": "a boolean", "integer": "an integer", "number": "a number"}
_HINTS = {"boolean": 'write "true" or "false"'}
