"""How what happens to CRs and their children becomes work: events pass the enqueueGate and a full queue, or they do
not (language, sections 8 and 9)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from ork.base.objects import Object, Ref, deleting, uid
from ork.base.records import NamedTuple
from ork.engine import gates
from ork.engine.gates import Held
from ork.program import Box, Crd, box_of
from ork.reconcile.at_once import at_once
from ork.reconcile.gates import Event, admit_event
from ork.reconcile.ports import Cause, Item, Ports
from ork.runtime.cache import Cache
from ork.runtime.informer import BREATH
from ork.runtime.metrics import Figures
from ork.runtime.queue import Priority, WorkQueue

_PRIORITIES = {Cause.RESYNC: Priority.RESYNC}


class Desk(NamedTuple):
    """What an intake works with."""

    crd: Crd
    cache: Cache
    ports: Ports
    queue: WorkQueue[Ref]
    figures: Figures
    monotonic: Callable[[], float]
    log: logging.Logger


class Intake:
    """Takes in the events of one CRD.

    The items of admitted events stay with their key until the next admitted event replaces them.
    """

    def __init__(self, desk: Desk, only_deleting: bool = False) -> None:
        self._desk, self._only_deleting = desk, only_deleting
        self.open = self.begun = False
        """Whether this process works on the CRD (it leads, and has seen everything that is there), and whether every
        CR that was there when it opened has been offered."""
        self.max_depth = desk.crd.settings.max_depth
        self._admitted: dict[Ref, Item] = {}
        self._fresh: dict[Ref, float] = {}
        """Items admitted since their key's last turn, and since when they wait."""
        self._owed: dict[Ref, None] = {}
        """CRs whose event found the queue full."""
        self._chains: dict[Ref, asyncio.Task[None]] = {}
        self._owners: dict[str, Ref] = {}

    # ── what happened ───────────────────────────────────────────────────────────────────────────
    def changed(self, ref: Ref, new: Object, old: Object | None) -> None:
        """Take in that a CR is new or different."""
        self._owners[uid(new)] = ref
        if self.open:
            self._offer(Event(ref, Cause.EVENT, new, old), Priority.EVENT)

    async def begin(self) -> None:
        """Open: every CR that is known is new to this process."""
        self.open = True
        for count, ref in enumerate(sorted(self._owners.values()), 1):
            cr = self._desk.cache.get(ref)
            if cr is not None:
                self._offer(Event(ref, Cause.EVENT, cr), Priority.INITIAL)
            if count % BREATH == 0:
                await asyncio.sleep(0)
        self.begun = True

    def child_changed(self, owner_uid: str) -> bool:
        """Take in that a child changed; tell whether its owner is a CR of this CRD."""
        ref = self.owner(owner_uid)
        if ref is None:
            return False
        self._look_again(ref, Cause.CHILD)
        return True

    def owner(self, uid: str) -> Ref | None:
        """Return the CR of that uid; None where it is none of this CRD."""
        return self._owners.get(uid)

    def due(self, refs: Iterable[Ref]) -> None:
        """Take in that a resync has come; what found the queue full before is made up for first."""
        for ref in [*self._owed, *refs]:
            self._look_again(ref, Cause.RESYNC)

    def forget(self, ref: Ref, uid: str) -> None:
        """Take in that a CR is gone."""
        self._desk.queue.drop(ref)
        for known in (self._admitted, self._fresh, self._owed):
            known.pop(ref, None)
        self._owners.pop(uid, None)

    def close(self) -> list[asyncio.Task[None]]:
        """Take nothing more in and forget what waits; return the gates that are still being asked."""
        self.open = self.begun = False
        for ref in list(self._fresh):
            self._desk.queue.drop(ref)
        self._fresh.clear()
        self._owed.clear()
        return list(self._chains.values())

    @property
    def idle(self) -> bool:
        """Tell whether no gate is being asked."""
        return not self._chains

    @property
    def owes(self) -> bool:
        """Tell whether CRs whose event found the queue full wait to be made up for."""
        return bool(self._owed)

    def knows(self, ref: Ref) -> bool:
        """Tell whether an event of a CR was admitted, and the CR is not gone since."""
        return ref in self._admitted

    # ── what is handed out ──────────────────────────────────────────────────────────────────────
    def taken(self, ref: Ref) -> float | None:
        """Note that a key's turn begins; return since when it waits, None where it is a retry."""
        return self._fresh.pop(ref, None)

    def item(self, ref: Ref) -> Item:
        """Return what travels with a key."""
        return self._admitted[ref]

    async def readmitted(self, ref: Ref) -> bool:
        """Pass a retry through the gates that its event passed."""
        cr = self._desk.cache.get(ref)
        if cr is None:
            return False
        event = Event(ref, Cause.RETRY, cr, None, self._admitted.get(ref))
        decided = await admit_event(self._desk.crd, event, self._desk.ports)
        if isinstance(decided, Held):
            return False
        self._admitted[ref] = decided
        return True

    # ── the way into the queue ──────────────────────────────────────────────────────────────────
    def _look_again(self, ref: Ref, cause: Cause) -> None:
        cr = self._desk.cache.get(ref)
        if self.open and cr is not None and ref not in self._fresh:
            self._offer(Event(ref, cause, cr), _PRIORITIES.get(cause, Priority.EVENT))

    def _offer(self, event: Event, priority: Priority) -> None:
        if self._only_deleting and not deleting(event.new):
            return
        if event.ref not in self._chains and not _calls_at_event(box_of(self._desk.crd, event.new)):
            self._admit(event, priority, at_once(self._asked(event)))
            return
        # A gate with calls never holds up the watch: it is evaluated beside it, in order per key.
        task = asyncio.get_running_loop().create_task(self._ask(event, priority, self._chains.get(event.ref)))
        self._chains[event.ref] = task
        task.add_done_callback(lambda done: self._chain_ended(event.ref, done))

    async def _ask(self, event: Event, priority: Priority, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        decided = await self._asked(event)
        if uid(event.new) in self._owners:  # else it went meanwhile, and nobody would forget it again
            self._admit(event, priority, decided)

    async def _asked(self, event: Event) -> Item | Held:
        waiting = event.ref in self._fresh
        load = 0.0 if waiting or not self.max_depth else 100 * len(self._desk.queue) / self.max_depth
        event = event._replace(last=self._admitted.get(event.ref), waiting=waiting, load=load)
        return await admit_event(self._desk.crd, event, self._desk.ports)

    def _chain_ended(self, ref: Ref, task: asyncio.Task[None]) -> None:
        if self._chains.get(ref) is task:
            del self._chains[ref]

    def _admit(self, event: Event, priority: Priority, decided: Item | Held) -> None:
        if isinstance(decided, Held):
            self._held(event.ref, decided)
            return
        self._desk.figures.adds += 1
        self._admitted[event.ref] = decided
        self._fresh.setdefault(event.ref, self._desk.monotonic())
        self._owed.pop(event.ref, None)
        self._desk.queue.add(event.ref, priority)

    def _held(self, ref: Ref, held: Held) -> None:
        level = logging.DEBUG
        if held.gate == gates.QUEUE:
            self._desk.figures.dropped += 1
            # One line where it begins; a flood of events must not become a flood of lines.
            level = logging.DEBUG if self._owed else logging.WARNING
            self._owed[ref] = None
        self._desk.log.log(level, "%s: an event is dropped by the %s: %s", ref, held.gate, held.reason)


def _calls_at_event(box: Box) -> bool:
    return bool(box.enqueue.calls or box.shared)
