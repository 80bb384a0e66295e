"""Leader election over a Kubernetes Lease: who may write, and until when.

The leader renews every `retry`; a write is allowed until `deadline` after the last renewal that succeeded, counted from
before its request was sent. Others take over `duration` after they last saw the lease change. Both are measured on the
monotonic clock of the one who measures, so a jump of the wall clock changes nothing. `deadline` is shorter than
`duration`: between the old leader's last write and the new one's first lies a gap.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

from ork.base.clock import Clock
from ork.base.findings import FaultKind
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.base.requests import WriteError


class Terms(NamedTuple):
    """How an election is held; times in seconds."""

    name: str
    namespace: str
    identity: str
    """Who this process is: unique among all candidates, over restarts too."""
    duration: float = 15.0
    deadline: float = 10.0
    retry: float = 2.0


class Leases(Protocol):
    """Reads and writes the one Lease."""

    async def read(self) -> Object | None:
        """Return the Lease, or None where there is none. Raises WriteError."""

    async def write(self, lease: Object) -> Object:
        """Create it (without a resourceVersion) or replace that version; returns it. Raises WriteError."""


class Candidate:
    """One candidate's view of the election; `attempt` is called every `retry` seconds."""

    def __init__(self, terms: Terms, leases: Leases, clock: Clock, monotonic: Callable[[], float]) -> None:
        self.terms, self._leases, self._clock, self._monotonic = terms, leases, clock, monotonic
        self._seen: Object | None = None
        self._seen_at = 0.0
        self.allowed_until = float("-inf")
        """Until when (monotonic seconds) this process may write."""
        self.problem = ""
        """Why the lease could not be read or written the last time; empty where it could, or another was quicker."""

    def left(self) -> float:
        """Return for how many seconds this process may go on writing; nothing or less is not at all."""
        return self.allowed_until - self._monotonic()

    def may_write(self) -> bool:
        """Tell whether the lease is held and its renew deadline has not passed."""
        return self.left() > 0

    async def attempt(self) -> None:
        """Renew the lease if it is ours, take it if it is free or was left to expire. Never raises."""
        started = self._monotonic()
        try:
            lease = await self._leases.read()
            self._observe(lease, started)
            if not self._ours(lease) and not self._expired(lease, started):
                self.allowed_until, self.problem = float("-inf"), ""
                return
            written = await self._leases.write(self._renewed(lease))
        except WriteError as error:
            self.problem = "" if error.fault.kind is FaultKind.CONFLICT else str(error)
            return
        self.problem = ""
        self._observe(written, self._monotonic())
        self.allowed_until = started + self.terms.deadline

    async def release(self) -> None:
        """Give the lease up, so that the next leader need not wait. Never raises."""
        self.allowed_until = float("-inf")
        try:
            lease = await self._leases.read()
            if lease is not None and self._ours(lease):
                spec = {**lease["spec"], "holderIdentity": "", "leaseDurationSeconds": 1, "renewTime": self._now()}
                await self._leases.write({**lease, "spec": spec})
        except WriteError:
            return

    def _ours(self, lease: Object | None) -> bool:
        return lease is not None and (lease.get("spec") or {}).get("holderIdentity") == self.terms.identity

    def _observe(self, lease: Object | None, at: float) -> None:
        spec = (lease or {}).get("spec")
        if spec != self._seen:
            self._seen, self._seen_at = spec, at

    def _expired(self, lease: Object | None, now: float) -> bool:
        spec = (lease or {}).get("spec") or {}
        if not spec.get("holderIdentity"):
            return True
        return now >= self._seen_at + float(spec.get("leaseDurationSeconds") or self.terms.duration)

    def _renewed(self, lease: Object | None) -> Object:
        spec = (lease or {}).get("spec") or {}
        now = self._now()
        mine = self._ours(lease)
        metadata = (lease or {}).get("metadata") or {"name": self.terms.name, "namespace": self.terms.namespace}
        return {
            "apiVersion": "coordination.k8s.io/v1",
            "kind": "Lease",
            "metadata": metadata,
            "spec": {
                **spec,
                "holderIdentity": self.terms.identity,
                "leaseDurationSeconds": round(self.terms.duration),
                "acquireTime": spec.get("acquireTime", now) if mine else now,
                "renewTime": now,
                "leaseTransitions": (spec.get("leaseTransitions") or 0) + (0 if mine or lease is None else 1),
            },
        }

    def _now(self) -> str:
        return microtime(self._clock.now())


def microtime(moment: datetime) -> str:
    """Return `2026-01-05T10:00:00.000000Z`, the form of a MicroTime."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
