"""Notes on Kubernetes quantities: CPU in cores, memory in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ork.expr.notes.note import Example, missing, note, numeric, text

if TYPE_CHECKING:
    from ork.base.quantities import Quantity


def _read(value: Any) -> Quantity:
    from ork.base import quantities

    return quantities.read("0" if missing(value) else text(value).strip())


def _format(value: Any) -> str:
    from decimal import Decimal

    from ork.base.quantities import Quantity, Style

    found = numeric(value)
    if found - found != 0:
        raise ValueError("the number is too large for a quantity")
    exact = round(Decimal(str(found)), 9)
    binary = abs(exact) >= 1024 and exact % 1024 == 0
    return str(Quantity(exact, Style.BINARY if binary else Style.DECIMAL))


def _sum(first: Any, *rest: Any) -> str:
    total = _read(first)
    for each in rest:
        part = _read(each)
        total = total._replace(value=total.value + part.value, style=total.style if total.value else part.style)
    return str(total)


def _subtract(left: Any, right: Any) -> str:
    whole = _read(left)
    return str(whole._replace(value=whole.value - _read(right).value))


NOTES = (
    note(
        "parseQuantity QUANTITY",
        lambda value: float(_read(value).value),
        "The quantity as a number: cores or bytes.",
        Example('{{ parseQuantity "500m" }}', {}, 0.5),
    ),
    note(
        "formatQuantity NUMBER",
        _format,
        "The number as a quantity.",
        Example(
            "{{ formatQuantity (div (parseQuantity .spec.cpu) 4) }}",
            {"spec": {"cpu": "1"}},
            "250m",
        ),
    ),
    note(
        "sumQuantity A B...",
        _sum,
        "The sum of quantities, written as the first is.",
        Example('{{ sumQuantity .spec.memory "512Mi" }}', {"spec": {"memory": "1Gi"}}, "1536Mi"),
        in_order=True,
    ),
    note(
        "subtractQuantity A B",
        _subtract,
        "The first quantity less the second.",
        Example('{{ subtractQuantity .spec.memory "512Mi" }}', {"spec": {"memory": "1Gi"}}, "512Mi"),
        in_order=True,
    ),
)
