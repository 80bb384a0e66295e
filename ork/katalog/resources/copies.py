"""Entries that copy another object, and that stand in several namespaces."""

from __future__ import annotations

from ork.expr.env import Place
from ork.expr.template import Template
from ork.expr.tree import Build
from ork.katalog.resources.native import Lift
from ork.katalog.resources.table import Copied
from ork.openapi.schema import ANY
from ork.program import Source

_LIST = {"type": "array", "items": ANY}


def to_namespaces(lift: Lift) -> Build | None:
    """Return what renders `toNamespaces`; None where an entry says nothing of it."""
    node = lift.entry.sequence("toNamespaces")
    return None if node is None else lift.build(node, _LIST, "toNamespaces")


def copied_from(lift: Lift, copied: Copied, *, lendable: bool) -> Source | None:
    """Return which object an entry copies; `lendable` says that the CR has a namespace in which that may be."""
    name, namespace = _template(lift, copied.key), _template(lift, "fromNamespace")
    if copied.key not in lift.entry.entries and "fromNamespace" in lift.entry.entries:
        message = f"`fromNamespace` says where the object of `{copied.key}` is, and none is named"
        lift.error("ORK0601", lift.entry.key_span("fromNamespace"), message, f"add `{copied.key}:`")
    if name is None:
        return None
    if namespace is None and not lendable:
        message = f"the object of `{copied.key}` stands in a namespace, and a cluster-scoped CR has none to lend"
        lift.error("ORK0608", lift.entry.key_span(copied.key), message, "add `fromNamespace:`")
    return Source(name, namespace, copied.fields)


def _template(lift: Lift, key: str) -> Template | None:
    node = lift.entry.scalar(key)
    if node is None or not node.text:
        return None
    found = lift.expressions.template(node, Place.IDENTITY, lift.site, (lift.trail, key))
    lift.reads |= found.reads if found else frozenset()
    return found
