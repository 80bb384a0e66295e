"""The kordinator of one CRD: takes events in, gives CRs their turns, and decides what follows from each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple, TypeVar

from ork.base.clock import Clock
from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, Ref, uid
from ork.engine.gates import Held
from ork.program import Backoff, Box, Crd, Rules, box_of
from ork.reconcile.errors import Again, meaning
from ork.reconcile.gates import Event, admit_event
from ork.reconcile.handle import handle
from ork.reconcile.ports import Cause, Item, Outcome, OutcomeKind, Ports
from ork.runtime.cache import Cache
from ork.runtime.health import CrdHealth
from ork.runtime.informer import BREATH, Change
from ork.runtime.metrics import Metrics
from ork.runtime.queue import Limits, Priority, WorkQueue
from ork.runtime.resync import Resync
from ork.runtime.telling import Ended, tell_turn
from ork.runtime.trace import Trace

FINISHING_CHECK = 10.0
"""Seconds after which a deletion that waits for its children looks again, should no event have come."""

_PRIORITIES = {Cause.RESYNC: Priority.RESYNC}

T = TypeVar("T")


class Tools(NamedTuple):
    """What every kordinator of one process shares."""

    ports: Callable[[Crd], Ports]
    cache: Cache
    metrics: Metrics
    clock: Clock
    monotonic: Callable[[], float]
    log: logging.Logger


class Kordinator:
    """One CRD's queue, workers and books.

    The items of admitted events stay with their key until the next admitted event replaces them (language, section 8).
    """

    def __init__(self, crd: Crd, tools: Tools) -> None:
        self.crd = crd
        self.health = CrdHealth(crd.settings.failure_threshold)
        self.queue: WorkQueue[Ref] = WorkQueue(tools.monotonic, _limits(crd.settings.retry_backoff))
        self.resync = Resync(crd.settings.resync.total_seconds())
        self.awake = False
        """Whether this process works on the CRD: it leads, and has seen everything that is there."""
        self._tools, self._ports = tools, tools.ports(crd)
        self.figures = tools.metrics.of(crd.name)
        self._admitted: dict[Ref, Item] = {}
        self._fresh: dict[Ref, float] = {}
        """Items admitted since their key's last turn, and since when they wait."""
        self._chains: dict[Ref, asyncio.Task[None]] = {}
        self._owners: dict[str, Ref] = {}
        self._workers: dict[asyncio.Task[None], bool] = {}
        """Each worker, and whether it is in a turn."""
        self._denied_for_good = not volatile(crd.rules)

    # ── events ──────────────────────────────────────────────────────────────────────────────────
    def changed(self, change: Change) -> None:
        """Take in what happened to a CR."""
        if change.ref.namespace in self.crd.excluded_namespaces:
            return
        if change.new is None:
            self._forget(change.ref, change.old)
            return
        self._owners[uid(change.new)] = change.ref
        self.resync.add(change.ref)
        if self.awake:
            self._offer(self._event(change.ref, change.new, change.old), Priority.EVENT)

    async def begin(self, workers: int) -> None:
        """Start to work: every CR that is known is new to this process."""
        self.awake = self.health.started = True
        self.scale(workers)
        for count, ref in enumerate(sorted(self._owners.values()), 1):
            cr = self._tools.cache.get(ref)
            if cr is not None:
                self._offer(self._event(ref, cr, None), Priority.INITIAL)
            if count % BREATH == 0:
                await asyncio.sleep(0)

    def _event(self, ref: Ref, new: Object, old: Object | None) -> Event:
        return Event(ref, Cause.EVENT, new, old, self._admitted.get(ref), ref in self._fresh)

    def child_changed(self, owner_uid: str) -> bool:
        """Take in that a child changed; tell whether its owner is a CR of this CRD."""
        ref = self._owners.get(owner_uid)
        if ref is None:
            return False
        self._look_again(ref, Cause.CHILD)
        return True

    def due(self) -> None:
        """Look again at the CRs whose resync falls due now."""
        for ref in self.resync.due():
            known = self.health.objects.get(ref)
            if not (self._denied_for_good and known and known.outcome is OutcomeKind.DENIED):
                self._look_again(ref, Cause.RESYNC)

    def _look_again(self, ref: Ref, cause: Cause) -> None:
        cr = self._tools.cache.get(ref)
        if self.awake and cr is not None and ref not in self._fresh:
            self._offer(Event(ref, cause, cr, None, self._admitted.get(ref)), _PRIORITIES.get(cause, Priority.EVENT))

    def _offer(self, event: Event, priority: Priority) -> None:
        """Pass an event through the enqueueGate and into the queue."""
        self.figures.adds += 1
        if event.ref not in self._chains and not _calls_at_event(box_of(self.crd, event.new)):
            self._admit(event, priority, run_now(admit_event(self.crd, event, self._ports)))
            return
        # A gate with calls never holds up the watch: it is evaluated beside it, in order per key.
        before = self._chains.get(event.ref)
        task = asyncio.get_running_loop().create_task(self._ask(event, priority, before))
        self._chains[event.ref] = task
        task.add_done_callback(lambda done: self._chain_ended(event.ref, done))

    async def _ask(self, event: Event, priority: Priority, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        event = event._replace(last=self._admitted.get(event.ref), waiting=event.ref in self._fresh)
        self._admit(event, priority, await admit_event(self.crd, event, self._ports))

    def _chain_ended(self, ref: Ref, task: asyncio.Task[None]) -> None:
        if self._chains.get(ref) is task:
            del self._chains[ref]

    def _admit(self, event: Event, priority: Priority, decided: Item | Held) -> None:
        if isinstance(decided, Held):
            self._tools.log.debug("%s: held by the %s: %s", event.ref, decided.gate, decided.reason)
            return
        self._admitted[event.ref] = decided
        self._fresh.setdefault(event.ref, self._tools.monotonic())
        self.queue.add(event.ref, priority)

    def _forget(self, ref: Ref, last: Object | None) -> None:
        self.queue.drop(ref)
        self.health.forget(ref)
        self.resync.remove(ref)
        self._admitted.pop(ref, None)
        self._fresh.pop(ref, None)
        if last is not None:
            self._owners.pop(uid(last), None)
            self._ports.memory.forget(uid(last))

    # ── turns ───────────────────────────────────────────────────────────────────────────────────
    def scale(self, workers: int) -> None:
        """Have that many workers at work; a surplus one ends after its turn."""
        while len(self._workers) < workers:
            task = asyncio.get_running_loop().create_task(self._work(), name=f"worker {self.crd.name}")
            self._workers[task] = False
        for task in sorted(self._workers, key=self._workers.__getitem__)[: len(self._workers) - workers]:
            if not self._workers.pop(task):
                task.cancel()

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def idle(self) -> bool:
        """Tell whether nothing waits for a worker and nothing is in work."""
        return not (len(self.queue) or self.queue.active or self._chains)

    async def stop(self, grace: float) -> None:
        """Let turns in progress end for `grace` seconds, then cancel them; what waits is forgotten."""
        self.awake = self.health.started = False
        tasks = [*self._workers, *self._chains.values()]
        self.scale(0)
        for ref in list(self._fresh):
            self.queue.drop(ref)
        self._fresh.clear()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        while task in self._workers:
            async with self.queue.turn() as ref:
                self._workers[task] = True
                await self._turn(ref)
            if task in self._workers:
                self._workers[task] = False
            # A turn that never waited must not keep the loop from the watches.
            await asyncio.sleep(0)

    async def _turn(self, ref: Ref) -> None:
        started = self._tools.monotonic()
        trace = Trace(self._ports, self._tools.monotonic)
        outcome = await self._outcome(ref, started, trace.ports)
        if outcome is None:
            self.queue.done(ref)
            return
        self.figures.turn(outcome.kind, self._tools.monotonic() - started)
        self.queue.done(ref, self._record(ref, outcome, trace))

    async def _outcome(self, ref: Ref, started: float, ports: Ports) -> Outcome | None:
        """Give a CR its turn; None where a gate held a retry back."""
        waited_since = self._fresh.pop(ref, None)
        if waited_since is not None:
            self.figures.wait_time.observe(started - waited_since)
        elif not await self._retry_admitted(ref):
            return None
        try:
            return await handle(self.crd, self._admitted[ref], ports)
        except Exception as error:
            self._tools.log.exception("%s: ork itself failed; please report this", ref)
            fault = Fault(FaultKind.BUG, f"ork itself failed ({type(error).__name__}); its log has the details")
            return Outcome(OutcomeKind.FAILED, fault.message, faults=(fault,))

    async def _retry_admitted(self, ref: Ref) -> bool:
        """Pass a retry through the gates that its event passed."""
        cr = self._tools.cache.get(ref)
        if cr is None:
            return False
        decided = await admit_event(self.crd, Event(ref, Cause.RETRY, cr, None, self._admitted.get(ref)), self._ports)
        if isinstance(decided, Held):
            return False
        self._admitted[ref] = decided
        return True

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
            return self.queue.failed(ref)
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
    def measure(self) -> None:
        """Bring the figures up to date that nobody counts."""
        figures = self.figures
        figures.depth, figures.active = len(self.queue), self.queue.active
        figures.workers, figures.gated = self.workers, self.health.gated_objects


def run_now(story: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing to its end."""
    try:
        story.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("a story without calls waited for something")


def volatile(rules: Rules) -> bool:
    """Tell whether a CR that rules deny can pass them without being changed itself: they read a call's result, the
    clock, or other objects (language, section 10)."""
    reads = [*(rule.reads for rule in rules.assertions), *(rule.reads for rule in rules.mutations)]
    roots = {path[0] for paths in reads for path in paths}
    others = any(rule.condition.operator == "unique" for rule in rules.assertions)
    return others or not roots.isdisjoint({"external", "cross", "@clock", "health", "metrics"})


def _calls_at_event(box: Box) -> bool:
    return bool(box.enqueue.calls or box.shared)


def _limits(backoff: Backoff | None) -> Limits:
    if backoff is None:
        return Limits()
    return Limits(backoff.initial.total_seconds(), backoff.maximum.total_seconds(), backoff.multiplier)
