"""The operator of a simulation: it is told of events, asks the gates, and gives every CR that is due one turn."""

from __future__ import annotations

from collections.abc import Container, Mapping
from random import Random

from ork.base.findings import FaultKind
from ork.base.objects import Object, Ref
from ork.base.records import NamedTuple
from ork.engine.gates import Held
from ork.expr.env import Env
from ork.program import Crd, box_of, turn_calls
from ork.reconcile.at_once import at_once
from ork.reconcile.gates import Event, admit_event
from ork.reconcile.handle import handle
from ork.reconcile.memory import Memory
from ork.reconcile.ports import NO_BOOKS, Caller, Cause, Cluster, Item, Outcome, OutcomeKind, Ports, View
from ork.simulate.clock import VirtualClock
from ork.simulate.report import Gating, Problem


class Skipped(NamedTuple):
    """Calls of one CR that were not made."""

    crd: str
    owner: str
    calls: tuple[tuple[str, str, str], ...]
    """Name, method, and what is wrong, if anything is."""


class Turned(NamedTuple):
    """One turn, and what it came to."""

    crd: Crd
    ref: Ref
    item: Item
    outcome: Outcome
    env: Env

    @property
    def skipped(self) -> Skipped:
        """The calls that the turn could have made and did not, with the reason where one failed to render."""
        scope = self.outcome.scope or {}
        missed = {name: record for name, record in scope.get("external", {}).items() if record["called"] == "false"}
        calls = turn_calls(box_of(self.crd, scope), self.crd.rules) if missed else ()
        methods = {call.name: call.method for call in calls}
        skipped = tuple((name, methods.get(name, ""), record["error"]) for name, record in missed.items())
        return Skipped(self.crd.name, name_of(self.ref), skipped)


class Operator:
    """One process of the operator: what it remembers is gone after a `restart`."""

    def __init__(
        self, view: View, cluster: Cluster, call: Caller, clock: VirtualClock, environ: Mapping[str, str]
    ) -> None:
        self._clock, self._environ = clock, environ
        self._random = Random(0)
        self._last: dict[Ref, Item] = {}
        self._failed: set[Ref] = set()
        self._queue: dict[Ref, Item] = {}
        self.gated: dict[Ref, Gating] = {}
        self.ports = Ports(view, cluster, call, self._env, lambda: NO_BOOKS, lambda: True, Memory())

    def _env(self, item: Item) -> Env:
        return Env(self._clock.now(), item.sentinels, self._environ, self._random)

    def told(self, crd: Crd, ref: Ref, old: Object | None, new: Object) -> None:
        """Take in a change of a CR."""
        self._admit(crd, Event(ref, Cause.EVENT, new, old, self._last.get(ref), ref in self._queue))

    def ticked(self, crd: Crd, ref: Ref, obj: Object) -> None:
        """Take in a resync tick, or the retry of a failed turn; what waits in the queue already goes first."""
        if ref not in self._queue:
            cause = Cause.RETRY if ref in self._failed else Cause.RESYNC
            self._admit(crd, Event(ref, cause, obj, None, self._last.get(ref)))

    def forget(self, ref: Ref) -> None:
        """Take in that a CR is gone."""
        for known in (self._last, self._queue, self.gated):
            known.pop(ref, None)
        self._failed.discard(ref)

    def keep(self, here: Container[Ref]) -> None:
        """Forget every CR that is not here any more."""
        for ref in [ref for ref in (*self._last, *self.gated) if ref not in here]:
            self.forget(ref)

    def turn(self, crd: Crd, ref: Ref) -> Turned | None:
        """Give a CR its turn, if it is in the queue."""
        item = self._queue.pop(ref, None)
        if item is None:
            return None
        outcome = at_once(handle(crd, item, self.ports))
        self._take_in(crd, ref, outcome)
        return Turned(crd, ref, item, outcome, self._env(item))

    def _admit(self, crd: Crd, event: Event) -> None:
        admitted = at_once(admit_event(crd, event, self.ports))
        if isinstance(admitted, Held):
            self.gated[event.ref] = _gating(crd, event.ref, admitted.gate, admitted.reason)
            return
        self.gated.pop(event.ref, None)
        self._last[event.ref] = self._queue[event.ref] = admitted

    def _take_in(self, crd: Crd, ref: Ref, outcome: Outcome) -> None:
        if outcome.kind is OutcomeKind.GONE:
            self.forget(ref)
        if outcome.kind is OutcomeKind.GATED:
            self.gated[ref] = _gating(crd, ref, outcome.gate, outcome.reason)
        (self._failed.add if outcome.kind is OutcomeKind.FAILED else self._failed.discard)(ref)


def problems(turned: Turned) -> list[Problem]:
    """Return the errors of a turn; a denial is none."""
    crd, owner = turned.crd.name, name_of(turned.ref)
    faults = [fault for fault in turned.outcome.faults if fault.kind is not FaultKind.DENIED]
    return [Problem(crd, owner, fault.message, fault.span) for fault in faults]


def name_of(ref: Ref) -> str:
    """Return how a report names a CR: `default/my-app`, or `my-app` where it is cluster-scoped."""
    return f"{ref.namespace}/{ref.name}" if ref.namespace else ref.name


def _gating(crd: Crd, ref: Ref, gate: str, reason: str) -> Gating:
    return Gating(crd.name, name_of(ref), gate, reason)
