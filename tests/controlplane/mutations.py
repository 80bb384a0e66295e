"""Objects with one field changed to something odd; what a seed gives never changes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from ork.base.objects import Object

Path = tuple[str | int, ...]

TEXTS = (
    *(
        "",
        "a",
        "A",
        "a/b",
        "a.b",
        "-a",
        "a" * 64,
        "1",
        "10.0.0.1",
        "10Gi",
        "-1",
        "0",
        "50%",
        "é",
        "a b",
        "*",
        "..",
        "/",
    ),
    *("Always", "None", "TCP"),
)
NUMBERS = (0, 1, -1, 2, 100, 65536, 2**31 - 1, -2)
_NOTHING: Any = object()


def mutated(random: Random, obj: Object) -> Object:
    """Return a copy of an object with one field of its content changed, emptied, doubled or gone."""
    copied = copy.deepcopy(obj)
    places = [path for path in _places(copied) if path[0] not in ("apiVersion", "kind", "metadata", "status")]
    if not places:
        return copied
    *way, last = random.choice(places)
    holder: Any = copied
    for step in way:
        holder = holder[step]
    value = _odd(random, holder[last])
    if value is _NOTHING:
        del holder[last]
    else:
        holder[last] = value
    return copied


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    steps: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, below in steps:
        if isinstance(value, dict):
            yield (*path, step)
        yield from _places(below, (*path, step))


def _odd(random: Random, value: Any) -> Any:
    """Return another value of the same type."""
    options: dict[type, tuple[Any, ...]] = {
        bool: (not value,),
        str: TEXTS,
        int: NUMBERS,
        list: ([], value[:1], value + copy.deepcopy(value)) if isinstance(value, list) else (),
        dict: ({}, _NOTHING),
    }
    return random.choice(options.get(type(value), (value,)))
