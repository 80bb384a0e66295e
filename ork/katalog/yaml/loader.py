"""Text → nodes, straight from libyaml's events. What is wrong becomes findings; nothing is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from ork.base.findings import Finding, Related, Severity, Span
from ork.katalog.yaml import faults
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence
from ork.katalog.yaml.scalars import NUMERIC, WORDS, UnwritableError, number, tagged

if TYPE_CHECKING:
    from ork.katalog.yaml.source import Source

MAX_DEPTH = 200
"""How deep a document may nest, aliases expanded."""
MAX_ALIASED = 250_000
"""How many nodes the aliases of one document may stand for."""
MAX_FAULTS = 1000
"""After how many mistakes the rest of a source is not read."""


def load(source: Source, findings: list[Finding]) -> list[AnyNode]:
    """Return the documents of a source in order, without the empty ones.

    Every fault is added to `findings`. After text that is no YAML the documents before it are returned; where a
    template without quotes was reported on that line, that is what is wrong.
    """
    composer = _Composer(source, findings)
    documents: list[AnyNode] = []
    try:
        while (root := composer.document()) is not None:
            if not (isinstance(root, Scalar) and root.value is None):
                documents.append(root)
    except _Refused as refused:
        findings.append(refused.finding)
    except YAMLError as error:
        finding = faults.syntax(source, error)
        if not any(other.code == "ORK0006" and other.span.line == finding.span.line for other in findings):
            findings.append(finding)
    return documents


class _Refused(Exception):
    """The rest of the source is not read."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class _Anchor:
    """A named node: None while it is being read, then its expanded size and height."""

    __slots__ = ("height", "node", "size", "span")

    def __init__(self, span: Span) -> None:
        self.span = span
        self.node: AnyNode | None = None
        self.size = self.height = 0


class _Composer:
    """One pass over the events. `count`, `depth` and `peak` measure the tree as it would be with aliases expanded."""

    def __init__(self, source: Source, findings: list[Finding]) -> None:
        self.source, self.findings = source, findings
        parser: Any = CParser(source.text)
        self.next = parser.get_event
        self.anchors: dict[str, _Anchor] = {}
        self.count = self.aliased = self.depth = self.peak = self.reported = 0

    def document(self) -> AnyNode | None:
        """Return the next document, None at the end of the stream."""
        event = self.next()
        while event.__class__ is not DocumentStartEvent:
            if event.__class__ is StreamEndEvent:
                return None
            event = self.next()
        self.anchors = {}
        self.aliased = 0
        root = self.node(self.next())
        event = self.next()
        assert event.__class__ is DocumentEndEvent
        return root

    def node(self, event: Any) -> AnyNode:
        """Return the node that begins with an event."""
        if event.__class__ is ScalarEvent and event.anchor is None:  # nearly all of them, so asked first
            self.count += 1
            return self.scalar(event)
        if event.__class__ is AliasEvent:
            return self.alias(event)
        self.count += 1
        return self.container(event) if event.anchor is None else self.anchored(event)

    def container(self, event: Any) -> AnyNode:
        """Return a map or a list."""
        self.depth += 1
        if self.depth > self.peak:
            self.deepen(self.depth, event)
        node = self.mapping(event) if event.__class__ is MappingStartEvent else self.sequence(event)
        self.depth -= 1
        return node

    def deepen(self, depth: int, event: Any) -> None:
        """Note how deep the document is, and refuse one that is too deep."""
        self.peak = depth
        if depth > MAX_DEPTH:
            span = self.span(event)
            message = f"the document nests deeper than {MAX_DEPTH} levels"
            raise _Refused(faults.error("ORK0005", span, message, "split it into flatter pieces"))

    def scalar(self, event: Any) -> Scalar:
        """Return a leaf with its value."""
        text: str = event.value
        value: Any = text
        if event.tag is not None:
            value = self.tagged(event)
        elif not event.style:
            if text in WORDS:
                value = WORDS[text]
            elif text[0] in NUMERIC:
                value = self.number(event)
        return Scalar(self.source, event.start_mark.index, event.end_mark.index, value, text, event.style)

    def number(self, event: Any) -> Any:
        """Return the number that a plain scalar is, or its text."""
        try:
            return number(event.value)
        except UnwritableError as error:
            self.fault("ORK0007", event, str(error), "quote it if a text is meant")
            return event.value

    def tagged(self, event: Any) -> Any:
        """Return the value of a scalar with an explicit tag."""
        try:
            return tagged(event.tag, event.value)
        except ValueError as error:
            tag = event.tag.rpartition(":")[2]
            self.fault("ORK0007", event, f"`{event.value}` is not what its tag `!!{tag}` wants: {error}")
            return event.value

    def sequence(self, event: Any) -> Sequence:
        """Return a list; one in block style ends where its last element does."""
        start: int = event.start_mark.index
        end: int = start
        elements: list[AnyNode] = []
        child: Any
        while (child := self.next()).__class__ is not SequenceEndEvent:
            elements.append(element := self.node(child))
            end = element.end
        closing: Any = child
        if event.flow_style:
            end = closing.end_mark.index
        return Sequence(self.source, start, end, elements)

    def mapping(self, event: Any) -> Mapping | Scalar:
        """Return a map: keys are unique, and what is merged with `<<` gives way to what is written."""
        start: int = event.start_mark.index
        end: int = start
        entries: dict[str, AnyNode] = {}
        keys: dict[str, Scalar] = {}
        merges: list[AnyNode] = []
        child: Any
        while (child := self.next()).__class__ is not MappingEndEvent:
            key = self.key(child)
            value = self.node(self.next())
            end = value.end
            if key is None:
                continue
            if key.text == "<<" and not key.style:
                merges.append(value)
            elif key.text in entries:
                self.report(_duplicate(key, keys[key.text]))
            else:
                entries[key.text], keys[key.text] = value, key
        closing: Any = child
        if event.flow_style:
            end = closing.end_mark.index
            if not entries and self.source.text.startswith("{{", start):
                return self.unquoted(start, end)
        made = Mapping(self.source, start, end, entries, keys)
        return self.merged(made, merges) if merges else made

    def unquoted(self, start: int, end: int) -> Scalar:
        """Return the text that was meant by a template without quotes, which was reported as a map with a bad key."""
        text = self.source.text[start:end]
        return Scalar(self.source, start, end, text, text, "")

    def key(self, event: Any) -> Scalar | None:
        """Return a key; None, and a finding, where it is no text."""
        node = self.node(event)
        if isinstance(node, Scalar) and (node.text or node.style):
            return node
        self.report(faults.bad_key(node, event))
        return None

    def merged(self, written: Mapping, merges: list[AnyNode]) -> Mapping:
        """Return a map with what `<<` names under its own keys; of several maps the first wins."""
        entries: dict[str, AnyNode] = {}
        keys: dict[str, Scalar] = {}
        for value in merges:
            for other in value.elements if isinstance(value, Sequence) else [value]:
                if not isinstance(other, Mapping):
                    self.report(faults.bad_merge(other))
                    continue
                entries = {**other.entries, **entries}
                keys = {**other.keys, **keys}
        return written.replaced({**entries, **written.entries}, {**keys, **written.keys})

    def anchored(self, event: Any) -> AnyNode:
        """Return a node with an anchor, and remember it under that name."""
        anchor = self.anchors[event.anchor] = _Anchor(self.span(event))
        before, peak = self.count - 1, self.peak
        self.peak = self.depth
        node = self.scalar(event) if event.__class__ is ScalarEvent else self.container(event)
        anchor.node, anchor.size, anchor.height = node, self.count - before, self.peak - self.depth
        self.peak = max(peak, self.peak)
        return node

    def alias(self, event: Any) -> AnyNode:
        """Return what an alias names. It counts as if it had been written out."""
        anchor = self.anchors.get(event.anchor)
        if anchor is None or anchor.node is None:
            raise _Refused(faults.bad_alias(event.anchor, self.span(event), anchor.span if anchor else None))
        self.count += anchor.size
        self.aliased += anchor.size
        if self.aliased > MAX_ALIASED:
            message = f"the aliases of this document stand for more than {MAX_ALIASED:,} nodes"
            raise _Refused(faults.error("ORK0005", self.span(event), message, "use fewer, or smaller ones"))
        if self.depth + anchor.height > self.peak:
            self.deepen(self.depth + anchor.height, event)
        return anchor.node

    def span(self, event: Any) -> Span:
        """Return where an event stands."""
        return self.source.span(event.start_mark.index, event.end_mark.index)

    def fault(self, code: str, event: Any, message: str, hint: str = "") -> None:
        """Add a finding at an event."""
        self.report(faults.error(code, self.span(event), message, hint))

    def report(self, finding: Finding) -> None:
        """Add a finding, and give up on a source that has too many."""
        self.findings.append(finding)
        self.reported += 1
        if self.reported == MAX_FAULTS:
            message = f"there are {MAX_FAULTS:,} mistakes up to here; the rest of the file is not read"
            raise _Refused(faults.error("ORK0005", finding.span, message, "mend these first"))


def _duplicate(key: Scalar, first: Scalar) -> Finding:
    span = first.span
    return Finding(
        "ORK0003",
        Severity.ERROR,
        key.span,
        f'the key "{key.text}" stands here and in line {span.line}',
        "keep one of the two",
        related=(Related(span, f'"{key.text}" stands here first'),),
    )
