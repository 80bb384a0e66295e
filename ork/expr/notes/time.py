"""Notes on time. They read one clock, which is injected: `ork simulate --at` sets it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from ork.base import durations
from ork.base.clock import rfc3339
from ork.expr.env import Env
from ork.expr.notes import moments
from ork.expr.notes.note import CLOCK, Example, missing, note, text

_UNITS = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))


def _now(env: Env) -> str:
    return rfc3339(env.now)


def _seconds(length: timedelta) -> int:
    return length // timedelta(seconds=1)


def _since(env: Env, stamp: Any) -> int:
    found = moments.moment(stamp)
    return _seconds(env.now - found) if found else 0


def _ago(env: Env, stamp: Any) -> str:
    found = moments.moment(stamp)
    if found is None:
        return ""
    passed = _seconds(abs(env.now - found))
    size, unit = next((each for each in _UNITS if passed >= each[0]), _UNITS[-1])
    return f"{passed // size}{unit} ago" if found <= env.now else f"in {passed // size}{unit}"


def _until(env: Env, stamp: Any) -> str:
    found = moments.moment(stamp)
    left = found - env.now if found else timedelta()
    return durations.text(max(left, timedelta()))


def _is_expired(env: Env, stamp: Any, length: Any = None) -> bool:
    found, lasts = moments.moment(stamp), moments.length(length)
    return found is not None and env.now - found >= lasts


def _format(stamp: Any, layout: Any, zone: Any = None) -> str:
    found = moments.moment(stamp)
    return moments.write(found.astimezone(moments.zone(zone)), text(layout)) if found else ""


def _time_add(stamp: Any, length: Any) -> str:
    found = moments.moment(stamp)
    return rfc3339(found + moments.length(length)) if found else ""


def _duration_add(left: Any, right: Any) -> str:
    return durations.text(moments.length(left) + moments.length(right))


def _duration_valid(value: Any) -> bool:
    try:
        moments.length(value)
    except ValueError:
        return False
    return not missing(value)


def _local(env: Env, zone: Any) -> datetime:
    return env.now.astimezone(moments.zone(zone))


def _weekday(env: Env, zone: Any = None) -> bool:
    return _local(env, zone).weekday() < 5


def _in_window(env: Env, start: Any, end: Any, zone: Any = None) -> bool:
    local = _local(env, zone)
    now, first, last = local.hour * 60 + local.minute, moments.minutes(start), moments.minutes(end)
    return first <= now < last if first <= last else now >= first or now < last


def _in_business_hours(
    env: Env, start: Any = "09:00", end: Any = "17:00", zone: Any = "UTC", days: Any = "Mon-Fri"
) -> bool:
    return _local(env, zone).weekday() in moments.days(days) and _in_window(env, start, end, zone)


NOTES = (
    note(
        "now",
        _now,
        "The moment of this turn, in UTC.",
        Example("{{ now }}", {}, "2026-01-05T10:00:00Z"),
        mark=CLOCK,
    ),
    note(
        "timeAgo TIMESTAMP",
        _ago,
        "How long ago that was, for people.",
        Example("{{ timeAgo .status.lastSync }}", {"status": {"lastSync": "2026-01-05T07:10:00Z"}}, "2h ago"),
        mark=CLOCK,
    ),
    note(
        "timeSince TIMESTAMP",
        _since,
        "The whole seconds that have passed since.",
        Example("{{ timeSince .status.lastSync }}", {"status": {"lastSync": "2026-01-05T09:58:30Z"}}, 90),
        mark=CLOCK,
    ),
    note(
        "timeUntil TIMESTAMP",
        _until,
        "The duration until then; `0s` once it has passed.",
        Example("{{ timeUntil .status.certExpiry }}", {"status": {"certExpiry": "2026-01-05T11:30:00Z"}}, "1h30m0s"),
        mark=CLOCK,
    ),
    note(
        "isExpired TIMESTAMP [DURATION]",
        _is_expired,
        "Whether the timestamp, plus the duration, has passed.",
        Example('{{ isExpired .status.rotated "30d" }}', {"status": {"rotated": "2025-12-01T00:00:00Z"}}, True),
        mark=CLOCK,
    ),
    note(
        "timeFormat TIMESTAMP LAYOUT [ZONE]",
        _format,
        "The timestamp in a layout of Go's: the one in which 2006-01-02 15:04:05 is written as wanted.",
        Example(
            '{{ timeFormat .metadata.creationTimestamp "Jan 2, 2006" }}',
            {"metadata": {"creationTimestamp": "2026-04-13T08:00:00Z"}},
            "Apr 13, 2026",
        ),
    ),
    note(
        "timeAdd TIMESTAMP DURATION",
        _time_add,
        "The timestamp that much later.",
        Example('{{ timeAdd now "36h" }}', {}, "2026-01-06T22:00:00Z"),
    ),
    note(
        "durationAdd A B",
        _duration_add,
        "The sum of two durations.",
        Example('{{ durationAdd .spec.window "30s" }}', {"spec": {"window": "5m"}}, "5m30s"),
        in_order=True,
    ),
    note(
        "durationSeconds DURATION",
        lambda value: _seconds(moments.length(value)),
        "The whole seconds of a duration; days (`d`), weeks and years are units too.",
        Example("{{ durationSeconds .spec.interval }}", {"spec": {"interval": "7d"}}, 604800),
    ),
    note(
        "durationValid TEXT",
        _duration_valid,
        "Whether the text is a duration.",
        Example("{{ durationValid .spec.interval }}", {"spec": {"interval": "soon"}}, False),
    ),
    note(
        "weekday [ZONE]",
        _weekday,
        "Whether it is Monday to Friday, in UTC or that zone.",
        Example("{{ weekday }}", {}, True),
        mark=CLOCK,
    ),
    note(
        "weekend [ZONE]",
        lambda env, zone=None: not _weekday(env, zone),
        "Whether it is Saturday or Sunday, in UTC or that zone.",
        Example("{{ weekend }}", {}, False),
        mark=CLOCK,
    ),
    note(
        "timeInWindow FROM TO [ZONE]",
        _in_window,
        "Whether the time of day is FROM or later and before TO, in UTC or that zone; a window may cross midnight.",
        Example('{{ timeInWindow "09:00" "18:00" }}', {}, True),
        mark=CLOCK,
    ),
    note(
        "timeNotInWindow FROM TO [ZONE]",
        lambda env, *window: not _in_window(env, *window),
        "Whether the time of day is outside the window.",
        Example('{{ timeNotInWindow "22:00" "06:00" "Europe/Berlin" }}', {}, True),
        mark=CLOCK,
    ),
    note(
        "inBusinessHours [FROM] [TO] [ZONE] [DAYS]",
        _in_business_hours,
        "Whether it is Monday to Friday, 09:00 or later and before 17:00, in UTC; each of these can be given.",
        Example('{{ inBusinessHours "08:00" "20:00" "Europe/Berlin" "Mon-Sat" }}', {}, True),
        mark=CLOCK,
    ),
)
