"""Quantities: one canonical form for each amount and style, and exact arithmetic behind it."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from ork.base import quantities

SUFFIXES = st.sampled_from(
    ("", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E-3", "e+2")
)
NUMBERS = st.from_regex(r"[+-]?([0-9]{1,12}(\.[0-9]{0,6})?|\.[0-9]{1,6})", fullmatch=True)
TEXTS = st.builds("{}{}".format, NUMBERS, SUFFIXES).filter(lambda text: abs(quantities.parse(text)) < 10**21)
"""Kubernetes has no suffix for more, and writes such amounts wrongly."""


@given(TEXTS)
def test_the_canonical_form_is_the_same_amount(text: str) -> None:
    assert quantities.parse(quantities.canonical(text)) == quantities.parse(text)


@given(TEXTS)
def test_the_canonical_form_is_canonical(text: str) -> None:
    form = quantities.canonical(text)
    assert quantities.canonical(form) == form


@given(TEXTS)
def test_printing_and_reading_agree(text: str) -> None:
    quantity = quantities.read(text)
    assert quantities.read(str(quantity)).value == quantity.value


@given(st.text(max_size=12))
def test_any_text_is_a_quantity_or_a_plain_error(text: str) -> None:
    with suppress(quantities.MalformedQuantity):
        assert isinstance(quantities.parse(text), Decimal)
