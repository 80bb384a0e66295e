"""How many turns a second one core gives, on the API server in memory: creating a Deployment, a ConfigMap and a status,
and looking at them again; against reading and writing three such objects as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from time import process_time

import yaml

from ork.base.objects import Object, Ref
from ork.base.requests import CallRequest, CallResult
from ork.cluster.memory.store import Store
from ork.cluster.wire import CRDS
from ork.expr.env import Env
from ork.program import Crd
from ork.reconcile.at_once import at_once
from ork.reconcile.handle import handle
from ork.reconcile.memory import Memory
from ork.reconcile.ports import Cause, Item, OutcomeKind, Ports
from ork.simulate.ports import Recorder, ServerCluster, ServerView
from ork.simulate.refusals import Refusals
from tests import documents
from tests.kinds import DEPLOYMENTS

CRS = 1000
NOW = datetime(2026, 1, 5, 10, 0, tzinfo=UTC)

BOX = """
onReconcile:
  deployments:
    - name: "{{ .metadata.name }}"
      image: "{{ .spec.image }}"
      replicas: "{{ .spec.replicas }}"
      port: 8080
      env: [{name: MODE, value: "{{ .spec.mode }}"}]
  configMaps:
    - name: "{{ .metadata.name }}"
      data: {mode: "{{ .spec.mode }}", title: "app {{ .metadata.name }}"}
status:
  fields:
    - {path: phase, value: Pending}
    - path: phase
      value: Ready
      when: [{field: "{{ allReplicasReady .children.deployment }}", equals: "true"}]
"""


class StoppedClock:
    """A clock that always shows one moment."""

    def now(self) -> datetime:
        """Return that moment."""
        return NOW


class World:
    """A cluster with many CRs, and an operator."""

    def __init__(self, crd: Crd) -> None:
        uids = count()
        self.store = Store(StoppedClock(), lambda: f"uid-{next(uids)}")
        self.store.create(CRDS, "", yaml.safe_load(documents.crd()))
        self.crd = crd
        for number in range(CRS):
            self.store.create(crd.kind, "default", _cr(number))
        cluster = ServerCluster(self.store, Recorder(), Refusals())
        view, env = ServerView(self.store), Env(NOW)
        self.ports = Ports(view, cluster, _nobody, lambda _: env, dict, lambda: True, Memory())
        self.items = [Item(Ref(crd.kind, "default", f"web-{number}"), {}, Cause.EVENT) for number in range(CRS)]

    def forget(self) -> None:
        """Let every turn be told as if the operator had just started."""
        self.ports = self.ports._replace(memory=Memory())

    def turns(self) -> None:
        """Give every CR a turn."""
        for item in self.items:
            outcome = at_once(handle(self.crd, item, self.ports))
            if outcome.kind is not OutcomeKind.SETTLED:
                raise SystemExit(f"a turn did not settle, so the figure means nothing: {outcome.reason}")


async def _nobody(_: CallRequest) -> CallResult:
    return CallResult(None, {}, b"", "there is nobody to call")


def _cr(number: int) -> Object:
    meta = {"name": f"web-{number}", "namespace": "default"}
    spec = {"image": "nginx:1.25", "replicas": 2, "mode": "fast"}
    return {"apiVersion": "demo.io/v1", "kind": "App", "metadata": meta, "spec": spec}


def _as_json(child: Object) -> None:
    for _ in range(3 * CRS):
        json.loads(json.dumps(child))


def _micros(work: Callable[[], object]) -> float:
    begin = process_time()
    work()
    return (process_time() - begin) / CRS * 1e6


def main() -> None:
    """Print the turns of each sort."""
    text = documents.katalog("bench", app=documents.entry(BOX))
    crd = documents.program(text, {"crd.yaml": documents.crd()}).crds["app"]
    creating, told, known, anchor = [], [], [], []
    for _ in range(3):
        world = World(crd)
        creating.append(_micros(world.turns))
        child = world.store.get(DEPLOYMENTS, "default", "web-0")
        anchor.append(_micros(partial(_as_json, child)))
        world.forget()
        told.append(_micros(world.turns))
        known.append(_micros(world.turns))
    _print("three objects as JSON", anchor, anchor, "")
    _print("a turn that creates", creating, anchor, "(at least 1,500 a second)")
    _print("a settled turn, told", told, anchor, "")
    _print("a settled turn, known", known, anchor, "(at least 5,000 a second)")


def _print(name: str, times: list[float], anchor: list[float], goal: str) -> None:
    best = min(times)
    print(f"  {name:22} {best:7.0f} µs  {1e6 / best:8,.0f} a second  {best / min(anchor):5.2f} × JSON {goal}")


if __name__ == "__main__":
    main()
