"""A network that cuts, delays, swallows and refuses: every request may go wrong, and the cluster still comes out right.

Partitions of a leader stand in test_leader.py.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, katalog
from tests.integration.faults.people import user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import comes_out_right
from tests.integration.proxy import FAIR, Passed, Request, Treatment, proxy

Treat = Callable[[Request], Treatment]
STREAMS = 3
STEPS = 60


def cut_streams(random: Random) -> Treat:
    """Cut every watch somewhere in its first objects, mostly in the middle of a line."""
    return lambda request: Treatment(cut=random.randrange(1, 6000)) if request.watch else FAIR


def swallow_answers(random: Random) -> Treat:
    """Let a third of the writes happen and nobody know."""
    return lambda request: Treatment(swallow=not request.watch and random.random() < 0.33)


def delay(random: Random) -> Treat:
    """Delay each request, so that answers and the watch's news of them come in any order."""
    return lambda request: FAIR if request.watch else Treatment(delay=random.random() * 0.3)


def everything(random: Random) -> Treat:
    """Let each go wrong in its own way."""
    ways = [cut_streams(random), swallow_answers(random), delay(random)]
    return lambda request: random.choice(ways)(request)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("way", [cut_streams, swallow_answers, delay, everything], ids=lambda way: str(way.__name__))
def test_a_bad_network_costs_time_and_nothing_else(
    shaken: ControlPlane, tmp_path: Path, way: Callable[[Random], Treat]
) -> None:
    async def story() -> None:
        async with user(shaken, 2) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                between.treat = way(Random(3))
                await someone.work(STEPS)
                # It must come out right while the network is as bad as ever.
                await comes_out_right(someone, text)
                between.treat = lambda _: FAIR
                await quiet(between)
                assert await operator.stop() == 0

    asyncio.run(story())


RETRY_AFTER = 1


@pytest.mark.timeout(120)
def test_a_server_that_is_busy_is_left_in_peace_for_as_long_as_it_asks(shaken: ControlPlane, tmp_path: Path) -> None:
    async def story() -> None:
        random = Random(4)
        async with user(shaken, 4) as someone, proxy(shaken) as between:
            text = katalog(someone.namespace, APP)
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                between.treat = lambda _: Treatment(busy=RETRY_AFTER) if random.random() < 0.7 else FAIR
                between.sever()  # so that lists and watches meet it too
                for number in range(25):  # and no changes, since whatever changes is looked at at once
                    await someone.create(f"app-{number}", image="nginx:1", parts=["a"], far=number % 3 == 0)
                await asyncio.sleep(6.0)
                between.treat = lambda _: FAIR
                await comes_out_right(someone, text)
                await quiet(between)
                assert await operator.stop() == 0
            _check_patience(between.log)

    asyncio.run(story())


def _check_patience(log: list[Passed]) -> None:
    """The very request that was refused is not sent again before the time that the answer named."""
    refused: dict[tuple[str, str, bytes], float] = {}
    early: Counter[str] = Counter()
    for passed in log:
        key = passed.request.method, passed.request.target.partition("timeoutSeconds")[0], passed.request.body
        if passed.at - refused.get(key, float("-inf")) < RETRY_AFTER - 0.05:
            early[f"{passed.request.method} {passed.request.path}"] += 1
        if passed.status == 429:
            refused[key] = passed.at
    assert refused
    assert not early
