"""Cron schedules as Kubernetes takes them: five fields, or a descriptor such as `@daily`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

from ork.base import durations
from ork.base.patterns import pattern
from ork.openapi.causes import Cause, invalid, quoted

_MONTHS = dict(zip(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), count(1)))
_DAYS = dict(zip(("sun", "mon", "tue", "wed", "thu", "fri", "sat"), count()))
_FIELDS: tuple[tuple[int, int, dict[str, int]], ...] = (
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, _MONTHS),
    (0, 6, _DAYS),
)
_DESCRIPTORS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_ZONE_PART = pattern(r"[A-Za-z0-9._+-]+")


def fault(schedule: str) -> str:
    """Return what is wrong with a schedule, empty where nothing is."""
    text = schedule
    if text.startswith(("TZ=", "CRON_TZ=")):
        _, _, text = text.partition(" ")
    try:
        _parse(text.strip())
    except ValueError as error:
        return str(error)
    return ""


def _parse(text: str) -> None:
    if not text:
        raise ValueError("empty spec string")
    if text.startswith("@every "):
        durations.parse(text.removeprefix("@every "))
    elif text.startswith("@"):
        if text not in _DESCRIPTORS:
            raise ValueError(f"unrecognized descriptor: {text}")
    else:
        fields = text.split()
        if len(fields) != len(_FIELDS):
            raise ValueError(f"expected exactly 5 fields, found {len(fields)}: [{' '.join(fields)}]")
        for field, (lowest, highest, names) in zip(fields, _FIELDS, strict=True):
            for part in field.split(","):
                _range(part, lowest, highest, names)


def _range(text: str, lowest: int, highest: int, names: dict[str, int]) -> None:
    span, *steps = text.split("/")
    first, *last = span.split("-")
    if first in ("*", "?"):
        start, end = lowest, highest
    else:
        if len(last) > 1:
            raise ValueError(f"too many hyphens: {text}")
        start = _number(first, names)
        end = _number(last[0], names) if last else start
    if len(steps) > 1:
        raise ValueError(f"too many slashes: {text}")
    step = _number(steps[0], {}) if steps else 1
    if steps and not last:
        end = highest
    if start < lowest:
        raise ValueError(f"beginning of range ({start}) below minimum ({lowest}): {text}")
    if end > highest:
        raise ValueError(f"end of range ({end}) above maximum ({highest}): {text}")
    if start > end:
        raise ValueError(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise ValueError(f"step of range should be a positive number: {text}")


def _number(text: str, names: dict[str, int]) -> int:
    if text.lower() in names:
        return names[text.lower()]
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise ValueError(f"failed to parse int from {text}: strconv.Atoi: parsing {quoted(text)}: invalid syntax")
    if text.startswith("-"):
        raise ValueError(f"negative number ({int(text)}) not allowed: {text}")
    return int(text)


def schedule(value: Any, path: str) -> Iterator[Cause]:
    """Want a schedule without a time zone in it."""
    if not value:
        return
    if text := fault(value):
        yield invalid(path, value, text)
    if "TZ" in value:
        yield invalid(path, value, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")


def time_zone(value: Any, path: str) -> Iterator[Cause]:
    """Want the name of a time zone, as far as this machine knows any."""
    if value == "":
        yield invalid(path, value, "timeZone must be nil or non-empty string")
    elif value.lower() == "local":
        text = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"
        yield invalid(path, value, text)
    elif not all(map(_ZONE_PART.fullmatch, value.split("/"))) or _is_unknown(value):
        yield invalid(path, value, f"unknown time zone {value}")


def _is_unknown(zone: str) -> bool:
    from zoneinfo import ZoneInfo, available_timezones

    try:
        ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        return bool(available_timezones())
    return False
