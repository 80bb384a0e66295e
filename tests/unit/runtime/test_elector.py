"""An election that cannot be held is said once, and again when the reason is another. What the thread does with a Lease
that is there stands in tests/integration."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ork.base.clock import SystemClock
from ork.base.errors import OutsideError
from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object
from ork.base.requests import WriteError
from ork.runtime.elector import Elector
from ork.runtime.lease import Leases, Terms


class Refused:
    """A Lease that may be read, and not written; the reason changes after a while."""

    def __init__(self) -> None:
        self.asked = 0

    async def read(self) -> Object | None:
        return None

    async def write(self, lease: Object) -> Object:
        self.asked += 1
        reason = "leases are forbidden" if self.asked < 4 else "leases are away"
        raise WriteError(Fault(FaultKind.FORBIDDEN, reason))


def test_why_a_lease_cannot_be_had_is_said_once_for_each_reason() -> None:
    refused, said, enough = Refused(), list[str](), threading.Event()
    answers: tuple[OutsideError | Refused, ...] = (OutsideError("the kubeconfig is broken"), refused)
    connections = iter(answers)

    @asynccontextmanager
    async def connect() -> AsyncIterator[Leases]:
        found = next(connections)
        if isinstance(found, OutsideError):
            raise found
        yield found

    def troubled(problem: str) -> None:
        said.append(problem)
        if problem == "leases are away":
            enough.set()

    terms = Terms("ork", "default", "me", duration=3.0, deadline=2.0, retry=0.01)
    elector = Elector(terms, connect, SystemClock(), lambda _: None, troubled)
    elector.start()
    assert enough.wait(10)
    elector.stop()
    assert said == ["the kubeconfig is broken", "leases are forbidden", "leases are away"]
