"""An object on its way from the author's fields to its native form, and the native overlay merged over it.

A shape is a map, a list, a node of the document, a template or other callable, or a constant.
"""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.expr.template import Template
from ork.katalog.yaml.nodes import Mapping, Scalar, Sequence
from ork.openapi import schema as openapi

Step = str | int
Shape = Any


class Secret(NamedTuple):
    """A text that a Secret's `data` carries as base64."""

    node: Scalar


class Fields(dict[str, Shape]):
    """The fields of a map that come out of the document, or out of several places of it."""

    def __init__(self, entries: dict[str, Shape], written: dict[str, Scalar]) -> None:
        super().__init__(entries)
        self.written = written
        """The key nodes of those that the author wrote natively."""


class Switch(NamedTuple):
    """A constant that stands there where a value is true."""

    node: Scalar
    value: Any


class Layers(NamedTuple):
    """Maps of which the later win, some of them known only when they are rendered."""

    maps: tuple[Shape, ...]


class Joined(NamedTuple):
    """Two lists whose elements are matched by key only when they are rendered, since a key is a template."""

    under: list[Shape]
    over: list[Shape]
    schema: Object


def as_map(shape: Shape) -> dict[str, Shape] | None:
    """Return the entries of a map, None of anything else."""
    if isinstance(shape, Mapping):
        return shape.entries
    return shape if isinstance(shape, dict) else None


def written(shape: Shape) -> dict[str, Scalar]:
    """Return the key nodes of a map."""
    if isinstance(shape, Mapping):
        return shape.keys
    return shape.written if isinstance(shape, Fields) else {}


def as_list(shape: Shape) -> list[Shape] | None:
    """Return the elements of a list, None of anything else."""
    if isinstance(shape, Sequence):
        return shape.elements
    return shape if isinstance(shape, list) else None


def put(tree: Shape, path: tuple[Step, ...], value: Shape) -> Shape:
    """Return a shape with `value` at a path, merged over what stands there; the step 0 is a list's first element."""
    if not path:
        here, over = as_map(tree), as_map(value)
        return Fields({**here, **over}, written(tree)) if here is not None and over is not None else value
    step, rest = path[0], path[1:]
    if step == 0:
        elements = as_list(tree) or [{}]
        return [put(elements[0], rest, value), *elements[1:]]
    entries = as_map(tree) or {}
    return Fields({**entries, str(step): put(entries.get(str(step)), rest, value)}, written(tree))


def reach(shape: Shape, path: tuple[Step, ...]) -> Shape:
    """Return what stands at a path, None where nothing does."""
    for step in path:
        inside = as_list(shape) if step == 0 else as_map(shape)
        if not inside:
            return shape if isinstance(shape, Joined) else None
        shape = inside[0] if isinstance(inside, list) else inside.get(str(step))
    return shape


def merge(under: Shape, over: Shape, schema: Object) -> Shape:
    """Return native fields merged over the short form: maps deep, lists by the keys that Kubernetes' schema names,
    everything else replaced (language, section 6)."""
    below, above = as_map(under), as_map(over)
    if below is not None and above is not None:
        inside = {
            key: merge(below[key], value, step(schema, key)) if key in below else value for key, value in above.items()
        }
        merged, names = {**below, **inside}, written(under) | written(over)
        return Fields(merged, names) if names else merged
    first, second = as_list(under), as_list(over)
    if first is not None and second is not None and openapi.list_keys(schema):
        return _merge_lists(first, second, schema)
    return over


def step(schema: Object, key: str) -> Object:
    """Return the schema of a field, `ANY` where there is none."""
    return openapi.child(schema, key) or openapi.ANY


def _merge_lists(under: list[Shape], over: list[Shape], schema: Object) -> Shape:
    known = [_identity(element, schema) for element in under]
    wanted = [_identity(element, schema) for element in over]
    if not _comparable(known, wanted):
        return Joined(under, over, schema)
    found = dict(zip(wanted, over, strict=True))
    items = step(schema, openapi.EVERY)
    kept = [merge(one, found[key], items) if key in found else one for key, one in zip(known, under, strict=True)]
    return [*kept, *(element for key, element in found.items() if key not in known)]


Identity = tuple[tuple[str, Any], ...]


def _comparable(known: list[Identity], wanted: list[Identity]) -> bool:
    """Tell whether it can be said now which elements are the same: every key is constant, or written alike."""
    if all(kind == "constant" for key in (*known, *wanted) for kind, _ in key):
        return True
    return all(key in known for key in wanted)


def _identity(element: Shape, schema: Object) -> Identity:
    entries = as_map(element) or {}
    items = step(schema, openapi.EVERY)
    return tuple(_key(entries.get(key), step(items, key)) for key in openapi.list_keys(schema))


def _key(shape: Shape, schema: Object) -> tuple[str, Any]:
    if isinstance(shape, Template):
        return ("constant" if shape.literal else "template", shape.text)
    if isinstance(shape, Scalar):
        return ("template" if "{{" in shape.text else "constant", str(shape.value))
    return ("constant", str(schema.get("default", "") if shape is None else shape))
