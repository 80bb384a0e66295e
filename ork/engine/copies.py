"""Objects that are copies of others, and that stand in several namespaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object, Ref
from ork.engine.names import name_problem
from ork.engine.turn import Key, key_of
from ork.expr.compare import type_name
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.expr.tree import Build
from ork.program import Entry, Source

Originals = Mapping[Key, Object | str]
"""The objects that are copied, or why one cannot be: `does not exist`."""

NONE: Originals = {}


def places(spread: Build, scope: Scope, env: Env) -> Iterator[str]:
    """Give the namespaces of `toNamespaces`, those that an item lists among them, each once. Raises EvaluationError."""
    yield from dict.fromkeys(_place(place) for item in spread(scope, env) for place in _flat(item))


def _flat(item: Any) -> list[Any]:
    return item if isinstance(item, list) else [item]


def _place(found: Any) -> str:
    if isinstance(found, str) and found:
        return found
    told = "an empty text" if found == "" else f"a value of type {type_name(found)}"
    raise EvaluationError(f"toNamespaces takes names of namespaces, and lists of them; {told} is among them")


def origin(entry: Entry, source: Source, scope: Scope, env: Env) -> Ref:
    """Return which object an entry copies. Raises EvaluationError."""
    own = scope["metadata"].get("namespace", "")
    namespace = own if source.namespace is None else source.namespace(scope, env)
    ref = Ref(entry.kind, namespace, source.name(scope, env))
    if problem := name_problem(ref):
        raise EvaluationError(f"what is copied: {problem}")
    if not namespace:
        raise EvaluationError(f"the namespace of the {entry.kind.kind} that is copied is empty")
    return ref


def filled(body: Object, source: Source, ref: Ref, originals: Originals) -> Object:
    """Return a body with the content of the original under its own. Raises EvaluationError where that is not there."""
    original = originals.get(key_of(ref), "was not read")
    if isinstance(original, str):
        raise EvaluationError(f"{ref}, which it copies, {original}")
    found = dict(body)
    for field in source.fields:
        under, over = original.get(field), body.get(field)
        if isinstance(under, dict) and isinstance(over, dict):
            found[field] = {**under, **over}
        elif over is None and under is not None:
            found[field] = under
    return found
