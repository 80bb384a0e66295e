"""Floating-point numbers in the forms that Go's `fmt` and `strconv` give them."""

from __future__ import annotations

from collections.abc import Callable
from math import frexp, isfinite, isnan

_SHORTEST = -1
"""As a precision: as many digits as give the same number back."""


def general(number: float) -> str:
    """Return a float as Go's `%v`: `1`, `0.5`, `1e+06`."""
    return format_float(number, "g", _SHORTEST)


def imaginary(number: complex, part: Callable[[float], str] = general) -> str:
    """Return a complex number as Go's `%v`: `(1+2i)`."""
    second = part(number.imag)
    return f"({part(number.real)}{'' if second[0] in '+-' else '+'}{second}i)"


def format_float(number: float, verb: str, precision: int) -> str:
    """Return a float as Go's `strconv.FormatFloat`; `verb` is one of `e E f g G b x X`, `precision` -1 the shortest.

    Infinities are `+Inf` and `-Inf`.
    """
    if not isfinite(number):
        return "NaN" if isnan(number) else f"{'+' if number > 0 else '-'}Inf"
    sign = "-" if str(number)[0] == "-" else ""
    text = _FORMS[verb.lower()](abs(number), precision)
    return sign + (text.upper() if verb.isupper() else text)


def _scientific(number: float, precision: int) -> str:
    if precision >= 0:
        return f"{number:.{precision}e}"
    digits, exponent = _digits(number)
    return _exponential(digits, exponent)


def _fixed(number: float, precision: int) -> str:
    return f"{number:.{precision}f}" if precision >= 0 else _positional(*_digits(number))


def _general(number: float, precision: int) -> str:
    if precision < 0:
        digits, exponent = _digits(number)
        limit = 6
    else:
        precision = precision or 1
        rounded = f"{number:.{precision - 1}e}"
        mantissa, _, power = rounded.partition("e")
        digits, exponent = mantissa.replace(".", "").rstrip("0") or "0", int(power)
        limit = len(digits) if precision > len(digits) > exponent else precision
    return _exponential(digits, exponent) if not -4 <= exponent < limit else _positional(digits, exponent)


def _digits(number: float) -> tuple[str, int]:
    """Return the shortest significant digits and the exponent of the first: 12.5 is ("125", 1)."""
    mantissa, _, power = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    written = whole + fraction
    digits = written.lstrip("0")
    if not digits:
        return "0", 0
    return digits.rstrip("0"), len(whole) - 1 - (len(written) - len(digits)) + int(power or 0)


def _exponential(digits: str, exponent: int) -> str:
    return f"{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{exponent:+03d}"


def _positional(digits: str, exponent: int) -> str:
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return f"{whole}.{fraction}" if fraction else whole


def _binary(number: float, _: int) -> str:
    """`%b`: the mantissa as a whole number of 53 bits, and the power of two."""
    mantissa, exponent = frexp(number)
    power = max(exponent - 53, -1074) if number else -1074
    return f"{int(mantissa * 2.0 ** (exponent - power)) if number else 0}p{power:+d}"


def _hexadecimal(number: float, precision: int) -> str:
    """`%x`: `0x1.8p+01`, the mantissa rounded half to even where a precision is given."""
    if not number:
        return f"0x0{'.' + '0' * precision if precision > 0 else ''}p+00"
    mantissa, exponent = frexp(number)
    bits, power = int(mantissa * 2**53), exponent - 1
    if precision >= 0 and precision < 13:
        unit = 16 ** (13 - precision)
        whole, rest = divmod(bits, unit)
        whole += rest * 2 > unit or (rest * 2 == unit and whole % 2)
        bits = whole * unit
        if bits >= 2**53:
            bits, power = bits // 2, power + 1
    fraction = f"{bits - 2**52:013x}"
    fraction = fraction.rstrip("0") if precision < 0 else fraction[:precision].ljust(precision, "0")
    return f"0x1{'.' if fraction else ''}{fraction}p{power:+03d}"


_FORMS: dict[str, Callable[[float, int], str]] = {
    "e": _scientific,
    "f": _fixed,
    "g": _general,
    "b": _binary,
    "x": _hexadecimal,
}
