"""How places in files are written, and secrets kept out of texts."""

from __future__ import annotations

from ork.base.findings import Span
from ork.base.requests import redact


def test_a_span_is_written_as_its_start() -> None:
    assert str(Span("katalog.yaml", 12, 9, 12, 20)) == "katalog.yaml:12:9"


def test_secrets_are_blotted_out_the_longest_first() -> None:
    assert redact("token abcdef and abc", ("abc", "abcdef", "")) == "token ••• and •••"
    assert redact("nothing to hide", ()) == "nothing to hide"
