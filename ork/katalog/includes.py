"""`include:` — reading a fragment, refusing cycles, and laying its keys under those that include it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ork.katalog.collect import Findings
from ork.katalog.grammar.shapes import Field, List, Record
from ork.katalog.sources import ReadError, Reason, Sources, beside
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence


class Fragments:
    """The files that one document includes. Every path is relative to the directory of the document itself."""

    def __init__(self, sources: Sources, out: Findings, file: str) -> None:
        self._sources, self._out, self._file = sources, out, file
        self._open: tuple[str, ...] = (beside(file, file.rpartition("/")[2]),)
        self._decoded: dict[tuple[str, int], AnyNode | None] = {}
        self._lists: dict[int, Record] = {}

    @contextmanager
    def reading(self, node: Mapping, trail: Trail | None, form: str) -> Iterator[Mapping | None]:
        """Hand out the map in the file that a node's `include` names; None, and a finding, where there is none.

        `form` says what the file must look like.
        """
        target = node.scalar("include")
        if target is None or not target.is_text:
            found = node.get("include")
            self._out.error("ORK0102", found.span if found else node.span, "`include` wants the path of a file")
            yield None
            return
        file = beside(self._file, target.value)
        root = self._root(file, target, trail, form)
        before = self._open
        self._open = (*before, file)
        try:
            yield root
        finally:
            self._open = before

    def once(self, shape: Record, root: Mapping, decode: Callable[[], AnyNode | None]) -> AnyNode | None:
        """Decode a fragment once for each block that it is included in, so that its faults are said once."""
        key = (root.source.name, id(shape))
        if key not in self._decoded:
            self._decoded[key] = decode()
        return self._decoded[key]

    def of_list(self, shape: List) -> Record:
        """Return what a file holds that is included in a list: the list under its own key."""
        if id(shape) not in self._lists:
            items = {shape.include: Field(shape, "the items that take the place of the include", required=True)}
            self._lists[id(shape)] = Record(f"an included file of `{shape.include}`", "", items, comments=True)
        return self._lists[id(shape)]

    def _root(self, file: str, target: Scalar, trail: Trail | None, form: str) -> Mapping | None:
        if file in self._open:
            cycle = " → ".join((*self._open[self._open.index(file) :], file))
            message = f"this include is a cycle: {cycle}"
            self._out.error("ORK0202", target.span, message, "take one of them out", path=path_text(trail))
            return None
        try:
            documents = self._sources.documents(file, self._out.items)
        except ReadError as error:
            code = "ORK0201" if error.reason is Reason.MISSING else "ORK0203"
            hint = "the path is relative to the katalog's directory" if error.reason is Reason.MISSING else ""
            message = f"the included file {file} cannot be read: {error.detail}"
            self._out.error(code, target.span, message, hint, path=path_text(trail))
            return None
        if len(documents) == 1 and isinstance(documents[0], Mapping):
            return documents[0]
        message = f"the included file {file} does not hold one document that is a map"
        self._out.error("ORK0203", target.span, message, form, path=path_text(trail))
        return None


def merged(under: Mapping, over: Mapping) -> Mapping:
    """Return two maps as one: maps inside are merged, lists of maps are joined with those of `under` first, and for the
    rest `over` wins."""
    entries = dict(under.entries)
    for key, value in over.entries.items():
        below = entries.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            entries[key] = merged(below, value)
        elif isinstance(value, Sequence) and isinstance(below, Sequence) and _joins(below, value):
            entries[key] = Sequence(value.source, value.start, value.end, [*below.elements, *value.elements])
        else:
            entries[key] = value
    return over.replaced(entries, {**under.keys, **over.keys})


def _joins(*lists: Sequence) -> bool:
    return all(isinstance(element, Mapping) for one in lists for element in one.elements)
