"""The cluster of a scenario: an API server with CRDs, namespaces and the objects that were given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from ork.base.errors import OrkError
from ork.base.objects import Kind, Object, Ref, annotations_of, ref_of
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.wire import CRDS
from ork.katalog.scenario import Given, Scenario
from ork.labels import SERVE_ALIAS, SERVE_TARGET
from ork.program import Crd, Program, Surface
from ork.simulate.clock import VirtualClock
from ork.simulate.server import Server, Stage


class GivenError(OrkError):
    """An object of the scenario cannot stand in its cluster."""


def furnish(stage: Stage, scenario: Scenario, program: Program) -> None:
    """Make the cluster what it is before the first cycle. Raises GivenError."""
    for manifest in _manifests(scenario, program):
        try:
            stage.define(manifest)
        except ApiError as error:
            raise GivenError(f"the CRD {_name(manifest)} is refused: {error}") from error
    for one in stamped(scenario, program):
        try:
            stage.place(one.obj)
        except (ApiError, GivenError) as error:
            raise GivenError(f"{one.span}: {_name(one.obj)} does not fit into the cluster: {error}") from error
    stage.begin()


SET_BY_THE_SERVER = frozenset(("uid", "resourceVersion", "managedFields", "deletionTimestamp"))
"""What a create does not take from metadata."""


def served_kind(server: Server, obj: Object) -> Kind:
    """Return the kind of a given object. Raises GivenError where nobody serves it."""
    kind = server.kind_for(obj.get("apiVersion", ""), obj.get("kind", ""))
    if kind is None:
        raise GivenError("nobody serves its kind; name its CRD under `crdFiles`")
    return kind


def creatable(obj: Object) -> Object:
    """Return a given object as a create takes it."""
    meta = {key: value for key, value in obj["metadata"].items() if key not in SET_BY_THE_SERVER}
    return {**obj, "metadata": meta}


class InMemory:
    """A scenario's cluster in memory."""

    def __init__(self, scenario: Scenario, program: Program, clock: VirtualClock) -> None:
        self.server = Store(clock, _uids(stamped(scenario, program)))
        self._policy = scenario.workloads
        self._controllers: Controllers | None = None

    def define(self, manifest: Object) -> None:
        """Put a CRD in place. Raises ApiError."""
        self.server.create(CRDS, "", manifest)

    def place(self, obj: Object) -> None:
        """Put an object in as it is, if its creation would be taken in a dry run. Raises ApiError, GivenError."""
        store, kind = self.server, served_kind(self.server, obj)
        namespace = obj["metadata"].get("namespace", "") if kind.namespaced else ""
        if namespace:
            store.create_namespace(namespace)
        if store.find(kind, namespace, obj["metadata"].get("name", "")) is None:
            store.writer.create(store.resource(kind), namespace, creatable(obj), Options(dry_run=True))
        store.restore([obj])

    def begin(self) -> None:
        """Say that all is in place."""
        self._controllers = Controllers(self.server, self._policy)

    def settle(self) -> None:
        """Let the controllers work until nothing is left to do."""
        assert self._controllers is not None
        self._controllers.step()


def under_test(scenario: Scenario, program: Program) -> dict[str, Ref]:
    """Return the CR under test of each CRD, by entry name: the first of its kind, in the order in which they stand."""
    found: dict[str, Ref] = {}
    for one in scenario.given:
        crd = crd_of(program, one.obj)
        if crd is not None and crd.name not in found:
            found[crd.name] = ref_of(crd.kind, _placed(one.obj, crd.kind))
    return found


def crd_of(program: Program, obj: Object) -> Crd | None:
    """Return the entry whose kind an object has."""
    name = (obj.get("apiVersion"), obj.get("kind"))
    return next((crd for crd in program.crds.values() if (crd.kind.api_version, crd.kind.kind) == name), None)


def stamped(scenario: Scenario, program: Program) -> list[Given]:
    """Return the given objects; with a target, the CRs under test carry it as the gateway would have left it."""
    todo = {name for name in under_test(scenario, program) if Surface(scenario.target) in program.crds[name].boxes}
    out = []
    for one in scenario.given:
        crd = crd_of(program, one.obj)
        obj = one.obj if crd is None else _placed(one.obj, crd.kind)
        if crd is not None and crd.name in todo:
            obj = _on_target(obj, scenario.target)
            todo.remove(crd.name)
        out.append(one._replace(obj=obj))
    return out


def _placed(obj: Object, kind: Kind) -> Object:
    """Return the object in a namespace, as `kubectl apply` would have put it. Raises GivenError."""
    meta = obj["metadata"]
    if not meta.get("name"):
        raise GivenError(f"{kind.kind} {meta.get('generateName', '')}: a given object needs a `metadata.name`")
    if not kind.namespaced or meta.get("namespace"):
        return obj
    return {**obj, "metadata": {**meta, "namespace": "default"}}


def _on_target(obj: Object, target: str) -> Object:
    if not target:
        return obj
    marks = {key: value for key, value in annotations_of(obj).items() if key != SERVE_ALIAS}
    return {**obj, "metadata": {**obj["metadata"], "annotations": {**marks, SERVE_TARGET: target}}}


def _name(obj: Object) -> str:
    return f"{obj.get('kind', 'an object')} {obj.get('metadata', {}).get('name', '')}".strip()


# ── CRDs ────────────────────────────────────────────────────────────────────────────────────────
def _manifests(scenario: Scenario, program: Program) -> Iterator[Object]:
    """Yield each CRD once: the Katalog's and the scenario's, and a stand-in for one with `apiTypes` only."""
    given: Mapping[str, Object] = {one.obj["metadata"]["name"]: one.obj for one in scenario.crds}
    names = set()
    for crd in program.crds.values():
        names.add(crd.kind.resource)
        yield given.get(crd.kind.resource) or crd.manifest or _stand_in(crd)
    yield from (manifest for name, manifest in given.items() if name not in names)


def _stand_in(crd: Crd) -> Object:
    """Return a CRD that takes anything."""
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version: Object = {
        "name": crd.kind.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": anything},
    }
    if crd.has_status:
        version["subresources"] = {"status": {}}
    names = {"kind": crd.kind.kind, "plural": crd.kind.plural, "singular": crd.kind.kind.lower()}
    scope = "Namespaced" if crd.kind.namespaced else "Cluster"
    return {
        "apiVersion": CRDS.api_version,
        "kind": CRDS.kind,
        "metadata": {"name": crd.kind.resource},
        "spec": {"group": crd.kind.group, "names": names, "scope": scope, "versions": [version]},
    }


# ── uids ────────────────────────────────────────────────────────────────────────────────────────
def _uids(given: Iterable[Given]) -> Callable[[], str]:
    """Return a source of uids that are the same in every run and none of those that were given."""
    taken = {one.obj.get("metadata", {}).get("uid") for one in given}
    fresh = (uid for number in count(1) if (uid := f"00000000-0000-4000-8000-{number:012x}") not in taken)
    return lambda: next(fresh)
