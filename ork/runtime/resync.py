"""Resync ticks, spread over their interval so that ten thousand CRs are not looked at in one moment."""

from __future__ import annotations

from zlib import crc32

from ork.base.objects import Ref
from ork.base.records import NamedTuple

LONGEST_SLOT = 0.5
"""Seconds between two slices of an interval, at most."""


class Due(NamedTuple):
    """The CRs whose resync has come."""

    refs: list[Ref]
    resting: int
    """How many more there are of which it is known that nothing has changed."""


class _Slot(NamedTuple):
    awake: dict[Ref, None]
    resting: dict[Ref, None]


class Resync:
    """Cuts an interval of `seconds` into slots; every CR belongs to one, by its name, the same in every process.

    CRs that rest are counted and not looked at: to read ten thousand of them twice a minute, from memory that was idle
    since, costs more than anything else that an operator does which has nothing to do.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        slots = max(1, min(1000, round(seconds / LONGEST_SLOT)))
        self.pause = seconds / slots
        """Seconds from one slot to the next."""
        self._slots = [_Slot({}, {}) for _ in range(slots)]
        self._next = 0

    def every(self, seconds: float) -> Resync:
        """Return what looks at the same CRs in another interval."""
        if seconds == self.seconds:
            return self
        other = Resync(seconds)
        for slot in self._slots:
            for ref in (*slot.awake, *slot.resting):
                other.add(ref)
        return other

    def add(self, ref: Ref) -> None:
        """Let a CR take part; one that rests is looked at again."""
        slot = self._slot(ref)
        slot.resting.pop(ref, None)
        slot.awake[ref] = None

    def rest(self, ref: Ref) -> None:
        """Let a CR rest until it is added again."""
        slot = self._slot(ref)
        if ref in slot.awake:
            del slot.awake[ref]
            slot.resting[ref] = None

    def remove(self, ref: Ref) -> None:
        """Let a CR take part no more."""
        slot = self._slot(ref)
        slot.awake.pop(ref, None)
        slot.resting.pop(ref, None)

    def due(self) -> Due:
        """Return the CRs of the slot that falls due, and go on to the next one."""
        slot = self._slots[self._next]
        self._next = (self._next + 1) % len(self._slots)
        return Due(list(slot.awake), len(slot.resting))

    def _slot(self, ref: Ref) -> _Slot:
        return self._slots[crc32(f"{ref.namespace}/{ref.name}".encode()) % len(self._slots)]
