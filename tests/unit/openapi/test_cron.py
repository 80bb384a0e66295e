"""Cron schedules and time zones, as Kubernetes takes them."""

from __future__ import annotations

import pytest

from ork.openapi.builtin import cron


@pytest.mark.parametrize(
    "text",
    [
        *("* * * * *", "*/5 * * * *", "0 0 1 1 0", "59 23 31 12 6", "1,2,3 * * * *", "1-5/2 * * * *", "? * * * ?"),
        *("0 0 * jan sun", "0 0 * JAN-MAR MON-FRI", "5/15 * * * *", "@daily", "@every 1h30m", "TZ=UTC 0 0 * * *"),
    ],
)
def test_these_are_schedules(text: str) -> None:
    assert cron.fault(text) == ""


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty spec string"),
        ("odd", "expected exactly 5 fields, found 1: [odd]"),
        ("* * * * * *", "expected exactly 5 fields, found 6: [* * * * * *]"),
        ("@sometimes", "unrecognized descriptor: @sometimes"),
        ("60 * * * *", "end of range (60) above maximum (59): 60"),
        ("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
        ("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
        ("*/0 * * * *", "step of range should be a positive number: */0"),
        ("1-2-3 * * * *", "too many hyphens: 1-2-3"),
        ("1/2/3 * * * *", "too many slashes: 1/2/3"),
        ("a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'),
        ("* * * * 7", "end of range (7) above maximum (6): 7"),
    ],
)
def test_what_is_wrong_with_a_schedule_is_said(text: str, fault: str) -> None:
    assert cron.fault(text) == fault


def test_a_time_zone_stands_in_a_field_of_its_own() -> None:
    (found,) = cron.schedule("TZ=UTC 0 0 * * *", "spec.schedule")
    assert found.message.endswith("cannot use TZ or CRON_TZ in schedule, use timeZone field instead")


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Etc/GMT+5"])
def test_these_are_time_zones(zone: str) -> None:
    assert list(cron.time_zone(zone, "spec.timeZone")) == []


@pytest.mark.parametrize("zone", ["", "Local", "local", "Europe/Atlantis", "../etc", "/UTC", "Europe Berlin"])
def test_these_are_none(zone: str) -> None:
    assert len(list(cron.time_zone(zone, "spec.timeZone"))) == 1
