"""The garbage collector: what becomes of objects whose owners go (`metadata.ownerReferences`, propagation policies)."""

from __future__ import annotations

from collections.abc import Iterable

from ork.base.objects import Object, deleting, finalizers_of, split_api_version
from ork.base.records import NamedTuple
from ork.cluster.memory.catalogue import Catalogue
from ork.cluster.memory.deletion import Delete, delete
from ork.cluster.memory.history import Change
from ork.cluster.memory.metadata import FOREGROUND, ORPHAN, amended
from ork.cluster.memory.state import Options, State
from ork.cluster.memory.table import Place, key_of
from ork.cluster.memory.writing import Writer

_MANAGER = "kube-controller-manager"


class _Owners(NamedTuple):
    """An object's owner references by what has become of the owners; those that cannot be told count as solid."""

    solid: list[Object]
    going: list[Object]
    """Deleted in the foreground: they wait for their dependents."""
    absent: list[Object]


class Collector:
    """Works off changes one by one. An owner that was missing before the first change is nobody's business."""

    def __init__(self, state: State, catalogue: Catalogue, writer: Writer) -> None:
        self._state, self._catalogue, self._writer = state, catalogue, writer

    def follow(self, change: Change) -> None:
        """Do what one change calls for."""
        if change.new is None:
            assert change.old is not None
            self._check_all(self._state.dependents(change.old["metadata"]["uid"]))
            self._release_owners(change.old)
            return
        place = (change.table, change.key)
        if _references(change.new) != _references(change.old):
            self._check(place)
        if deleting(change.new):
            self._finish(place)

    # ── owners that are going ───────────────────────────────────────────────────────────────────
    def _finish(self, place: Place) -> None:
        """Carry out the propagation policy of a deleted object, as its finalizers tell it."""
        obj = self._live(place)
        if obj is None:
            return
        uid = obj["metadata"]["uid"]
        if ORPHAN in finalizers_of(obj):
            for dependent in self._state.dependents(uid):
                self._drop_references(dependent, {uid})
            self._drop_finalizer(place, ORPHAN)
        elif FOREGROUND in finalizers_of(obj):
            self._check_all(self._state.dependents(uid))
            if not any(self._blocks(dependent, uid) for dependent in self._state.dependents(uid)):
                self._drop_finalizer(place, FOREGROUND)

    def _blocks(self, place: Place, uid: str) -> bool:
        references = _references(self._state.at(place))
        return any(row["uid"] == uid and row.get("blockOwnerDeletion") for row in references)

    def _release_owners(self, gone: Object) -> None:
        """Look again at the owners that waited for an object that is gone now."""
        for reference in _references(gone):
            owner = self._owner_place(reference, gone)
            if owner is not None and self._live(owner) is not None:
                self._finish(owner)

    # ── dependents ──────────────────────────────────────────────────────────────────────────────
    def _check_all(self, places: Iterable[Place]) -> None:
        for place in places:
            self._check(place)

    def _check(self, place: Place) -> None:
        """Delete an object that has no owner left, or drop its references to those that are gone."""
        obj = self._live(place)
        if obj is None or deleting(obj):
            return
        owners = self._owners(obj)
        lost = {row["uid"] for row in (*owners.going, *owners.absent)}
        if owners.solid:
            if lost:
                self._drop_references(place, lost)
        elif owners.going and self._state.dependents(obj["metadata"]["uid"]):
            self._delete(place, obj, "Foreground")
        elif lost:
            found = finalizers_of(obj)
            policy = "Orphan" if ORPHAN in found else "Foreground" if FOREGROUND in found else "Background"
            self._delete(place, obj, policy)

    def _owners(self, obj: Object) -> _Owners:
        out = _Owners([], [], [])
        for reference in _references(obj):
            owner = self._owner_place(reference, obj)
            found = self._live(owner) if owner else None
            if owner is None:
                out.solid.append(reference)
            elif found is None or found["metadata"]["uid"] != reference["uid"]:
                out.absent.append(reference)
            elif deleting(found) and FOREGROUND in finalizers_of(found):
                out.going.append(reference)
            else:
                out.solid.append(reference)
        return out

    def _owner_place(self, reference: Object, dependent: Object) -> Place | None:
        """Return where an owner would be; None where its kind is unknown, or cannot own that object."""
        resource = self._catalogue.find(*split_api_version(reference["apiVersion"]), reference["kind"])
        namespace = dependent["metadata"].get("namespace", "")
        if resource is None or (resource.kind.namespaced and not namespace):
            return None
        return resource.table, key_of(namespace if resource.kind.namespaced else "", reference["name"])

    # ── writes ──────────────────────────────────────────────────────────────────────────────────
    def _live(self, place: Place) -> Object | None:
        return self._state.named_table(place[0]).rows.get(place[1])

    def _delete(self, place: Place, obj: Object, policy: str) -> None:
        meta = obj["metadata"]
        resource = self._catalogue.of_table(place[0])
        delete(self._state, resource, meta.get("namespace", ""), meta["name"], Delete(policy))

    def _drop_references(self, place: Place, uids: set[str]) -> None:
        left = [row for row in _references(self._state.at(place)) if row["uid"] not in uids]
        self._patch(place, ownerReferences=left or None)

    def _drop_finalizer(self, place: Place, name: str) -> None:
        left = [row for row in finalizers_of(self._state.at(place)) if row != name]
        self._patch(place, finalizers=left or None)

    def _patch(self, place: Place, **fields: list[Object] | list[str] | None) -> None:
        meta = self._state.at(place)["metadata"]
        resource = self._catalogue.of_table(place[0])

        def patched(obj: Object) -> Object:
            return amended(obj, **fields)

        self._writer.patch(resource, meta.get("namespace", ""), meta["name"], patched, Options(_MANAGER))


def _references(obj: Object | None) -> list[Object]:
    found: list[Object] = (obj["metadata"].get("ownerReferences") if obj else None) or []
    return found
