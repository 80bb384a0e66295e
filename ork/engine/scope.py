"""What the expressions of one turn read: the CR's own keys, and beside them only what its box reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ork.base.objects import Object, annotations_of
from ork.base.requests import Child
from ork.engine.children import children
from ork.engine.turn import Key, Turn
from ork.expr.env import Scope
from ork.labels import REQUEST

_OPERATOR = ("health", "metrics")


def scope(turn: Turn, operator: Mapping[str, Any]) -> Scope:
    """Return what expressions read before any call was made; `operator` has the runtime's `health` and `metrics`."""
    roots = {path[0] for path in turn.box.reads}
    found: Scope = {**turn.cr, "external": {}}
    if "children" in roots:
        found["children"] = children(turn.crd, turn.box, turn.children.values())
    if "request" in roots:
        found["request"] = request(turn.cr)
    for name in _OPERATOR:
        if name in roots:
            found[name] = operator.get(name)
    return found


def with_children(found: Scope, turn: Turn, live: Mapping[Key, Child]) -> Scope:
    """Return the scope with the children as they are now, if anything reads them."""
    if "children" not in found:
        return found
    return {**found, "children": children(turn.crd, turn.box, live.values())}


def with_record(found: Scope, name: str, record: Object) -> Scope:
    """Return the scope with the result of an external call."""
    return {**found, "external": {**found["external"], name: record}}


def request(cr: Object) -> Any:
    """Return the intent that the gateway left in an annotation; None where there is none, or it is no JSON object."""
    text = annotations_of(cr).get(REQUEST)
    if not text:
        return None
    try:
        intent = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return intent if isinstance(intent, dict) else None
