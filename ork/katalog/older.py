"""Older spellings, rewritten to today's before anything else looks at them (`ORK0110`)."""

from __future__ import annotations

from ork.base.paths import Path
from ork.base.paths import text as dotted
from ork.katalog.collect import Findings
from ork.katalog.grammar.shapes import Record
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence


def modernised(node: Mapping, shape: Record, trail: Trail | None, out: Findings) -> Mapping:
    """Return a record's map with the values of older keys where they stand today."""
    for key, path in shape.older.items():
        if key not in node.entries:
            continue
        span, place = node.key_span(key), path_text((trail, key))
        today = dotted(path)
        if _reaches(node, path):
            message = f'"{key}" is an older spelling of "{today}", which stands here too'
            out.error("ORK0108", span, message, f'keep "{today}"', path=place)
            node = node.without(key)
        else:
            out.info("ORK0110", span, f'"{key}" is an older spelling of "{today}"', f'write "{today}"', path=place)
            node = _moved(node.without(key), path, node.keys[key], node.entries[key])
    return node


def _reaches(node: AnyNode | None, path: Path) -> bool:
    """Tell whether something stands at a path, or in its way."""
    for step in path:
        if not isinstance(node, Mapping):
            return node is not None
        node = node.get(step)
    return node is not None


def _moved(node: Mapping, path: Path, key: Scalar, value: AnyNode) -> Mapping:
    first, rest = path[0], path[1:]
    if rest:
        inner = node.mapping(first) or Mapping(value.source, key.start, value.end, {}, {})
        value = _moved(inner, rest, key, value)
    return node.replaced({**node.entries, first: value}, {first: key, **node.keys})


def as_map(node: Sequence, fields: tuple[str, str], trail: Trail | None, out: Findings) -> Mapping:
    """Return a list of `{key, value}` or `{name, …}` as the map that it is written as today; what is not of that form
    is reported and left out."""
    form = f"{{{', '.join(filter(None, fields))}{'' if fields[1] else ', …'}}}"
    entries: dict[str, AnyNode] = {}
    keys: dict[str, Scalar] = {}
    for index, item in enumerate(node.elements):
        key, value = _pair(item, *fields)
        place = path_text((trail, index))
        if key is None or value is None:
            out.error("ORK0102", item.head, f"this is not of the form `{form}`", path=place)
        elif key.value in entries:
            out.error("ORK0003", key.span, f'the key "{key.value}" stands twice', "keep one of the two", path=place)
        else:
            entries[key.value], keys[key.value] = value, key
    message = f"a list of `{form}` is an older spelling of a map"
    out.info("ORK0110", node.head, message, "write a map", path=path_text(trail))
    return Mapping(node.source, node.start, node.end, entries, keys)


def _pair(item: AnyNode, name: str, held: str) -> tuple[Scalar | None, AnyNode | None]:
    """Return key and value of one item; without a field for the value it is the rest of the item."""
    key = item.scalar(name) if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or key is None or not key.is_text or (held and len(item) > 2):
        return None, None
    return key, item.get(held) if held else item.without(name)
