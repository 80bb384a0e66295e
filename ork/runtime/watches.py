"""What has to be watched for a program: its CRs, and the children that its boxes can make."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

from ork.base.objects import Kind
from ork.base.records import NamedTuple
from ork.cluster.source import Scope
from ork.engine import inventory
from ork.labels import FIELD_MANAGER, KATALOG_LABEL, MANAGED_BY_LABEL
from ork.program import Crd, Entry, Program
from ork.runtime.cache import Cache

KindOf = Callable[[str], Awaitable[Kind | None]]
"""Finds a kind by its name, such as `Deployment.apps`; None where nobody serves it. Raises OutsideError."""


class Watch(NamedTuple):
    """One informer's scope, and the CRDs that cannot work without it."""

    scope: Scope
    needed_by: tuple[str, ...]


def watches(program: Program, namespaces: Sequence[str]) -> list[Watch]:
    """Return every watch, one per kind and namespace set; `namespaces` narrows what the operator looks at.

    Children are watched by label only. A kind whose objects are CRs and children is watched once, and whole: of two
    watches of one kind neither would know which objects the other has seen.
    """
    crs = [
        Watch(Scope(crd.kind, namespace, crd.label_selector, crd.field_selector), (crd.name,))
        for crd in program.crds.values()
        for namespace in namespaces_of(crd, namespaces)
    ]
    children = _children(program, namespaces)
    both = {watch.scope.kind for watch in crs} & {watch.scope.kind for watch in children}
    apart = [watch for watch in (*crs, *children) if watch.scope.kind not in both]
    return apart + [whole for kind in sorted(both) for whole in _whole(kind, (*crs, *children))]


def _whole(kind: Kind, found: Iterable[Watch]) -> list[Watch]:
    """Return the watches of everything of a kind, wherever it was to be looked at in part."""
    parts = [watch for watch in found if watch.scope.kind == kind]
    needed_by = tuple(sorted({crd for watch in parts for crd in watch.needed_by}))
    places = sorted({watch.scope.namespace for watch in parts})
    return [Watch(Scope(kind, place), needed_by) for place in ([""] if "" in places else places)]


def _children(program: Program, namespaces: Sequence[str]) -> list[Watch]:
    needs: dict[Scope, list[str]] = {}
    for crd in program.crds.values():
        for kind in children_of(crd):
            for scope in child_scopes(program, crd, kind, namespaces):
                needs.setdefault(scope, []).append(crd.name)
    everywhere = {scope.kind for scope in needs if not scope.namespace}
    return [
        Watch(scope, _needed_by(needs, scope, everywhere))
        for scope in needs
        if not (scope.namespace and scope.kind in everywhere)
    ]


def _needed_by(needs: Mapping[Scope, list[str]], scope: Scope, everywhere: set[Kind]) -> tuple[str, ...]:
    """A watch of everywhere serves those too that need a kind in one namespace."""
    served = [crds for other, crds in needs.items() if other == scope or (other.kind == scope.kind in everywhere)]
    return tuple(dict.fromkeys(crd for crds in served for crd in crds))


def entries_of(crd: Crd) -> Iterator[Entry]:
    """Go over the entries of all boxes of a CRD."""
    for box in crd.boxes.values():
        yield from box.entries


def children_of(crd: Crd) -> tuple[Kind, ...]:
    """Return the kinds that a CRD's boxes can make, ordered."""
    return tuple(sorted({entry.kind for entry in entries_of(crd)}))


def child_scopes(program: Program, crd: Crd, kind: Kind, namespaces: Sequence[str]) -> Iterable[Scope]:
    """Return where children of one kind can be: the CRs' namespaces, or anywhere if an entry names its own."""
    elsewhere = any(entry.elsewhere for entry in entries_of(crd) if entry.kind == kind)
    return [Scope(kind, place, selector(program)) for place in ([""] if elsewhere else namespaces_of(crd, namespaces))]


def selector(program: Program) -> str:
    """Return the label selector of a program's children."""
    return f"{MANAGED_BY_LABEL}={FIELD_MANAGER},{KATALOG_LABEL}={program.name}"


async def left_behind(program: Program, cache: Cache, known: Iterable[Kind], kind_of: KindOf) -> list[Scope]:
    """Return where children are of kinds that no entry makes any more, but an inventory still names: a CR's deletion
    must find all its children. The CRs are in the cache; `known` kinds are looked at already. Raises OutsideError."""
    crs = [cr for crd in program.crds.values() for cr in cache.of_kind(crd.kind).values()]
    named = {name for cr in crs for name in inventory.read(cr).kinds} - set(map(inventory.group_kind, known))
    kinds = [await kind_of(name) for name in sorted(named)]
    return [Scope(kind, "", selector(program)) for kind in kinds if kind is not None]


def namespaces_of(crd: Crd, namespaces: Sequence[str]) -> list[str]:
    """Return the namespaces of a CRD's informers; one empty name is all of them."""
    if not crd.kind.namespaced:
        return [""]
    if not crd.namespaces or not namespaces:
        return list(crd.namespaces or namespaces or ("",))
    return [namespace for namespace in crd.namespaces if namespace in namespaces]
