"""One text and its lines: where a character offset stands, and which findings a line silences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ork.base.findings import Finding, Span
from ork.base.patterns import pattern

_BREAK = pattern(r"\r\n|\n|\r")
_IGNORE = pattern(r"#[ \t]*ork:[ \t]*ignore[ \t]+(ORK\d+(?:[ \t]*,?[ \t]*ORK\d+)*)")
_CODE = pattern(r"ORK\d+")
_UNREAD = frozenset(("ORK0001", "ORK0005"))
"""What says that the rest of a text is not read: silenced, it would look as if all had been checked."""


class Source:
    """A file as read. Offsets are in characters and count from 0; lines and columns count from 1."""

    __slots__ = ("_ignored", "_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        """As the user named it, or relative to the working directory."""
        self.text = text
        self._starts: list[int] = []
        self._ignored: dict[int, frozenset[str]] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character."""
        if not self._starts:
            self._starts = [0, *(found.end() for found in _BREAK.finditer(self.text))]
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """Return the stretch from one offset to another (exclusive)."""
        return Span(self.name, *self.position(start), *self.position(end))

    def line(self, number: int) -> str:
        """Return the text of one line without its break; empty for a line that is not there."""
        self.position(0)
        if not 1 <= number <= len(self._starts):
            return ""
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r\n")

    def silences(self, finding: Finding) -> bool:
        """Tell whether a comment `# ork: ignore ORKnnnn` stands on the finding's line for its code."""
        if self._ignored is None:
            self._ignored = self._comments()
        return finding.code in self._ignored.get(finding.span.line, frozenset()) - _UNREAD

    def _comments(self) -> dict[int, frozenset[str]]:
        """Return the codes of each line's comment; what looks like one inside of a scalar is none."""
        found = list(_IGNORE.finditer(self.text))
        scalars = list(_scalars(self.text)) if found else []
        starts = [start for start, _ in scalars]
        ignored = {}
        for one in found:
            before = bisect_right(starts, one.start()) - 1
            if before < 0 or scalars[before][1] <= one.start():
                ignored[self.position(one.start())[0]] = frozenset(_CODE.findall(one[1]))
        return ignored


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the scalars of a text begin and end, as far as it is YAML."""
    from yaml._yaml import CParser
    from yaml.error import YAMLError
    from yaml.events import ScalarEvent, StreamEndEvent

    parser: Any = CParser(text)
    with suppress(YAMLError):
        while (event := parser.get_event()).__class__ is not StreamEndEvent:
            if event.__class__ is ScalarEvent:
                scalar: Any = event
                start, end = scalar.start_mark.index, scalar.end_mark.index
                # The line of a block scalar's `|` may have a comment.
                broken = _BREAK.search(text, start) if scalar.style in ("|", ">") else None
                yield (broken.end() if broken else start), end
