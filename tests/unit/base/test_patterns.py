"""Patterns that are compiled at their first use."""

from __future__ import annotations

import re

import pytest

from ork.base.patterns import pattern


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    word = pattern(r"(\w+)-(?P<n>\d+)", re.IGNORECASE)
    found = word.fullmatch("Abc-12")
    assert found is not None
    assert (found[1], found["n"]) == ("Abc", "12")
    assert word.fullmatch("Abc") is None
    assert word.sub("x", "a-1 b-2") == "x x"
    assert word.groups == 2


def test_a_faulty_text_is_told_at_the_first_use() -> None:
    faulty = pattern("(")
    with pytest.raises(re.error):
        faulty.match("")
