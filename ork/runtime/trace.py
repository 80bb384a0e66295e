"""What one turn does to the world, step by step: for the log, which has a line where something was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ork.base.objects import Object, Ref
from ork.base.records import NamedTuple
from ork.base.requests import CallRequest, CallResult, Done, Expect, Verb, Write
from ork.reconcile.ports import Annotations, Ports


class Step(NamedTuple):
    """One request of a turn."""

    what: str
    """`create`, `update`, `delete`, `status`, `finalizers`, `read`, `event`, or `call` for an external one."""
    subject: str
    """`deployments/default/web`, or the call's name."""
    seconds: float
    problem: str = ""
    """Why it was not carried out."""

    def __str__(self) -> str:
        """`create deployments/default/web in 4.1 ms`."""
        problem = f": {self.problem}" if self.problem else ""
        return f"{self.what} {self.subject} in {self.seconds * 1000:.1f} ms{problem}"


class Trace:
    """Stands between one turn and its ports, and remembers what passes."""

    def __init__(self, ports: Ports, monotonic: Callable[[], float]) -> None:
        self.steps: list[Step] = []
        self.ports = ports._replace(cluster=self, call=self.call)
        """The same ports, seen through this trace."""
        self._cluster, self._call, self._now = ports.cluster, ports.call, monotonic

    @property
    def wrote(self) -> bool:
        """Tell whether the turn changed anything in the cluster."""
        return any(step.what not in ("read", "call", "event") and not step.problem for step in self.steps)

    async def call(self, request: CallRequest) -> CallResult:
        """Make an external call."""
        started = self._now()
        result = await self._call(request)
        self._note("call", f"{request.name} ({result.status or 'no answer'})", started, result.error)
        return result

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out writes side by side."""
        started = self._now()
        done = await self._cluster.write(wave)
        problems = {failure.write.ref: failure.fault.message for failure in done.failures}
        for write in wave:
            self._note(_name(write), str(write.ref), started, problems.get(write.ref, ""))
        return done

    async def read(self, ref: Ref) -> Object | None:
        """Read one object from the API server itself."""
        started = self._now()
        found = await self._cluster.read(ref)
        self._note("read", str(ref), started, "" if found else "there is none")
        return found

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Apply a CR's status."""
        started = self._now()
        written = await self._cluster.status(ref, status, uid)
        self._note("status", str(ref), started)
        return written

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        """Set a CR's finalizers and annotations."""
        started = self._now()
        marked = await self._cluster.mark(cr, ref, finalizers, annotations)
        self._note("finalizers", str(ref), started)
        return marked

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        """Record an Event."""
        started = self._now()
        await self._cluster.event(ref, kind, reason, message, uid)
        self._note("event", f"{ref} {reason}", started)

    def _note(self, what: str, subject: str, started: float, problem: str = "") -> None:
        self.steps.append(Step(what, subject, self._now() - started, problem))


def _name(write: Write) -> str:
    if write.verb is Verb.DELETE:
        return "delete"
    return "create" if write.expect is Expect.ABSENT else "update"
