"""The kordinator of one CRD: gives CRs their turns, and decides what follows from each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ork.base.clock import Clock
from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, Ref, deleting, finalizers_of, uid
from ork.base.records import NamedTuple
from ork.program import Backoff, Crd, Settings
from ork.reconcile.errors import Again, meaning
from ork.reconcile.handle import handle
from ork.reconcile.ports import Outcome, OutcomeKind, Ports
from ork.reconcile.settled import volatile
from ork.runtime.cache import Cache
from ork.runtime.health import CrdHealth, State
from ork.runtime.informer import Change
from ork.runtime.intake import Desk, Intake
from ork.runtime.metrics import Metrics
from ork.runtime.queue import Limits, WorkQueue
from ork.runtime.resync import Resync
from ork.runtime.selection import selection, selective
from ork.runtime.telling import Ended, tell_turn
from ork.runtime.trace import Trace

SOON = 1.0
"""Seconds within which a repeated turn still counts as part of the work in progress."""
PATIENCE = 8
"""How often a turn fails in a row until nobody waits for the next one."""
FINISHING_CHECK = 10.0
"""Seconds after which a deletion that waits for its children looks again, should no event have come."""


class Tools(NamedTuple):
    """What every kordinator of one process shares."""

    ports: Callable[[Crd], Ports]
    cache: Cache
    metrics: Metrics
    clock: Clock
    monotonic: Callable[[], float]
    log: logging.Logger
    release: Callable[[Crd, Object], Awaitable[bool]]
    """Lets a CR go that is not looked after any more."""
    namespaces: Sequence[str] = ()
    only_deleting: bool = False
    """Whether CRs that stay get no turn."""
    once: bool = False
    """Whether a CR whose turn has ended gets no other for the time that has passed."""


class Kordinator:
    """One CRD's intake, queue, workers and books."""

    def __init__(self, crd: Crd, tools: Tools) -> None:
        self.crd, self._tools, self._ports = crd, tools, tools.ports(crd)
        self.health = CrdHealth(crd.settings.failure_threshold)
        self.figures = tools.metrics.of(crd.name)
        self.queue: WorkQueue[Ref] = WorkQueue(tools.monotonic, _limits(crd.settings.retry_backoff))
        desk = Desk(crd, tools.cache, self._ports, self.queue, self.figures, tools.monotonic, tools.log)
        self.intake = Intake(desk, tools.only_deleting)
        self.resync = Resync(crd.settings.resync.total_seconds())
        self._workers: dict[asyncio.Task[None], bool] = {}
        """Each worker, and whether it is in a turn."""
        self._denied_for_good = not volatile(crd.rules)
        self._selected = selection(crd, tools.namespaces)
        self._leaving: set[asyncio.Future[bool]] = set()

    # ── what it is told ─────────────────────────────────────────────────────────────────────────
    def changed(self, change: Change) -> None:
        """Take in what happened to an object of the CRD's kind."""
        ref, old, new = change
        if self._selected is not None:
            old = old if old is not None and self._selected(old) else None
            new = new if new is not None and self._selected(new) else None
        if old is not None and (new is None or uid(old) != uid(new)):
            self._forget(ref, uid(old))
            if new is None and self.awake:
                self._left(old)
            old = None
        if new is not None:
            self.resync.add(ref)
            self.intake.changed(ref, new, old)

    def child_changed(self, owner_uid: str) -> bool:
        """Take in that a child changed; tell whether its owner is a CR of this CRD."""
        return self.intake.child_changed(owner_uid)

    def touched(self, uid: str) -> None:
        """Take in that the CR of this uid, or a child of it, is not as it was, whoever changed it."""
        if ref := self.intake.owner(uid):
            self.resync.add(ref)

    def _left(self, last: Object) -> None:
        """Let go of a CR that left the selector: on the watch it looks as one that is gone."""
        if selective(self.crd) and not deleting(last) and self.crd.finalizer in finalizers_of(last):
            task = asyncio.ensure_future(self._tools.release(self.crd, last))
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)

    def due(self) -> None:
        """Look again at the CRs whose resync falls due now."""
        if self._tools.once:
            self.intake.due(())
            return
        due = self.resync.due()
        self.intake.due(ref for ref in due.refs if not self._for_good(ref))
        if due.resting and self.awake:
            self.figures.turn(OutcomeKind.SETTLED, 0.0, due.resting)
            self.health.rested(due.resting, self._tools.clock.now())

    def _for_good(self, ref: Ref) -> bool:
        """Tell whether a CR is denied, and only its own change can alter that."""
        known = self.health.objects.get(ref)
        return self._denied_for_good and known is not None and known.outcome is OutcomeKind.DENIED

    def _forget(self, ref: Ref, uid: str) -> None:
        self.intake.forget(ref, uid)
        self.health.forget(ref)
        self.resync.remove(ref)
        self._ports.memory.forget(uid)

    # ── workers ─────────────────────────────────────────────────────────────────────────────────
    async def begin(self, settings: Settings) -> None:
        """Start to work."""
        self.health.started = True
        self.adopt(settings)
        await self.intake.begin()

    def adopt(self, settings: Settings) -> None:
        """Go on with other settings."""
        self.scale(settings.workers)
        self.intake.max_depth = settings.max_depth
        self.resync = self.resync.every(settings.resync.total_seconds())

    def scale(self, workers: int) -> None:
        """Have that many workers at work; a surplus one ends after its turn."""
        while len(self._workers) < workers:
            task = asyncio.get_running_loop().create_task(self._work(), name=f"worker {self.crd.name}")
            self._workers[task] = False
        for task in sorted(self._workers, key=self._workers.__getitem__)[: len(self._workers) - workers]:
            if not self._workers.pop(task):
                task.cancel()

    @property
    def awake(self) -> bool:
        """Tell whether this process works on the CRD: it leads, and has seen everything that is there."""
        return self.intake.open

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def idle(self) -> bool:
        """Tell whether nothing waits for a worker and nothing is in work."""
        return not (len(self.queue) or self.queue.active) and self.intake.idle

    @property
    def at_rest(self) -> bool:
        """Tell whether every CR had its turn, and none is about to get another that could end otherwise."""
        if not self.intake.begun or self.intake.owes or not self.intake.idle:
            return False
        return all(self.queue.failures(ref) >= PATIENCE for ref in self.queue.pressing(SOON))

    async def stop(self, grace: float) -> None:
        """Let turns in progress end for `grace` seconds, then cancel them; what waits is forgotten."""
        self.health.started = False
        tasks: list[asyncio.Future[Any]] = [*self._workers, *self.intake.close(), *self._leaving]
        self.scale(0)
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # ── turns ───────────────────────────────────────────────────────────────────────────────────
    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        while task in self._workers:
            async with self.queue.turn() as ref:
                self._workers[task] = True
                waited = await self._turn(ref)
            if task in self._workers:
                self._workers[task] = False
            if not waited:  # else the watches had their turn as well
                await asyncio.sleep(0)

    async def _turn(self, ref: Ref) -> bool:
        """Give a CR its turn; tell whether it waited for an answer."""
        started = self._tools.monotonic()
        trace = Trace(self._ports, self._tools.monotonic)
        outcome = await self._outcome(ref, started, trace.ports)
        if outcome is None:
            self.queue.done(ref)
        else:
            self.figures.turn(outcome.kind, self._tools.monotonic() - started)
            if outcome.rests:
                self.resync.rest(ref)
            self.queue.done(ref, self._record(ref, outcome, trace))
        return bool(trace.steps)

    async def _outcome(self, ref: Ref, started: float, ports: Ports) -> Outcome | None:
        """Give a CR its turn; None where a gate held a retry back."""
        waits_since = self.intake.taken(ref)
        if waits_since is not None:
            self.figures.wait_time.observe(started - waits_since)
        elif not await self.intake.readmitted(ref):
            return None
        try:
            outcome = await handle(self.crd, self.intake.item(ref), ports)
        except Exception as error:
            self._tools.log.exception("%s: ork itself failed; please report this", ref)
            fault = Fault(FaultKind.BUG, f"ork itself failed ({type(error).__name__}); its log has the details")
            outcome = Outcome(OutcomeKind.FAILED, fault.message, faults=(fault,))
        # Of a CR that went meanwhile nobody would ever close the books again.
        return outcome if self.intake.knows(ref) else Outcome(OutcomeKind.GONE)

    def _record(self, ref: Ref, outcome: Outcome, trace: Trace) -> float | None:
        """Enter a turn into the books; return after how many seconds the CR is looked at again."""
        again = meaning(outcome.faults).again if outcome.faults else None
        before = self.health.objects.get(ref)
        if again is not Again.SOON:
            self.health.record(ref, outcome, self._tools.clock.now())
        tell_turn(self._tools.log, Ended(self.crd.name, ref, outcome, trace, before))
        self._tell_notices(ref, outcome)
        if again in (Again.SOON, Again.LATER):
            self.figures.retries += 1
            wait = self.queue.failed(ref)
            if wait is None:
                return 0.0 if again is Again.SOON else None
            return max(wait, _asked_for(outcome.faults))
        self.queue.succeeded(ref)
        if outcome.kind is OutcomeKind.FINISHING:
            return FINISHING_CHECK
        return outcome.after.total_seconds() if outcome.after is not None else None

    def _tell_notices(self, ref: Ref, outcome: Outcome) -> None:
        cr = self._tools.cache.get(ref) if outcome.notices else None
        if cr is not None and self._ports.memory.note(uid(cr), "notices", outcome.notices):
            for notice in outcome.notices:
                self._tools.log.warning("%s: %s", ref, notice, extra={"crd": self.crd.name, "object": str(ref)})

    # ── what others read ────────────────────────────────────────────────────────────────────────
    def summary(self) -> dict[str, dict[str, Any]]:
        """Return what `.health` and `.metrics` read."""
        health = self.health
        return {
            "health": {
                "state": health.state.value,
                "healthy": health.state is not State.DEGRADED,
                "gatedObjects": health.gated_objects,
                "gateReason": health.gate_reason,
                "lastError": health.last_error,
            },
            "metrics": {
                "queueDepth": len(self.queue),
                "workers": self.workers,
                "objects": len(health.objects),
                "total": health.total,
                "failed": health.failed,
                "consecutiveFailures": health.consecutive,
            },
        }

    def measure(self) -> None:
        """Bring the figures up to date that nobody counts."""
        figures = self.figures
        figures.depth, figures.active = len(self.queue), self.queue.active
        figures.workers, figures.gated = self.workers, self.health.gated_objects


def _limits(backoff: Backoff | None) -> Limits:
    if backoff is None:
        return Limits()
    first, last = backoff.initial.total_seconds(), backoff.maximum.total_seconds()
    return Limits(first, last, backoff.multiplier, backoff.attempts)


def _asked_for(faults: Sequence[Fault]) -> float:
    """Return for how many seconds those who refused ask to be left in peace; the longest counts."""
    return max((fault.after.total_seconds() for fault in faults if fault.after is not None), default=0.0)
