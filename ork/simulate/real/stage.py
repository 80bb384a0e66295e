"""The cluster of a scenario on a real API server, which every scenario finds as it was after its start.

What no request can set (uid, creation time, generation, deletion) is put into the object below the server, in etcd:
given objects keep it, as in memory.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from ork.base.clock import rfc3339
from ork.base.errors import OutsideError
from ork.base.objects import Kind, Object, ref_of
from ork.cluster.envtest.etcd import Etcd
from ork.cluster.kube.client import path_of
from ork.cluster.memory.status import ApiError
from ork.cluster.wire import CRDS, established
from ork.katalog.scenario import Scenario
from ork.program import Program
from ork.simulate.clock import VirtualClock
from ork.simulate.real.controllers import Mirrored
from ork.simulate.real.requests import Requests
from ork.simulate.real.server import NAMESPACES, RealServer, discovered
from ork.simulate.world import SET_BY_THE_SERVER, creatable, served_kind

SERVED_WITHIN = 30.0
"""Seconds that the server may take to serve a new CRD."""
LONG_AGO = "2020-01-01T00:00:00Z"
ALWAYS_THERE = ("default", "kube-system", "kube-public")
_KEPT = (*SET_BY_THE_SERVER - {"resourceVersion"}, "generation", "creationTimestamp", "deletionGracePeriodSeconds")


class RealStages:
    """Makes clusters for scenarios, one after the other, on one API server."""

    def __init__(self, ask: Requests, etcd: Etcd) -> None:
        """Waits until the server has made what is always there. Raises OutsideError."""
        self._ask, self._etcd = ask, etcd
        for name in ALWAYS_THERE:
            _within(SERVED_WITHIN, f"namespaces/{name}", lambda name=name: _found(ask, path_of(NAMESPACES, "", name)))
        self._built_in = tuple(discovered(ask))
        self._clean = etcd.revision()

    def __call__(self, scenario: Scenario, program: Program, clock: VirtualClock) -> RealStage:
        """Return the empty cluster of a scenario."""
        for key in self._etcd.made_since(self._clean):
            self._etcd.delete(key)
        crds = (crd.kind for crd in program.crds.values())
        server = RealServer(self._ask, self._built_in, (*program.children, *crds))
        return RealStage(server, self._etcd, Mirrored(server, scenario.workloads, clock), clock)


class RealStage:
    """The cluster of one scenario."""

    def __init__(self, server: RealServer, etcd: Etcd, controllers: Mirrored, clock: VirtualClock) -> None:
        self.server = server
        self._etcd, self._controllers, self._clock = etcd, controllers, clock

    def define(self, manifest: Object) -> None:
        """Put a CRD in place and wait until its kinds are served. Raises ApiError, OutsideError."""
        created = self.server.create(CRDS, "", creatable(manifest)).obj
        # A CRD of that name that went a moment ago may still be served, so the new one's own word comes first.
        name = created["metadata"]["name"]
        _within(SERVED_WITHIN, name, lambda: established(self.server.find(CRDS, "", name) or {}))
        for kind in _kinds_of(created):
            _within(SERVED_WITHIN, kind.resource, lambda kind=kind: _found(self.server.ask, path_of(kind)))
            self.server.serves(kind)
        self._age(created)
        self._controllers.define(created)

    def _age(self, crd: Object) -> None:
        """Say that a CRD has been Established for long: of a new one the server lets the first create wait 2 s."""
        name = crd["metadata"]["name"]
        live = self.server.find(CRDS, "", name)
        assert live is not None
        aged = [{**each, "lastTransitionTime": LONG_AGO} for each in live["status"]["conditions"]]
        self.server.patch(CRDS, "", name, {"status": {"conditions": aged}}, subresource="status")

    def place(self, obj: Object) -> None:
        """Put an object in as it is, once the server has taken it. Raises ApiError, GivenError."""
        kind = served_kind(self.server, obj)
        ref = ref_of(kind, obj)
        if ref.namespace and self.server.find(NAMESPACES, "", ref.namespace) is None:
            self.server.create(NAMESPACES, "", _namespace(ref.namespace))
        live = self.server.find(*ref)
        if live is None:
            live = self.server.create(kind, ref.namespace, creatable(obj)).obj
        key = self._etcd.written_at(int(live["metadata"]["resourceVersion"]))
        assert key is not None
        self._etcd.put(key, json.dumps(self._as_given(live, obj)).encode())

    def _as_given(self, live: Object, given: Object) -> Object:
        """Return what is stored of an object that was not made just now, but is there already."""
        meta: dict[str, Any] = {key: value for key, value in live["metadata"].items() if key != "resourceVersion"}
        # Who wrote which field is not known, unless the scenario says so.
        meta.pop("managedFields", None)
        meta["creationTimestamp"] = rfc3339(self._clock.now())
        meta |= {key: given["metadata"][key] for key in _KEPT if key in given["metadata"]}
        kept = {"status": given["status"]} if given.get("status") else {}
        return {**live, "metadata": meta, **kept}

    def begin(self) -> None:
        """Say that all is in place."""
        self._controllers.begin()

    def settle(self) -> None:
        """Let the controllers work until nothing is left to do. Raises ApiError."""
        self._controllers.settle()


def _namespace(name: str) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def _kinds_of(crd: Object) -> Iterator[Kind]:
    spec = crd["spec"]
    names, namespaced = spec["names"], spec["scope"] == "Namespaced"
    for version in spec["versions"]:
        if version["served"]:
            yield Kind(spec["group"], version["name"], names["kind"], names["plural"], namespaced)


def _found(ask: Requests, path: str) -> bool:
    try:
        ask("GET", path)
    except ApiError as error:
        if error.code == 404:
            return False
        raise
    return True


def _within(seconds: float, what: str, done: Any) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise OutsideError(f"the API server did not serve {what} within {seconds:.0f} s")
        time.sleep(0.02)
