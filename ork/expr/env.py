"""What an evaluation may read beside its scope."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from ork.base.records import NamedTuple

if TYPE_CHECKING:
    from random import Random

Scope = dict[str, Any]
"""What expressions read: the CR's own keys, and `external children cross request item …` beside them."""


class Place(Enum):
    """Where a value goes; it decides what a missing path means there (language, "Values")."""

    IDENTITY = "identity"
    """A name, namespace, kind or selector: missing is an error."""
    VALUE = "value"
    """A value of its own: keeps its type where it is exactly one action; missing gives `MISSING`."""
    TEXT = "text"
    """Always a string (URL, header, body): missing is an error."""
    STATUS = "status"
    """A status value or message text: missing is the empty string."""
    CONDITION = "condition"
    """The field of a condition: keeps its type, missing is None."""


class Env(NamedTuple):
    """What one turn hands to every expression."""

    now: datetime
    """The turn's moment, in UTC; every time note reads it."""
    sentinels: Mapping[str, bool] = {}
    """What changed in the event that caused the turn, by sentinel name."""
    environ: Mapping[str, str] = {}
    """The operator's environment variables, for tokens and headers that the author wrote."""
    random: Random | None = None
    """The source of random notes; None where an entry may not use them."""
