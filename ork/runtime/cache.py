"""What the informers know of the cluster, and the index that finds a CR's children."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any

from ork.base.objects import Kind, Object, Ref, labels_of, ref_of, uid
from ork.base.records import NamedTuple
from ork.base.requests import Child
from ork.labels import OWNER_UID_LABEL
from ork.runtime.interner import Interner

GRAVES = 4096
"""How many ended objects are remembered."""


class Replaced(NamedTuple):
    """One object's state before and after the cache took in a new one."""

    old: Object | None
    new: Object


class Cache:
    """The last known state of every watched object. It is the `View` of reconcile.

    Answers to our own writes are put in at once, so that a turn never sees the world before its predecessor's writes;
    the watch's echo of the same version is then no change.
    """

    def __init__(self, whole: Container[Kind] = ()) -> None:
        """`whole` are the kinds whose managedFields are kept, since a sentinel compares them."""
        self._whole = whole
        self._objects: dict[Kind, dict[Ref, Object]] = {}
        self._children: dict[str, dict[Ref, Object]] = {}
        self._graves: dict[Ref, int] = {}
        self._intern = Interner()
        self.took_in: Callable[[], None] = _nobody
        """Called after each state that was taken in."""
        self.cut: Callable[[Ref], None] = _nothing
        """Called for an object that is nested deeper than `DEEPEST` levels: the rest of it is not seen."""
        self.touched: Callable[[str], None] = _nothing
        """Called with the uid of each object that changed, and with the owner uid that its labels name or named."""

    def get(self, ref: Ref) -> Object | None:
        """Return an object, or None where it is not known."""
        return self._objects.get(ref.kind, {}).get(ref)

    def owned(self, uid: str) -> Sequence[Child]:
        """Return the children labelled with that owner uid, ordered by kind, namespace and name."""
        children = self._children.get(uid)
        return [Child(ref, children[ref]) for ref in sorted(children)] if children else ()

    def find(self, kind: Kind, namespace: str, labels: Mapping[str, str]) -> Sequence[Object]:
        """Return the objects of a kind with those labels, ordered by name; an empty namespace is all."""
        return [
            obj
            for ref, obj in sorted(self._objects.get(kind, {}).items())
            if namespace in ("", ref.namespace) and labels.items() <= labels_of(obj).items()
        ]

    def of_kind(self, kind: Kind) -> Mapping[Ref, Object]:
        """Return everything known of a kind."""
        return self._objects.get(kind, {})

    def put(self, kind: Kind, obj: Object) -> Replaced | None:
        """Take in a state of an object; None where this state, a newer one or its end is known already."""
        ref = ref_of(kind, obj)
        known = self._objects.setdefault(kind, {})
        before = known.get(ref)
        if version_of(obj) <= self._graves.get(ref, 0) or (before is not None and not newer(obj, before)):
            return None
        slim = self._intern.shared(obj if kind in self._whole else without_managed_fields(obj))
        if self._intern.cut:
            self.cut(ref)
        known[ref] = slim
        self._index(ref, before, slim)
        self.took_in()
        return Replaced(before, slim)

    def foresee(self, kind: Kind, obj: Object) -> None:
        """Take in a state that an object is to have: as a dry run answers it, without a version of its own."""
        ref = ref_of(kind, obj)
        known = self._objects.setdefault(kind, {})
        before, known[ref] = known.get(ref), without_managed_fields(obj)
        self._index(ref, before, known[ref])

    def remove(self, ref: Ref, version: int) -> Object | None:
        """Forget an object that ended at `version`; return its last state, or None where nothing older is known."""
        known = self._objects.get(ref.kind, {}).get(ref)
        # A late answer to a write of ours must not raise the dead, so ends are remembered for a while.
        self._graves[ref] = max(version, self._graves.pop(ref, 0))
        if len(self._graves) > GRAVES:
            del self._graves[next(iter(self._graves))]
        if known is None or version_of(known) > version:
            return None
        del self._objects[ref.kind][ref]
        self._index(ref, known, None)
        return known

    def _index(self, ref: Ref, before: Object | None, after: Object | None) -> None:
        old, new = owner_of(before), owner_of(after)
        if old and old != new:
            siblings = self._children[old]
            siblings.pop(ref, None)
            if not siblings:
                del self._children[old]
        if new and after is not None:
            self._children.setdefault(new, {})[ref] = after
        for changed in {old, new, *(uid(obj) for obj in (before, after) if obj is not None)} - {""}:
            self.touched(changed)


def owner_of(obj: Object | None) -> str:
    """Return the owner uid that an object's labels name; the empty string where they name none."""
    return labels_of(obj).get(OWNER_UID_LABEL, "") if obj is not None else ""


def _nobody() -> None:
    return


def _nothing(_: Any) -> None:
    return


def newer(one: Object, other: Object) -> bool:
    """Tell whether the first of two states of a name replaces the second: another object, or a later version of it.

    Versions of one resource type are ordered integers (Kubernetes 1.35 on; every etcd-backed server before it).
    """
    if uid(one) != uid(other):
        return True
    return version_of(one) > version_of(other)


def version_of(obj: Object) -> int:
    """Return the resourceVersion as a number; 0 where there is none."""
    version = obj["metadata"].get("resourceVersion", "0")
    return int(version) if version.isdecimal() else 0


def without_managed_fields(obj: Object) -> Object:
    """Return the object without the half of it that nothing here reads."""
    metadata = obj["metadata"]
    if "managedFields" not in metadata:
        return obj
    return {**obj, "metadata": {key: value for key, value in metadata.items() if key != "managedFields"}}
