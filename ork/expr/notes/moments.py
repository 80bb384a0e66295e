"""Timestamps and zones as notes read them, and Go's layouts for writing them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from ork.base import durations
from ork.base.patterns import pattern
from ork.expr.compare import shown
from ork.expr.notes.note import missing, text

_STAMP = pattern(r"\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?)?", re.ASCII)
_CLOCK_TIME = pattern(r"([01]?\d|2[0-4]):([0-5]\d)", re.ASCII)

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def moment(value: Any) -> datetime | None:
    """Return the moment of an RFC 3339 timestamp or a date (its midnight, UTC); None for nothing. Raises ValueError."""
    if missing(value):
        return None
    try:
        if _STAMP.fullmatch(text(value)):
            found = datetime.fromisoformat(text(value).upper())
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError(f'{shown(value)} is not a timestamp; write it as "2026-01-31T09:00:00Z" or "2026-01-31"')


def length(value: Any) -> timedelta:
    """Return a duration (`1h30m`, `30d`); nothing is none. Raises ValueError."""
    return timedelta() if missing(value) else durations.parse(text(value).strip(), long_units=True)


def zone(name: Any) -> tzinfo:
    """Return the time zone of that IANA name; nothing is UTC. Raises ValueError."""
    if missing(name) or text(name) == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(text(name))
    except (OSError, ValueError, LookupError):
        raise ValueError(f'{shown(name)} is not a time zone; write it as "Europe/Berlin"') from None


def minutes(value: Any) -> int:
    """Return the minutes since midnight of a clock time, `09:00` to `24:00`. Raises ValueError."""
    found = _CLOCK_TIME.fullmatch(text(value).strip())
    total = int(found[1]) * 60 + int(found[2]) if found else _MIDNIGHT + 1
    if total > _MIDNIGHT:
        raise ValueError(f'{shown(value)} is not a time of day; write it as "09:00"')
    return total


_MIDNIGHT = 24 * 60


def days(value: Any) -> frozenset[int]:
    """Return the weekdays of `Mon-Fri` or `Sat,Sun`; Monday is 0. Raises ValueError."""
    found: set[int] = set()
    for part in text(value).split(","):
        first, _, last = part.partition("-")
        start, end = _day(first), _day(last or first)
        found.update((start + offset) % 7 for offset in range((end - start) % 7 + 1))
    return frozenset(found)


def _day(word: str) -> int:
    name = word.strip().lower()
    for index, day in enumerate(DAYS):
        if len(name) >= 3 and day.lower().startswith(name):
            return index
    raise ValueError(f'{shown(word)} is not a day; write days as "Mon-Fri" or "Sat,Sun"')


# ── Go's layouts ────────────────────────────────────────────────────────────────────────────────
_PIECES = pattern(
    r"January|Jan|Monday|Mon|MST|2006|[.,]0+(?!\d)|[.,]9+(?!\d)|Z07:00|Z0700|-07:00|-0700|-07|002|01|02|03|04|05|06|15|PM|pm|__2|_2|1|2|3|4|5"
)


def write(value: datetime, layout: str) -> str:
    """Return a moment in a layout of Go's package `time`: `Jan 2, 2006 15:04 MST`."""
    return _PIECES.sub(lambda piece: _piece(value, piece[0]), layout)


def _piece(value: datetime, piece: str) -> str:
    if piece[0] in ".," and piece[1] in "09":
        return _fraction(value, piece)
    if piece.endswith(("07:00", "0700", "-07")):
        return _offset(value, piece)
    return {
        "January": _MONTHS[value.month - 1], "Jan": _MONTHS[value.month - 1][:3],
        "Monday": DAYS[value.weekday()], "Mon": DAYS[value.weekday()][:3], "MST": value.tzname() or "UTC",
        "2006": f"{value.year:04}", "06": f"{value.year % 100:02}", "01": f"{value.month:02}", "1": str(value.month),
        "02": f"{value.day:02}", "2": str(value.day), "_2": f"{value.day:2}",
        "002": f"{value.timetuple().tm_yday:03}", "__2": f"{value.timetuple().tm_yday:3}",
        "15": f"{value.hour:02}", "03": f"{(value.hour + 11) % 12 + 1:02}", "3": str((value.hour + 11) % 12 + 1),
        "04": f"{value.minute:02}", "4": str(value.minute), "05": f"{value.second:02}", "5": str(value.second),
        "PM": "AM" if value.hour < 12 else "PM", "pm": "am" if value.hour < 12 else "pm",
    }[piece]  # fmt: skip


def _fraction(value: datetime, piece: str) -> str:
    digits = f"{value.microsecond:06}".ljust(9, "0")[: len(piece) - 1]
    if piece[1] == "0":
        return piece[0] + digits
    return piece[0] + shortest if (shortest := digits.rstrip("0")) else ""


def _offset(value: datetime, piece: str) -> str:
    offset = value.utcoffset() or timedelta()
    if piece[0] == "Z" and not offset:
        return "Z"
    hours, rest = divmod(abs(offset) // timedelta(minutes=1), 60)
    sign = "-" if offset < timedelta() else "+"
    if piece == "-07":
        return f"{sign}{hours:02}"
    return f"{sign}{hours:02}{':' if ':' in piece else ''}{rest:02}"
