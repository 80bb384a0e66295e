"""Whose an object is: the labels and owner reference that a child carries, and what an object found in its place
says of its owner (language, section 6)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from ork.base.objects import Object, Ref, annotations_of, labels_of, uid
from ork.base.records import NamedTuple
from ork.base.requests import Child
from ork.engine.turn import Turn, entry_mark
from ork.labels import (
    ADOPTED,
    ENTRY_LABEL,
    FIELD_MANAGER,
    GENERATION,
    KATALOG_LABEL,
    KEEP,
    MANAGED_BY_LABEL,
    OWNER_LABEL,
    OWNER_UID_LABEL,
    owner_label,
)
from ork.program import Entry, Keep


class Stamp(NamedTuple):
    """What every child of one turn carries."""

    labels: dict[str, str]
    reference: Object


def stamp(turn: Turn) -> Stamp:
    """Return the labels and the owner reference of a CR's children."""
    crd, meta = turn.crd, turn.cr["metadata"]
    labels = {
        MANAGED_BY_LABEL: FIELD_MANAGER,
        KATALOG_LABEL: crd.katalog,
        OWNER_LABEL: owner_label(meta["name"], turn.box.surface),
        OWNER_UID_LABEL: uid(turn.cr),
    }
    reference = {
        "apiVersion": crd.kind.api_version,
        "kind": crd.kind.kind,
        "name": meta["name"],
        "uid": uid(turn.cr),
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return Stamp(labels, reference)


def coverable(cr: Object, ref: Ref) -> bool:
    """Tell whether an owner reference can cover an object: in the same namespace, or of a cluster-scoped CR any."""
    namespace = cr["metadata"].get("namespace", "")
    return not namespace or namespace == ref.namespace


def covered(cr: Object, obj: Object) -> bool:
    """Tell whether Kubernetes deletes the object after the CR."""
    return any(reference.get("uid") == uid(cr) for reference in obj["metadata"].get("ownerReferences") or ())


def adopted(obj: Object) -> bool:
    """Tell whether the object was there before `ork`, which therefore never deletes it."""
    return ADOPTED in annotations_of(obj)


def uncovered(cr: Object, children: Iterable[Child]) -> list[Child]:
    """Return the children that only `ork` can delete after the CR."""
    return [child for child in children if not adopted(child.obj) and not covered(cr, child.obj)]


def metadata(turn: Turn, mark: Stamp, entry: Entry, ref: Ref, declared: Object) -> Object:
    """Return the metadata of a child: as declared, with name, labels, annotations and owner of `ork`'s own."""
    annotations = declared.get("annotations") or {}
    if not prunable(entry):
        annotations = {**annotations, KEEP: "true"}
    if entry.rerun:
        annotations = {**annotations, GENERATION: str(turn.cr["metadata"].get("generation", 0))}
    found: Object = {**declared, "name": ref.name}
    if ref.namespace:
        found["namespace"] = ref.namespace
    own = {**mark.labels, ENTRY_LABEL: entry_mark(turn.crd.name, entry.id)}
    found["labels"] = {**(declared.get("labels") or {}), **own}
    if annotations:
        found["annotations"] = annotations
    if coverable(turn.cr, ref):
        found["ownerReferences"] = [*(declared.get("ownerReferences") or ()), mark.reference]
    return found


def unowned(cr: Object, obj: Object) -> Object:
    """Return an applied configuration as it is for an object that was there before: marked, and not the CR's own."""
    meta = {**obj["metadata"], "annotations": {**(obj["metadata"].get("annotations") or {}), ADOPTED: "true"}}
    owners = [owner for owner in meta.pop("ownerReferences", ()) if owner.get("uid") != uid(cr)]
    return {**obj, "metadata": {**meta, "ownerReferences": owners} if owners else meta}


def references(cr: Object, obj: Object, own: list[Object]) -> list[Object]:
    """Return an object's owner references with the CR's own in place of one that an earlier life of the CR left."""
    name, others = cr["metadata"]["name"], obj["metadata"].get("ownerReferences") or []
    kind = own[0]["kind"]
    return [other for other in others if (other.get("kind"), other.get("name")) != (kind, name)] + own


def prunable(entry: Entry) -> bool:
    """Tell whether what leaves an entry's list is deleted."""
    return entry.keep is Keep.SYNC if entry.prune is None else entry.prune


# ── an object that stands where a child should be created ──────────────────────────────────────
class Found(Enum):
    """Whose an object is that exists already."""

    OURS = "ours"
    """A child of this CR that the caches did not show, or one that a restore brought back under an old uid."""
    FREE = "free"
    """Nobody controls it."""
    TAKEN = "taken"
    """Another owner controls it."""


def whose(turn: Turn, entry: Entry, obj: Object, uids: Iterable[str]) -> Found:
    """Tell whose an existing object is; `uids` are those of all CRs of this CRD that exist."""
    reference = controller(obj)
    if reference is not None and reference.get("uid") == uid(turn.cr):
        return Found.OURS
    label = labels_of(obj).get(OWNER_UID_LABEL, "")
    if label == uid(turn.cr):
        return Found.OURS
    if label:
        if not _restored(turn, entry, obj, uids):
            return Found.TAKEN
        return Found.FREE if adopted(obj) else Found.OURS
    return Found.FREE if reference is None else Found.TAKEN


def _restored(turn: Turn, entry: Entry, obj: Object, uids: Iterable[str]) -> bool:
    """Tell whether a child of this very CR came back from a backup: its labels name the CR and the entry, its owner's
    uid belongs to nobody any more."""
    labels, reference = labels_of(obj), controller(obj)
    name = turn.cr["metadata"]["name"]
    names = {owner_label(name, surface) for surface in turn.crd.boxes}
    if labels.get(OWNER_LABEL) not in names or labels.get(ENTRY_LABEL) != entry_mark(turn.crd.name, entry.id):
        return False
    if reference is not None and (reference.get("kind"), reference.get("name")) != (turn.crd.kind.kind, name):
        return False
    living = set(uids)
    return labels[OWNER_UID_LABEL] not in living and (reference is None or reference.get("uid") not in living)


def controller(obj: Object) -> dict[str, Any] | None:
    """Return the owner reference that controls the object."""
    references = obj["metadata"].get("ownerReferences") or ()
    return next((reference for reference in references if reference.get("controller")), None)


def owner(obj: Object) -> str:
    """Say who controls an object, for a message."""
    reference = controller(obj)
    if reference is not None:
        return f"{reference.get('kind')} {reference.get('name')}"
    return f'the owner "{labels_of(obj).get(OWNER_LABEL, "")}" of katalog "{labels_of(obj).get(KATALOG_LABEL, "")}"'
