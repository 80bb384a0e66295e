"""Kubernetes objects as plain data, and the names by which they are found."""

from __future__ import annotations

from typing import Any

from ork.base.records import NamedTuple

Object = dict[str, Any]
"""A Kubernetes object as read from a cluster or a file. Shared between readers, so never mutated."""


class Kind(NamedTuple):
    """A served resource type: the group, version and kind of its objects, and how their URLs name it."""

    group: str
    """`apps`; the core group is the empty string."""
    version: str
    kind: str
    plural: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        """`apps/v1`, or `v1` in the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def resource(self) -> str:
        """`deployments.apps`, as Kubernetes messages name a resource; `configmaps` in the core group."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


class Ref(NamedTuple):
    """The name of one object in a cluster. `namespace` is empty for a cluster-scoped one."""

    kind: Kind
    namespace: str
    name: str

    def __str__(self) -> str:
        """`deployments/default/web`, or `namespaces/web` without a namespace."""
        return "/".join(part for part in (self.kind.plural, self.namespace, self.name) if part)


def split_api_version(api_version: str) -> tuple[str, str]:
    """Return group and version: `("apps", "v1")` of `apps/v1`, `("", "v1")` of `v1`."""
    group, _, version = api_version.rpartition("/")
    return group, version


def ref_of(kind: Kind, obj: Object) -> Ref:
    """Return the name of an object of that kind."""
    meta = obj["metadata"]
    return Ref(kind, meta.get("namespace", "") if kind.namespaced else "", meta["name"])


def uid(obj: Object) -> str:
    """Return `metadata.uid`, or the empty string before the API server set one."""
    found: str = obj["metadata"].get("uid", "")
    return found


def labels_of(obj: Object) -> dict[str, str]:
    """Return the labels, empty where there are none."""
    return obj["metadata"].get("labels") or {}


def annotations_of(obj: Object) -> dict[str, str]:
    """Return the annotations, empty where there are none."""
    return obj["metadata"].get("annotations") or {}


def finalizers_of(obj: Object) -> list[str]:
    """Return the finalizers, empty where there are none."""
    return obj["metadata"].get("finalizers") or []


def deleting(obj: Object) -> bool:
    """Tell whether deletion was asked for and waits for finalizers."""
    return obj["metadata"].get("deletionTimestamp") is not None


def in_written_order(obj: Object) -> Object:
    """Return the object with what names it before its content, as people write it."""
    return {**{key: obj[key] for key in ("apiVersion", "kind", "metadata") if key in obj}, **obj}
