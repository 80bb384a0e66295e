"""Bounds and multiples of numbers, with the API server's own arithmetic: integers are compared as 64-bit integers.

So `multipleOf: 0.5` on the integer 2 is a factor of 0, which is refused; a real API server says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.openapi.causes import NOWHERE, Cause, invalid, number_text

Number = int | float
NumberCheck = Callable[[Number, str], list[Cause]]

_INT64 = 2**63
_INT32 = 2**31
_FLOAT32_MAX = 3.4028234663852886e38
_EXACT = 2**53 - 1
"""The largest float below which every integer is exact."""


def is_int64(number: Number) -> bool:
    """Tell whether an API server reads the number as an integer; a larger one it reads as a float."""
    return number.__class__ is int and -_INT64 <= number < _INT64


def is_whole(number: Number) -> bool:
    """Tell whether a float stands for an integer, which a field of type `integer` takes."""
    if not -_EXACT <= number <= _EXACT:
        return False
    return number == int(number) or abs(number - int(number)) / (2 * abs(number)) < 1e-9


def compile_number(schema: Object) -> NumberCheck | None:
    """Return the check of a number's range, multiples and bounds; None where the schema limits nothing."""
    kind = "" if schema.get("x-kubernetes-int-or-string") else schema.get("type", "")
    style = schema.get("format", "") if schema.get("format") in _FORMATS.get(kind, ()) else ""
    limits = [
        (check, schema[key], bool(schema.get(exclusive)), label)
        for key, check, exclusive, label in _LIMITS
        if schema.get(key) is not None
    ]
    if not limits and kind != "integer" and style != "float":
        return None

    def check(number: Number, path: str) -> list[Cause]:
        causes = _in_range(number, kind, style, "Checked", path)
        for limit, bound, exclusive, label in limits:
            misfit = _in_range(bound, kind, style, label, path)
            plain = float(number) if misfit else number
            causes += misfit + limit(plain, int(bound) if is_int64(plain) else float(bound), exclusive, path)
        return causes

    return check


_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}


def _in_range(number: Number, kind: str, style: str, what: str, path: str) -> list[Cause]:
    """Return the cause of a number that is beyond its declared type and format."""
    if kind == "integer":
        size = _INT32 if style == "int32" else _INT64
        fits = number == int(number) and -size <= number < size if abs(number) != float("inf") else False
    else:
        fits = style != "float" or abs(number) <= _FLOAT32_MAX
    if fits:
        return []
    of = f"type {kind} with format {style}" if style else f"type {kind} (default format)"
    return [invalid(NOWHERE, "", f"{what} value must be of {of} in {path}")]


def _multiple(number: Number, factor: Number, _exclusive: bool, path: str) -> list[Cause]:
    if factor <= 0:
        return [_cause(path, factor, f"factor MultipleOf declared for {path} must be positive: {_text(factor)}")]
    if number.__class__ is int:
        whole = number % factor == 0
    else:
        whole = is_whole(1 / factor * number if factor < 1 else number / factor)
    return [] if whole else [_cause(path, number, f"{path} in body should be a multiple of {_text(factor)}")]


def _minimum(number: Number, bound: Number, exclusive: bool, path: str) -> list[Cause]:
    if number > bound or (number == bound and not exclusive):
        return []
    than = "greater than" if exclusive else "greater than or equal to"
    return [_cause(path, number, f"{path} in body should be {than} {_text(bound)}")]


def _maximum(number: Number, bound: Number, exclusive: bool, path: str) -> list[Cause]:
    if number < bound or (number == bound and not exclusive):
        return []
    than = "less than" if exclusive else "less than or equal to"
    return [_cause(path, number, f"{path} in body should be {than} {_text(bound)}")]


def _cause(path: str, value: Any, text: str) -> Cause:
    return invalid(path, value, text)


def _text(number: Number) -> str:
    return str(number) if number.__class__ is int else number_text(number)


_LIMITS: tuple[tuple[str, Callable[[Number, Number, bool, str], list[Cause]], str, str], ...] = (
    ("multipleOf", _multiple, "", "MultipleOf"),
    ("minimum", _minimum, "exclusiveMinimum", "Minimum boundary"),
    ("maximum", _maximum, "exclusiveMaximum", "Maximum boundary"),
)
