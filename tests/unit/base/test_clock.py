"""Moments in UTC, and how Kubernetes writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from ork.base.clock import SystemClock, rfc3339


def test_the_machine_tells_the_time_in_utc() -> None:
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


def test_a_moment_is_written_in_utc_and_whole_seconds() -> None:
    assert rfc3339(datetime(2026, 1, 5, 10, 0, 0, 999_999, UTC)) == "2026-01-05T10:00:00Z"
    there = timezone(timedelta(hours=2))
    assert rfc3339(datetime(2026, 1, 5, 1, 0, tzinfo=there)) == "2026-01-04T23:00:00Z"
