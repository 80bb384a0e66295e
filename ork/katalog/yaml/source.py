"""One text and its lines: where a character offset stands, and which findings a line silences."""

from __future__ import annotations

from bisect import bisect_right

from ork.base.findings import Finding, Span
from ork.base.patterns import pattern

_BREAK = pattern(r"\r\n|\n|\r")
_IGNORE = pattern(r"#[ \t]*ork:[ \t]*ignore[ \t]+(ORK\d+(?:[ \t]*,?[ \t]*ORK\d+)*)")
_CODE = pattern(r"ORK\d+")


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
            self._ignored = {
                self.position(found.start())[0]: frozenset(_CODE.findall(found[1]))
                for found in _IGNORE.finditer(self.text)
            }
        return finding.code in self._ignored.get(finding.span.line, frozenset())
