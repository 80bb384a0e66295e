"""The least rights under which a Katalog's operator does all its work: the verbs it uses, on the kinds it uses.

What a Katalog says does not show everything: a child that grants rights (a Role) needs those rights, or `escalate`,
and kinds that only an earlier version of the Katalog made are not here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple
from ork.engine import inventory, ownership
from ork.expr.template import Template
from ork.program import Crd, Entry, Program, SecretRef, calls_of
from ork.runtime.selection import selective
from ork.runtime.watches import child_scopes, children_of, entries_of, namespaces_of

VERBS = ("get", "list", "watch", "create", "update", "patch", "delete")
"""In the order in which they are written."""
GRANTING = frozenset(("Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"))
"""Kinds whose objects grant rights: nobody can grant what he does not have."""

_CRDS = ("apiextensions.k8s.io", "customresourcedefinitions")
_EVENTS = ("", "events")
_LEASES = ("coordination.k8s.io", "leases")
_SECRETS = ("", "secrets")

EVERYWHERE = ""


class Right(NamedTuple):
    """What may be done to one resource in one place."""

    place: str
    """A namespace; `EVERYWHERE` is all of them, and cluster-scoped objects."""
    group: str
    resource: str
    """With a subresource: `apps/status`."""
    verbs: frozenset[str]
    names: tuple[str, ...] = ()
    """Only objects of these names; none is any."""


class Wanted(NamedTuple):
    """What decides over rights beside the Katalog."""

    home: str
    """The namespace of the operator, where its Lease is."""
    namespaces: tuple[str, ...] = ()
    """Only these are watched."""
    apply_crds: bool = False
    elect: bool = True


def lease_name(program: Program) -> str:
    """Return the name of the Lease by which the replicas of a Katalog's operator elect their leader."""
    return f"ork-{program.name}"


def rights(program: Program, wanted: Wanted) -> dict[str, list[Object]]:
    """Return the rules of each place, a ClusterRole's for `EVERYWHERE`, else a Role's; ordered, none twice."""
    merged: dict[tuple[str, str, str, tuple[str, ...]], frozenset[str]] = {}
    for right in _all(program, wanted):
        key = (right.place, right.group, right.resource, right.names)
        merged[key] = merged.get(key, frozenset()) | right.verbs
    needed = [Right(*key[:3], verbs, key[3]) for key, verbs in merged.items()]
    places = sorted({right.place for right in needed})
    found = {place: _rules(_not_elsewhere(needed, place)) for place in places}
    return {place: rules for place, rules in found.items() if rules}


def _not_elsewhere(needed: Iterable[Right], place: str) -> Iterator[Right]:
    """Yield the rights of a place, without the verbs that are granted everywhere."""
    everywhere = {(each.group, each.resource, each.names): each.verbs for each in needed if each.place == EVERYWHERE}
    for right in needed:
        if right.place != place:
            continue
        known = everywhere.get((right.group, right.resource, right.names), frozenset()) if place else frozenset()
        if right.verbs - known:
            yield right._replace(verbs=right.verbs - known)


def _rules(needed: Iterable[Right]) -> list[Object]:
    """Return one rule for all resources of a group that have the same verbs."""
    resources: dict[tuple[str, tuple[str, ...], tuple[str, ...]], set[str]] = {}
    for right in needed:
        verbs = tuple(verb for verb in VERBS if verb in right.verbs)
        resources.setdefault((right.group, right.names, verbs), set()).add(right.resource)
    return [_rule(*key, sorted(found)) for key, found in sorted(resources.items())]


def _rule(group: str, names: Sequence[str], verbs: Sequence[str], resources: list[str]) -> Object:
    rule: Object = {"apiGroups": [group], "resources": resources, "verbs": list(verbs)}
    return {**rule, "resourceNames": list(names)} if names else rule


# ── what is needed ──────────────────────────────────────────────────────────────────────────────
def _all(program: Program, wanted: Wanted) -> Iterator[Right]:
    for crd in program.crds.values():
        yield from _own(crd, wanted)
        for kind in children_of(crd):
            yield from _children(program, crd, kind, wanted)
        yield from _tokens(crd, wanted)
        yield from _sources(crd, wanted)
    if wanted.apply_crds:
        names = [crd.kind.resource for crd in program.crds.values() if crd.manifest is not None]
        yield Right(EVERYWHERE, *_CRDS, frozenset(("get", "create", "patch")), tuple(sorted(names)))
    if wanted.elect:
        yield Right(wanted.home, *_LEASES, frozenset(("get", "update")), (lease_name(program),))
        # A create has no name yet that a rule could look at.
        yield Right(wanted.home, *_LEASES, frozenset(("create",)))


def _own(crd: Crd, wanted: Wanted) -> Iterator[Right]:
    """Yield what is done to the CRs themselves."""
    group, plural = crd.kind.group, crd.kind.plural
    for place in namespaces_of(crd, wanted.namespaces):
        yield Right(place, group, plural, frozenset(("list", "watch")))
        if marks(crd):
            yield Right(place, group, plural, frozenset(("patch",)))
            if selective(crd):  # one that left the selector and is changed meanwhile is looked at once more
                yield Right(place, group, plural, frozenset(("get",)))
        if crd.has_status and any(box.conditions or box.status for box in crd.boxes.values()):
            yield Right(place, group, f"{plural}/status", frozenset(("patch",)))
        if any(_owned(crd, entry, place) for entry in entries_of(crd)):
            # blockOwnerDeletion, where the admission plugin OwnerReferencesPermissionEnforcement asks for it.
            yield Right(place, group, f"{plural}/finalizers", frozenset(("update",)))
        yield Right(place if crd.kind.namespaced else "default", *_EVENTS, frozenset(("create",)))


def _children(program: Program, crd: Crd, kind: Kind, wanted: Wanted) -> Iterator[Right]:
    entries = [entry for entry in entries_of(crd) if entry.kind == kind]
    # A create that found an object reads it, to see whose it is.
    verbs = frozenset(("get", "list", "watch", "create", "patch")) | _deleting(crd, entries)
    for scope in child_scopes(program, crd, kind, wanted.namespaces):
        yield Right(scope.namespace, kind.group, kind.plural, verbs)
        if any(entry.group == "custom" and entry.has_status for entry in entries):
            yield Right(scope.namespace, kind.group, f"{kind.plural}/status", frozenset(("patch",)))


def _deleting(crd: Crd, entries: Iterable[Entry]) -> frozenset[str]:
    """Deletes follow an entry's list, a surface switch, or a CR whose children Kubernetes does not delete after it."""
    pruned = any(ownership.prunable(entry) or not _covers(crd, entry) for entry in entries)
    return frozenset(("delete",)) if pruned or crd.has_targets else frozenset()


def _tokens(crd: Crd, wanted: Wanted) -> Iterator[Right]:
    """Yield what `auth.secretRef` reads; what a template names can be any."""
    for call in calls_of(crd):
        if not isinstance(call.token, SecretRef):
            continue
        names = (call.token.name.text,) if call.token.name.literal else ()
        for place in _places(crd, call.token.namespace, wanted):
            yield Right(place, *_SECRETS, frozenset(("get",)), names)


def _sources(crd: Crd, wanted: Wanted) -> Iterator[Right]:
    """Yield what `fromConfigMap` and `fromSecret` read; what a template names can be any."""
    for entry in entries_of(crd):
        if entry.source is None:
            continue
        names = (entry.source.name.text,) if entry.source.name.literal else ()
        for place in _places(crd, entry.source.namespace, wanted):
            yield Right(place, entry.kind.group, entry.kind.plural, frozenset(("get",)), names)


def _places(crd: Crd, namespace: Template | None, wanted: Wanted) -> Sequence[str]:
    """Return the namespaces that an optional template can name; without one it is the CR's own."""
    if namespace is None:
        return namespaces_of(crd, wanted.namespaces)
    return (namespace.text,) if namespace.literal else (EVERYWHERE,)


def marks(crd: Crd) -> bool:
    """Tell whether CRs carry a finalizer or annotations of `ork`'s: for children that Kubernetes does not delete after
    them, for Jobs that ran, and for targets."""
    entries = list(entries_of(crd))
    return crd.has_targets or any(not _covers(crd, each) or inventory.is_job(each.kind) for each in entries)


def granting(program: Program) -> list[str]:
    """Return the kinds of children that grant rights: what they grant must be granted to the operator by hand."""
    return sorted({kind.kind for kind in program.children if kind.kind in GRANTING})


def _owned(crd: Crd, entry: Entry, place: str) -> bool:
    """Tell whether an object of an entry can stand where an owner reference to a CR of that place is set on it."""
    if not crd.kind.namespaced:
        return True
    named = entry.namespace if entry.spread is None else None
    apart = place and named is not None and named.literal and named.text != place
    return entry.kind.namespaced and not apart


def _covers(crd: Crd, entry: Entry) -> bool:
    """Tell whether an owner reference covers every object of an entry."""
    return not crd.kind.namespaced or not entry.elsewhere


def as_objects(program: Program, wanted: Wanted, name: str, labels: Mapping[str, str]) -> Iterator[Object]:
    """Yield roles and bindings for the service account `name` of the operator's namespace."""
    for place, rules in rights(program, wanted).items():
        kind = "Role" if place else "ClusterRole"
        meta: Object = {"name": name} | ({"namespace": place} if place else {}) | {"labels": dict(labels)}
        head = {"apiVersion": "rbac.authorization.k8s.io/v1"}
        yield {**head, "kind": kind, "metadata": meta, "rules": rules}
        yield {
            **head,
            "kind": f"{kind}Binding",
            "metadata": meta,
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
            "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": wanted.home}],
        }
