"""Carrying out a plan: waves in order, and what to do with an object that stands where a child should be created."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, uid
from ork.base.requests import Child, Done, Expect, Failure, Verb, Write, WriteError
from ork.engine import ownership, plan
from ork.engine.desired import Desired, Want
from ork.engine.drift import differences
from ork.engine.order import Wave
from ork.engine.ownership import Found
from ork.engine.turn import Key, Turn, foreign, key_of, rewritten
from ork.program import Keep
from ork.reconcile.ports import Ports

FENCED = Fault(FaultKind.UNAVAILABLE, "this replica does not hold the lease any more, so it writes nothing")


class Writer:
    """Carries out waves for one turn and keeps the books: what is live, what failed, what the server rewrote."""

    def __init__(self, turn: Turn, wants: Desired, ports: Ports) -> None:
        self.live: dict[Key, Child] = dict(turn.children)
        self.faults: list[Fault] = []
        self.rewritten: list[str] = []
        self._turn, self._ports = turn, ports
        self._wants: Mapping[Key, Want] = {key_of(want.ref): want for want in wants.wants}

    async def carry_out(self, waves: Iterable[Wave]) -> bool:
        """Write wave after wave; a wave with failures is finished and is the last. Tell whether all went well."""
        for wave in waves:
            if not self._ports.may_write():
                self.faults.append(FENCED)
                return False
            if not await self._write(wave):
                return False
        return True

    async def _write(self, wave: Wave) -> bool:
        done = await self._ports.cluster.write(wave)
        self._take_in(wave, done)
        try:
            again = [write for failure in done.failures if (write := await self._again(failure))]
        except WriteError as error:
            self.faults.append(error.fault)
            return False
        if again:
            second = await self._ports.cluster.write(again)
            self._take_in(again, second)
            self.faults.extend(map(_final, second.failures))
        return not self.faults

    def _take_in(self, wave: Iterable[Write], done: Done) -> None:
        failed = {failure.write.ref for failure in done.failures}
        for write in wave:
            if write.ref in failed:
                continue
            if write.verb is Verb.DELETE:
                self.live.pop(key_of(write.ref), None)
            else:
                self._applied(write, done.objects[write.ref])

    def _applied(self, write: Write, answer: Object) -> None:
        key = key_of(write.ref)
        self.live[key] = Child(write.ref, answer)
        want = self._wants.get(key)
        if want is None or write.verb is not Verb.APPLY or write.subresource:
            return
        memory, owner = self._ports.memory, uid(self._turn.cr)
        found = differences(write.ref.kind, write.obj, answer)
        if not found:
            memory.drop(owner, rewritten(key))
        elif memory.note(owner, rewritten(key), (want.digest, found)):
            fields = ", ".join(difference.path for difference in found)
            self.rewritten.append(f"{write.ref}: the server does not keep what {want.entry.path} declares for {fields}")

    # ── a create that found an object ───────────────────────────────────────────────────────────
    async def _again(self, failure: Failure) -> Write | None:
        """Return the write that follows a failed one; None where there is none, and then the fault is noted, or the
        object is left to whoever made it."""
        if not failure.exists:
            self.faults.append(await self._explained(failure))
            return None
        ref = failure.write.ref
        obj = await self._ports.cluster.read(ref)
        if obj is None:
            self.faults.append(Fault(FaultKind.CONFLICT, f"{ref} was there and is gone: the next turn creates it"))
            return None
        return self._taking(self._wants[key_of(ref)], Child(ref, obj))

    async def _explained(self, failure: Failure) -> Fault:
        """An API server calls it invalid, too, when the object that was seen is another by now."""
        write = failure.write
        if failure.fault.kind is FaultKind.INVALID and write.expect is Expect.SAME_UID:
            obj = await self._ports.cluster.read(write.ref)
            if obj is None or uid(obj) != write.uid:
                return Fault(FaultKind.CONFLICT, f"{write.ref} is another object by now")
        return _final(failure)

    def _taking(self, want: Want, live: Child) -> Write | None:
        """Decide over an object that is there already (language, section 6)."""
        turn, entry = self._turn, want.entry
        peers = self._ports.view.find(turn.crd.kind, "", {})
        found = ownership.whose(turn, entry, live.obj, map(uid, peers))
        if found is Found.TAKEN:
            text = f"{live.ref} exists and is controlled by {ownership.owner(live.obj)}: {entry.path} does not take it"
            hint = "give it another name; one with `.metadata.name` in it is this CR's own"
            self.faults.append(Fault(FaultKind.REFUSED, f"{text} ({hint})", entry.span))
            return None
        if found is Found.OURS:
            self.live[key_of(live.ref)] = live
            return plan.apply(turn, want._replace(digest="") if entry.keep is Keep.ONCE else want, live)
        if entry.adopt:
            return plan.over(want, live, want.obj, entry.force)
        if entry.keep is Keep.ONCE:
            generation = turn.cr["metadata"].get("generation")
            self._ports.memory.note(uid(turn.cr), foreign(key_of(want.ref)), (generation,))
            return None
        return plan.over(want, live, ownership.unowned(turn.cr, want.obj), force=False)


def _final(failure: Failure) -> Fault:
    """A conflict of an apply that does not force is another manager's field, and stays so: it is meant."""
    fault = failure.fault
    unforced = failure.write.verb is Verb.APPLY and not failure.write.force
    return fault._replace(kind=FaultKind.REFUSED) if unforced and fault.kind is FaultKind.CONFLICT else fault
