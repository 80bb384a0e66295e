"""The vocabulary of lists and watches: what is looked at, what comes, and why it cannot go on."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ork.base.errors import OrkError
from ork.base.objects import Kind, Object
from ork.base.records import NamedTuple


class Scope(NamedTuple):
    """What one informer looks at: a kind, in one namespace or all (empty), filtered by the server."""

    kind: Kind
    namespace: str = ""
    labels: str = ""
    """A label selector as Kubernetes writes it."""
    fields: str = ""


class Page(NamedTuple):
    """One page of a list; `version` is the resourceVersion of the whole list, the same on every page."""

    items: Sequence[Object]
    version: str


class EventType(Enum):
    """What a watch event says of its object."""

    ADDED = "ADDED"
    MODIFIED = "MODIFIED"
    DELETED = "DELETED"
    BOOKMARK = "BOOKMARK"


class WatchEvent(NamedTuple):
    """One event of a watch; a bookmark's object carries only a resourceVersion."""

    type: EventType
    obj: Object


class Refusal(Enum):
    """Why a list or watch cannot go on."""

    EXPIRED = "expired"
    """The resourceVersion is too old (410): list again."""
    FORBIDDEN = "forbidden"
    """The operator may not read this kind (403)."""
    STRANGER = "stranger"
    """The server does not know the operator (401)."""
    UNKNOWN = "unknown"
    """The kind is not served (404): its CRD is not there, or was removed."""
    UNAVAILABLE = "unavailable"
    """The server did not answer, or asked to wait."""


class SourceError(OrkError):
    """A list or watch failed; `retry_after` is what the server asked for, in seconds."""

    def __init__(self, refusal: Refusal, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.refusal, self.retry_after = refusal, retry_after
