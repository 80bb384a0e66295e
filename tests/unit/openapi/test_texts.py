"""Texts that Kubernetes keeps in one form: times and base64. Malformed ones are refused in Go's words."""

from __future__ import annotations

import pytest

from ork.openapi.builtin import texts


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00Z"),
        ("2026-01-05T10:00:00.999Z", "2026-01-05T10:00:00Z"),
        ("2026-01-05T10:00:00+02:00", "2026-01-05T08:00:00Z"),
        ("2026-01-05T23:30:00-01:00", "2026-01-06T00:30:00Z"),
    ],
)
def test_times_are_kept_in_utc_and_whole_seconds(sent: str, kept: str) -> None:
    assert texts.seconds(sent) == kept


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ("now", 'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"'),
        ("2026-01-05", 'parsing time "2026-01-05" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'),
        (
            "2026-01-05T10:00:00",
            'parsing time "2026-01-05T10:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
        ),
        ("2026-01-05T10:00:00Zz", 'parsing time "2026-01-05T10:00:00Zz": extra text: "z"'),
    ],
)
def test_what_is_no_time_is_refused(sent: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        texts.seconds(sent)
    assert str(caught.value) == message


def test_fine_times_keep_their_microseconds() -> None:
    assert texts.micros("2026-01-05T10:00:00.123456Z") == "2026-01-05T10:00:00.123456Z"
    assert texts.micros("2026-01-05T10:00:00.123456+01:00") == "2026-01-05T09:00:00.123456Z"
    with pytest.raises(ValueError, match=r'cannot parse "Z" as "\.000000"'):
        texts.micros("2026-01-05T10:00:00Z")


@pytest.mark.parametrize(
    ("sent", "kept"), [("dg==", "dg=="), ("", ""), ("d\ng\r\n==", "dg=="), ("aGVsbG8=", "aGVsbG8=")]
)
def test_base64_is_kept_without_line_ends(sent: str, kept: str) -> None:
    assert texts.base64_text(sent) == kept


@pytest.mark.parametrize(("sent", "place"), [("d*==", 1), ("dg=", 2), ("dg", 0), ("abcde", 4), ("é", 0)])
def test_what_is_no_base64_is_refused_at_its_place(sent: str, place: int) -> None:
    with pytest.raises(ValueError, match=f"illegal base64 data at input byte {place}"):
        texts.base64_text(sent)
