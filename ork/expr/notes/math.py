"""Notes on numbers: whole numbers stay whole and have 64 bits, as Go has them; one fraction makes the result one."""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

from ork.expr.notes.note import Example, note, numeric, whole

_LIMIT = 2**63


def _fits(value: int | float) -> int | float:
    if value.__class__ is int and not -_LIMIT <= value < _LIMIT:
        raise OverflowError("the result does not fit into 64 bits")
    if value.__class__ is float and not math.isfinite(value):
        raise OverflowError("the result is too large")
    return value


def _add(*values: Any) -> int | float:
    return _fits(sum(map(numeric, values)))


def _sub(left: Any, right: Any) -> int | float:
    return _fits(numeric(left) - numeric(right))


def _mul(*values: Any) -> int | float:
    return _fits(reduce(lambda left, right: _fits(left * right), map(numeric, values)))


def _div(left: Any, right: Any) -> int | float:
    over, under = numeric(left), numeric(right)
    if under == 0:
        raise ZeroDivisionError("division by zero")
    if over.__class__ is int and under.__class__ is int:
        quotient = abs(over) // abs(under)
        return _fits(quotient if (over < 0) == (under < 0) else -quotient)
    return _fits(over / under)


def _mod(left: Any, right: Any) -> int:
    over, under = whole(left), whole(right)
    if under == 0:
        raise ZeroDivisionError("modulo by zero")
    rest = abs(over) % abs(under)
    return int(_fits(-rest if over < 0 else rest))


def _clamp(value: Any, low: Any, high: Any) -> int | float:
    return min(max(numeric(value), numeric(low)), numeric(high))


def _round(value: Any, digits: Any = 0) -> int | float:
    places = whole(digits)
    if not 0 <= places <= 15:
        raise ValueError("round keeps 0 to 15 digits")
    found = numeric(value)
    if found.__class__ is int:
        return found
    shift = 10.0**places
    away = math.floor(abs(found) * shift + 0.5) / shift
    rounded = math.copysign(away, found)
    return _fits(int(rounded)) if places == 0 else rounded


NOTES = (
    note(
        "add A B...",
        _add,
        "The sum.",
        Example("{{ add .spec.basePort 1000 }}", {"spec": {"basePort": 8080}}, 9080),
        in_order=True,
    ),
    note(
        "sub A B",
        _sub,
        "A less B.",
        Example("{{ sub .spec.replicas 1 }}", {"spec": {"replicas": 3}}, 2),
        in_order=True,
    ),
    note(
        "mul A B...",
        _mul,
        "The product.",
        Example("{{ mul .spec.replicas 2 }}", {"spec": {"replicas": 3}}, 6),
        in_order=True,
    ),
    note(
        "div A B",
        _div,
        "A divided by B; of two whole numbers the whole part, towards zero.",
        Example("{{ div .spec.workers 4 }}", {"spec": {"workers": 10}}, 2),
        in_order=True,
    ),
    note(
        "mod A B",
        _mod,
        "What is left of A after dividing it by B; it has the sign of A.",
        Example("{{ mod .spec.port 100 }}", {"spec": {"port": 8081}}, 81),
        in_order=True,
    ),
    note(
        "min A B...",
        lambda *values: min(map(numeric, values)),
        "The smallest of the numbers.",
        Example("{{ min .spec.replicas 10 }}", {"spec": {"replicas": 15}}, 10),
        in_order=True,
    ),
    note(
        "max A B...",
        lambda *values: max(map(numeric, values)),
        "The largest of the numbers.",
        Example("{{ max .spec.replicas 2 }}", {"spec": {"replicas": 1}}, 2),
        in_order=True,
    ),
    note(
        "clamp NUMBER LOW HIGH",
        _clamp,
        "The number, or the bound that it is beyond.",
        Example("{{ clamp .spec.replicas 1 20 }}", {"spec": {"replicas": 25}}, 20),
    ),
    note(
        "abs NUMBER",
        lambda value: _fits(abs(numeric(value))),
        "The number without its sign.",
        Example("{{ abs .spec.offset }}", {"spec": {"offset": -300}}, 300),
    ),
    note(
        "floor NUMBER",
        lambda value: _fits(math.floor(_fits(numeric(value)))),
        "The next whole number below.",
        Example("{{ floor .spec.ratio }}", {"spec": {"ratio": 2.7}}, 2),
    ),
    note(
        "ceil NUMBER",
        lambda value: _fits(math.ceil(_fits(numeric(value)))),
        "The next whole number above.",
        Example("{{ ceil .spec.ratio }}", {"spec": {"ratio": 2.1}}, 3),
    ),
    note(
        "round NUMBER [DIGITS]",
        _round,
        "The number with that many digits behind the point, halves away from zero; without DIGITS a whole number.",
        Example("{{ round .spec.ratio 1 }}", {"spec": {"ratio": 2.25}}, 2.3),
    ),
)
