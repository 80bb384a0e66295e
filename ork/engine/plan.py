"""The difference between what a box wants and what is there, as writes (language, sections 6 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ork.base.objects import Object, annotations_of, deleting, labels_of, uid
from ork.base.records import NamedTuple
from ork.base.requests import Child, Expect, Verb, Write
from ork.engine import order, ownership
from ork.engine.desired import Desired, Want
from ork.engine.drift import differences
from ork.engine.order import Wave
from ork.engine.turn import Turn, entry_mark, key_of, rewritten
from ork.labels import DIGEST, ENTRY_LABEL, KEEP, LAST_SURFACE, OWNER_LABEL, owner_label
from ork.program import Entry, Surface


class Plan(NamedTuple):
    """What to write, in this order; a wave that had failures is the last one that is carried out."""

    sweep: tuple[Wave, ...] = ()
    """Children of the previous surface."""
    apply: tuple[Wave, ...] = ()
    status: tuple[Wave, ...] = ()
    """Status of children that exist; a new one gets its status in the turn that its creation causes."""
    prune: tuple[Wave, ...] = ()
    """Children that left the katalog or its lists."""
    switching: bool = False
    """Something of the previous surface is still there."""


def plan(turn: Turn, wanted: Desired) -> Plan:
    """Return the writes that make the cluster what the box wants.

    A faulty entry is not written: its wave is finished without it, later waves wait for the next turn. Nothing is
    deleted then either, for what the faulty entry stands for is not known; and since the sweep of a surface switch
    comes first, a switch waits as a whole.
    """
    claimed = {key_of(want.ref) for want in wanted.wants}
    leftover = [child for key, child in turn.children.items() if key not in claimed and _ours_to_delete(child)]
    sweep = [child for child in leftover if _swept(turn, wanted, child)]
    if wanted.faults:
        limit = min(order.place(entry.kind) for entry in turn.box.entries if entry.id in wanted.faulty)
        wants = () if sweep else [want for want in wanted.wants if order.place(want.ref.kind) <= limit]
        return Plan(apply=order.waves(_applies(turn, wants)), switching=bool(sweep))
    prune = [child for child in leftover if _pruned(turn, wanted, child)]
    return Plan(
        sweep=order.backwards(map(delete, sweep)),
        apply=order.waves(_applies(turn, wanted.wants)),
        status=order.waves(_statuses(turn, wanted.wants)),
        prune=order.backwards(map(delete, prune)),
        switching=bool(sweep),
    )


def delete(child: Child) -> Write:
    """Return the write that deletes a child, and no other object of its name."""
    return Write(Verb.DELETE, child.ref, {}, Expect.SAME_UID, uid(child.obj))


def previous_surface(turn: Turn) -> Surface:
    """Return the surface of the CR's last finished cycle."""
    return Surface(annotations_of(turn.cr).get(LAST_SURFACE, ""))


# ── what is written ─────────────────────────────────────────────────────────────────────────────
def _applies(turn: Turn, wants: Iterable[Want]) -> list[Write]:
    return [write for want in wants if (write := apply(turn, want, turn.children.get(key_of(want.ref))))]


def _statuses(turn: Turn, wants: Iterable[Want]) -> Iterator[Write]:
    for want in wants:
        live = turn.children.get(key_of(want.ref))
        if live is None or want.status is None or not differences(want.ref.kind, {"status": want.status}, live.obj):
            continue
        meta = {key: want.obj["metadata"][key] for key in ("name", "namespace") if key in want.obj["metadata"]}
        obj = {"apiVersion": want.ref.kind.api_version, "kind": want.ref.kind.kind, "metadata": meta}
        obj["status"] = want.status
        yield over(want, live, obj, want.entry.force)._replace(subresource="status")


def apply(turn: Turn, want: Want, live: Child | None) -> Write | None:
    """Return the write that one wanted object needs; None where the live one is as it should be."""
    entry = want.entry
    if live is None:
        return Write(Verb.APPLY, want.ref, want.obj, Expect.ABSENT, "", entry.force, entry.id) if want.digest else None
    if deleting(live.obj):
        return None  # Its end is an event, and what follows it a turn of its own.
    if not want.digest:
        return _relabel(turn, want, live)
    obj, force = want.obj, entry.force
    if ownership.adopted(live.obj):
        if entry.adopt:
            return over(want, live, obj, force)
        obj, force = ownership.unowned(turn.cr, obj), False
    return None if _holds(turn, want, obj, live) else over(want, live, obj, force)


def over(want: Want, live: Child, obj: Object, force: bool) -> Write:
    """Return the write of a wanted object over the live one, and over no other of its name."""
    return Write(Verb.APPLY, want.ref, obj, Expect.SAME_UID, uid(live.obj), force, want.entry.id)


def _holds(turn: Turn, want: Want, obj: Object, live: Child) -> bool:
    found = differences(want.ref.kind, obj, live.obj)
    if not found:
        return True
    # The server rewrites what we send (a webhook, for one): it would never settle.
    sent = annotations_of(live.obj).get(DIGEST) == want.digest
    return sent and turn.recall(rewritten(key_of(want.ref))) == (want.digest, found)


def _relabel(turn: Turn, want: Want, live: Child) -> Write | None:
    """Return what makes a create-once object this surface's, without touching its body."""
    meta = {"labels": want.obj["metadata"]["labels"]}
    if "ownerReferences" in want.obj["metadata"] and not ownership.adopted(live.obj):
        meta["ownerReferences"] = ownership.references(turn.cr, live.obj, want.obj["metadata"]["ownerReferences"])
    if not differences(want.ref.kind, {"metadata": meta}, live.obj):
        return None
    return Write(Verb.PATCH, want.ref, {"metadata": meta}, Expect.SAME_UID, uid(live.obj), True, want.entry.id)


# ── what is deleted ─────────────────────────────────────────────────────────────────────────────
def _ours_to_delete(child: Child) -> bool:
    return not deleting(child.obj) and not ownership.adopted(child.obj)


def _swept(turn: Turn, wanted: Desired, child: Child) -> bool:
    """Tell whether a child is the previous surface's, after a switch that does not keep it."""
    before = previous_surface(turn)
    if before == turn.box.surface or turn.crd.keep_previous.get(turn.box.surface, False):
        return False
    mine = labels_of(child.obj).get(OWNER_LABEL) == owner_label(turn.cr["metadata"]["name"], before)
    return mine and _entry_of(turn, child, wanted.unknown) is None


def _pruned(turn: Turn, wanted: Desired, child: Child) -> bool:
    """Tell whether a child of this surface has left the katalog or its entry's list."""
    if labels_of(child.obj).get(OWNER_LABEL) != owner_label(turn.cr["metadata"]["name"], turn.box.surface):
        return False
    entry = _entry_of(turn, child)
    if entry is None:
        return KEEP not in annotations_of(child.obj)
    if entry.id in wanted.unknown:
        return False
    held_back = entry.id in wanted.skipped or key_of(child.ref) in wanted.held_back
    return entry.prune is True if held_back else ownership.prunable(entry)


def _entry_of(turn: Turn, child: Child, among: frozenset[str] | None = None) -> Entry | None:
    mark = labels_of(child.obj).get(ENTRY_LABEL)
    for entry in turn.box.entries:
        if (among is None or entry.id in among) and entry_mark(turn.crd.name, entry.id) == mark:
            return entry
    return None
