"""Durations as Go writes them, and the longer units of `ork`'s own fields."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ork.base import durations


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("0", 0.0), ("0s", 0.0), ("5s", 5.0), ("1m30s", 90.0), ("1h", 3600.0), ("1h1m1s", 3661.0), ("1.5h", 5400.0)),
        *(("500ms", 0.5), ("1us", 1e-6), ("1µs", 1e-6), ("1μs", 1e-6), ("1000ns", 1e-6), (".5s", 0.5), ("1.s", 1.0)),
        *(("-5s", -5.0), ("+5s", 5.0), ("-0", 0.0), ("1s1s", 2.0), ("1s1m", 61.0)),
    ],
)
def test_a_duration_is_a_sum_of_numbers_with_units(text: str, seconds: float) -> None:
    assert durations.parse(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    ["", "+", "-", "5", "s", "5 s", "5S", "5s ", " 5s", "1m30", "1h-5m", "5d", "1.5.5s", ".s", "٣s", "1e3s", "5s\n"],
)
def test_what_is_no_duration_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match=r'is not a duration; write .* such as "30s", "5m" or "1h30m"'):
        durations.parse(text)


def test_days_weeks_and_years_are_for_fields_that_take_them() -> None:
    assert durations.parse("1d", long_units=True) == timedelta(days=1)
    assert durations.parse("2w", long_units=True) == timedelta(days=14)
    assert durations.parse("1y12h", long_units=True) == timedelta(days=365, hours=12)
    with pytest.raises(ValueError, match="is not a duration"):
        durations.parse("1y")


@pytest.mark.parametrize("text", ["9999999999h", "2562048h", "400y"])
def test_a_duration_ends_where_go_ends(text: str) -> None:
    with pytest.raises(ValueError, match="too long; the longest is about 292 years"):
        durations.parse(text, long_units=True)


@pytest.mark.parametrize(
    "text",
    ["0s", "5s", "1m30s", "1h0m0s", "2h0m5s", "500ms", "1.5s", "1µs", "999µs", "1.5ms", "-5s", "-1m0.25s", "24h0m0s"],
)
def test_a_duration_is_written_as_go_writes_it(text: str) -> None:
    assert durations.text(durations.parse(text)) == text
