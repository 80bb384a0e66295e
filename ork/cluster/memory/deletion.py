"""Deleting objects: preconditions, grace, finalizers, and what becomes of the dependents."""

from __future__ import annotations

from ork.base.objects import Object, deleting, finalizers_of
from ork.base.records import NamedTuple
from ork.cluster.memory import metadata, status
from ork.cluster.memory.metadata import FOREGROUND, ORPHAN
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import State, Written
from ork.cluster.memory.status import Subject
from ork.cluster.memory.table import key_of
from ork.openapi import causes

_POLICIES = ("Foreground", "Background", "Orphan")
_GRACEFUL = "pods"
_ORPHANED = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set "
    "propagationPolicy=Orphan to suppress this warning"
)
IMMORTAL = frozenset({"default", "kube-system", "kube-public"})


class Delete(NamedTuple):
    """`DeleteOptions`."""

    propagation: str = ""
    """`Foreground`, `Background`, `Orphan`; empty is the resource's own habit."""
    uid: str | None = None
    """Only if the object is this one; an empty uid is none's."""
    version: str | None = None
    """Only if the object has this resourceVersion."""
    grace: int | None = None
    dry_run: bool = False
    orphan: bool | None = None
    """The old form of `propagation`."""


def delete(state: State, resource: Resource, namespace: str, name: str, how: Delete) -> Written:
    """Delete an object, or mark it where something holds it. Raises ApiError."""
    _check_options(how)
    live = state.row(resource, namespace, name)
    if live is None:
        raise status.not_found(resource.by_name, name)
    if resource.table == "namespaces" and name in IMMORTAL:
        raise status.forbidden(resource.by_name, name, "this namespace may not be deleted")
    _check_preconditions(resource, live, how)
    grace = _grace(live, how)
    if deleting(live) and (running := live["metadata"].get("deletionGracePeriodSeconds")):
        if how.grace is None or how.grace >= running:
            return Written(resource.shown(live), changed=False)
        live = metadata.amended(live, deletionGracePeriodSeconds=grace)
    marked = live if grace and deleting(live) else _marked(state, resource, live, how, grace)
    if marked is None:
        return _removed(state, resource, live, namespace, name, how)
    if marked is state.row(resource, namespace, name):
        return Written(resource.shown(marked), changed=False)
    if how.dry_run:
        return Written(resource.shown(marked))
    stored = state.commit(resource.table, key_of(namespace, name), marked)
    assert stored is not None
    return Written(resource.shown(stored), warnings=_orphan_warnings(resource, how))


def _removed(state: State, resource: Resource, live: Object, namespace: str, name: str, how: Delete) -> Written:
    key = key_of(namespace, name)
    if resource.table == _GRACEFUL:
        live = _going(live, state.now(), 0)
        live = live if how.dry_run else state.commit(resource.table, key, live) or live
    shown = resource.shown(live)
    if not how.dry_run:
        state.commit(resource.table, key, None)
        shown = metadata.amended(shown, resourceVersion=str(state.history.version))
    return Written(shown, gone=True, warnings=_orphan_warnings(resource, how))


def _orphan_warnings(resource: Resource, how: Delete) -> tuple[str, ...]:
    unsaid = resource.table == "jobs.batch" and not how.propagation and how.orphan is None
    return (_ORPHANED,) if unsaid else ()


def _check_options(how: Delete) -> None:
    faults = []
    if how.propagation and how.orphan is not None:
        text = "orphanDependents and deletionPropagation cannot be both set"
        faults.append(causes.invalid("propagationPolicy", how.propagation, text))
    elif how.propagation not in ("", *_POLICIES):
        faults.append(causes.not_supported("propagationPolicy", how.propagation, (*_POLICIES, "nil")))
    if faults:
        raise status.invalid(Subject("meta.k8s.io", "DeleteOptions"), "", faults)


def _check_preconditions(resource: Resource, live: Object, how: Delete) -> None:
    meta = live["metadata"]
    for what, wanted, found, then in (
        ("UID", how.uid, meta["uid"], "deleted and then recreated"),
        ("ResourceVersion", how.version, meta["resourceVersion"], "modified"),
    ):
        if wanted is None or wanted == found:
            continue
        if resource.traits.keeps_generation:
            why = f"Precondition failed: {what} in precondition: {wanted}, {what} in object meta: {found}"
            raise status.conflict(resource.by_name, meta["name"], why)
        why = (
            f"the {what} in the precondition ({wanted}) does not match the {what} in record ({found}). "
            f"The object might have been {then}"
        )
        raise status.conflict(resource.by_kind, meta["name"], why)


def _grace(live: Object, how: Delete) -> int:
    """Return how many seconds a pod may take to end: none where no node runs it."""
    if live["kind"] != "Pod" or live["apiVersion"] != "v1" or not live["spec"].get("nodeName"):
        return 0
    if (live.get("status") or {}).get("phase") in ("Succeeded", "Failed"):
        return 0
    if how.grace is not None:
        return how.grace if how.grace >= 0 else 1
    seconds: int = live["spec"].get("terminationGracePeriodSeconds", 30)
    return seconds


def _marked(state: State, resource: Resource, live: Object, how: Delete, grace: int) -> Object | None:
    """Return the object as it waits for its deletion; None where nothing holds it."""
    wanted = _finalizers(resource, live, how)
    if not (wanted or grace or resource.held(live)):
        return None
    if deleting(live) and wanted == finalizers_of(live):
        return live
    out = metadata.amended(live, finalizers=wanted or None)
    if deleting(live):
        return out
    if resource.traits.keeps_generation:
        return resource.marked(metadata.amended(out, deletionTimestamp=state.now()), state.now())
    return _going(out, state.now(), grace)


def _going(obj: Object, now: str, grace: int) -> Object:
    """Return the object marked for deletion, if it is not yet; that is a new generation."""
    if deleting(obj):
        return obj
    generation = obj["metadata"].get("generation")
    later = {"generation": generation + 1} if generation else {}
    return metadata.amended(obj, deletionTimestamp=now, deletionGracePeriodSeconds=grace, **later)


def _finalizers(resource: Resource, live: Object, how: Delete) -> list[str]:
    """Return the finalizers with those that the garbage collector is to work off."""
    found = finalizers_of(live)
    if resource.cleanup_finalizer and not deleting(live):
        # What becomes of dependents is not asked before the cleanup is done.
        return found if resource.cleanup_finalizer in found else [*found, resource.cleanup_finalizer]
    wanted = [name for name in found if name not in (ORPHAN, FOREGROUND, resource.cleanup_finalizer)]
    if _orphans(resource, found, how):
        wanted.append(ORPHAN)
    if _foreground(found, how):
        wanted.append(FOREGROUND)
    if resource.cleanup_finalizer and (resource.cleanup_finalizer in found or not deleting(live)):
        wanted.append(resource.cleanup_finalizer)
    return found if set(wanted) == set(found) else wanted


def _orphans(resource: Resource, found: list[str], how: Delete) -> bool:
    if how.orphan is not None:
        return how.orphan
    if how.propagation:
        return how.propagation == "Orphan"
    if ORPHAN in found or FOREGROUND in found:
        return ORPHAN in found
    return resource.traits.orphans


def _foreground(found: list[str], how: Delete) -> bool:
    if how.orphan is not None:
        return False
    if how.propagation:
        return how.propagation == "Foreground"
    return FOREGROUND in found and ORPHAN not in found
