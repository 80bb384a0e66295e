"""An API server's semantics in memory: the verbs of Kubernetes on objects that are plain data, deterministic and whole.

Objects that it hands out are the stored ones: they are never mutated, neither here nor by the caller.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ork.base import patches
from ork.base.clock import Clock, SystemClock
from ork.base.objects import Kind, Object, Ref, ref_of, split_api_version
from ork.cluster.memory import reading, status
from ork.cluster.memory.catalogue import Catalogue
from ork.cluster.memory.deletion import Delete, delete
from ork.cluster.memory.reading import Listing, Query, Watch
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options, State, Written
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.table import key_of
from ork.cluster.memory.writing import NAMESPACES, Writer

_NAMESPACES = ("default", "kube-node-lease", "kube-public", "kube-system")
_REMEMBERED = 100_000


def random_uid() -> str:
    """Return a uid as Kubernetes makes them."""
    import uuid

    return str(uuid.uuid4())


class Store:
    """One cluster's objects. Every method that takes a `kind` raises ApiError where it is not served."""

    def __init__(
        self,
        clock: Clock | None = None,
        new_uid: Callable[[], str] = random_uid,
        namespaces: Iterable[str] = _NAMESPACES,
        remembered: int = _REMEMBERED,
    ) -> None:
        """`remembered` is how many changes the log keeps at least: watches from before them get 410."""
        self.state = State(clock or SystemClock(), new_uid, remembered)
        self.catalogue = Catalogue(self.state)
        self.writer = Writer(self.state)
        for name in namespaces:
            self.create_namespace(name)

    # ── kinds ───────────────────────────────────────────────────────────────────────────────────
    def resource(self, kind: Kind) -> Resource:
        """Return what is served under a kind. Raises ApiError (404)."""
        found = self.catalogue.find(kind.group, kind.version, kind.kind)
        if found is None:
            raise status.no_such_path()
        return found

    def kind_for(self, api_version: str, kind: str) -> Kind | None:
        """Return the served kind of that name, or None."""
        found = self.catalogue.find(*split_api_version(api_version), kind)
        return found.kind if found else None

    def kinds(self) -> builtins.list[Kind]:
        """Return every kind that is served, ordered by group, version and name."""
        return sorted(resource.kind for resource in self.catalogue.served())

    # ── reads ───────────────────────────────────────────────────────────────────────────────────
    @property
    def version(self) -> str:
        """The resourceVersion of the last write."""
        return str(self.state.history.version)

    def find(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """Return an object, or None where it is not there."""
        resource = self.resource(kind)
        stored = self.state.row(resource, namespace, name)
        return None if stored is None else resource.shown(stored)

    def get(self, kind: Kind, namespace: str, name: str) -> Object:
        """Return an object. Raises ApiError (404)."""
        found = self.find(kind, namespace, name)
        if found is None:
            raise status.not_found(self.resource(kind).by_name, name)
        return found

    def list(
        self, kind: Kind, namespace: str = "", labels: str | Mapping[str, str] = "", fields: str = ""
    ) -> builtins.list[Object]:
        """Return the objects of a kind in key order; an empty namespace is all. Raises ApiError."""
        return self.page(kind, Query(namespace, selector_text(labels), fields)).items

    def page(self, kind: Kind, query: Query) -> Listing:
        """Return one page of a list. Raises ApiError."""
        return reading.listing(self.state, self.resource(kind), query)

    def watch(self, kind: Kind, query: Query = Query(), since: str = "") -> Watch:  # noqa: B008
        """Return a watch from a version on (empty: from now). Raises ApiError (410)."""
        version = reading.parsed_version(since) or self.state.history.version
        return Watch(self.state, self.resource(kind), query, version)

    def by_label(self, label: str, value: str) -> builtins.list[Object]:
        """Return the objects of all kinds with that label, ordered by resource, namespace and name."""
        return [self._shown_at(place) for place in self.state.labelled(label, value)]

    def _shown_at(self, place: tuple[str, str]) -> Object:
        return self.catalogue.of_table(place[0]).shown(self.state.at(place))

    def ref(self, obj: Object) -> Ref:
        """Return the name of an object of a served kind. Raises ApiError (404)."""
        kind = self.kind_for(obj["apiVersion"], obj["kind"])
        if kind is None:
            raise status.no_such_path()
        return ref_of(kind, obj)

    # ── writes ──────────────────────────────────────────────────────────────────────────────────
    def create(self, kind: Kind, namespace: str, obj: Object, manager: str = "ork") -> Written:
        """Store a new object. Raises ApiError."""
        return self.writer.create(self.resource(kind), namespace, obj, Options(manager))

    def update(
        self, kind: Kind, namespace: str, name: str, obj: Object, manager: str = "ork", subresource: str = ""
    ) -> Written:
        """Replace an object, or the part of it that a subresource (`status`) writes. Raises ApiError."""
        return self.writer.update(self.resource(kind), namespace, name, obj, Options(manager), subresource)

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
        """Server-side apply. Raises ApiError, with the conflicting owners where `force` is not set."""
        options = Options(manager, force=force)
        return self.writer.apply(self.resource(kind), namespace, name, obj, options, subresource)

    def patch(
        self, kind: Kind, namespace: str, name: str, patch: Any, manager: str = "ork", subresource: str = ""
    ) -> Written:
        """Change an object by a patch: a map is a merge patch, a list a JSON patch. Raises ApiError."""
        patched = json_patch(patch) if isinstance(patch, builtins.list) else merge_patch(patch)
        return self.writer.patch(self.resource(kind), namespace, name, patched, Options(manager), subresource)

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
        how = Delete(propagation, uid or None, resource_version or None)
        return delete(self.state, self.resource(kind), namespace, name, how)

    def delete_all(
        self,
        kind: Kind,
        query: Query,
        how: Delete = Delete(),  # noqa: B008
    ) -> tuple[Listing, tuple[str, ...]]:
        """Delete every object of a page; returns the page as it was found, and the warnings. Raises ApiError."""
        resource = self.resource(kind)
        page = reading.listing(self.state, resource, query)
        warnings: dict[str, None] = {}
        for obj in page.items:
            meta = obj["metadata"]
            done = delete(self.state, resource, meta.get("namespace", ""), meta["name"], how)
            warnings |= dict.fromkeys(done.warnings)
        return page, (*warnings,)

    def create_namespace(self, name: str) -> None:
        """Make a namespace, unless it is there."""
        if name in self.state.named_table(NAMESPACES).rows:
            return
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        self.writer.create(self.catalogue.namespaces, "", body, Options("kube-apiserver"))

    # ── as they are ─────────────────────────────────────────────────────────────────────────────
    def restore(self, objects: Iterable[Object]) -> None:
        """Put objects in as they are: uid, times, status, owners, managedFields, generation and deletion are kept.

        What an API server must have set and is missing (uid, creationTimestamp, resourceVersion, defaults) is filled
        in; namespaces that an object names and CRDs come into being. Raises ApiError for an unknown kind.
        """
        given = [*objects]
        for obj in sorted(given, key=lambda obj: obj.get("kind") != "CustomResourceDefinition"):
            self._restore_one(obj)

    def _restore_one(self, obj: Object) -> None:
        kind = self.kind_for(obj.get("apiVersion", ""), obj.get("kind", ""))
        if kind is None:
            raise status.no_such_path()
        resource = self.resource(kind)
        whole = self.writer.completed(resource, obj)
        meta = whole["metadata"]
        namespace = meta.get("namespace", "") if kind.namespaced else ""
        if namespace:
            self.create_namespace(namespace)
        self.state.commit(resource.table, key_of(namespace, meta["name"]), resource.stored(whole))

    def objects(self) -> builtins.list[Object]:
        """Return every object, ordered by resource, namespace and name; `restore` of them gives the same store."""
        names = self.state.table_names()
        return [self._shown_at((name, key)) for name in names for key in self.state.named_table(name).ordered()]


def merge_patch(patch: Any) -> Callable[[Object], Any]:
    """Return what a JSON merge patch makes of an object."""
    return lambda obj: patches.merge(obj, patch)


def json_patch(operations: Any) -> Callable[[Object], Any]:
    """Return what a JSON patch makes of an object; one that does not fit it raises ApiError (422)."""

    def patched(obj: Object) -> Any:
        _check_operations(operations)
        try:
            return patches.apply(obj, operations)
        except patches.PatchError as error:
            raise status.unprocessable(str(error)) from None

    return patched


_JSON_NOUNS = {list: "array", str: "string", bool: "bool", int: "number", float: "number", dict: "object"}


def _check_operations(operations: list[Any]) -> None:
    if len(operations) > patches.MAX_OPERATIONS:
        text = "Request entity too large: The allowed maximum operations in a JSON patch is"
        raise status.failure(413, "RequestEntityTooLarge", f"{text} {patches.MAX_OPERATIONS}, got {len(operations)}")
    for operation in operations:
        if operation is not None and operation.__class__ is not dict:
            raise _undecodable_operation(operation, "value of type handlers.jsonPatchOp")
        for key in ("op", "path"):
            if (value := (operation or {}).get(key)) is not None and value.__class__ is not str:
                raise _undecodable_operation(value, f"struct field jsonPatchOp.{key} of type string")


def _undecodable_operation(value: Any, wanted: str) -> ApiError:
    noun = _JSON_NOUNS.get(value.__class__, "null")
    return status.bad_request(f"error decoding patch: json: cannot unmarshal {noun} into Go {wanted}")


def selector_text(labels: str | Mapping[str, str]) -> str:
    """Return labels as a selector's text."""
    if isinstance(labels, str):
        return labels
    return ",".join(f"{key}={value}" for key, value in labels.items())
