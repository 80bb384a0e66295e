"""How values appear in causes: quoted and numbered as Go does."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi import causes


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *((0.0, "0"), (1.0, "1"), (0.5, "0.5"), (1e6, "1e+06"), (100000.0, "100000"), (123456789.0, "1.23456789e+08")),
        *((1e20, "1e+20"), (1e21, "1e+21"), (0.0001, "0.0001"), (0.00001, "1e-05"), (1.5e-7, "1.5e-07")),
        (9.223372036854775807e18, "9.223372036854776e+18"),
    ],
)
def test_floats_are_printed_as_go_prints_them(number: float, text: str) -> None:
    assert causes.number_text(number) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('a"b\\', '"a\\"b\\\\"'),
        ("\x01\t\x7fé\u2028", '"\\x01\\t\\x7fé\\u2028"'),
        ("😀\U000e0001", '"😀\\U000e0001"'),
        (True, "true"),
        (None, "null"),
        (5, "5"),
        ({"b": 2.0, "a": ["<&>"]}, '{"a":["\\u003c\\u0026\\u003e"],"b":2}'),
    ],
)
def test_values_are_shown_as_go_shows_them(value: Any, text: str) -> None:
    assert causes.shown(value) == text


def test_a_cause_prints_with_its_field() -> None:
    assert str(causes.too_long("spec.a", 1)) == "spec.a: Too long: may not be more than 1 byte"
    assert str(causes.too_many("spec.a", 2, 1)) == "spec.a: Too many: 2: must have at most 1 item"
    assert str(causes.required("a")) == "a: Required value"
    assert str(causes.not_supported("a", 3, [1, 2])) == 'a: Unsupported value: 3: supported values: "1", "2"'
