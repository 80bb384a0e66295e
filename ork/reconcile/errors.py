"""What each kind of fault means for the queue, the CR's Ready condition and the log: one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from ork.base.findings import Fault, FaultKind
from ork.base.records import NamedTuple


class Again(Enum):
    """When the queue hands the CR out once more."""

    SOON = "soon"
    """At once: the next look at the world sees what this one missed. Repeated, it backs off like any failure."""
    LATER = "later"
    """After the key's back-off; it counts as a failure."""
    ON_CHANGE = "onChange"
    """When the CR changes, or at the next resync."""


DEBUG, INFO, WARNING, ERROR = 10, 20, 30, 40
"""As `logging` numbers them; it is slow to import, and most commands log nothing."""


class Meaning(NamedTuple):
    """One row of the table."""

    again: Again
    reason: str
    """Of `Ready=False`; empty where the fault is no news to anybody and status is left as it is."""
    level: int
    """Of the log line."""


MEANINGS: Mapping[FaultKind, Meaning] = {
    FaultKind.EVALUATION: Meaning(Again.LATER, "ReconcileError", WARNING),
    FaultKind.CALL: Meaning(Again.LATER, "ExternalCallFailed", WARNING),
    FaultKind.DENIED: Meaning(Again.ON_CHANGE, "ValidationFailed", INFO),
    FaultKind.REFUSED: Meaning(Again.LATER, "ReconcileError", WARNING),
    FaultKind.CONFLICT: Meaning(Again.SOON, "", DEBUG),
    FaultKind.INVALID: Meaning(Again.LATER, "ReconcileError", WARNING),
    FaultKind.FORBIDDEN: Meaning(Again.LATER, "ReconcileError", ERROR),
    FaultKind.UNAVAILABLE: Meaning(Again.LATER, "ReconcileError", WARNING),
    FaultKind.BUG: Meaning(Again.LATER, "ReconcileError", ERROR),
}


def meaning(faults: Sequence[Fault]) -> Meaning:
    """Return what a turn's faults come to: the first decides, but a turn in which another fault is to be repeated is
    repeated (the status that says of a denial may itself not have been written)."""
    found = [MEANINGS[fault.kind] for fault in faults]
    again = next((each.again for each in found if each.again is not Again.ON_CHANGE), Again.ON_CHANGE)
    return found[0]._replace(again=again)
