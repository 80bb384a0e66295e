"""Leader election over a Lease of a real API server: two electors, each on a thread of its own."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ork.base.clock import SystemClock
from ork.cluster.kube.leases import KubeLease
from ork.runtime.elector import Elector
from ork.runtime.lease import Candidate, Leases, Terms
from tests.controlplane.controlplane import ControlPlane
from tests.integration.clients import client_of


@pytest.fixture
def elector(plane: ControlPlane) -> Callable[[str], Elector]:
    name = f"lease-{uuid.uuid4().hex[:8]}"

    def made(identity: str) -> Elector:
        terms = Terms(name, "default", identity, duration=2.0, deadline=1.2, retry=0.2)
        return Elector(terms, lambda: leases(plane.kubeconfig, name), SystemClock(), lambda _: None)

    return made


@asynccontextmanager
async def leases(kubeconfig: Path, name: str) -> AsyncIterator[Leases]:
    async with client_of(kubeconfig) as client:
        yield KubeLease(client, "default", name)


def until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_leads_the_other_waits_and_takes_over_when_the_lease_is_released(elector: Callable[[str], Elector]) -> None:
    one, two = elector("one"), elector("two")
    one.start()
    until(lambda: one.left() > 0)
    two.start()
    time.sleep(0.5)
    assert one.left() > 0
    assert two.left() <= 0
    one.stop()
    assert one.left() <= 0
    until(lambda: two.left() > 0)
    two.stop()


def test_a_leader_that_is_gone_without_a_word_is_followed_after_the_lease_has_run_out(
    plane: ControlPlane, elector: Callable[[str], Elector]
) -> None:
    async def die() -> float:
        other = elector("unused")
        async with leases(plane.kubeconfig, other.terms.name) as port:
            gone = Candidate(other.terms._replace(identity="gone"), port, SystemClock(), time.monotonic)
            await gone.attempt()
            assert gone.may_write()
            return time.monotonic()

    since = asyncio.run(die())
    heir = elector("heir")
    heir.start()
    until(lambda: heir.left() > 0)
    assert time.monotonic() - since >= 2.0
    heir.stop()
