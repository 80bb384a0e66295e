"""What one turn knows before it evaluates anything: the CR, its box, its live children, what earlier turns noted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256

from ork.base.objects import Object, Ref, ref_of
from ork.base.records import NamedTuple
from ork.base.requests import Child
from ork.expr.env import Env
from ork.program import Box, Crd, EntryId

Key = tuple[str, str, str, str]
"""Group, kind, namespace and name: one object, whatever version it is read or written in."""

Recall = Callable[[Hashable], Hashable]
"""What an earlier turn of this process noted on a subject; None where nothing."""


class Turn(NamedTuple):
    """One look at one CR."""

    crd: Crd
    box: Box
    cr: Object
    """As it is stored: admission rules change the scope, never this."""
    env: Env
    children: Mapping[Key, Child]
    """The live objects that carry the CR's uid, in the order of kind, namespace and name."""
    recall: Recall

    @property
    def ref(self) -> Ref:
        """The CR's name."""
        return ref_of(self.crd.kind, self.cr)


def key_of(ref: Ref) -> Key:
    """Return what tells one object from another in a cluster."""
    kind = ref.kind
    return (kind.group, kind.kind, ref.namespace, ref.name)


def by_key(children: Iterable[Child]) -> dict[Key, Child]:
    """Index children, keeping their order."""
    return {key_of(child.ref): child for child in children}


def rewritten(key: Key) -> Hashable:
    """Return the subject on which is noted what the server does not keep of an object: digest and differences."""
    return ("rewritten", key)


def foreign(key: Key) -> Hashable:
    """Return the subject on which is noted at which generation of the CR a create-once object was somebody else's."""
    return ("foreign", key)


@lru_cache(maxsize=4096)
def entry_mark(crd: str, entry: EntryId) -> str:
    """Return the label value by which a child is known as that entry's; the CRD's name is in it, since two CRDs of a
    katalog may declare alike entries for CRs of one name."""
    return sha256(f"{crd}\0{entry}".encode()).hexdigest()[:12]
