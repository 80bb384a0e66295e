"""Two replicas, of which one leads: a leader that is cut off, or killed, writes nothing from its deadline on.

What each replica sent, and when, is known from a proxy before each.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from ork.runtime.lease import Terms
from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, katalog
from tests.integration.faults.people import user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import comes_out_right
from tests.integration.proxy import Passed, Proxy, proxy

TERMS = Terms("", "", "")
STREAMS = 3


async def leads(one: Proxy, since: float, within: float = 60.0) -> None:
    """Wait until a replica has been granted the lease."""
    deadline = time.monotonic() + within
    while not any(passed.holder and passed.at >= since for passed in one.log):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


@pytest.mark.timeout(180)
def test_a_leader_that_is_cut_off_writes_nothing_after_its_deadline_even_when_the_network_is_back(
    shaken: ControlPlane, tmp_path: Path
) -> None:
    async def story() -> None:
        async with user(shaken, 7) as someone, proxy(shaken) as first, proxy(shaken) as second:
            text, flags = katalog(someone.namespace, APP), ("--leader-elect", "-n", someone.namespace)
            with process(tmp_path / "1", text, first, *flags) as leader:
                await leads(first, 0)
                with process(tmp_path / "2", text, second, *flags) as standby:
                    await standby.watching(STREAMS)
                    await someone.work(15)
                    work = asyncio.create_task(someone.work(80, pause=0.25))
                    await asyncio.sleep(0.3)
                    cut = time.monotonic()
                    first.hold()  # in the middle of its work
                    await leads(second, cut)
                    first.release()
                    await work
                    await comes_out_right(someone, text)
                    await quiet(second)
                    check_fenced([first.log, second.log])
                    assert second.writes(cut)
                    assert await leader.stop() == 0
                    assert await standby.stop() == 0

    asyncio.run(story())


@pytest.mark.timeout(180)
def test_leaders_that_are_killed_or_stopped_are_followed_by_another(shaken: ControlPlane, tmp_path: Path) -> None:
    async def story() -> None:
        async with user(shaken, 8) as someone, proxy(shaken) as first, proxy(shaken) as second:
            text, flags = katalog(someone.namespace, APP), ("--leader-elect", "-n", someone.namespace)
            with process(tmp_path / "1", text, first, *flags) as leader:
                await leads(first, 0)
                with process(tmp_path / "2", text, second, *flags) as standby:
                    await asyncio.gather(standby.watching(STREAMS), someone.work(15))
                    killed = time.monotonic()
                    leader.kill()
                    leader.start()
                    await asyncio.gather(leader.watching(STREAMS), leads(second, killed), someone.work(15))
                    stopped = time.monotonic()
                    assert await standby.stop() == 0  # it gives the lease up, so that nobody waits for its end
                    await asyncio.gather(leads(first, stopped, TERMS.duration - TERMS.retry), someone.work(15))
                    await comes_out_right(someone, text)
                    await quiet(first)
                    check_fenced([first.log, second.log])

    asyncio.run(story())


class Grant(NamedTuple):
    """A moment in which a process was granted the lease."""

    at: float
    holder: str


def check_fenced(logs: Iterable[list[Passed]]) -> None:
    """Hold every write against the lease: its process renewed it no longer ago than the deadline, and nobody else has
    taken it since."""
    logs = list(logs)
    grants = sorted(Grant(passed.at, passed.holder) for log in logs for passed in log if passed.holder is not None)
    for log in logs:
        own = {passed.holder for passed in log if passed.holder}
        for passed in log:
            if passed.request.write:
                before = [grant for grant in grants if grant.at <= passed.at]
                what = f"{passed.request.method} {passed.request.path}"
                assert before, f"{what} came before any lease"
                assert before[-1].holder in own, f"{what} came after another replica had taken the lease"
                assert passed.at - before[-1].at <= TERMS.deadline, f"{what} came after the deadline"
