"""What there is to ask for: groups, versions and resources, one by one and all in one document."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from ork.base.objects import Object
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.catalogue import Catalogue
from ork.cluster.memory.resource import Resource

_CUSTOM_VERBS = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
_SUBRESOURCE_VERBS = ("get", "patch", "update")
_VERSION = re.compile(r"v(\d+)(?:(alpha|beta)(\d+))?\Z")


_GROUPS = (
    *("", "apiregistration.k8s.io", "apps", "events.k8s.io", "authentication.k8s.io", "authorization.k8s.io"),
    *("autoscaling", "batch", "certificates.k8s.io", "networking.k8s.io", "policy", "rbac.authorization.k8s.io"),
    *("storage.k8s.io", "admissionregistration.k8s.io", "apiextensions.k8s.io", "scheduling.k8s.io"),
    *("coordination.k8s.io", "node.k8s.io", "discovery.k8s.io", "resource.k8s.io", "flowcontrol.apiserver.k8s.io"),
    "storagemigration.k8s.io",
)
"""Kubernetes' own groups, the most important first; those of CRDs come behind."""


def version_rank(version: str) -> tuple[int, int, int, str]:
    """Return the sort key of an API version: `v2` before `v1` before `v1beta1` before `v1alpha1` before the rest."""
    found = _VERSION.match(version)
    if found is None:
        return (1, 0, 0, version)
    major, stage, minor = found.groups()
    order = {None: 0, "beta": 1, "alpha": 2}[stage]
    return (0, order, -int(major) * 1000 - int(minor or 0), "")


def by_group(catalogue: Catalogue) -> dict[str, dict[str, list[Resource]]]:
    """Return the resources by group and version; the most important groups first, then the newest stable version."""
    out: dict[str, dict[str, list[Resource]]] = {}
    for resource in catalogue.served():
        out.setdefault(resource.kind.group, {}).setdefault(resource.kind.version, []).append(resource)
    ranks = {name: rank for rank, name in enumerate(_GROUPS)}
    groups = sorted(out.items(), key=lambda row: ranks.get(row[0], len(ranks)))
    return {group: dict(sorted(found.items(), key=lambda row: version_rank(row[0]))) for group, found in groups}


def api_versions() -> Object:
    """Return the answer to `/api`."""
    addresses = [{"clientCIDR": "0.0.0.0/0", "serverAddress": "127.0.0.1"}]
    return {"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": addresses}


def group_list(catalogue: Catalogue) -> Object:
    """Return the answer to `/apis`."""
    found = by_group(catalogue)
    groups = [_group(group, versions) for group, versions in found.items() if group]
    return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}


def group(catalogue: Catalogue, name: str) -> Object | None:
    """Return the answer to `/apis/NAME`; None where the group is not served."""
    versions = by_group(catalogue).get(name)
    return {"kind": "APIGroup", "apiVersion": "v1", **_group(name, versions)} if versions else None


def _group(name: str, versions: Iterable[str]) -> Object:
    rows = [{"groupVersion": f"{name}/{version}", "version": version} for version in versions]
    return {"name": name, "versions": rows, "preferredVersion": rows[0]}


def resource_list(catalogue: Catalogue, group: str, version: str) -> Object | None:
    """Return the answer to `/apis/GROUP/VERSION`; None where that is not served."""
    found = by_group(catalogue).get(group, {}).get(version)
    if not found:
        return None
    rows = [row for resource in sorted(found, key=lambda one: one.kind.plural) for row in _rows(resource)]
    group_version = f"{group}/{version}" if group else version
    head = {"kind": "APIResourceList", "apiVersion": "v1"} if group else {"kind": "APIResourceList"}
    return {**head, "groupVersion": group_version, "resources": rows}


def verbs(resource: Resource) -> tuple[str, ...]:
    """Return what a resource can do."""
    return resource.served.verbs if isinstance(resource, BuiltIn) else _CUSTOM_VERBS


def _rows(resource: Resource) -> list[Object]:
    kind = resource.kind
    main: Object = {
        "name": kind.plural,
        "singularName": resource.singular,
        "namespaced": kind.namespaced,
        "kind": kind.kind,
        "verbs": [*verbs(resource)],
    }
    if resource.short_names:
        main["shortNames"] = [*resource.short_names]
    if resource.categories:
        main["categories"] = [*resource.categories]
    if "watch" in verbs(resource):
        main["storageVersionHash"] = storage_hash(resource)
    return [main, *(_subresource_row(resource, name) for name in _subresources(resource))]


def _subresources(resource: Resource) -> list[str]:
    """Return the names of subresources as discovery lists them; of custom resources status comes before scale."""
    return sorted(resource.subresources, reverse=resource.custom)


def _subresource_row(resource: Resource, name: str) -> Object:
    group, version, kind, able = subresource_kind(resource, name)
    row: Object = {
        "name": f"{resource.kind.plural}/{name}",
        "singularName": "",
        "namespaced": resource.kind.namespaced,
        "kind": kind,
        "verbs": [*able],
    }
    if (group, version) != (resource.kind.group, resource.kind.version):
        row |= {"group": group, "version": version}
    return row


def subresource_kind(resource: Resource, name: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return group, version, kind and verbs of what a subresource takes and gives."""
    own = (resource.kind.group, resource.kind.version)
    if isinstance(resource, BuiltIn):
        found = resource.served.subresources[name]
        group, _, version = found.api_version.rpartition("/")
        return (*((group, version) if found.api_version else own), found.kind, found.verbs)
    if name == "scale":
        return "autoscaling", "v1", "Scale", _SUBRESOURCE_VERBS
    return (*own, resource.kind.kind, _SUBRESOURCE_VERBS)


def storage_hash(resource: Resource) -> str:
    """Return a text that changes with the version in which objects are stored."""
    import base64

    text = f"{resource.table}/{resource.kind.kind}"
    return base64.b64encode(hashlib.sha256(text.encode()).digest()[:8]).decode()


# ── everything in one document ──────────────────────────────────────────────────────────────────
def aggregated(catalogue: Catalogue, core: bool) -> Object:
    """Return discovery as one document, of the core group or of all others."""
    items = [
        {"metadata": {"name": group} if group else {}, "versions": _aggregated_versions(versions)}
        for group, versions in by_group(catalogue).items()
        if (group == "") == core
    ]
    return {
        "kind": "APIGroupDiscoveryList",
        "apiVersion": "apidiscovery.k8s.io/v2",
        "metadata": {},
        "items": items,
    }


def _aggregated_versions(versions: dict[str, list[Resource]]) -> list[Object]:
    def rows(found: list[Resource]) -> list[Object]:
        return [_aggregated_resource(resource) for resource in sorted(found, key=lambda one: one.kind.plural)]

    return [
        {"version": version, "resources": rows(found), "freshness": "Current"} for version, found in versions.items()
    ]


def _aggregated_resource(resource: Resource) -> Object:
    kind = resource.kind
    out: Object = {
        "resource": kind.plural,
        "responseKind": _response_kind(resource, kind.group, kind.version, kind.kind),
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "singularResource": resource.singular,
        "verbs": [*verbs(resource)],
    }
    if resource.short_names:
        out["shortNames"] = [*resource.short_names]
    if resource.categories:
        out["categories"] = [*resource.categories]
    if resource.subresources:
        out["subresources"] = [_aggregated_subresource(resource, name) for name in _subresources(resource)]
    return out


def _response_kind(resource: Resource, group: str, version: str, kind: str) -> Object:
    """Return what is answered; Kubernetes' own resources leave out a group version that is their own."""
    own = not resource.custom and (group, version) == (resource.kind.group, resource.kind.version)
    return {"group": "" if own else group, "version": "" if own else version, "kind": kind}


def _aggregated_subresource(resource: Resource, name: str) -> Object:
    group, version, kind, able = subresource_kind(resource, name)
    return {
        "subresource": name,
        "responseKind": _response_kind(resource, group, version, kind),
        "verbs": [*able],
    }
