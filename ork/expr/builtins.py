"""The functions that Go's `text/template` defines, with the differences of language, section 4.3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ork.base.patterns import pattern
from ork.expr import printf, values
from ork.expr.functions import Function
from ork.expr.values import named

_NUMBERS = frozenset((int, float))
_SCALARS = frozenset((int, float, str, bool))
_PLAIN = _SCALARS | {complex}


# ── logic: the compiler evaluates `and` and `or` only as far as needed ──────────────────────────
def every(*args: Any) -> Any:
    """Return the first argument that is false, else the last."""
    return next((arg for arg in args if not arg), args[-1])


def some(*args: Any) -> Any:
    """Return the first argument that is true, else the last."""
    return next((arg for arg in args if arg), args[-1])


def negated(value: Any) -> bool:
    """Tell whether the value is false."""
    return not value


# ── comparison ──────────────────────────────────────────────────────────────────────────────────
def equal(first: Any, *others: Any) -> bool:
    """Tell whether the first argument equals one of the others.

    Numbers compare by value; a string and a number or bool by their text, since CR authors write both. Raises
    ValueError for what cannot be compared.
    """
    return any(_equal(first, other) for other in others)


def _equal(first: Any, second: Any) -> bool:
    one, two = type(first), type(second)
    if first is None or second is None:
        return first is second
    if (one is two and one in _PLAIN) or (one in _NUMBERS and two in _NUMBERS):
        return bool(first == second)
    if str in (one, two) and one in _SCALARS and two in _SCALARS:
        return values.text(first) == values.text(second)
    raise _incomparable(first, second)


def unequal(first: Any, second: Any) -> bool:
    """Tell whether two values differ. Raises ValueError."""
    return not _equal(first, second)


def less(first: Any, second: Any) -> bool:
    """Tell whether the first of two numbers, or of two strings, is the smaller. Raises ValueError."""
    one, two = type(first), type(second)
    if one is two is str or (one in _NUMBERS and two in _NUMBERS):
        return bool(first < second)
    raise _incomparable(first, second)


def less_or_equal(first: Any, second: Any) -> bool:
    """Tell whether the first of two numbers, or of two strings, is the smaller or the same. Raises ValueError."""
    return less(first, second) or _equal(first, second)


def greater(first: Any, second: Any) -> bool:
    """Tell whether the first is neither smaller nor the same. Raises ValueError."""
    return not less_or_equal(first, second)


def greater_or_equal(first: Any, second: Any) -> bool:
    """Tell whether the first is not smaller. Raises ValueError."""
    return not less(first, second)


def _incomparable(first: Any, second: Any) -> ValueError:
    return ValueError(f"{named(first)} and {named(second)} cannot be compared")


# ── lists, maps and strings ─────────────────────────────────────────────────────────────────────
def length(value: Any) -> int:
    """Return the number of bytes of a string, of items or keys; 0 for nothing. Raises ValueError."""
    if value is None:
        return 0
    if isinstance(value, str):
        return len(value) if value.isascii() else len(_bytes(value))
    if isinstance(value, list | dict | tuple):
        return len(value)
    raise ValueError(f"{named(value)} has no length")


def index(value: Any, *keys: Any) -> Any:
    """Return what lists, maps and strings hold at the keys, one after another; nothing where a key of a map is missing.

    Raises ValueError for a position that a list does not have, and for a key of the wrong type.
    """
    for key in keys:
        if value is None:
            return None
        value = _at(value, key)
    return value


def _at(value: Any, key: Any) -> Any:
    if isinstance(value, dict):
        if key.__class__ is not str:
            raise ValueError(f"a map is indexed by a string, not by {named(key)}")
        return value.get(key)
    if isinstance(value, str):
        value = _bytes(value)
    if not isinstance(value, list | tuple | bytes):
        raise ValueError(f"{named(value)} cannot be indexed")
    if _position(key, len(value)) == len(value):
        raise ValueError(f"the index {key} is out of range; there are {len(value)}")
    return value[key]


def _position(key: Any, most: int) -> int:
    if key.__class__ is not int:
        raise ValueError(f"a list or string is indexed by a number, not by {named(key)}")
    if not 0 <= key <= most:
        raise ValueError(f"the index {key} is out of range; there are {most}")
    return int(key)


def part(value: Any, *bounds: Any) -> Any:
    """Return a piece of a list, or of a string counted in bytes: from the first bound up to the second.

    Raises ValueError for bounds that do not fit.
    """
    if len(bounds) > 3 or (len(bounds) == 3 and isinstance(value, str)):
        raise ValueError("slice takes a start and an end, for a list also a capacity")
    data = _bytes(value) if isinstance(value, str) else value
    if not isinstance(data, list | tuple | bytes):
        raise ValueError(f"{named(value)} cannot be sliced")
    places = [_position(bound, len(data)) for bound in bounds]
    start, end, *capacity = places + [0, len(data)][len(places) :]
    if start > end or (capacity and end > capacity[0]):
        raise ValueError(f"the bounds {' '.join(map(str, places))} are not in order")
    piece = data[start:end]
    return piece.decode("utf-8", "surrogateescape") if isinstance(piece, bytes) else piece


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# ── escaping ────────────────────────────────────────────────────────────────────────────────────
_HTML = str.maketrans({"\0": "\ufffd", '"': "&#34;", "'": "&#39;", "&": "&amp;", "<": "&lt;", ">": "&gt;"})
_JS_PLAIN = {"\\": r"\\", "'": r"\'", '"': r"\""}
_JS_SPECIAL = pattern(r"[\\'\"<>&=\x00-\x1f\x80-\U0010ffff]")


def html(*args: Any) -> str:
    """Print the arguments and escape them for HTML."""
    return values.bounded(printf.sprint(*args).translate(_HTML))


def js(*args: Any) -> str:
    """Print the arguments and escape them for a JavaScript string."""
    return values.bounded(_JS_SPECIAL.sub(_js, printf.sprint(*args)))


def _js(found: re.Match[str]) -> str:
    letter = found[0]
    if letter in _JS_PLAIN:
        return _JS_PLAIN[letter]
    printable = letter.isprintable() or "\udc80" <= letter <= "\udcff"
    return letter if letter > "\x7f" and printable else f"\\u{ord(letter):04X}"


def urlquery(*args: Any) -> str:
    """Print the arguments and escape them for the query of a URL."""
    from urllib.parse import quote_plus

    return values.bounded(quote_plus(_bytes(printf.sprint(*args)), safe=""))


def call(*_: Any) -> Any:
    """Go calls a value that is a function; data has none. Raises ValueError."""
    raise ValueError("data holds no functions, so there is nothing to call; write the function's name")


def _table(*functions: Function) -> Mapping[str, Function]:
    return MappingProxyType({function.name: function for function in functions})


BUILTINS = _table(
    Function("and", every, 1, None),
    Function("or", some, 1, None),
    Function("not", negated, 1, 1),
    Function("eq", equal, 2, None),
    Function("ne", unequal, 2, 2),
    Function("lt", less, 2, 2),
    Function("le", less_or_equal, 2, 2),
    Function("gt", greater, 2, 2),
    Function("ge", greater_or_equal, 2, 2),
    Function("len", length, 1, 1),
    Function("index", index, 1, None),
    Function("slice", part, 1, None),
    Function("print", printf.sprint, 0, None),
    Function("println", printf.sprintln, 0, None),
    Function("printf", printf.sprintf, 1, None, check=printf.check),
    Function("html", html, 0, None),
    Function("js", js, 0, None),
    Function("urlquery", urlquery, 0, None),
    Function("call", call, 1, None, check=call),
)
"""Go's own functions. `and` and `or` stop at the first argument that decides."""
