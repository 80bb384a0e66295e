"""How each CRD and each of its objects is doing: what `/katalog` and `/metrics` read (language, section 11)."""

from __future__ import annotations

from collections import deque
from datetime import datetime
from enum import Enum

from ork.base.objects import Ref
from ork.base.records import NamedTuple
from ork.reconcile.ports import Outcome, OutcomeKind

FAILURES = (OutcomeKind.FAILED, OutcomeKind.DENIED)
RECENT = 200
"""How many events of the operator are kept per CRD."""


class State(Enum):
    """The health of a CRD, the worst first wins: degraded, then gated, then healthy."""

    PENDING = "pending"
    """Its workers have not started."""
    STARTED = "started"
    """Its workers run; nothing was reconciled yet."""
    HEALTHY = "healthy"
    GATED = "gated"
    DEGRADED = "degraded"


class ObjectHealth(NamedTuple):
    """The last turn of one CR."""

    outcome: OutcomeKind
    reason: str
    gate: str
    at: datetime
    failures: int
    """In a row."""

    def like(self, outcome: Outcome) -> bool:
        """Tell whether a further turn that ends so is no news."""
        return (self.outcome, self.reason) == (outcome.kind, outcome.reason)


class Happening(NamedTuple):
    """One event of the operator."""

    at: datetime
    ref: Ref
    outcome: OutcomeKind
    reason: str


class CrdHealth:
    """The books of one CRD."""

    def __init__(self, threshold: int) -> None:
        self._threshold = threshold
        self.started = False
        self.blocked = ""
        """Why it cannot work at all: a missing permission or CRD; empty where it can."""
        self.total = self.failed = self.consecutive = 0
        self.last_error = ""
        self.last_reconcile: datetime | None = None
        self.objects: dict[Ref, ObjectHealth] = {}
        self.recent: deque[Happening] = deque(maxlen=RECENT)
        self._gated: dict[Ref, str] = {}

    @property
    def state(self) -> State:
        """The CRD's health now."""
        if self.blocked or self.consecutive >= self._threshold:
            return State.DEGRADED
        if not self.started:
            return State.PENDING
        if self._gated:
            return State.GATED
        return State.HEALTHY if self.last_reconcile else State.STARTED

    def last(self, *outcomes: OutcomeKind) -> bool:
        """Tell whether the last turn of some CR had one of these outcomes."""
        return any(known.outcome in outcomes for known in self.objects.values())

    @property
    def gated_objects(self) -> int:
        """How many CRs a gate holds."""
        return len(self._gated)

    @property
    def gate_reason(self) -> str:
        """Why the CR that was gated last is held; empty where none is."""
        return next(reversed(self._gated.values()), "")

    def record(self, ref: Ref, outcome: Outcome, at: datetime) -> None:
        """Note how a turn ended."""
        before = self.objects.get(ref)
        self._gated.pop(ref, None)
        if outcome.kind is OutcomeKind.GONE:
            self.forget(ref)
            return
        if outcome.kind is OutcomeKind.GATED:
            self._gated[ref] = outcome.reason
        else:
            self._count(outcome, at)
        failures = (before.failures if before else 0) + 1 if outcome.kind in FAILURES else 0
        self.objects[ref] = ObjectHealth(outcome.kind, outcome.reason, outcome.gate, at, failures)
        if before is None or not before.like(outcome):
            self.recent.append(Happening(at, ref, outcome.kind, outcome.reason))

    def rested(self, count: int, at: datetime) -> None:
        """Note the resync of CRs that need no turn, since nothing has changed since they settled."""
        self.total += count
        self.last_reconcile = at
        self.consecutive = 0

    def forget(self, ref: Ref) -> None:
        """Close the books of a CR that is gone."""
        self.objects.pop(ref, None)
        self._gated.pop(ref, None)

    def _count(self, outcome: Outcome, at: datetime) -> None:
        self.total += 1
        self.last_reconcile = at
        if outcome.kind in FAILURES:
            self.failed += 1
            self.consecutive += 1
            self.last_error = outcome.reason
        else:
            self.consecutive = 0
