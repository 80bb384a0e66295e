"""Sentinels: what changed between two versions of an object (seed conditional-reconciliation.md, "Sentinels")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ork.base.objects import Object, deleting
from ork.base.paths import get
from ork.program import SENTINELS


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
    path = SENTINELS[name]
    # An empty map or list and none at all are the same set of labels, finalizers, owners.
    return (get(old, path) or None) != (get(new, path) or None)
