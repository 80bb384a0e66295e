"""Which names an expression can read where it stands (language, section 4.4), as data."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from ork.base.paths import Path
from ork.base.records import NamedTuple

CR_ROOTS = frozenset(("metadata", "spec", "status", "apiVersion", "kind"))
"""The CR itself, readable everywhere."""

ITEM_ROOTS = ("item", "index")
MAP_ITEM_ROOTS = ("key", "value")


class Place(NamedTuple):
    """A construct that holds expressions: how messages call it, and what it reads beside the CR."""

    name: str
    roots: frozenset[str]
    sentinels: bool = False


_OPERATOR = frozenset(("health", "metrics"))

GATE = Place("a gate", frozenset(("external", "request")) | _OPERATOR, sentinels=True)
RULE = Place("an admission rule", frozenset(("external", "request", "old")) | _OPERATOR)
RESOURCE = Place("a resource", frozenset(("external", "children")))
HOOK = Place("the arguments of a hook", frozenset(("external", "children")))
STATUS = Place("a status field", frozenset(("external", "children")) | _OPERATOR)
SCALING = Place("autoscale", _OPERATOR)

_REASONS: Mapping[str, str] = {
    "external": "no external call runs before {place}",
    "children": "children are known to resources and status fields only, not to {place}",
    "cross": "observing other CRs (cross) is not supported yet",
    "item": "`.item` exists inside `forEach` only",
    "index": "`.index` exists inside `forEach` only",
    "key": "`.key` exists inside `forEach` over a map only",
    "value": "`.value` exists inside `forEach` over a map only",
    "request": "the request is known to admission rules and gates only, not to {place}",
    "health": "the runtime's health is known to admission rules, gates, status and autoscale only, not to {place}",
    "metrics": "the runtime's metrics are known to admission rules, gates, status and autoscale only, not to {place}",
    "old": "the previous object is known to admission rules only, not to {place}",
}


def reason(root: str, place: Place) -> str | None:
    """Say why a name of the language cannot be read in that place; None where there is no such name at all."""
    text = _REASONS.get(root)
    return text.format(place=place.name) if text else None


class Stage(Enum):
    """When the calls of one list run within a turn; their results are one namespace, in this order."""

    SHARED = 0
    ENQUEUE = 1
    RECONCILE = 2
    MUTATION = 3
    VALIDATION = 4
    CREATE = 5
    MAIN = 6
    HOOK = 7
    AFTER = 8
    """No call: resources and status, which read all results."""


class Moment(NamedTuple):
    """When an expression is evaluated: after every call of earlier stages, and after the first `order` of its own."""

    stage: Stage
    order: int


LAST = 1 << 30
"""The order of what is evaluated after all calls of its stage."""


def visible(call: Moment, reader: Moment) -> bool:
    """Tell whether a call's result is there for a reader; what is fetched at event time travels with the item."""
    return (call.stage.value, call.order) < (reader.stage.value, reader.order)


ALWAYS_SET: frozenset[Path] = frozenset(
    (
        ("apiVersion",),
        ("kind",),
        ("metadata",),
        ("metadata", "name"),
        ("metadata", "uid"),
        ("metadata", "resourceVersion"),
        ("metadata", "creationTimestamp"),
    )
)
"""Paths of a stored CR that cannot be missing."""
