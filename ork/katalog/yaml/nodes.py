"""The three shapes of YAML, each with the place it stands at. Nodes are never changed once they are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.findings import Span
from ork.katalog.yaml.offsets import offsets
from ork.katalog.yaml.source import Source


class Node:
    """A piece of a document: where it begins and ends in its source, as character offsets."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source, self.start, self.end = source, start, end

    @property
    def span(self) -> Span:
        """The place of the node; the end is exclusive."""
        return self.source.span(self.start, self.end)

    @property
    def head(self) -> Span:
        """A short stretch at its beginning, for findings about the whole."""
        return self.span

    @property
    def noun(self) -> str:
        """What the node is, for messages: `a map`, ``the number `3` ``."""
        raise NotImplementedError


class Scalar(Node):
    """A leaf. `value` is what kubectl reads, `text` what stands there (decoded), `style` is empty for a plain scalar
    and else the character that opens it (`' " | >`)."""

    __slots__ = ("style", "text", "value")

    def __init__(self, source: Source, start: int, end: int, value: Any, text: str, style: str) -> None:
        self.source, self.start, self.end = source, start, end
        self.value, self.text, self.style = value, text, style

    @property
    def is_text(self) -> bool:
        """A string, as kubectl reads it; false for `yes`, `3` and nothing at all without quotes."""
        return self.value.__class__ is str

    @property
    def is_null(self) -> bool:
        """Nothing, `~` or `null`."""
        return self.value is None

    @property
    def span(self) -> Span:
        """The place of the node; a block scalar ends with its last visible character."""
        end = self.end
        if self.style in ("|", ">"):
            end = self.start + len(self.source.text[self.start : end].rstrip())
        return self.source.span(self.start, end)

    @property
    def noun(self) -> str:
        """What the node is, for messages."""
        if self.value is None:
            return "nothing" if not self.text else f"the null `{self.text}`"
        if self.value.__class__ is str:
            return "a text"
        return f"the boolean `{self.text}`" if self.value.__class__ is bool else f"the number `{self.text}`"

    def locate(self, start: int, end: int) -> Span:
        """Return where a piece of the decoded text stands in the file, through quotes, escapes, folding and
        indentation. This is an `ork.base.findings.Locate`: hand it to the expression parser as it is."""
        at = offsets(self.source.text[self.start : self.end], self.style, self.text)
        if at is None:
            return self.span
        start = min(max(start, 0), len(self.text))
        end = min(max(end, start), len(self.text))
        first = self.start + at[start]
        return self.source.span(first, max(self.start + at[end - 1] + 1 if end > start else first, first))


class Mapping(Node):
    """A map with text keys. `entries` has the values in order, `keys` the key nodes."""

    __slots__ = ("entries", "keys")

    def __init__(
        self, source: Source, start: int, end: int, entries: dict[str, AnyNode], keys: dict[str, Scalar]
    ) -> None:
        self.source, self.start, self.end = source, start, end
        self.entries, self.keys = entries, keys

    @property
    def head(self) -> Span:
        """The first key that is written in it."""
        first = next((self.keys[key] for key in self.entries if key in self.keys), None)
        return self.span if first is None else first.span

    @property
    def noun(self) -> str:
        """What the node is, for messages."""
        return "a map"

    def __len__(self) -> int:
        """How many keys there are."""
        return len(self.entries)

    def __contains__(self, key: str) -> bool:
        """Tell whether a key is there."""
        return key in self.entries

    def get(self, key: str) -> AnyNode | None:
        """Return the value of a key, None where it is absent."""
        return self.entries.get(key)

    def mapping(self, key: str) -> Mapping | None:
        """Return the map at a key, None where there is none."""
        found = self.entries.get(key)
        return found if isinstance(found, Mapping) else None

    def sequence(self, key: str) -> Sequence | None:
        """Return the list at a key, None where there is none."""
        found = self.entries.get(key)
        return found if isinstance(found, Sequence) else None

    def scalar(self, key: str) -> Scalar | None:
        """Return the leaf at a key, None where there is none."""
        found = self.entries.get(key)
        return found if isinstance(found, Scalar) else None

    def value(self, key: str, default: Any = None) -> Any:
        """Return the plain value of the leaf at a key, `default` where there is no leaf."""
        found = self.entries.get(key)
        return found.value if isinstance(found, Scalar) else default

    def key_span(self, key: str) -> Span:
        """Return where a key stands; the map's own place for a key that is not written in it."""
        found = self.keys.get(key)
        return found.span if found is not None else self.span

    def without(self, *names: str) -> Mapping:
        """Return the map without some of its keys."""
        entries = {key: node for key, node in self.entries.items() if key not in names}
        return Mapping(self.source, self.start, self.end, entries, self.keys)

    def replaced(self, entries: dict[str, AnyNode], keys: dict[str, Scalar] | None = None) -> Mapping:
        """Return a map of this place with other contents."""
        return Mapping(self.source, self.start, self.end, entries, self.keys if keys is None else keys)


class Sequence(Node):
    """A list."""

    __slots__ = ("elements",)

    def __init__(self, source: Source, start: int, end: int, elements: list[AnyNode]) -> None:
        self.source, self.start, self.end = source, start, end
        self.elements = elements

    @property
    def head(self) -> Span:
        """The character that opens it."""
        return self.source.span(self.start, self.start + 1)

    @property
    def noun(self) -> str:
        """What the node is, for messages."""
        return "a list"

    def __len__(self) -> int:
        """How many elements there are."""
        return len(self.elements)

    def __iter__(self) -> Iterator[AnyNode]:
        """Go over the elements."""
        return iter(self.elements)


AnyNode = Scalar | Mapping | Sequence


def to_data(node: AnyNode) -> Any:
    """Return plain maps, lists and scalars, made anew. Keys are as they are written (`on:` stays `"on"`)."""
    if node.__class__ is Scalar:
        return node.value
    if isinstance(node, Mapping):
        return {key: to_data(value) for key, value in node.entries.items()}
    return [to_data(element) for element in node.elements]  # type: ignore[union-attr]
