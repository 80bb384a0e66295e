"""Nodes → checked nodes: what a grammar refuses is reported and left out, so that what remains has the right shape.

Older spellings become today's and included files are spliced in; every node still knows its own file. A required key
may be absent from the result: that was reported here, so nobody else need say it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.findings import Finding
from ork.katalog import older, refusals
from ork.katalog.collect import Findings
from ork.katalog.grammar.shapes import Either, Field, Free, List, Map, Record, Shape
from ork.katalog.includes import Fragments, merged
from ork.katalog.leaves import LEAVES
from ork.katalog.sources import Sources
from ork.katalog.trail import Trail
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence


def decode(root: AnyNode, shape: Record, sources: Sources, findings: list[Finding]) -> Mapping | None:
    """Return a document as its grammar wants it; None where it is no map at all.

    Files that it includes are read relative to the document's own directory.
    """
    decoder = Decoder(sources, Findings(findings), root.source.name)
    found = decoder.decode(root, shape, None)
    return found if isinstance(found, Mapping) else None


class Decoder:
    """One document's decoding."""

    def __init__(self, sources: Sources, out: Findings, file: str) -> None:
        self.out = out
        self.fragments = Fragments(sources, out, file)

    def decode(self, node: AnyNode, shape: Shape, trail: Trail | None) -> AnyNode | None:
        """Return the node as its shape wants it (the same one where nothing changes), None where it is left out."""
        return _DECODERS[shape.__class__](self, node, shape, trail)

    def record(self, node: AnyNode, shape: Record, trail: Trail | None) -> AnyNode | None:
        """A map with known keys."""
        if shape.none and isinstance(node, Sequence) and not node.elements:
            return Mapping(node.source, node.start, node.end, {}, {})
        if not isinstance(node, Mapping):
            self.absent_or_wrong(node, shape, trail)
            return None
        written = older.modernised(node, shape, trail, self.out) if shape.older else node
        made = self.fields(written, shape, trail)
        if "include" in made.entries and shape.include:
            made = self.included(made, shape, trail)
        for key in shape.required:
            if key not in made.entries and _unsaid(written.get(key), shape.fields[key].shape):
                refusals.missing(self.out, made, key, shape, trail)
        return made

    def fields(self, node: Mapping, shape: Record, trail: Trail | None) -> Mapping:
        """Return a record's map with every known key decoded under its own name."""
        entries: dict[str, AnyNode] = {}
        keys = node.keys
        for key, value in node.entries.items():
            name, field = key, shape.fields.get(key)
            if field is None:
                name, field = self.stray(node, key, shape, trail)
                if field is None:
                    continue
                if name != key:
                    keys = {**keys, name: node.keys[key]}
            made = _DECODERS[field.shape.__class__](self, value, field.shape, (trail, name))
            if made is not None and name in entries:
                refusals.twice(self.out, node, key, name, trail)
            elif made is not None:
                entries[name] = made
        return node if _same(entries, node.entries) else node.replaced(entries, keys)

    def stray(self, node: Mapping, key: str, shape: Record, trail: Trail | None) -> tuple[str, Field | None]:
        """Return the name and field that a key means which is no field's name; no field, and a finding, for others."""
        name = shape.spellings.get(key.lower(), key) if shape.any_case else shape.aliases.get(key, key)
        if name in shape.fields:
            return name, shape.fields[name]
        if shape.comments and key.startswith("x-"):
            return key, None
        if name in shape.later:
            refusals.later(self.out, node, key, shape, trail)
        elif key in shape.idle:
            refusals.idle(self.out, node, key, trail)
        elif shape.extra is not None:
            return key, Field(shape.extra, "")
        else:
            refusals.unknown(self.out, node, key, shape, trail)
        return key, None

    def sequence(self, node: AnyNode, shape: List, trail: Trail | None) -> AnyNode | None:
        """A list, with the items of included files in the place of each `include`."""
        if not isinstance(node, Sequence):
            self.absent_or_wrong(node, shape, trail)
            return None
        elements: list[AnyNode] = []
        for index, element in enumerate(node.elements):
            if shape.include and isinstance(element, Mapping) and "include" in element.entries:
                elements += self.spliced(element, shape, (trail, index))
                continue
            made = self.decode(element, shape.item, (trail, index))
            if made is not None:
                elements.append(made)
            elif _is_null(element) and not _is_leaf(shape.item):
                refusals.wrong(self.out, element, shape.item, (trail, index))
        if len(node.elements) < shape.least:
            refusals.too_short(self.out, node, shape, trail)
        if len(elements) == len(node.elements) and all(a is b for a, b in zip(elements, node.elements, strict=True)):
            return node
        return Sequence(node.source, node.start, node.end, elements)

    def mapping(self, node: AnyNode, shape: Map, trail: Trail | None) -> AnyNode | None:
        """A map with the author's own keys."""
        if shape.listed and isinstance(node, Sequence):
            node = older.as_map(node, shape.listed, trail, self.out)
        if not isinstance(node, Mapping):
            self.absent_or_wrong(node, shape, trail)
            return None
        entries: dict[str, AnyNode] = {}
        for key, value in node.entries.items():
            made = self.decode(_filled(value, shape.value), shape.value, (trail, key))
            if shape.key.pattern and not refusals.fits(shape.key, key):
                refusals.bad_key(self.out, node, key, shape.key, trail)
            elif made is not None:
                entries[key] = made
            elif _is_null(value) and not _is_leaf(shape.value):
                refusals.wrong(self.out, value, shape.value, (trail, key))
        return node if _same(entries, node.entries) else node.replaced(entries)

    def either(self, node: AnyNode, shape: Either, trail: Trail | None) -> AnyNode | None:
        """The shape for the form that the value has."""
        form = shape.scalar if isinstance(node, Scalar) else shape.map if isinstance(node, Mapping) else shape.list
        if form is None or (_is_null(node) and not _is_leaf(form)):
            self.absent_or_wrong(node, shape, trail)
            return None
        return self.decode(node, form, trail)

    def absent_or_wrong(self, node: AnyNode, shape: Shape, trail: Trail | None) -> None:
        """Nothing where a map or list is meant is as if the key were absent; anything else is refused."""
        if trail is None or not _is_null(node):
            refusals.wrong(self.out, node, shape, trail)

    def included(self, made: Mapping, shape: Record, trail: Trail | None) -> Mapping:
        """Return a record with an included file's keys under its own."""
        over = made.without("include")
        with self.fragments.reading(made, trail, "its keys are those of the block that includes it") as root:
            if root is None:
                return over
            under = self.fragments.once(shape, root, lambda: self.decode(root, shape.fragment, None))
        return merged(under, over) if isinstance(under, Mapping) else over

    def spliced(self, element: Mapping, shape: List, trail: Trail) -> list[AnyNode]:
        """Return the items for which an `include` in a list stands."""
        beside = [key for key in element.entries if key != "include" and not key.startswith("x-")]
        for key in beside:
            refusals.beside_include(self.out, element, key, trail)
        with self.fragments.reading(element, trail, f"put the items under `{shape.include}:`") as root:
            if root is None:
                return []
            fragment = self.fragments.of_list(shape)
            made = self.fragments.once(fragment, root, lambda: self.decode(root, fragment, None))
        items = made.sequence(shape.include) if isinstance(made, Mapping) else None
        return items.elements if items else []


def _same(entries: dict[str, AnyNode], before: dict[str, AnyNode]) -> bool:
    return len(entries) == len(before) and all(before.get(key) is node for key, node in entries.items())


def _is_leaf(shape: Shape) -> bool:
    return shape.__class__ in LEAVES or isinstance(shape, Free)


def _unsaid(node: AnyNode | None, shape: Shape) -> bool:
    """Tell whether nothing was said about a key: it is absent, or nothing stands where a map or list is meant."""
    return node is None or (_is_null(node) and not _is_leaf(shape))


def _is_null(node: AnyNode) -> bool:
    return isinstance(node, Scalar) and node.is_null


def _filled(node: AnyNode, shape: Shape) -> AnyNode:
    """Return an empty map for a name in the author's own map that has nothing behind it (`regional:`)."""
    if isinstance(shape, Record) and _is_null(node):
        return Mapping(node.source, node.start, node.end, {}, {})
    return node


def _free(_: Decoder, node: AnyNode, __: Free, ___: Trail | None) -> AnyNode:
    return node


def _leaf(check: Callable[[Findings, AnyNode, Any, Trail | None], AnyNode | None]) -> Callable[..., AnyNode | None]:
    return lambda decoder, node, shape, trail: check(decoder.out, node, shape, trail)


_DECODERS: dict[type, Callable[[Decoder, AnyNode, Any, Trail | None], AnyNode | None]] = {
    Record: Decoder.record,
    List: Decoder.sequence,
    Map: Decoder.mapping,
    Either: Decoder.either,
    Free: _free,
    **{kind: _leaf(check) for kind, check in LEAVES.items()},
}
