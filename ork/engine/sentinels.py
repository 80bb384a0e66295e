"""Sentinels: what changed between two versions of an object (seed conditional-reconciliation.md, "Sentinels")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ork.base.objects import Object, deleting
from ork.base.paths import Path, get

_COMPARED: Mapping[str, Path] = {
    "generationChanged": ("metadata", "generation"),
    "labelsChanged": ("metadata", "labels"),
    "annotationsChanged": ("metadata", "annotations"),
    "finalizersChanged": ("metadata", "finalizers"),
    "nameChanged": ("metadata", "name"),
    "namespaceChanged": ("metadata", "namespace"),
    "generateNameChanged": ("metadata", "generateName"),
    "uidChanged": ("metadata", "uid"),
    "resourceVersionChanged": ("metadata", "resourceVersion"),
    "creationTimestampChanged": ("metadata", "creationTimestamp"),
    "deletionGracePeriodSecondsChanged": ("metadata", "deletionGracePeriodSeconds"),
    "ownerReferenceChanged": ("metadata", "ownerReferences"),
    "managedFieldsChanged": ("metadata", "managedFields"),
    "specChanged": ("spec",),
    "statusChanged": ("status",),
}


def sentinels(names: Iterable[str], old: Object | None, new: Object) -> dict[str, bool]:
    """Return the value of each declared sentinel; without an old version everything is new."""
    return {name: _fires(name, old, new) for name in names}


def either(one: Mapping[str, bool], other: Mapping[str, bool]) -> dict[str, bool]:
    """Return what two events changed together, as when they meet in the queue."""
    return {name: one.get(name, False) or other.get(name, False) for name in {**one, **other}}


def _fires(name: str, old: Object | None, new: Object) -> bool:
    if name == "deletionStarted":
        return deleting(new) and (old is None or not deleting(old))
    if old is None:
        return True
    path = _COMPARED[name]
    # An empty map or list and none at all are the same set of labels, finalizers, owners.
    return (get(old, path) or None) != (get(new, path) or None)
