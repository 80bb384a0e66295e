"""A real API server with the verbs that a simulation uses."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ork.base.objects import Kind, Object, Ref, ref_of, split_api_version, uid
from ork.cluster.kube.client import path_of, path_of_ref
from ork.cluster.kube.cluster import APPLY, MERGE
from ork.cluster.memory.state import Written
from ork.cluster.memory.status import ApiError, no_such_path
from ork.cluster.memory.store import selector_text
from ork.cluster.wire import delete_options
from ork.simulate.real.requests import Requests

JSON_PATCH = "application/json-patch+json"
NAMESPACES = Kind("", "v1", "Namespace", "namespaces", False)


class RealServer:
    """One API server. Of its kinds those count as known that the scenario has to do with: `objects` and `by_label` look
    at them alone."""

    def __init__(self, ask: Requests, served: Iterable[Kind], known: Iterable[Kind]) -> None:
        self.ask = ask
        self._served = {(kind.group, kind.version, kind.kind): kind for kind in served}
        self.known: dict[Kind, None] = dict.fromkeys([NAMESPACES, *known])

    def serves(self, kind: Kind) -> None:
        """Take in that a kind is served now: discovery comes later than a new CRD."""
        self._served[kind.group, kind.version, kind.kind] = kind

    # ── kinds ───────────────────────────────────────────────────────────────────────────────────
    def kinds(self) -> builtins.list[Kind]:
        """Return every kind that is served, ordered by group, version and name."""
        return sorted(self._served.values())

    def kind_for(self, api_version: str, kind: str) -> Kind | None:
        """Return the served kind of that name, or None."""
        return self._served.get((*split_api_version(api_version), kind))

    def ref(self, obj: Object) -> Ref:
        """Return the name of an object of a served kind. Raises ApiError (404)."""
        kind = self.kind_for(obj["apiVersion"], obj["kind"])
        if kind is None:
            raise no_such_path()
        return ref_of(kind, obj)

    # ── reads ───────────────────────────────────────────────────────────────────────────────────
    def find(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """Return an object, or None where it is not there."""
        self._meet(kind)
        try:
            return self.ask("GET", path_of(kind, namespace, name))
        except ApiError as error:
            if error.code == 404:
                return None
            raise

    def list(
        self, kind: Kind, namespace: str = "", labels: str | Mapping[str, str] = "", fields: str = ""
    ) -> builtins.list[Object]:
        """Return the objects of a kind in key order; an empty namespace is all. Raises ApiError."""
        self._meet(kind)
        query = {"labelSelector": selector_text(labels), "fieldSelector": fields}
        found = self.ask("GET", path_of(kind, namespace), {key: value for key, value in query.items() if value})
        # A list of a built-in kind leaves out what its own kind says of each.
        return [{"apiVersion": kind.api_version, "kind": kind.kind, **item} for item in found.get("items") or ()]

    def by_label(self, label: str, value: str) -> builtins.list[Object]:
        """Return the objects of all known kinds with that label, ordered by resource, namespace and name."""
        return [obj for kind in self._ordered() for obj in self.list(kind, "", {label: value})]

    def objects(self) -> builtins.list[Object]:
        """Return every object of the known kinds, ordered by resource, namespace and name."""
        return [obj for kind in self._ordered() for obj in self.list(kind)]

    def _ordered(self) -> builtins.list[Kind]:
        served = (kind for kind in self.known if (kind.group, kind.version, kind.kind) in self._served)
        return sorted(served, key=lambda kind: kind.resource)

    def _meet(self, kind: Kind) -> None:
        self.known[kind] = None

    # ── writes ──────────────────────────────────────────────────────────────────────────────────
    def create(self, kind: Kind, namespace: str, obj: Object, manager: str = "ork") -> Written:
        """Store a new object. Raises ApiError."""
        self._meet(kind)
        return Written(self.ask("POST", path_of(kind, namespace), {"fieldManager": manager}, obj), created=True)

    def update(
        self, kind: Kind, namespace: str, name: str, obj: Object, manager: str = "ork", subresource: str = ""
    ) -> Written:
        """Replace an object, or the part of it that a subresource writes. Raises ApiError."""
        before, path = self.find(kind, namespace, name), path_of(kind, namespace, name, subresource)
        return _written(before, self.ask("PUT", path, {"fieldManager": manager}, obj))

    def apply(
        self,
        kind: Kind,
        namespace: str,
        name: str,
        obj: Object,
        manager: str,
        force: bool = False,
        subresource: str = "",
    ) -> Written:
        """Server-side apply. Raises ApiError."""
        before, path = self.find(kind, namespace, name), path_of(kind, namespace, name, subresource)
        query = {"fieldManager": manager, "force": "true" if force else "false"}
        return _written(before, self.ask("PATCH", path, query, obj, APPLY))

    def patch(
        self, kind: Kind, namespace: str, name: str, patch: Any, manager: str = "ork", subresource: str = ""
    ) -> Written:
        """Change an object by a patch: a map is a merge patch, a list a JSON patch. Raises ApiError."""
        before, path = self.find(kind, namespace, name), path_of(kind, namespace, name, subresource)
        content_type = JSON_PATCH if isinstance(patch, builtins.list) else MERGE
        return _written(before, self.ask("PATCH", path, {"fieldManager": manager}, patch, content_type))

    def delete(
        self,
        kind: Kind,
        namespace: str,
        name: str,
        uid: str = "",
        resource_version: str = "",
        propagation: str = "",
    ) -> Written:
        """Delete an object, or mark it for deletion where finalizers hold it. Raises ApiError."""
        before = self.find(kind, namespace, name)
        options = delete_options(uid)
        if resource_version:
            options.setdefault("preconditions", {})["resourceVersion"] = resource_version
        options["propagationPolicy"] = propagation or "Background"
        self.ask("DELETE", path_of_ref(Ref(kind, namespace, name)), None, options)
        after = self.find(kind, namespace, name)
        if after is None or before is None:
            return Written(before or {}, gone=True)
        return _written(before, after)


def _written(before: Object | None, after: Object) -> Written:
    """What changed is seen by the objects: the answer to the last finalizer's removal has the version of before."""
    if before is None or uid(before) != uid(after):
        return Written(after, created=True)
    return Written(after, changed=before != after)


def discovered(ask: Requests) -> Iterator[Kind]:
    """Yield every kind that the server serves, in every version."""
    yield from _kinds(ask("GET", "/api/v1"), "", "v1")
    for group in ask("GET", "/apis")["groups"]:
        for version in group["versions"]:
            path = f"/apis/{version['groupVersion']}"
            yield from _kinds(ask("GET", path), group["name"], version["version"])


def _kinds(found: Object, group: str, version: str) -> Iterator[Kind]:
    for resource in found["resources"]:
        if "/" not in resource["name"] and "list" in resource["verbs"]:
            yield Kind(group, version, resource["kind"], resource["name"], resource["namespaced"])
