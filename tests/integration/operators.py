"""Operators at work on a real API server, in the test's own process, with every request that they send written down."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ork.base.clock import SystemClock
from ork.base.objects import Kind, Object, Ref
from ork.base.requests import CallRequest, CallResult
from ork.cluster.kube.client import ApiError, Client, path_of
from ork.cluster.kube.cluster import KubeCluster
from ork.cluster.kube.config import Target, connect
from ork.cluster.kube.install import Installer
from ork.cluster.kube.source import KubeSource
from ork.labels import FIELD_MANAGER
from ork.program import Program
from ork.runtime.metrics import Metrics
from ork.runtime.operator import Operator, Options
from ork.runtime.world import World
from tests import documents
from tests.controlplane.controlplane import ControlPlane
from tests.documents import crd
from tests.integration.clients import client_of

GROUP = "it.example.com"
APPS = Kind(GROUP, "v1", "App", "apps", True)

SPEC = """
type: object
properties:
  enabled: {type: boolean, default: true}
  image: {type: string}
  note: {type: string, default: ""}
"""


TWO_CHILDREN = """
        onReconcile:
          deployments:
            - name: "{{ .metadata.name }}"
              image: "{{ .spec.image }}"
          configMaps:
            - name: "{{ .metadata.name }}"
              data: {note: "{{ .spec.note }}"}
        status:
          fields:
            - {path: phase, value: Ready}
"""


def katalog(title: str, **boxes: str) -> str:
    """Return a Katalog with an entry for each box; the entry `app` is for `App`, whose CRD file is `app.yaml`."""
    return documents.katalog(title, **{key: documents.entry(box, f"crdFile: {key}.yaml") for key, box in boxes.items()})


def program(text: str) -> Program:
    """Compile a Katalog; every CRD file that it may name is there."""
    files = {f"{kind.lower()}.yaml": crd(SPEC, group=GROUP, kind=kind) for kind in ("App", "Route")}
    return documents.program(text, files)


class Recorder(Client):
    """A client that writes down what it is asked to send: `PATCH configmaps/a`, `watch apps`."""

    sent: list[str]

    async def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Object | None = None,
        content_type: str = "application/json",
    ) -> Object:
        self.sent.append(f"{method} {_short(path)}")
        return await super().request(method, path, query, body, content_type)

    def stream(self, path: str, query: Mapping[str, str], quiet: float) -> AsyncIterator[Object]:
        self.sent.append(f"watch {_short(path)}")
        return super().stream(path, query, quiet)


def _short(path: str) -> str:
    """Return `configmaps/a` or `apps/a/status` of a path."""
    parts = path.split("/")
    return "/".join(parts[parts.index("namespaces") + 2 :] if "namespaces" in parts[:-2] else parts[-1:])


class Running(NamedTuple):
    """An operator at work."""

    operator: Operator
    sent: list[str]

    @property
    def writes(self) -> list[str]:
        """What it wrote, in order."""
        return [line for line in self.sent if not line.startswith(("GET", "watch"))]

    def turns(self, crd: str = "app") -> int:
        """Return how many turns there were."""
        return self.operator.kordinators[crd].health.total

    async def watching(self, kinds: int = 3) -> None:
        """Wait until it works and that many watches are open."""
        await until(lambda: sum(line.startswith("watch") for line in self.sent) >= kinds)
        await until(lambda: all(kordinator.awake for kordinator in self.operator.kordinators.values()))

    async def settled(self, count: int, crd: str = "app") -> None:
        """Wait until that many CRs were looked at and nothing is left to do."""
        kordinator = self.operator.kordinators[crd]
        await until(lambda: len(kordinator.health.objects) >= count and kordinator.idle)


@asynccontextmanager
async def running(
    kubeconfig: Path,
    compiled: Program,
    options: Options,
    call: Callable[[CallRequest], Awaitable[CallResult]] | None = None,
) -> AsyncIterator[Running]:
    """Start an operator and stop it at the end."""
    client = Recorder(await connect(Target(kubeconfig)))
    client.sent = []
    clock, random = SystemClock(), Random(1)

    async def no_call(request: CallRequest) -> CallResult:
        raise AssertionError(request.name)

    world = World(
        source=KubeSource(client, random),
        cluster=lambda left: KubeCluster(client.fenced(left), FIELD_MANAGER, clock),
        installer=Installer(client, KubeCluster(client, FIELD_MANAGER, clock)),
        call=call or no_call,
        clock=clock,
        random=random,
        environ={},
        metrics=Metrics(),
    )
    operator = Operator(compiled, world, options, logging.getLogger("test"))
    try:
        await operator.start()
        yield Running(operator, client.sent)
    finally:
        await operator.stop()
        await client.close()


class Place(NamedTuple):
    """A namespace of one's own on the real server, and an administrator's client."""

    client: Client
    namespace: str
    kubeconfig: Path

    def app(self, name: str = "a", kind: str = "App", **spec: Any) -> Object:
        """Return a CR."""
        metadata = {"name": name, "namespace": self.namespace}
        return {"apiVersion": APPS.api_version, "kind": kind, "metadata": metadata, "spec": spec}

    async def create(self, obj: Object) -> Object:
        """Create an App or a Route."""
        kind = APPS._replace(kind=obj["kind"], plural=f"{obj['kind'].lower()}s")
        return await self.client.request("POST", path_of(kind, obj["metadata"]["namespace"]), None, obj)

    async def get(self, kind: Kind, name: str, namespace: str = "") -> Object | None:
        """Read an object; None where it is not there."""
        return await self.client.find(Ref(kind, namespace or self.namespace, name))

    async def patch(self, kind: Kind, name: str, body: Object) -> Object:
        """Change an object by a merge patch."""
        path = path_of(kind, self.namespace, name)
        return await self.client.request("PATCH", path, None, body, "application/merge-patch+json")

    async def delete(self, kind: Kind, name: str) -> None:
        """Delete an object."""
        await self.client.request("DELETE", path_of(kind, self.namespace, name))

    async def install(self, *kinds: str) -> None:
        """Apply CRDs and wait for them."""
        installer = Installer(self.client, KubeCluster(self.client, "test", SystemClock()))
        for kind in kinds:
            crd = manifest(kind)
            await installer.install(crd)
            # A list from the watch cache is refused until that stands; a watch begun sooner would be asked for twice.
            served = Kind(crd["spec"]["group"], "v1", kind, crd["spec"]["names"]["plural"], True)
            await until_found(partial(self._listed, path_of(served)))

    async def _listed(self, path: str) -> Object | None:
        try:
            return await self.client.request("GET", path, {"resourceVersion": "0"})
        except ApiError:
            return None


def manifest(kind: str) -> Object:
    """Return the CustomResourceDefinition of a kind."""
    found = program(katalog("manifest", **{kind.lower(): TWO_CHILDREN})).crds[kind.lower()].manifest
    assert found is not None
    return found


@asynccontextmanager
async def place(kubeconfig: Path) -> AsyncIterator[Place]:
    """Give a new namespace."""
    namespace = f"t-{uuid.uuid4().hex[:8]}"
    async with client_of(kubeconfig) as client:
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
        await client.request("POST", "/api/v1/namespaces", None, body)
        yield Place(client, namespace, kubeconfig)


Story = Callable[[Place], Awaitable[Any]]
Tell = Callable[[Story], None]


def teller(plane: ControlPlane, *kinds: str) -> Tell:
    """Return what tells a story in a new place, where the CRDs of these kinds stand."""

    async def told(story: Story) -> None:
        async with place(plane.kubeconfig) as here:
            await here.install(*kinds)
            await story(here)

    return lambda story: asyncio.run(told(story))


async def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


async def until_found(look: Callable[[], Awaitable[Any]], seconds: float = 20.0) -> Any:
    """Wait until a look finds something, and return it."""
    async with asyncio.timeout(seconds):
        while not (found := await look()):
            await asyncio.sleep(0.02)
    return found
