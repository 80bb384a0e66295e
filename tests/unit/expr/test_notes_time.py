"""Notes on time and cron, at their edges; `test_notes.py` runs their examples."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.expr.env import Env
from ork.expr.notes import CATALOGUE


def at(moment: str, name: str, *args: Any) -> Any:
    """A note's answer at that moment."""
    function = CATALOGUE[name].function
    env = Env(datetime.fromisoformat(moment).replace(tzinfo=UTC))
    return function.call(env, *args) if function.needs_env else function.call(*args)


MONDAY = "2026-01-05T10:00:00"


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        ("2026-01-05T08:59:59", False),
        ("2026-01-05T09:00:00", True),
        ("2026-01-05T16:59:59", True),
        ("2026-01-05T17:00:00", False),
        ("2026-01-09T12:00:00", True),
        ("2026-01-10T12:00:00", False),
        ("2026-01-11T12:00:00", False),
    ],
)
def test_business_hours_are_monday_to_friday_nine_to_five_utc(moment: str, inside: bool) -> None:
    assert at(moment, "inBusinessHours") is inside


@pytest.mark.parametrize(
    ("moment", "args", "inside"),
    [
        ("2026-01-05T07:30:00", ("08:00", "18:00", "Europe/Berlin"), True),
        ("2026-07-06T06:30:00", ("08:00", "18:00", "Europe/Berlin"), True),
        ("2026-01-05T06:30:00", ("08:00", "18:00", "Europe/Berlin"), False),
        ("2026-01-10T12:00:00", ("09:00", "17:00", "UTC", "Mon-Sat"), True),
        ("2026-01-11T12:00:00", ("09:00", "17:00", "UTC", "sat,sun"), True),
        ("2026-01-11T12:00:00", ("09:00", "17:00", "UTC", "Fri-Mon"), True),
        ("2026-01-07T12:00:00", ("09:00", "17:00", "UTC", "Fri-Mon"), False),
        ("2026-01-05T08:00:00", ("07:00",), True),
    ],
)
def test_business_hours_can_be_given(moment: str, args: tuple[str, ...], inside: bool) -> None:
    assert at(moment, "inBusinessHours", *args) is inside


@pytest.mark.parametrize(
    ("moment", "window", "inside"),
    [
        ("2026-01-05T22:00:00", ("22:00", "06:00"), True),
        ("2026-01-05T05:59:00", ("22:00", "06:00"), True),
        ("2026-01-05T06:00:00", ("22:00", "06:00"), False),
        ("2026-01-05T23:59:59", ("18:00", "24:00"), True),
        ("2026-01-05T00:00:00", ("00:00", "24:00"), True),
        ("2026-01-05T09:00:00", ("9:00", "9:00"), False),
        ("2026-01-05T12:00:00", ("20:00", "22:00", "Asia/Tokyo"), True),
    ],
)
def test_a_window_begins_at_its_start_ends_before_its_end_and_may_cross_midnight(
    moment: str, window: tuple[str, ...], inside: bool
) -> None:
    assert at(moment, "timeInWindow", *window) is inside
    assert at(moment, "timeNotInWindow", *window) is not inside


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("now", (), "2026-01-05T10:00:00Z"),
        ("timeAgo", ("2026-01-05T09:59:55Z",), "5s ago"),
        ("timeAgo", ("2026-01-03T09:00:00Z",), "2d ago"),
        ("timeAgo", ("2026-01-05T10:05:00Z",), "in 5m"),
        ("timeAgo", ("2026-01-05T10:00:00Z",), "0s ago"),
        ("timeAgo", (None,), ""),
        ("timeSince", ("2026-01-05",), 36000),
        ("timeSince", ("2026-01-05T09:59:59.5Z",), 0),
        ("timeSince", ("2026-01-05T11:00:00+02:00",), 3600),
        ("timeSince", ("2026-01-05T09:00:00.123456789Z",), 3599),
        ("timeSince", ("2026-01-05T11:00:00Z",), -3600),
        ("timeSince", (None,), 0),
        ("timeUntil", ("2026-01-05T09:00:00Z",), "0s"),
        ("timeUntil", (None,), "0s"),
        ("isExpired", ("2026-01-05T10:00:00Z",), True),
        ("isExpired", ("2026-01-05T10:00:01Z",), False),
        ("isExpired", ("2026-01-05T09:00:00Z", "1h"), True),
        ("isExpired", ("2026-01-05T09:00:00Z", "61m"), False),
        ("isExpired", (None, "1h"), False),
        ("timeAdd", ("2026-01-31T12:00:00Z", "1d"), "2026-02-01T12:00:00Z"),
        ("timeAdd", (None, "1d"), ""),
        ("durationAdd", ("1h", "-30m"), "30m0s"),
        ("durationAdd", (None, "500ms"), "500ms"),
        ("durationSeconds", ("1h30m",), 5400),
        ("durationSeconds", (None,), 0),
        ("durationValid", ("1y2w",), True),
        ("durationValid", (None,), False),
        ("weekday", ("Pacific/Auckland",), True),
        ("weekend", (), False),
    ],
)  # fmt: skip
def test_a_time_note_gives(name: str, args: tuple[Any, ...], result: Any) -> None:
    assert at(MONDAY, name, *args) == result


def test_the_day_is_that_of_the_zone() -> None:
    assert at("2026-01-04T20:00:00", "weekday") is False
    assert at("2026-01-04T20:00:00", "weekday", "Pacific/Auckland") is True


@pytest.mark.parametrize(
    ("layout", "written"),
    [
        ("2006-01-02", "2026-04-03"),
        ("2006-01-02T15:04:05Z07:00", "2026-04-03T08:05:09Z"),
        ("2006-01-02T15:04:05.000Z", "2026-04-03T08:05:09.120Z"),
        ("2006-01-02T15:04:05.999999999Z", "2026-04-03T08:05:09.12Z"),
        ("Mon, 02 Jan 2006 15:04:05 MST", "Fri, 03 Apr 2026 08:05:09 UTC"),
        ("Monday January _2 3:04PM", "Friday April  3 8:05AM"),
        ("Jan 2, 06 at 03h04 pm", "Apr 3, 26 at 08h05 am"),
        ("-0700 -07:00 -07 002", "+0000 +00:00 +00 093"),
        ("1/2 15:4:5", "4/3 08:5:9"),
    ],
)
def test_a_time_is_written_in_a_layout_of_go(layout: str, written: str) -> None:
    assert at(MONDAY, "timeFormat", "2026-04-03T08:05:09.12Z", layout) == written


def test_a_time_can_be_written_in_a_zone() -> None:
    layout = "2006-01-02 15:04 -0700 MST"
    assert at(MONDAY, "timeFormat", "2026-07-03T20:00:00Z", layout, "Asia/Kolkata") == "2026-07-04 01:30 +0530 IST"


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("timeSince", ("yesterday",), '"yesterday" is not a timestamp'),
        ("timeSince", ("2026-02-30T00:00:00Z",), "is not a timestamp"),
        ("timeSince", ("2026-W01-1",), "is not a timestamp"),
        ("isExpired", ("2026-01-05T10:00:00Z", "soon"), '"soon" is not a duration'),
        ("durationSeconds", ("5",), '"5" is not a duration'),
        ("timeInWindow", ("9", "17:00"), '"9" is not a time of day'),
        ("timeInWindow", ("09:00", "24:30"), '"24:30" is not a time of day'),
        ("weekday", ("Mars/Base",), '"Mars/Base" is not a time zone'),
        ("weekday", ("../etc/passwd",), "is not a time zone"),
        ("inBusinessHours", ("09:00", "17:00", "UTC", "Mon-Fry"), '"Fry" is not a day'),
        ("timeAdd", ("9999-12-31T23:00:00Z", "48h"), "out of range"),
        ("nextCron", ("* * *",), '"* * *" is not a cron expression; write five fields'),
        ("nextCron", ("61 * * * *",), '"61 * * * *" is not a cron expression: bad minute'),
        ("cronField", ("* * * * *", 5), "fields 0 to 4, not 5"),
        ("cronFromMap", ("* * * * *",), "is not a map"),
    ],
)
def test_nonsense_is_an_error_that_says_what_it_is(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises((ValueError, OverflowError)) as caught:
        at(MONDAY, name, *args)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("nextCron", ("0 9 * * 1",), "2026-01-12T09:00:00Z"),
        ("nextCron", ("*/15 * * * *",), "2026-01-05T10:15:00Z"),
        ("nextCron", ("0 10 * * *",), "2026-01-06T10:00:00Z"),
        ("nextCron", ("@monthly",), "2026-02-01T00:00:00Z"),
        ("nextCron", ("0 9 * * *", "America/New_York"), "2026-01-05T14:00:00Z"),
        ("nextCron", ("0 0 ? * MON",), "2026-01-12T00:00:00Z"),
        ("nextCron", (None,), ""),
        ("cronValid", ("@daily",), True),
        ("cronValid", ("0 9 * * 1-5",), True),
        ("cronValid", ("0 0 30 2 *",), False),
        ("cronValid", ("0 0 0 9 * * 1",), False),
        ("cronValid", (None,), False),
        ("cronNormalize", ("  5  4 * *  sun ",), "5 4 * * sun"),
        ("cronNormalize", (None,), ""),
        ("cronFromMap", ({"hour": 4},), "* 4 * * *"),
        ("cronFromMap", (None,), ""),
        ("cronToMap", (None,), {}),
        ("cronDescribe", ("@hourly",), "At the start of every hour"),
    ],
)  # fmt: skip
def test_a_cron_note_gives(name: str, args: tuple[Any, ...], result: Any) -> None:
    assert at(MONDAY, name, *args) == result
