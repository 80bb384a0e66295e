"""Ten thousand settled CRs, each looked at every 30 seconds: what that costs in requests, CPU, memory and pauses.

ORK_BENCH_SETTLED=10000 make bench
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
import time
from collections import Counter
from typing import NamedTuple

import aiohttp

from tests.bench.ground import APPS, Ground, ground, until
from tests.bench.peers.operators import Running, ork, started
from tests.controlplane.controlplane import SKIP_REASON, binaries

CRS = int(os.environ.get("ORK_BENCH_SETTLED", "10000"))
SECONDS = 31.0
"""A little more than one resync."""
PROBE = 0.005
MEGABYTES, KILOBYTES_EACH = 75, 15
"""What may be held: so much, and so much for each CR with two children."""


class Live:
    """The operator's live API."""

    def __init__(self, session: aiohttp.ClientSession, port: int) -> None:
        self._session, self._url = session, f"http://127.0.0.1:{port}"

    async def figures(self) -> Counter[str]:
        """Return its counters, summed over their labels."""
        async with self._session.get(f"{self._url}/metrics") as answer:
            text = await answer.text()
        found: Counter[str] = Counter()
        for name, value in re.findall(r"^([a-z_]+)(?:\{.*\})? (\S+)$", text, re.MULTILINE):
            found[name] += int(float(value)) if float(value) < 1e15 else 0
        return found

    async def probe(self, until: float) -> list[float]:
        """Ask for its health again and again; return how long the answers took, in milliseconds."""
        taken = []
        while time.monotonic() < until:
            begun = time.monotonic()
            async with self._session.get(f"{self._url}/healthz") as answer:
                await answer.read()
            taken.append((time.monotonic() - begun) * 1000)
            await asyncio.sleep(PROBE)
        return taken


async def _idle(until: float) -> float:
    """Return the longest pause of a loop that does nothing: what the machine itself adds."""
    longest = 0.0
    while time.monotonic() < until:
        begun = time.monotonic()
        await asyncio.sleep(PROBE)
        longest = max(longest, time.monotonic() - begun - PROBE)
    return longest * 1000


class Settled(NamedTuple):
    """What half a minute of nothing cost."""

    turns: int
    requests: int
    cpu: float
    probes: list[float]
    idle: float


async def measure(live: Live, running: Running) -> Settled:
    """Watch an operator that has nothing to do for a resync, and probe its loop in a second one."""
    before, cpu = await live.figures(), running.cpu
    await asyncio.sleep(SECONDS)
    used, after = running.cpu - cpu, await live.figures()
    turns, requests = (after[name] - before[name] for name in (TURNS, REQUESTS))
    end = time.monotonic() + SECONDS
    probes, idle = await asyncio.gather(live.probe(end), _idle(end))
    return Settled(turns, requests, used, probes, idle)


TURNS, REQUESTS = "controller_runtime_reconcile_total", "rest_client_requests_total"


async def main() -> None:
    """Print the figures."""
    if binaries() is None:
        print(f"  skipped: {SKIP_REASON}")
        return
    async with ground() as at, aiohttp.ClientSession() as session:
        namespace, port = await at.namespace(), _free_port()
        await at.fill(namespace, CRS)
        with started(ork(f"127.0.0.1:{port}"), at.plane.kubeconfig, namespace) as running:
            await _all_ready(at, namespace)
        # What a start over settled CRs holds is what it holds from then on.
        with started(ork(f"127.0.0.1:{port}"), at.plane.kubeconfig, namespace) as running:
            live = Live(session, port)
            await _synced(live)
            _print(await measure(live, running), running.rss)


async def _all_ready(at: Ground, namespace: str) -> None:
    async with at.sights(APPS.format(namespace), '"phase":"Ready"') as ready:
        await until(lambda: len(ready) == CRS, 900)


async def _synced(live: Live) -> None:
    turns = 0
    while turns < CRS:
        await asyncio.sleep(1.0)
        try:
            turns = (await live.figures())[TURNS]
        except aiohttp.ClientError:
            continue
    await asyncio.sleep(2.0)


def _print(found: Settled, rss: float) -> None:
    probes, limit = sorted(found.probes), MEGABYTES + KILOBYTES_EACH * CRS / 1000
    print(f"  {CRS} settled CRs, {found.turns} turns in {SECONDS:.0f} s")
    print(f"  requests            {found.requests:7}     (0, but for watches that end and begin)")
    print(f"  CPU per turn        {found.cpu / max(found.turns, 1) * 1e6:7.0f} µs  (at most 100)")
    print(f"  answer to a probe   {probes[len(probes) // 2]:7.1f} ms  in the middle, {probes[-1]:.1f} at most")
    print(f"  an idle loop        {found.idle:7.1f} ms  at most: the machine's own part of it (pauses: at most 25)")
    print(f"  RSS                 {rss:7.0f} MB  {rss / limit:5.2f} × of {limit:.0f} MB (at most 1)")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


if __name__ == "__main__":
    asyncio.run(main())
