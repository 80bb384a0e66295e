"""What holds for every box of a CRD."""

from __future__ import annotations

from collections.abc import Callable

from ork.base.records import NamedTuple
from ork.katalog.kinds import Kinds

Bound = Callable[[str], bool]
"""Tells whether a hook's location can be bound here."""


class Terms(NamedTuple):
    """What a box takes over from its katalog and CRD entry."""

    kinds: Kinds
    allowed: tuple[str, ...]
    """`spec.external.allowedHosts`."""
    bound: Bound
    force: bool
    """The CRD's `forceConflict`."""
    namespaced: bool
    """The CRD's own scope."""
