"""The contract: what a real kube-apiserver answered, step by step, is what the store answers, and what it answers over
HTTP; and, where one can be had, what a real one answers today. Texts for people are not compared."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ork.cluster.memory.store import Store
from ork.cluster.server.api import Api
from ork.cluster.server.serving import kubeconfig, served
from tests.contract.difference import differences
from tests.contract.player import Answer
from tests.contract.suite import Scenario, exceptions, install_fixtures, played, scenarios
from tests.contract.transports import TOKEN, InMemory, OverHttp
from tests.controlplane import columns, kubernetes
from tests.controlplane.controlplane import SKIP_REASON, ControlPlane, binaries
from tests.controlplane.kubernetes import Server

Results = dict[str, tuple[Answer, Answer]]
SIDE_BY_SIDE = 8
PATIENCE, REAL_PATIENCE = 10.0, 120.0
needs_a_real_one = pytest.mark.skipif(binaries() is None, reason=SKIP_REASON)
every_scenario = pytest.mark.parametrize("scenario", scenarios(), ids=lambda one: one.id)


def assert_alike(scenario: Scenario, results: Results, known: dict[str, str]) -> None:
    """Fail with every difference of a scenario's steps that is not a known one."""
    lines = []
    for number in range(1, len(scenario.steps) + 1):
        key = f"{scenario.id}/{number:02d}"
        wanted, got = results[key]
        if key not in known and not wanted.get("volatile"):
            lines += [f"{key}: {line}" for line in differences(wanted, got)]
    assert not lines, "\n".join(lines)


# ── in memory ───────────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def memory() -> InMemory:
    transport = InMemory()
    install_fixtures(transport)
    return transport


@every_scenario
def test_the_store_answers_alike(scenario: Scenario, memory: InMemory) -> None:
    results = {key: (wanted, got) for key, wanted, got in played(scenario, memory, 0.0)}
    assert_alike(scenario, results, exceptions())


def test_every_exception_is_one_still(memory: InMemory) -> None:
    concerned = [one for one in scenarios() if any(key.startswith(f"{one.id}/") for key in exceptions())]
    steps = [step for one in concerned for step in played(one, memory, 0.0)]
    differing = {key for key, wanted, got in steps if differences(wanted, got) and not wanted.get("volatile")}
    assert exceptions().keys() == differing


def test_at_least_95_of_100_steps_are_alike() -> None:
    assert len(exceptions()) <= 0.05 * sum(len(one.steps) for one in scenarios())


# ── over HTTP ───────────────────────────────────────────────────────────────────────────────────
def play_all(config: Path, patience: float) -> Results:
    """Play every scenario against a server, some at a time."""
    first = OverHttp(config)
    install_fixtures(first)
    first.close()

    def one(scenario: Scenario) -> list[tuple[str, Answer, Answer]]:
        transport = OverHttp(config)
        try:
            return [*played(scenario, transport, patience)]
        finally:
            transport.close()

    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        steps = [step for found in pool.map(one, _longest_first()) for step in found]
    return {key: (wanted, got) for key, wanted, got in steps}


def _longest_first() -> list[Scenario]:
    """Return the scenarios with those that wait for watches to end first, so that they do not come last."""
    return sorted(scenarios(), key=lambda one: not one.id.startswith(("bookmarks", "watch")))


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Results]:
    config = tmp_path_factory.mktemp("contract") / "kubeconfig"
    ready, done = threading.Event(), threading.Event()

    async def serve() -> None:
        async with served(Api(Store(), TOKEN, workloads="never")) as address:
            config.write_text(kubeconfig(address, TOKEN), encoding="utf-8")
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(20)
        yield play_all(config, PATIENCE)
    finally:
        done.set()
        thread.join()


@pytest.mark.timeout(120)
@every_scenario
def test_the_store_answers_alike_over_http(scenario: Scenario, over_http: Results) -> None:
    assert_alike(scenario, over_http, exceptions())


# ── the real thing ──────────────────────────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    controllers = ("garbage-collector-controller", "namespace-controller")
    with ControlPlane(tmp_path_factory.mktemp("real"), controllers) as started:
        yield started


@pytest.fixture(scope="module")
def real(plane: ControlPlane) -> Results:
    return play_all(plane.folder / "kubeconfig", REAL_PATIENCE)


@needs_a_real_one
@pytest.mark.timeout(300)
@every_scenario
def test_a_real_api_server_answers_alike(scenario: Scenario, real: Results) -> None:
    assert_alike(scenario, real, {})


@needs_a_real_one
@pytest.mark.timeout(120)
def test_a_real_api_server_prints_the_columns_that_ship(plane: ControlPlane) -> None:
    server = Server(plane)
    kinds = {name: kind for name, kind in kubernetes.served(server).items() if ".example.com/" not in name}
    assert columns.columns(server, kinds) == json.loads(columns.FILE.read_text(encoding="utf-8"))
