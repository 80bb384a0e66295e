"""Virtual time: cycles follow each other by the resync interval, and what sleeps inside a turn costs no real time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 10, 0, tzinfo=UTC)
"""A Monday morning: when a simulation begins that does not say `at`."""


class VirtualClock:
    """The clock of one simulation: sleeping moves it until the turn ends, cycles and `advance` move it for good."""

    def __init__(self, start: datetime = START) -> None:
        self._base, self._slept = start, timedelta()

    def now(self) -> datetime:
        """Return the moment, in UTC."""
        return self._base + self._slept

    def advance(self, by: timedelta) -> None:
        """Let time pass between turns."""
        self._base += by

    def begin_turn(self) -> None:
        """Forget what the turn before slept: turns of a cycle run side by side in a real operator."""
        self._slept = timedelta()

    async def sleep(self, length: timedelta) -> None:
        """Pass the time inside a turn."""
        self._slept += length
