"""Quantities as Kubernetes reads, keeps and writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ork.base import quantities
from ork.base.quantities import MalformedQuantity, Quantity, Style


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("0", "0"),
            ("1", "1"),
            ("100m", "0.1"),
            ("1500m", "1.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+1", "1"),
            ("-1", "-1"),
        ),
        *(("1k", "1000"), ("1M", "1e6"), ("1G", "1e9"), ("1T", "1e12"), ("1P", "1e15"), ("1E", "1e18")),
        *(("1Ki", "1024"), ("1Mi", "1048576"), ("1.5Gi", "1610612736"), ("2Ti", "2199023255552")),
        *(("1e3", "1000"), ("1E3", "1000"), ("1e-3", "0.001"), ("1.5e+2", "150"), ("1n", "1e-9"), ("1u", "1e-6")),
    ],
)
def test_a_quantity_has_an_exact_value(text: str, value: str) -> None:
    assert quantities.parse(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "1 ",
            " 1",
            "1 Gi",
            "a",
            "1kk",
            "1ki",
            "1K",
            "1mi",
            "1_000",
            "1,5",
            "1.5.5",
            "--1",
            "0x10",
            "1e",
            "1e+",
        ),
        *("1Kim", "1e3Ki", "٣", "1²", ".", "k", "-", "1\n", "inf", "nan", "1e9999999", "1m5"),
    ],
)
def test_what_is_no_quantity_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(MalformedQuantity, match=r'is not a quantity; write .* such as "500m", "2" or "1Gi"'):
        quantities.parse(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        *(("1000m", "1"), ("1500m", "1500m"), ("1.5", "1500m"), ("0.5", "500m"), (".5", "500m"), ("100m", "100m")),
        *(
            ("1024Mi", "1Gi"),
            ("1.5Gi", "1536Mi"),
            ("1024", "1024"),
            ("1000", "1k"),
            ("1000000", "1M"),
            ("1500", "1500"),
        ),
        *(
            ("1e3", "1e3"),
            ("1000e0", "1e3"),
            ("1E3", "1E3"),
            ("1000E3", "1e6"),
            ("0", "0"),
            ("0m", "0"),
            ("0Gi", "0"),
            ("-0", "0"),
        ),
        *(("+1", "+1"), ("01", "01"), ("1.0", "1"), ("1.10", "1100m"), ("-1000m", "-1"), ("0.1Ki", "102400m")),
        *(("0.0000000001", "1n"), ("1.0000000001", "1000000001n"), ("0.5Ki", "512")),
    ],
)
def test_a_quantity_has_one_form(text: str, form: str) -> None:
    assert quantities.canonical(text) == form


def test_amounts_are_rounded_up_to_a_billionth_and_end_with_64_bits() -> None:
    assert quantities.parse("0.1n") == Decimal("1e-9")
    assert quantities.parse("-0.1n") == Decimal("-1e-9")
    assert quantities.parse("16Ei") == 2**63 - 1
    assert quantities.parse("-16Ei") == -(2**63) + 1


def test_a_style_is_kept_where_an_amount_is_written_anew() -> None:
    assert quantities.read("1Gi").style is Style.BINARY
    assert quantities.read("1e3").style is Style.EXPONENT
    assert quantities.read("1k").style is Style.DECIMAL
    assert str(Quantity(Decimal(3 * 1024), Style.BINARY)) == "3Ki"
    assert str(Quantity(Decimal(1000), Style.BINARY)) == "1k"
    assert str(Quantity(Decimal(3000), Style.DECIMAL)) == "3k"
    assert str(Quantity(Decimal(3000), Style.EXPONENT)) == "3e3"


def test_quantities_compare_by_their_amount() -> None:
    assert quantities.parse("1Gi") > quantities.parse("1G")
    assert quantities.parse("1000m") == quantities.parse("1")
    assert quantities.parse("0.1") + quantities.parse("200m") == quantities.parse("300m")
