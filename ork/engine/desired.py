"""What a box wants to exist for one CR."""

from __future__ import annotations

from typing import NamedTuple

from ork.base.findings import Fault
from ork.base.objects import Object, Ref
from ork.program import Entry, EntryId


class Want(NamedTuple):
    """One object that an entry (or one item of its `forEach`) declares."""

    entry: Entry
    ref: Ref
    obj: Object
    """The applied configuration, with `ork`'s labels and digest; only identity and labels where a create-once object
    exists already and its body was not rendered."""
    digest: str


class Desired(NamedTuple):
    """Everything a box wants, and what it could not say."""

    wants: tuple[Want, ...]
    faults: tuple[Fault, ...]
    unknown: frozenset[EntryId]
    """Entries whose list of objects is not known in this cycle: nothing of theirs is pruned."""
    skipped: frozenset[EntryId] = frozenset()
    """Entries whose conditions are false."""
