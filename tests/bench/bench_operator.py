"""A thousand CRs, each with a Deployment, a ConfigMap and a status, on a real API server: `ork` against a bare loop, on
controller-runtime and on kopf. Then how soon the child of one new CR can be seen.

    ORK_BENCH_CRS=1000 ORK_BENCH_ROUNDS=3 make bench
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from typing import NamedTuple

from tests.bench.ground import APPS, Ground, ground, until
from tests.bench.peers.operators import Peer, Running, peers, started
from tests.controlplane.controlplane import SKIP_REASON, binaries

CRS = int(os.environ.get("ORK_BENCH_CRS", "1000"))
ROUNDS = int(os.environ.get("ORK_BENCH_ROUNDS", "3"))
SINGLE = 40
"""New CRs, one after the other."""
READY = '"phase":"Ready"'
DEPLOYMENTS = "/apis/apps/v1/namespaces/{}/deployments"


class Measured(NamedTuple):
    """One peer's round."""

    wall: float
    """Seconds from the first CR that was ready to the last."""
    cpu: float
    """CPU seconds of the operator in that time."""
    requests: float
    """Per CR."""
    rss: float
    visible: float
    """Median milliseconds from sending a new CR to seeing its Deployment; 0 for the bare loop, which does not watch."""


async def measure(peer: Peer, at: Ground) -> Measured:
    """Run a peer once, in a namespace of its own."""
    namespace = await at.namespace()
    await at.fill(namespace, CRS)
    before = await at.requests()
    async with at.sights(APPS.format(namespace), READY) as ready:
        with started(peer, at.plane.kubeconfig, namespace) as running:
            await until(lambda: ready)
            begun = running.cpu
            await until(lambda: len(ready) >= CRS * 0.98)  # the bare loop ends with the last one
            cpu, share, rss = running.cpu - begun, len(ready) / CRS, running.rss
            await until(lambda: len(ready) == CRS)
            wall = max(ready.values()) - min(ready.values())
            requests = (await at.requests() - before) / CRS
            visible = await _visible(at, namespace, running) if peer.stays else 0.0
    return Measured(wall, cpu / share, requests, rss, visible)


async def _visible(at: Ground, namespace: str, running: Running) -> float:
    taken = []
    async with at.sights(DEPLOYMENTS.format(namespace), '"type":"ADDED"') as seen:
        await asyncio.sleep(0.5)
        for number in range(SINGLE):
            name = f"app-single-{number}"
            sent = time.monotonic()
            await at.create(namespace, name)
            async with asyncio.timeout(30):
                while name not in seen:
                    await asyncio.sleep(0.0005)
            taken.append((seen[name] - sent) * 1000)
            await asyncio.sleep(0.05)
    assert running.process.poll() is None
    return statistics.median(taken)


async def main() -> None:
    """Run the peers in turn, so that a busy moment hits all alike; print the best of each."""
    if binaries() is None:
        print(f"  skipped: {SKIP_REASON}")
        return
    who = peers()
    rounds: dict[str, list[Measured]] = {peer.name: [] for peer in who}
    async with ground() as at:
        for _ in range(ROUNDS):
            for peer in who:
                rounds[peer.name].append(await measure(peer, at))
    _print({name: _best(each) for name, each in rounds.items()})


def _best(rounds: list[Measured]) -> Measured:
    return Measured(*map(min, zip(*rounds, strict=True)))


GOALS = {"raw loop": (1.2, 2.0), "controller-runtime": (1.0, None), "kopf": (0.6, None)}
"""How many times a peer's wall, and its CPU, may `ork` take at most."""


def _print(best: dict[str, Measured]) -> None:
    ork = best["ork"]
    print(f"  {CRS} CRs              wall      CPU  requests/CR      RSS  child seen     ork's wall and CPU against it")
    for name, found in best.items():
        wall, cpu = GOALS.get(name, (None, None))
        against = f"{ork.wall / found.wall:5.2f} ×{_goal(wall)}  {ork.cpu / found.cpu:5.2f} ×{_goal(cpu)}"
        print(
            f"  {name:18} {found.wall:5.2f} s  {found.cpu:5.2f} s  {found.requests:8.2f}  {_or_dash(found.rss, 'MB')}"
            f"  {_or_dash(found.visible, 'ms')}      {against if name != 'ork' else ''}"
        )


def _or_dash(value: float, unit: str) -> str:
    return f"{value:7.1f} {unit}" if value else "         –"


def _goal(limit: float | None) -> str:
    return f" (at most {limit})" if limit else ""


if __name__ == "__main__":
    asyncio.run(main())
