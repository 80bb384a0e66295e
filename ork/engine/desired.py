"""What a box wants to exist for one CR: every entry rendered, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from ork.base import paths
from ork.base.findings import Fault, FaultKind
from ork.base.objects import Object, Ref, labels_of
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.base.requests import Child
from ork.engine import copies, faults, inventory, ownership
from ork.engine.calls import answered
from ork.engine.copies import Originals
from ork.engine.names import metadata_problem, name_problem
from ork.engine.rules import external_names
from ork.engine.turn import Key, Turn, entry_mark, foreign, key_of
from ork.expr.compare import type_name
from ork.expr.conditions import ALWAYS, guard_reads, holds
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.labels import DIGEST, ENTRY_LABEL
from ork.program import Entry, EntryId, ForEach, Keep, Source

ITEMS_LIMIT = 10_000
"""The most objects that one `forEach` may ask for: a CR's number must not fill a cluster."""


class Want(NamedTuple):
    """One object that an entry (or one item of its `forEach`) declares."""

    entry: Entry
    ref: Ref
    obj: Object
    """The applied configuration, with `ork`'s labels and digest; only identity and labels where a create-once object
    exists already and its body was not rendered."""
    digest: str
    """Empty where the body was not rendered."""
    status: Any = None
    """What a `custom` entry declares for the status subresource."""


class Desired(NamedTuple):
    """Everything a box wants, and what it could not say."""

    wants: tuple[Want, ...]
    faults: tuple[Fault, ...]
    unknown: frozenset[EntryId]
    """Entries whose list of objects is not known in this cycle: nothing of theirs is pruned."""
    skipped: frozenset[EntryId] = frozenset()
    """Entries whose conditions are false."""
    faulty: frozenset[EntryId] = frozenset()
    """Entries of which nothing may be written in this cycle."""
    held_back: frozenset[Key] = frozenset()
    """Objects of `forEach` items whose conditions are false: they have not left the list."""


class _Work(NamedTuple):
    """One entry to render, and what all its items share."""

    turn: Turn
    entry: Entry
    env: Env
    """Without randomness, which only the body of an object that is about to be created may read."""
    silent: frozenset[str]
    """Calls that failed or were skipped in this cycle."""
    stamp: ownership.Stamp = ownership.Stamp({}, {})
    originals: Originals = copies.NONE
    """Like the stamp, of no use to those who only ask which objects there will be."""


class _Rendered(NamedTuple):
    """What one entry came to."""

    wants: tuple[Want, ...] = ()
    held_back: frozenset[Key] = frozenset()
    known: bool = True
    skipped: bool = False
    fault: Fault | None = None


def desired(turn: Turn, scope: Scope, originals: Originals = copies.NONE) -> Desired:
    """Render every entry of the box. The faults of one entry are collected, the others are rendered all the same.

    `originals` are the objects that `copied` names.
    """
    stamp, env = ownership.stamp(turn), turn.env._replace(random=None)
    silent = _silent(scope)
    found = {
        entry.id: _rendered(_Work(turn, entry, env, silent, stamp, originals), scope) for entry in turn.box.entries
    }
    clashes = _clashes(turn, found)
    wrong = {id: fault for id, each in found.items() if (fault := clashes.get(id) or each.fault)}
    return Desired(
        wants=tuple(want for id, each in found.items() if id not in wrong for want in each.wants),
        faults=tuple(dict.fromkeys(wrong.values())),
        unknown=frozenset(id for id, each in found.items() if id in wrong or not each.known),
        skipped=frozenset(id for id, each in found.items() if each.skipped),
        faulty=frozenset(wrong),
        held_back=frozenset().union(*(each.held_back for each in found.values())),
    )


def copied(turn: Turn, scope: Scope) -> list[Ref]:
    """Return the objects that `fromConfigMap` and `fromSecret` name, each once, as far as a copy is to be rendered.

    What cannot be evaluated is left out: `desired` says it.
    """
    env, silent = turn.env._replace(random=None), _silent(scope)
    found: dict[Key, Ref] = {}
    for entry in turn.box.entries:
        if entry.source is not None:
            work = _Work(turn, entry, env, silent)
            found |= {key_of(ref): ref for ref in _copied(work, entry.source, scope)}
    return list(found.values())


def creating(turn: Turn, scope: Scope) -> bool:
    """Tell whether an object of an `onCreate` entry is absent, so that `onCreate.external` has to run.

    What an entry reads of those very calls is not known yet: such an entry is absent while it has no live object.
    """
    calls = {call.name for call in turn.box.create_calls}
    env = turn.env._replace(random=None)
    entries = [entry for entry in turn.box.entries if entry.on_create]
    return any(_absent(_Work(turn, entry, env, frozenset()), scope, calls) for entry in entries)


def _silent(scope: Scope) -> frozenset[str]:
    return frozenset(name for name, record in scope["external"].items() if not answered(record))


# ── one entry ───────────────────────────────────────────────────────────────────────────────────
def _rendered(work: _Work, scope: Scope) -> _Rendered:
    known = not (work.silent and any(name in work.silent for name in external_names(work.entry.reads)))
    try:
        if work.entry.each is not None:
            return _each(work, scope, known)
        if not _holds(work, scope):
            return _Rendered(known=known, skipped=True)
        return _Rendered(_wants(work, scope), known=known)
    except EvaluationError as error:
        fault = faults.of_evaluation(error, work.entry.path, work.turn.cr, work.entry.span)
        return _Rendered(known=False, fault=fault)


def _each(work: _Work, scope: Scope, known: bool) -> _Rendered:
    wants: list[Want] = []
    held_back: list[Key | None] = []
    for item in _items(work, scope):
        if _holds(work, item):
            wants += _wants(work, item)
        else:
            held_back += _keys(work, item)
    keys = frozenset(key for key in held_back if key is not None)
    return _Rendered(tuple(wants), keys, known and None not in held_back)


def _holds(work: _Work, scope: Scope) -> bool:
    guard = work.entry.guard
    return guard == ALWAYS or holds(guard, scope, work.env)


def _keys(work: _Work, scope: Scope) -> list[Key | None]:
    """Return which objects a held-back item stands for, so that they are told from those that left the list; None
    among them where that cannot be said."""
    try:
        return [key_of(ref) for ref in _refs(work, scope)]
    except EvaluationError:
        return [None]


def _items(work: _Work, scope: Scope) -> Iterable[Scope]:
    return (scope,) if work.entry.each is None else items(work.entry.each, scope, work.env)


def items(each: ForEach, scope: Scope, env: Env) -> Iterator[Scope]:
    """Give the scope of every element of a list, key of a map, or number below an int."""
    value = each.field(scope, env)
    if isinstance(value, bool) or not isinstance(value, list | dict | int | None):
        raise EvaluationError(f"forEach takes a list, a map or a number; {each.field.text} is {type_name(value)}")
    if isinstance(value, dict):
        for index, key in enumerate(sorted(value)):
            names = {"item": key, "index": index, "key": key, "value": value[key], each.name: key}
            yield {**scope, **names}
        return
    elements = range(min(value, ITEMS_LIMIT + 1)) if isinstance(value, int) else value or ()
    if len(elements) > ITEMS_LIMIT:
        raise EvaluationError(f"forEach asks for more than {ITEMS_LIMIT} objects, the most that one entry makes")
    for index, item in enumerate(elements):
        yield {**scope, "item": item, "index": index, each.name: item}


# ── one object ──────────────────────────────────────────────────────────────────────────────────
def _wants(work: _Work, scope: Scope) -> tuple[Want, ...]:
    return tuple(_want(work, scope, ref) for ref in _refs(work, scope))


def _want(work: _Work, scope: Scope, ref: Ref) -> Want:
    turn, entry = work.turn, work.entry
    if problem := name_problem(ref):
        raise EvaluationError(problem)
    if _left_alone(work, ref):
        return Want(entry, ref, _object(work, ref, {}), "")
    body = entry.build(scope, turn.env if entry.keep is Keep.ONCE else work.env)
    if entry.source is not None:
        origin = copies.origin(entry, entry.source, scope, work.env)
        body = copies.filled(body, entry.source, origin, work.originals)
    status = body.get("status") if entry.has_status else None
    body = paths.without(body, ("status",))
    digest = _digest(entry, ref, body)
    if problem := metadata_problem(body.get("metadata") or {}):
        raise EvaluationError(problem)
    obj = _object(work, ref, _with_ignored(body, entry.ignore, turn.children.get(key_of(ref))))
    meta = obj["metadata"]
    meta["annotations"] = {**meta.get("annotations", {}), DIGEST: digest}
    return Want(entry, ref, obj, digest, status)


def _refs(work: _Work, scope: Scope) -> list[Ref]:
    """Return which object an entry, or one item of its `forEach`, stands for: with `toNamespaces` any number."""
    entry = work.entry
    name = entry.name(scope, work.env)
    if entry.spread is not None:
        return [Ref(entry.kind, place, name) for place in copies.places(entry.spread, scope, work.env)]
    if not entry.kind.namespaced:
        return [Ref(entry.kind, "", name)]
    own = work.turn.cr["metadata"].get("namespace", "")
    namespace = own if entry.namespace is None else entry.namespace(scope, work.env)
    if not namespace:
        none = f"a {entry.kind.kind} stands in a namespace and the CR in none: give a namespace"
        raise EvaluationError(none if entry.namespace is None else "the namespace is empty")
    return [Ref(entry.kind, namespace, name)]


def _copied(work: _Work, source: Source, scope: Scope) -> Iterator[Ref]:
    entry = work.entry
    try:
        for item in _items(work, scope):
            if _holds(work, item) and not all(_left_alone(work, ref) for ref in _refs(work, item)):
                yield copies.origin(entry, source, item, work.env)
    except EvaluationError:
        return


def _left_alone(work: _Work, ref: Ref) -> bool:
    """Tell whether an object that is there is not to be rendered any more.

    That goes for create-once objects, and under `onCreate` for one that reads a call which had no need to run.
    """
    turn, entry = work.turn, work.entry
    if entry.keep is Keep.ONCE:
        return exists(turn, entry, ref)
    if not entry.on_create:
        return False
    idle = {call.name for call in turn.box.create_calls} & work.silent
    return bool(idle) and key_of(ref) in turn.children and any(name in idle for name in external_names(entry.reads))


def exists(turn: Turn, entry: Entry, ref: Ref) -> bool:
    """Tell whether a create-once object needs no creating: it is there, somebody else's is, or its Job has run."""
    key = key_of(ref)
    if key in turn.children:
        return True
    generation = turn.cr["metadata"].get("generation")
    if turn.recall(foreign(key)) == (generation,):
        return True
    ran = inventory.read(turn.cr).ran.get(inventory.job_name(ref)) if inventory.is_job(ref.kind) else None
    return ran is not None and not (entry.rerun and ran != generation)


def _object(work: _Work, ref: Ref, body: Object) -> Object:
    metadata = ownership.metadata(work.turn, work.stamp, work.entry, ref, body.get("metadata") or {})
    return {"apiVersion": ref.kind.api_version, "kind": ref.kind.kind, **body, "metadata": metadata}


def _with_ignored(body: Object, ignored: tuple[Path, ...], live: Child | None) -> Object:
    """Send back what is live at the paths that are left to others: leaving them out would reset them."""
    if live is not None:
        for path in ignored:
            value = paths.get(live.obj, path)
            body = paths.without(body, path) if value is None else paths.put(body, path, value)
    return body


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _digest(entry: Entry, ref: Ref, body: Object) -> str:
    """Return a digest of what the katalog's author wrote, rendered: nothing in it depends on `ork` or its version."""
    for path in entry.ignore:
        body = paths.without(body, path)
    told = [*key_of(ref), ref.kind.version, ownership.prunable(entry), body]
    return sha256(_encode(told).encode()).hexdigest()[:16]


# ── all entries together ────────────────────────────────────────────────────────────────────────
def _clashes(turn: Turn, found: Mapping[EntryId, _Rendered]) -> dict[EntryId, Fault]:
    """Return the faults of entries or items that render one and the same object."""
    clashes: dict[EntryId, Fault] = {}
    first: dict[Key, Want] = {}
    for want in (want for each in found.values() for want in each.wants):
        other = first.setdefault(key_of(want.ref), want)
        if other is not want:
            fault = _clash(turn, other, want)
            clashes.setdefault(other.entry.id, fault)
            clashes.setdefault(want.entry.id, fault)
    return clashes


def _clash(turn: Turn, one: Want, other: Want) -> Fault:
    same = one.entry.id == other.entry.id
    who = f"two items of {one.entry.path}" if same else f"{one.entry.path} and {other.entry.path}"
    text = f"{who} both render {one.ref} (for {faults.title(turn.cr)}): their names must differ"
    return Fault(FaultKind.EVALUATION, text, other.entry.span)


def _absent(work: _Work, scope: Scope, calls: set[str]) -> bool:
    entry = work.entry
    blind = any(name in calls for name in external_names(guard_reads(entry.guard)))
    try:
        for item in _items(work, scope):
            if (blind or _holds(work, item)) and not all(exists(work.turn, entry, ref) for ref in _refs(work, item)):
                return True
    except EvaluationError:
        mark = entry_mark(work.turn.crd.name, entry.id)
        return not any(labels_of(child.obj).get(ENTRY_LABEL) == mark for child in work.turn.children.values())
    return False
