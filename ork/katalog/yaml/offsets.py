"""Where each character of a decoded scalar stands in its source; worked out only when a finding needs it."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.patterns import pattern
from ork.katalog.yaml.nodes import Scalar

_PROPERTIES = pattern(r"(?:[&!]\S*\s+)*")
_FOLD = pattern(r"[ \t]*(?:\r\n|[\n\r\x85\u2028\u2029])[ \t\n\r\x85\u2028\u2029]*")
_BREAK = pattern(r"\r\n|[\n\r\x85\u2028\u2029]")
_LINE = pattern(r"[^\n\r\x85\u2028\u2029]+")
_ESCAPE = pattern(r"\\(?:x..|u.{4}|U.{8}|(?:\r\n|[\n\r\x85\u2028\u2029])[ \t]*|.)")


def offsets(scalar: Scalar) -> list[int] | None:
    """Return the source offset of every decoded character, and of the end; None where they cannot be told."""
    text = scalar.source.text
    start = _PROPERTIES.match(text, scalar.start, scalar.end)
    begin = start.end() if start else scalar.start
    walk = _block if scalar.style in ("|", ">") else _flow
    found = list(walk(scalar, text, begin))
    return found if len(found) == len(scalar.text) + 1 else None


def _flow(scalar: Scalar, text: str, at: int) -> Iterator[int]:
    """A plain or quoted scalar: escapes are one character, a line break with the white space around it folds."""
    end = scalar.end
    if scalar.style:
        at, end = at + 1, end - 1
    while at < end:
        if scalar.style == '"' and text[at] == "\\" and (escape := _ESCAPE.match(text, at, end)):
            if not _BREAK.match(text, at + 1):
                yield at
            at = escape.end()
        elif fold := _FOLD.match(text, at, end):
            breaks = len(_BREAK.findall(fold[0]))
            yield from [at] * max(1, breaks - 1)
            at = fold.end()
        else:
            yield at
            at += 2 if scalar.style == "'" and text[at] == "'" else 1
    yield end


def _block(scalar: Scalar, text: str, at: int) -> Iterator[int]:
    """A literal or folded scalar: behind its indentation each source line is found in the decoded text, in order."""
    header = _BREAK.search(text, at, scalar.end)
    at, done = header.end() if header else scalar.end, 0
    for line in _LINE.finditer(text, at, scalar.end):
        content = line[0].lstrip(" ")
        where = scalar.text.find(content, done)
        if content.strip() and where >= 0:
            first = line.end() - len(content)
            yield from [first] * (where - done)
            yield from range(first, line.end())
            done = where + len(content)
    yield from [scalar.end] * (len(scalar.text) - done + 1)
