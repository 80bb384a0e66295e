"""Help for messages: the word that was meant, and texts that fit."""

from __future__ import annotations

import pytest

from ork.base import text

KNOWN = ("enabled", "replicas", "image", "onCreate")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("enabeld", "enabled"),
        ("replica", "replicas"),
        ("Image", "image"),
        ("oncreate", "onCreate"),
        ("xyz", None),
        ("", None),
    ],
)
def test_a_word_is_compared_with_the_known_ones(word: str, meant: str | None) -> None:
    assert text.closest(word, KNOWN) == meant


def test_a_question_is_asked_only_where_something_is_near() -> None:
    assert text.did_you_mean("enabeld", KNOWN) == 'did you mean "enabled"?'
    assert text.did_you_mean("xyz", KNOWN) == ""
    assert text.did_you_mean("a", ()) == ""
    assert text.did_you_mean("enabeld", iter(KNOWN)) == 'did you mean "enabled"?'


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert text.cut("abcdef", 6) == "abcdef"
    assert text.cut("abcdefg", 6) == "abcde…"
    assert len(text.cut("x" * 1000)) == 256
