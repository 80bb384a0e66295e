"""What one process remembers of its CRs between turns."""

from __future__ import annotations

from collections.abc import Hashable


class Memory:
    """Notes about CRs, kept by their uid.

    They spare a request or a second report of the same thing. Nothing rests on them: a process that starts anew, with
    an empty memory, does the same work.
    """

    def __init__(self) -> None:
        self._notes: dict[str, dict[Hashable, Hashable]] = {}

    def note(self, uid: str, subject: Hashable, value: Hashable) -> bool:
        """Remember a value; tell whether it is news."""
        notes = self._notes.setdefault(uid, {})
        if subject in notes and notes[subject] == value:
            return False
        notes[subject] = value
        return True

    def recall(self, uid: str, subject: Hashable) -> Hashable:
        """Return the value last noted; None where there is none."""
        return self._notes.get(uid, {}).get(subject)

    def drop(self, uid: str, subject: Hashable) -> None:
        """Forget one note."""
        self._notes.get(uid, {}).pop(subject, None)

    def forget(self, uid: str) -> None:
        """Forget a CR that is gone."""
        self._notes.pop(uid, None)
