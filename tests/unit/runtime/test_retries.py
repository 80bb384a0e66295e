"""When a CR whose turn failed is looked at again: after its back-off, or later where the server asks for it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, Ref
from ork.base.requests import WriteError
from ork.reconcile.ports import OutcomeKind
from tests.unit.runtime.conftest import Entry
from tests.unit.runtime.office import Office

BOX = "reconciler: {queue: {retryBackoff: {initial: 2s, max: 60s, multiplier: 2}}}"


class Busy:
    """A cluster that refuses every status."""

    def __init__(self, kind: FaultKind, after: float | None) -> None:
        self._fault = Fault(kind, "come back later", after=None if after is None else timedelta(seconds=after))

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        raise WriteError(self._fault)


@pytest.mark.parametrize(
    ("kind", "after", "wait"),
    [
        (FaultKind.UNAVAILABLE, None, 2.0),
        (FaultKind.UNAVAILABLE, 0.5, 2.0),
        (FaultKind.UNAVAILABLE, 30.0, 30.0),
        (FaultKind.CONFLICT, None, 2.0),
    ],
)
def test_a_failed_turn_is_repeated_after_its_back_off_or_later_where_the_server_asks_for_it(
    entry: Entry, kind: FaultKind, after: float | None, wait: float
) -> None:
    async def story() -> float | None:
        office = Office(entry(BOX), Busy(kind, after))
        office.see(1)
        await office.kordinator.begin(1)
        await office.work()
        assert office.kordinator.figures.turns[OutcomeKind.FAILED] == 1
        due = office.kordinator.queue.due_in()
        await office.kordinator.stop(0)
        return due

    assert asyncio.run(story()) == pytest.approx(wait, abs=0.2)
