"""Time as something that is handed in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where the time comes from. Every clock gives an aware datetime in UTC."""

    def now(self) -> datetime:
        """Return the present moment in UTC."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the present moment in UTC."""
        return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """Return `2026-01-05T10:00:00Z`, the form of every Kubernetes timestamp of whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
