"""What the CR itself carries for `ork`: finalizer, inventory, last surface (language, sections 6 and 12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ork.base.objects import Kind, annotations_of, finalizers_of
from ork.base.records import NamedTuple
from ork.base.requests import Child
from ork.engine import inventory, ownership
from ork.engine.desired import Desired, Want
from ork.engine.inventory import Inventory
from ork.engine.plan import Plan
from ork.engine.turn import Key, Turn, key_of
from ork.labels import INVENTORY, LAST_SURFACE


class Mark(NamedTuple):
    """A change of the CR's own metadata."""

    finalizers: tuple[str, ...]
    """All of them, as they shall be."""
    annotations: Mapping[str, str | None]
    """Those that change; None takes one away."""


def before(turn: Turn, wanted: Desired, planned: Plan) -> Mark | None:
    """Return what the CR must carry before anything is written, so that no crash leaves an orphan behind.

    With nothing to sweep the new surface is noted here already; after a sweep it is noted when all is written.
    """
    kinds = _uncoverable(turn, wanted.wants)
    finalizers = finalizers_of(turn.cr)
    if kinds and turn.crd.finalizer not in finalizers:
        finalizers = [*finalizers, turn.crd.finalizer]
    known = inventory.read(turn.cr)
    annotations = {} if planned.switching else _surface(turn)
    return _mark(turn, finalizers, annotations | _inventory(known, inventory.with_kinds(known, kinds)))


def after(turn: Turn, wanted: Desired, planned: Plan, live: Mapping[Key, Child]) -> Mark | None:
    """Return what the CR must carry once a cycle without faults has written everything."""
    known = inventory.read(turn.cr)
    new = known._replace(ran=_ran(turn, wanted, known, live))
    finalizers = finalizers_of(turn.cr)
    if turn.crd.finalizer in finalizers and not _needs_teardown(turn, wanted, live.values()):
        finalizers = [each for each in finalizers if each != turn.crd.finalizer]
        new = new._replace(kinds=())
    return _mark(turn, finalizers, (_surface(turn) if planned.switching else {}) | _inventory(known, new))


def released(turn: Turn) -> Mark:
    """Return the CR's metadata without `ork`'s finalizer: its deletion may go on."""
    return Mark(tuple(each for each in finalizers_of(turn.cr) if each != turn.crd.finalizer), {})


def _mark(turn: Turn, finalizers: Iterable[str], annotations: Mapping[str, str | None]) -> Mark | None:
    mark = Mark(tuple(finalizers), annotations)
    return mark if annotations or list(mark.finalizers) != finalizers_of(turn.cr) else None


def _surface(turn: Turn) -> dict[str, str | None]:
    noted = annotations_of(turn.cr).get(LAST_SURFACE)
    wanted = str(turn.box.surface) if turn.crd.has_targets else None
    return {} if noted == wanted else {LAST_SURFACE: wanted}


def _inventory(old: Inventory, new: Inventory) -> dict[str, str | None]:
    return {} if old == new else {INVENTORY: inventory.write(new)}


def _uncoverable(turn: Turn, wants: Iterable[Want]) -> list[Kind]:
    """Return the kinds of wanted objects that Kubernetes will not delete after the CR."""
    return [
        want.ref.kind
        for want in wants
        if not ownership.coverable(turn.cr, want.ref) and not _adopted(turn.children.get(key_of(want.ref)))
    ]


def _adopted(child: Child | None) -> bool:
    return child is not None and ownership.adopted(child.obj)


def _needs_teardown(turn: Turn, wanted: Desired, live: Iterable[Child]) -> bool:
    if wanted.unknown or _uncoverable(turn, wanted.wants):
        return True
    return bool(ownership.uncovered(turn.cr, live))


def _ran(turn: Turn, wanted: Desired, known: Inventory, live: Mapping[Key, Child]) -> Mapping[str, int]:
    """Return which Jobs must not run again once they are gone. Names are dropped when the box no longer wants them."""
    jobs = {inventory.job_name(want.ref): want for want in wanted.wants if inventory.is_job(want.ref.kind)}
    if not jobs and not known.ran:
        return known.ran
    complete = not (wanted.unknown or wanted.skipped or wanted.held_back)
    ran = {name: at for name, at in known.ran.items() if name in jobs or not complete}
    for name, want in jobs.items():
        child = live.get(key_of(want.ref))
        if child is not None and inventory.spent(child.obj):
            made = inventory.made_at(child.obj)
            ran[name] = ran.get(name, turn.cr["metadata"].get("generation", 0)) if made is None else made
    return dict(sorted(ran.items()))
