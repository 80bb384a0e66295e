"""Why an API server refuses an object: causes worded as Kubernetes words them (`metav1.StatusCause`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ork.base.records import NamedTuple

NOWHERE = "<nil>"
"""The field of a cause that belongs to no field; Go prints a nil path so."""


class Cause(NamedTuple):
    """One entry of `details.causes` in a Status of reason `Invalid`."""

    reason: str
    """`FieldValueInvalid`, `FieldValueRequired`, …"""
    field: str
    """`spec.ports[0].name`, `data[a.key]`, or `<nil>`."""
    message: str
    """`Invalid value: 0: spec.size in body should be greater than or equal to 1`."""

    def __str__(self) -> str:
        """`spec.size: Invalid value: 0: …`, the form in a Status's message."""
        return f"{self.field}: {self.message}"


Judge = Callable[[Any, str, list[Cause]], None]
"""Judges a value at a path, by appending causes."""


def below(field: str, step: str) -> str:
    """Return the field one step further."""
    return f"{field}.{step}" if field else step


def required(field: str, detail: str = "") -> Cause:
    """Return the cause of a value that is not there."""
    return Cause("FieldValueRequired", field, _body("Required value", detail))


def invalid(field: str, value: Any, detail: str = "") -> Cause:
    """Return the cause of a value that is malformed."""
    return Cause("FieldValueInvalid", field, _body(f"Invalid value: {shown(value)}", detail))


def type_invalid(field: str, value: Any, detail: str) -> Cause:
    """Return the cause of a value of a wrong type; `value` is the type's name."""
    return Cause("FieldValueTypeInvalid", field, _body(f"Invalid value: {shown(value)}", detail))


def not_supported(field: str, value: Any, supported: Iterable[Any]) -> Cause:
    """Return the cause of a value outside of its enumeration, which is shown in the given order."""
    options = ", ".join(quoted(option if isinstance(option, str) else json_text(option)) for option in supported)
    return Cause(
        "FieldValueNotSupported",
        field,
        _body(f"Unsupported value: {shown(value)}", options and f"supported values: {options}"),
    )


def duplicate(field: str, value: Any) -> Cause:
    """Return the cause of a value that occurs a second time in a list of unique ones."""
    return Cause("FieldValueDuplicate", field, f"Duplicate value: {shown(value)}")


def forbidden(field: str, detail: str) -> Cause:
    """Return the cause of a field that may not be set, or not be changed."""
    return Cause("FieldValueForbidden", field, _body("Forbidden", detail))


def too_long(field: str, limit: int) -> Cause:
    """Return the cause of a text longer than `limit` (Kubernetes says bytes, and counts characters)."""
    return Cause("FieldValueTooLong", field, f"Too long: may not be more than {limit} byte{'s' * (limit != 1)}")


def too_many(field: str, count: int, limit: int) -> Cause:
    """Return the cause of a list or map of more than `limit` entries."""
    return Cause("FieldValueTooMany", field, f"Too many: {count}: must have at most {limit} item{'s' * (limit != 1)}")


def _body(head: str, detail: str) -> str:
    return f"{head}: {detail}" if detail else head


def shown(value: Any) -> str:
    """Return a value as Kubernetes shows it in a message: text quoted, numbers plain, the rest as JSON."""
    if value.__class__ is str:
        return quoted(value)
    if value.__class__ is float:
        return number_text(value)
    return json_text(value)


_ESCAPES = {char: "\\" + letter for char, letter in zip('\\"\a\b\f\n\r\t\v', '\\"abfnrtv', strict=True)}


def quoted(text: str) -> str:
    """Return the text as Go's `%q` quotes it."""
    return '"' + "".join(_ESCAPES.get(char) or (char if char.isprintable() else _hex(ord(char))) for char in text) + '"'


def _hex(code: int) -> str:
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_text(value: Any) -> str:
    """Return compact JSON with sorted keys, as Go's encoder writes it."""
    import json

    text = json.dumps(_whole(value), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _whole(value: Any) -> Any:
    """Return the value with its floats that are whole as integers: Go writes `2` where Python writes `2.0`."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e21 else value


def number_text(number: float) -> str:
    """Return the number as Go's `%v` prints it: `1`, `0.5`, `1e+06`."""
    from decimal import Decimal

    exact = Decimal(repr(number)).normalize()
    exponent = exact.adjusted()
    if not exact or -4 <= exponent < 6:
        return f"{exact:f}"
    return f"{exact.scaleb(-exponent):f}e{exponent:+03d}"
