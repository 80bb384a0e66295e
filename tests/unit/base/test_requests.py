"""What counts as a secret of a call, wherever it is warned of or blotted out. Retry-After is tested with the calls."""

from __future__ import annotations

import pytest

from ork.base.requests import names_secret, redact


@pytest.mark.parametrize(
    ("header", "secret"),
    [
        ("Authorization", True),
        ("proxy-authorization", True),
        ("X-Api-Key", True),
        ("X-Access-Key", True),
        ("Private-Token", True),
        ("Cookie", True),
        ("Idempotency-Key", False),
        ("Accept", False),
        ("Content-Type", False),
    ],
)
def test_a_header_is_known_for_a_credential_by_its_name(header: str, secret: bool) -> None:
    assert names_secret(header) is secret


def test_the_longest_secret_is_blotted_out_first() -> None:
    assert redact("token abcd, then ab", ["ab", "abcd", ""]) == "token •••, then •••"
