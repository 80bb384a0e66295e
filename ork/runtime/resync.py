"""Resync ticks, spread over their interval so that ten thousand CRs are not looked at in one moment."""

from __future__ import annotations

from zlib import crc32

from ork.base.objects import Ref

LONGEST_SLOT = 0.5
"""Seconds between two slices of an interval, at most."""


class Resync:
    """Cuts an interval of `seconds` into slots; every CR belongs to one, by its name, the same in every process."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        slots = max(1, min(1000, round(seconds / LONGEST_SLOT)))
        self.pause = seconds / slots
        """Seconds from one slot to the next."""
        self._slots: list[dict[Ref, None]] = [{} for _ in range(slots)]
        self._next = 0

    def every(self, seconds: float) -> Resync:
        """Return what looks at the same CRs in another interval."""
        if seconds == self.seconds:
            return self
        other = Resync(seconds)
        for slot in self._slots:
            for ref in slot:
                other.add(ref)
        return other

    def add(self, ref: Ref) -> None:
        """Let a CR take part."""
        self._slot(ref)[ref] = None

    def remove(self, ref: Ref) -> None:
        """Let a CR take part no more."""
        self._slot(ref).pop(ref, None)

    def due(self) -> list[Ref]:
        """Return the CRs of the slot that falls due, and go on to the next one."""
        slot = self._slots[self._next]
        self._next = (self._next + 1) % len(self._slots)
        return list(slot)

    def _slot(self, ref: Ref) -> dict[Ref, None]:
        return self._slots[crc32(f"{ref.namespace}/{ref.name}".encode()) % len(self._slots)]
