"""Kubernetes quantities: `100m`, `1Gi`, `1e3`, `.5`. Exact values, and the one form in which Kubernetes writes each.

The rules are those of `resource.Quantity` in Kubernetes' API machinery.
"""

from __future__ import annotations

from decimal import ROUND_UP, Context, Decimal
from enum import Enum

from ork.base.patterns import pattern
from ork.base.records import NamedTuple

_GRAMMAR = pattern(
    r"(?P<number>[+-]?(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?)(?P<suffix>[A-Za-z]*)(?P<power>[+-]?[0-9]*)"
)
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIX = {power: suffix for suffix, power in _DECIMAL.items()}
_BINARY_SUFFIX = ["", *_BINARY]
_EXACT = Context(prec=2000)
_NANO = Decimal("1e-9")
_MOST = Decimal(2**63 - 1)
_LONGEST_POWER = 500
"""Kubernetes takes any exponent of ten and may work on it for minutes; nobody means one beyond this."""


class MalformedQuantity(ValueError):
    """The text is no quantity; the error says what one looks like."""


class Style(Enum):
    """How a quantity is written; sums and canonical forms keep it."""

    DECIMAL = "DecimalSI"
    """`100m`, `1k`, `5`."""
    BINARY = "BinarySI"
    """`1Ki`, `2Gi`."""
    EXPONENT = "DecimalExponent"
    """`1e3`."""


class Quantity(NamedTuple):
    """An exact amount, and the style in which it is written."""

    value: Decimal
    style: Style

    def __str__(self) -> str:
        """Return the canonical form: no fraction, no trailing zeros that a larger suffix could hold."""
        return _text(self.value, self.style)


def parse(text: str) -> Decimal:
    """Return the exact value of a quantity; raises MalformedQuantity (a ValueError) that says what one looks like."""
    return read(text).value


def read(text: str) -> Quantity:
    """Return value and style of a quantity; raises MalformedQuantity (a ValueError) that says what one looks like.

    What is finer than a billionth is rounded away from zero, and a binary amount is at most 2^63-1, as in Kubernetes;
    a text without a digit (`k`, `.`), which Kubernetes reads as zero, is refused.
    """
    found = _GRAMMAR.fullmatch(text)
    if found is None:
        raise _malformed(text)
    return _scaled(_EXACT.create_decimal(found["number"]), found["suffix"], found["power"], text)


def _scaled(number: Decimal, suffix: str, power: str, text: str) -> Quantity:
    if not power and suffix in _BINARY:
        value = _rounded(_EXACT.multiply(number, Decimal(2 ** _BINARY[suffix])))
        value = max(-_MOST, min(value, _MOST))
        return Quantity(value, Style.DECIMAL if 0 < abs(value) < 1 else Style.BINARY)
    if not power and suffix in _DECIMAL:
        return Quantity(_rounded(number.scaleb(_DECIMAL[suffix], _EXACT)), Style.DECIMAL)
    if suffix in ("e", "E") and power.strip("+-") and abs(int(power)) <= _LONGEST_POWER:
        return Quantity(_rounded(number.scaleb(int(power), _EXACT)), Style.EXPONENT)
    raise _malformed(text)


def _rounded(value: Decimal) -> Decimal:
    return value.quantize(_NANO, ROUND_UP, _EXACT) if value.as_tuple().exponent < -9 else value  # type: ignore[operator]


def _malformed(text: str) -> MalformedQuantity:
    return MalformedQuantity(
        f'"{text}" is not a quantity; write a number with an optional suffix, such as "500m", "2" or "1Gi"'
    )


def canonical(text: str) -> str:
    """Return the form in which Kubernetes stores a quantity: `1000m` is `1`, `1024Mi` is `1Gi`, `1.5` is `1500m`.

    A short one without needless zeros is stored as it was written. Beyond 1000E Kubernetes has no suffix and loses the
    power of ten; so does this form. Raises MalformedQuantity as `parse` does.
    """
    quantity = read(text)
    return text if _is_kept(text) else str(quantity)


def _is_kept(text: str) -> bool:
    """Tell whether Kubernetes keeps the text: it has no zeros to be moved into the suffix, and fits 64 bits."""
    found = _GRAMMAR.fullmatch(text)
    assert found is not None
    whole, part = found["whole"].lstrip("0") or "0", found["part"] or ""
    digits = whole + part
    if found["suffix"] in _BINARY:
        bits = _BINARY[found["suffix"]]
        room = 14 - len(whole) - int(bits * 3 / 10)
        return not part and room >= 0 and int(digits) & 7 != 0 and int(digits) << bits < 2**63
    power = int(found["power"]) if found["power"] else _DECIMAL[found["suffix"]]
    scale = power - len(part)
    return len(digits) <= 18 and scale >= -9 and scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _text(value: Decimal, style: Style) -> str:
    if not value:
        return "0"
    if style is Style.BINARY and abs(value) >= 1024 and value == value.to_integral_value():
        return _binary_text(int(value))
    sign, digits, exponent = value.normalize(_EXACT).as_tuple()
    assert isinstance(exponent, int)
    shift = exponent % 3
    number = "-" * sign + "".join(map(str, digits)) + "0" * shift
    power = exponent - shift
    if style is Style.EXPONENT:
        return number + (f"e{power}" if power else "")
    return number + _DECIMAL_SUFFIX.get(power, "")


def _binary_text(value: int) -> str:
    steps = 0
    while value % 1024 == 0:
        value //= 1024
        steps += 1
    return f"{value}{_BINARY_SUFFIX[steps]}"
