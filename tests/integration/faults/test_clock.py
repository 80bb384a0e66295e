"""The wall clock jumps, by days and back; what is measured in seconds is measured on the monotonic clock, which stays.

The operator runs in the test's own process, where its clock can be moved.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from ork.base.objects import Object
from ork.cli import wiring
from ork.cluster.kube.client import path_of
from ork.cluster.kube.leases import LEASES, KubeLease
from ork.program import Program
from ork.runtime.elector import Elector
from ork.runtime.lease import Leases, Terms
from ork.runtime.operator import Operator, Options
from tests import documents
from tests.controlplane.controlplane import ControlPlane
from tests.integration.clients import client_of
from tests.integration.faults.katalogs import APP, KINDS, crd, katalog
from tests.integration.faults.people import User, user
from tests.integration.faults.whole import comes_out_right

JUMPS = [timedelta(days=400), timedelta(days=-800), timedelta(hours=1), timedelta(seconds=-30)]


class JumpingClock:
    """A wall clock that somebody sets."""

    def __init__(self) -> None:
        self.off = timedelta()

    def now(self) -> datetime:
        """Return what it shows."""
        return datetime.now(UTC) + self.off


@pytest.mark.timeout(120)
def test_a_wall_clock_that_jumps_costs_neither_the_lease_nor_a_turn(shaken: ControlPlane) -> None:
    async def story() -> None:
        clock = JumpingClock()
        async with user(shaken, 12) as someone:
            text = katalog(someone.namespace, APP)
            async with leading(shaken, someone, compiled(text), clock) as operator:
                for number, jump in enumerate(JUMPS):
                    await someone.create(f"mine-{number}", image="nginx:1", parts=["a"])
                    clock.off += jump
                    await someone.work(5)
                    await asyncio.sleep(2.2)  # in which the lease is renewed by the clock as it is now
                    await comes_out_right(someone, text)
                before = operator.kordinators["app"].health.total
                clock.off += timedelta(days=1)
                await asyncio.sleep(1.0)
                turns = operator.kordinators["app"].health.total - before
                assert turns <= len(someone.wants)  # the resync of these seconds, and no storm
                assert (await lease(someone))["spec"]["leaseTransitions"] == 0

    asyncio.run(story())


def compiled(text: str) -> Program:
    """Compile a Katalog of this folder."""
    files = {f"{kind.kind.lower()}.yaml": json.dumps(crd(kind)) for kind in KINDS}
    return documents.program(text, files)


async def lease(someone: User) -> Object:
    """Return the lease of the user's operator."""
    return await someone.client.request("GET", path_of(LEASES, someone.namespace, "jumping"))


@asynccontextmanager
async def leading(plane: ControlPlane, someone: User, program: Program, clock: JumpingClock) -> AsyncIterator[Operator]:
    """Run an operator that leads, and that goes by this clock in everything."""

    @asynccontextmanager
    async def leases() -> AsyncIterator[Leases]:
        async with client_of(plane.kubeconfig) as client:  # of the election's own thread and loop
            yield KubeLease(client, someone.namespace, "jumping")

    terms = Terms("jumping", someone.namespace, "this-process")
    async with wiring.world(wiring.Cluster(str(plane.kubeconfig), elect=False), program, {}, ()) as world:
        world = world._replace(clock=clock, election=lambda changed: Elector(terms, leases, clock, changed))
        operator = Operator(program, world, Options((someone.namespace,), apply_crds=False), logging.getLogger("test"))
        try:
            await operator.start()
            deadline = time.monotonic() + 30
            while not operator.kordinators["app"].awake:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)
            yield operator
        finally:
            await operator.stop()
