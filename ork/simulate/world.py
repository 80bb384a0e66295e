"""The cluster of a scenario: the API server in memory with CRDs, namespaces and the objects that were given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from ork.base.errors import OrkError
from ork.base.objects import Kind, Object, Ref, annotations_of, ref_of
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.katalog.scenario import Given, Scenario
from ork.program import SERVE_ALIAS, SERVE_TARGET, Crd, Program, Surface
from ork.simulate.clock import VirtualClock

CRDS = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", False)


class GivenError(OrkError):
    """An object of the scenario cannot stand in its cluster."""


def build(scenario: Scenario, program: Program, clock: VirtualClock) -> Store:
    """Return the cluster as it is before the first cycle. Raises GivenError."""
    given = stamped(scenario, program)
    store = Store(clock, _uids(given))
    for manifest in _manifests(scenario, program):
        store.create(CRDS, "", manifest)
    for one in given:
        try:
            _check(store, one.obj)
            store.restore([one.obj])
        except (ApiError, GivenError) as error:
            raise GivenError(f"{one.span}: {_name(one.obj)} does not fit into the cluster: {error}") from error
    return store


_SET_BY_THE_SERVER = frozenset(("uid", "resourceVersion", "managedFields", "deletionTimestamp"))


def _check(store: Store, obj: Object) -> None:
    """Hold a given object to what the API server would take of it: it is created in a dry run.

    Raises GivenError for a kind that nobody serves, ApiError for what the server refuses.
    """
    kind = store.kind_for(obj.get("apiVersion", ""), obj.get("kind", ""))
    if kind is None:
        raise GivenError("nobody serves its kind; name its CRD under `crdFiles`")
    meta = {key: value for key, value in obj["metadata"].items() if key not in _SET_BY_THE_SERVER}
    namespace = meta.get("namespace", "") if kind.namespaced else ""
    if namespace:
        store.create_namespace(namespace)
    if store.find(kind, namespace, meta.get("name", "")) is None:
        store.writer.create(store.resource(kind), namespace, {**obj, "metadata": meta}, Options(dry_run=True))


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
