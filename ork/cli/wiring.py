"""The only place that builds real parts: what reaches beyond the machine's files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ork.base.records import NamedTuple
from ork.program import Program, calls_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from ork.base.requests import CallRequest, CallResult
    from ork.calls.http import HttpClient
    from ork.calls.retry import Send
    from ork.cluster.kube.client import Client, Counted
    from ork.cluster.kube.connection import Connection
    from ork.cluster.kube.leases import KubeLease
    from ork.reconcile.ports import Caller
    from ork.runtime.world import Elect, World
    from ork.simulate.server import Stages

    Way = Callable[[], Awaitable[Connection]]


class Outside(NamedTuple):
    """What a simulation may use of the world."""

    send: Send | None = None
    """Makes external calls; None: none leaves."""
    environ: Mapping[str, str] = {}
    """Where tokens and headers find their variables."""


@contextmanager
def outside(live: bool) -> Iterator[Outside]:
    """Lend the world to a simulation, or with `live` false nothing of it.

    A simulation runs without an event loop, so each attempt is one run of a loop of its own.
    """
    if not live:
        yield Outside()
        return
    import asyncio
    import os

    from ork.calls.http import HttpClient

    with asyncio.Runner() as runner:
        client = HttpClient()

        async def send(request: CallRequest) -> CallResult:
            return runner.run(client.send(request))

        try:
            yield Outside(send, os.environ)
        finally:
            runner.run(client.close())


@contextmanager
def stages(envtest: bool) -> Iterator[Stages]:
    """Lend simulations their clusters: those of a real API server that is started for them, or those in memory.

    Raises UsageError where the programs of an API server are not there, OutsideError where they do not start.
    """
    if not envtest:
        from ork.simulate.world import InMemory

        yield InMemory
        return
    import asyncio
    from tempfile import TemporaryDirectory

    from ork.cluster.envtest.plane import ControlPlane
    from ork.cluster.kube.config import Target, connect
    from ork.simulate.real.requests import Requests
    from ork.simulate.real.stage import RealStages

    temporary = TemporaryDirectory(prefix="ork-envtest-")
    # A list that waits for the watch cache takes a tenth of a second, and a simulation lists all the time.
    flags = ("--watch-cache=false",)
    with temporary as folder, ControlPlane(Path(folder), flags=flags) as plane, asyncio.Runner() as runner:
        stack = AsyncExitStack()
        connection = runner.run(connect(Target(plane.kubeconfig)))
        client = runner.run(stack.enter_async_context(_client(connection)))
        try:
            yield RealStages(Requests(runner, client), plane.etcd)
        finally:
            runner.run(stack.aclose())


# ── `ork run` ───────────────────────────────────────────────────────────────────────────────────
class Cluster(NamedTuple):
    """Which cluster is meant, and whether a leader is elected there."""

    kubeconfig: str = ""
    context: str = ""
    elect: bool | None = None
    """None: in a pod only, where several replicas may run."""
    way: Way | None = None
    """How it is reached, where not by the kubeconfig."""


@asynccontextmanager
async def world(
    cluster: Cluster, program: Program, environ: Mapping[str, str], allow_hosts: Sequence[str], *, dry: bool = False
) -> AsyncIterator[World]:
    """Lend an operator the world, in a `dry` one of which writes change nothing.

    Raises OutsideError where the cluster cannot be used.
    """
    from random import Random

    from ork.base.clock import SystemClock
    from ork.cluster.kube.cluster import KubeCluster
    from ork.cluster.kube.install import Installer
    from ork.cluster.kube.source import KubeSource
    from ork.labels import FIELD_MANAGER
    from ork.runtime.metrics import Metrics
    from ork.runtime.world import World

    clock, random, metrics = SystemClock(), Random(), Metrics()
    way = cluster.way or partial(_by_kubeconfig, cluster)
    connection = await way()
    async with _client(connection, metrics.request) as wet, _calls(program, allow_hosts) as call:
        client = wet.dry() if dry else wet
        yield World(
            source=KubeSource(client, random),
            cluster=lambda left: KubeCluster(client.fenced(left), FIELD_MANAGER, clock),
            installer=Installer(client, KubeCluster(client, FIELD_MANAGER, clock), connection.namespace),
            call=call,
            clock=clock,
            random=random,
            environ=environ,
            metrics=metrics,
            election=await _election(way, client, connection.namespace, program) if _elects(cluster) else None,
        )


async def _by_kubeconfig(cluster: Cluster) -> Connection:
    from ork.cluster.kube.config import Target, connect

    return await connect(Target(Path(cluster.kubeconfig) if cluster.kubeconfig else None, cluster.context or None))


def _elects(cluster: Cluster) -> bool:
    if cluster.elect is not None:
        return cluster.elect
    from ork.cluster.kube.config import in_cluster

    return in_cluster()


@asynccontextmanager
async def _client(connection: Connection, counted: Counted | None = None) -> AsyncIterator[Client]:
    from ork.cluster.kube.client import Client

    client = Client(connection, counted)
    try:
        await client.greet()
        yield client
    finally:
        await client.close()


class _Calls:
    """Makes external calls. What that takes is loaded where a katalog has some, at the latest for the first one."""

    def __init__(self, allow_hosts: Sequence[str]) -> None:
        self._allow_hosts = allow_hosts
        self._client: HttpClient | None = None
        self._caller: Caller | None = None

    def open(self) -> Caller:
        """Return what makes calls."""
        from ork.calls.http import HttpClient, sleep
        from ork.calls.retry import retrying

        if self._caller is None:
            self._client = HttpClient(self._allow_hosts)
            self._caller = retrying(self._client.send, sleep, self._allow_hosts)
        return self._caller

    async def __call__(self, request: CallRequest) -> CallResult:
        """Make one call."""
        return await self.open()(request)

    async def close(self) -> None:
        """End all connections."""
        if self._client is not None:
            await self._client.close()


@asynccontextmanager
async def _calls(program: Program, allow_hosts: Sequence[str]) -> AsyncIterator[Caller]:
    calls = _Calls(allow_hosts)
    if any(True for crd in program.crds.values() for _ in calls_of(crd)):
        calls.open()
    try:
        yield calls
    finally:
        await calls.close()


async def _election(way: Way, client: Client, namespace: str, program: Program) -> Elect:
    """Return what holds the election over a katalog's Lease. Raises OutsideError where the Lease may not be read."""
    import logging
    import socket
    from uuid import uuid4

    from ork.base.clock import SystemClock
    from ork.cluster.kube.leases import KubeLease
    from ork.runtime.elector import Elector
    from ork.runtime.lease import Leases, Terms
    from ork.runtime.rbac import lease_name

    terms = Terms(lease_name(program), namespace, f"{socket.gethostname()}_{uuid4()}")
    await _check_lease(KubeLease(client, terms.namespace, terms.name))

    @asynccontextmanager
    async def leases() -> AsyncIterator[Leases]:
        async with _client(await way()) as own:
            yield KubeLease(own, terms.namespace, terms.name)

    def troubled(problem: str) -> None:
        logging.getLogger("ork").warning("the lease %s cannot be had: %s; it is tried again", terms.name, problem)

    return lambda changed: Elector(terms, leases, SystemClock(), changed, troubled)


async def _check_lease(lease: KubeLease) -> None:
    from ork.base.errors import OutsideError
    from ork.base.requests import WriteError

    try:
        await lease.read()
    except WriteError as error:
        advice = "allow get, create and update of leases.coordination.k8s.io, or run one with --no-leader-elect"
        raise OutsideError(f"{error}; {advice}") from error


# ── `ork run --embedded` ────────────────────────────────────────────────────────────────────────
@asynccontextmanager
async def embedded(name: str, state: str) -> AsyncIterator[Cluster]:
    """Run a whole cluster in this process; its kubeconfig stands at a place that is the same from run to run.

    Its objects are kept in the file `state`, or nowhere. Raises UsageError where that file is of no use.
    """
    import secrets

    from ork.cli.files import write_private
    from ork.cluster.kube.connection import Connection, Credentials, Endpoint
    from ork.cluster.memory.store import Store
    from ork.cluster.server.api import Api
    from ork.cluster.server.kept import kept
    from ork.cluster.server.serving import kubeconfig, served

    store, token = Store(), secrets.token_urlsafe(24)
    async with kept(store, state), served(Api(store, token, secrets.token_bytes(32))) as address:

        async def way() -> Connection:
            endpoint = Endpoint(address.url, ca_data=address.certificate.decode())
            return Connection(endpoint, "default", Credentials(f"Bearer {token}"))

        path = write_private(f"{name}/kubeconfig", kubeconfig(address, token))
        yield Cluster(str(path), elect=False, way=way)
