"""Whether a live object holds everything that an applied configuration declares (language, section 6).

What the server added (defaults, fields of other managers, further list elements) is no difference; nor is another
spelling of one quantity, or an empty value that a built-in kind leaves out when it is stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

from ork.base import paths, quantities
from ork.base.objects import Kind, Object
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.openapi import schema as schemas

_MISSING: Any = object()
_EMPTY: tuple[Any, ...] = (None, "", 0, [], {})
"""`False` equals 0."""


class Difference(NamedTuple):
    """One declared field that the live object does not hold."""

    path: str
    live: str
    """The live value as JSON; empty where there is none."""


def differences(kind: Kind, declared: Object, live: Object) -> tuple[Difference, ...]:
    """Return every declared field that the live object does not hold; empty where it holds them all."""
    out: list[Difference] = []
    for key, value in declared.items():
        # An object may be read in another version than it is written in.
        if key not in ("apiVersion", "kind"):
            _compare(value, live.get(key, _MISSING), (key,), kind, out)
    return tuple(out)


def _compare(declared: Any, live: Any, path: Path, kind: Kind, out: list[Difference]) -> None:
    if declared.__class__ is dict and live.__class__ is dict:
        for key, value in declared.items():
            there = live.get(key, _MISSING)
            if there is not value and there != value:
                _compare(value, there, (*path, key), kind, out)
    elif declared.__class__ is list and live.__class__ is list:
        _compare_lists(declared, live, path, kind, out)
    elif not _same(declared, live, path, kind):
        out.append(Difference(_text(path), "" if live is _MISSING else json.dumps(live, sort_keys=True)))


def _compare_lists(declared: list[Any], live: list[Any], path: Path, kind: Kind, out: list[Difference]) -> None:
    found: list[Difference] = []
    if len(declared) == len(live):
        for index, (one, other) in enumerate(zip(declared, live, strict=True)):
            _compare(one, other, (*path, str(index)), kind, found)
        if not found:
            return
    mark = _marker(kind, path)
    if mark is None:
        out.extend(found or [Difference(_text(path), json.dumps(live, sort_keys=True))])
        return
    there = {mark(value): value for value in live}
    for index, value in enumerate(declared):
        _compare(value, there.get(mark(value), _MISSING), (*path, str(index)), kind, out)


def _text(path: Path) -> str:
    """Return a path as Kubernetes writes it: `spec.containers[0].image`."""
    return re.sub(r'\["(\d+)"\]', r"[\1]", paths.text(path))


def _same(declared: Any, live: Any, path: Path, kind: Kind) -> bool:
    if declared == live:
        return True
    if live is _MISSING or live is None:
        return declared is None or (declared in _EMPTY and _schema(kind) is not None)
    return isinstance(declared, str) and isinstance(live, str) and _one_quantity(declared, live, path, kind)


# ── what only a schema knows: asked where a first look found a difference ───────────────────────
def _schema(kind: Kind) -> Object | None:
    from ork.openapi.kubernetes import schema_of

    return schema_of(kind)


def _marker(kind: Kind, path: Path) -> Callable[[Any], str] | None:
    """Return what tells the elements of a list apart; None for a list that is one value as a whole."""
    if path == ("metadata", "ownerReferences"):
        return lambda value: str(value.get("uid"))
    known = _schema(kind)
    here = None if known is None else schemas.at(known, path)
    if here is None:
        return None
    if keys := schemas.list_keys(here):
        element: Object = here.get("items") or {}
        assumed = {key: (schemas.at(element, (key,)) or {}).get("default") for key in keys}
        return lambda value: json.dumps([value.get(key, assumed[key]) for key in keys])
    return partial(json.dumps, sort_keys=True) if here.get(schemas.LIST_TYPE) == "set" else None


def _one_quantity(declared: str, live: str, path: Path, kind: Kind) -> bool:
    """Tell whether two texts are one amount: `1000m` and `1`."""
    known = _schema(kind)
    here = None if known is None else schemas.at(known, path)
    if here is None or here.get("format") != "quantity":
        return False
    try:
        return quantities.parse(declared) == quantities.parse(live)
    except ValueError:
        return False
