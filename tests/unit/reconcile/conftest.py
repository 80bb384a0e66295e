"""A small world for the story of one object: a katalog in YAML, the API server in memory, and a count of requests."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
import yaml

from ork.base.objects import Kind, Object, Ref
from ork.base.requests import CallRequest, CallResult, Done, Write
from ork.cluster.memory.controllers import Controllers
from ork.cluster.wire import CRDS
from ork.engine.gates import Held
from ork.expr.env import Env
from ork.labels import INVENTORY, LAST_SURFACE
from ork.program import Crd
from ork.reconcile.at_once import at_once
from ork.reconcile.gates import Event, admit_event
from ork.reconcile.handle import handle
from ork.reconcile.memory import Memory
from ork.reconcile.ports import NO_BOOKS, Annotations, Cause, Item, Outcome, Ports
from ork.simulate.ports import Recorder, ServerCluster, ServerView
from ork.simulate.refusals import Refusals
from tests.documents import crd, katalog, program
from tests.unit.cluster.world import SetClock, new_store

APP = Kind("demo.io", "v1", "App", "apps", True)
OPERATORS_OWN = (INVENTORY, LAST_SURFACE)


class Counting:
    """A cluster that counts what it is asked, each with one word."""

    def __init__(self, inner: ServerCluster) -> None:
        self._inner = inner
        self.requests: list[str] = []

    async def write(self, wave: Sequence[Write]) -> Done:
        self.requests += [f"{write.verb.value} {write.ref}" for write in wave]
        return await self._inner.write(wave)

    async def read(self, ref: Ref) -> Object | None:
        self.requests.append(f"read {ref}")
        return await self._inner.read(ref)

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        self.requests.append("status")
        return await self._inner.status(ref, status, uid)

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        self.requests.append("mark")
        return await self._inner.mark(cr, ref, finalizers, annotations)

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        self.requests.append(f"event {kind} {reason}: {message}")
        await self._inner.event(ref, kind, reason, message, uid)


class World:
    """One CRD `app`, its operator's memory, and a cluster."""

    def __init__(self, crd: Crd, crd_manifest: Object) -> None:
        self.clock = SetClock()
        self.store = new_store(self.clock)
        self.store.create(CRDS, "", crd_manifest)
        self.controllers = Controllers(self.store)
        self.crd = crd
        self.recorder = Recorder()
        self.refusals = Refusals()
        self.cluster = Counting(ServerCluster(self.store, self.recorder, self.refusals))
        self.answers: dict[str, CallResult] = {}
        self.calls: list[CallRequest] = []
        self.environ: dict[str, str] = {}
        self.may_write = True
        self.restart()

    def restart(self) -> None:
        """Start the operator anew: what it remembered is gone."""
        self.ports = Ports(
            ServerView(self.store),
            self.cluster,
            self._call,
            self._env,
            lambda: NO_BOOKS,
            lambda: self.may_write,
            Memory(),
        )

    def _env(self, item: Item) -> Env:
        return Env(self.clock.now(), item.sentinels, self.environ, Random(0))

    async def _call(self, request: CallRequest) -> CallResult:
        self.calls.append(request)
        return self.answers.get(request.name, CallResult(None, {}, b"", "connection refused"))

    # ── what a test does ────────────────────────────────────────────────────────────────────────
    def cr(self, name: str = "web", namespace: str = "default", **parts: Any) -> Object:
        """Create a CR, or replace what its author wrote: `cr(spec={…}, annotations={…})`."""
        kind = self.crd.kind
        meta: Object = {"name": name} | ({"namespace": namespace} if kind.namespaced else {})
        meta |= {key: parts.pop(key) for key in ("annotations", "labels", "finalizers") if key in parts}
        if kind.namespaced:
            self.store.create_namespace(namespace)
        before = self.store.find(kind, meta.get("namespace", ""), name)
        if before is None:
            obj = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": meta, **parts}
            return self.store.create(kind, meta.get("namespace", ""), obj, "user").obj
        return self.store.update(kind, meta.get("namespace", ""), name, _edited(before, meta, parts), "user").obj

    def get(self, kind: str, name: str, namespace: str = "default") -> Object | None:
        """Return an object by the plural of its kind."""
        found = next(each for each in self.store.kinds() if each.plural == kind)
        return self.store.find(found, namespace if found.namespaced else "", name)

    def patch(self, kind: str, name: str, patch: Object, namespace: str = "default", subresource: str = "") -> Object:
        """Change an object as somebody else."""
        found = next(each for each in self.store.kinds() if each.plural == kind)
        return self.store.patch(found, namespace if found.namespaced else "", name, patch, "other", subresource).obj

    def put(self, obj: Object) -> Object:
        """Create an object as somebody else."""
        kind = self.store.kind_for(obj["apiVersion"], obj["kind"])
        assert kind is not None
        return self.store.create(kind, obj["metadata"].get("namespace", ""), obj, "other").obj

    def delete(self, kind: str, name: str, namespace: str = "default") -> None:
        """Delete an object."""
        found = next(each for each in self.store.kinds() if each.plural == kind)
        self.store.delete(found, namespace if found.namespaced else "", name, propagation="Background")

    def rest(self) -> None:
        """Let the cluster's own controllers work: namespaces go, garbage is collected, workloads get ready."""
        self.controllers.step()

    def ref(self, name: str = "web", namespace: str = "default") -> Ref:
        return Ref(self.crd.kind, namespace if self.crd.kind.namespaced else "", name)

    def turn(self, name: str = "web", item: Item | None = None) -> Outcome:
        """Give a CR its turn; `requests` then holds what this turn asked of the cluster."""
        self.cluster.requests = []
        self.recorder.ops.clear()
        self.calls.clear()
        return at_once(handle(self.crd, item or Item(self.ref(name), {}, Cause.EVENT), self.ports))

    def settle(self, name: str = "web", turns: int = 10) -> Outcome:
        """Turn after turn until one asks nothing of the cluster."""
        for _ in range(turns):
            outcome = self.turn(name)
            if not self.requests:
                return outcome
        raise AssertionError(f"it does not settle: {self.requests}")

    def admit(self, event: Event) -> Item | Held:
        """Tell the operator of an event."""
        self.calls.clear()
        return at_once(admit_event(self.crd, event, self.ports))

    @property
    def requests(self) -> list[str]:
        return self.cluster.requests

    @property
    def ops(self) -> list[str]:
        """What the last turn changed: `create configmaps/default/web`."""
        return [f"{op.verb} {op.resource}/{op.namespace}/{op.name}".replace("//", "/") for op in self.recorder.ops]

    def status(self, name: str = "web") -> Object:
        """Return a CR's status, the Ready condition under `Ready`."""
        cr = self.store.get(self.crd.kind, "default" if self.crd.kind.namespaced else "", name)
        status = cr.get("status") or {}
        ready = {each["type"]: each for each in status.get("conditions", [])}
        return {**{key: value for key, value in status.items() if key != "conditions"}, **ready}


def _edited(before: Object, meta: Object, parts: Object) -> Object:
    """Return a CR with another spec, labels and annotations, and with what the operator wrote."""
    kept = {key: text for key, text in before["metadata"].get("annotations", {}).items() if key in OPERATORS_OWN}
    given = {**meta, "annotations": kept | meta.get("annotations", {}), "labels": meta.get("labels", {})}
    return {**before, **parts, "metadata": {**before["metadata"], **given}}


Build = Callable[..., World]


@pytest.fixture
def world() -> Build:
    """Compile the keys of a CRD entry: `world("operatorBox: …")`; keywords change the CRD (`status` is a schema)."""

    def build(entry: str, *, namespaced: bool = True, status: Object | None = None, has_status: bool = True) -> World:
        manifest: Object = yaml.safe_load(crd())
        manifest["spec"]["scope"] = "Namespaced" if namespaced else "Cluster"
        version = manifest["spec"]["versions"][0]
        if status is not None:
            version["schema"]["openAPIV3Schema"]["properties"]["status"] = status
        if not has_status:
            del version["subresources"]
        keys = "crdFile: crd.yaml\n" + textwrap.dedent(entry) + ("" if namespaced else "\nnamespaced: false\n")
        compiled = program(katalog("demo", app=keys), {"crd.yaml": json.dumps(manifest)})
        return World(compiled.crds["app"], manifest)

    return build


@pytest.fixture
def ok() -> Callable[..., CallResult]:
    """A scripted answer: a JSON body, or text, and a status."""

    def answer(body: Mapping[str, Any] | str = "", status: int = 200) -> CallResult:
        text = body if isinstance(body, str) else json.dumps(body)
        error = "" if status < 400 else f"answered {status}"
        return CallResult(status, {}, text.encode(), error)

    return answer
