"""Where each character of a decoded scalar stands in its source; worked out only when a finding needs it."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.patterns import pattern

_PROPERTIES = pattern(r"(?:[&!]\S*\s+)*")
_FOLD = pattern(r"[ \t]*(?:\r\n|[\n\r\x85\u2028\u2029])[ \t\n\r\x85\u2028\u2029]*")
_BREAK = pattern(r"\r\n|[\n\r\x85\u2028\u2029]")
_LINE = pattern(r"[^\n\r\x85\u2028\u2029]+")
_ESCAPE = pattern(r"\\(?:x..|u.{4}|U.{8}|(?:\r\n|[\n\r\x85\u2028\u2029])[ \t]*|.)")


def offsets(written: str, style: str, decoded: str) -> list[int] | None:
    """Return where in a scalar as it is written every decoded character stands, and the end; None where that cannot
    be told. `style` is the character that opens it (`' " | >`), empty for a plain scalar."""
    start = _PROPERTIES.match(written)
    begin = start.end() if start else 0
    walk = _block(written, begin, decoded) if style in ("|", ">") else _flow(written, begin, style)
    found = list(walk)
    return found if len(found) == len(decoded) + 1 else None


def _flow(text: str, at: int, style: str) -> Iterator[int]:
    """A plain or quoted scalar: escapes are one character, a line break with the white space around it folds."""
    end = len(text)
    if style:
        at, end = at + 1, end - 1
    while at < end:
        if style == '"' and text[at] == "\\" and (escape := _ESCAPE.match(text, at, end)):
            if not _BREAK.match(text, at + 1):
                yield at
            at = escape.end()
        elif fold := _FOLD.match(text, at, end):
            breaks = len(_BREAK.findall(fold[0]))
            yield from [at] * max(1, breaks - 1)
            at = fold.end()
        else:
            yield at
            at += 2 if style == "'" and text[at] == "'" else 1
    yield end


def _block(text: str, at: int, decoded: str) -> Iterator[int]:
    """A literal or folded scalar: behind its indentation each source line is found in the decoded text, in order."""
    header = _BREAK.search(text, at)
    at, done = header.end() if header else len(text), 0
    for line in _LINE.finditer(text, at):
        content = line[0].lstrip(" ")
        where = decoded.find(content, done)
        if content.strip() and where >= 0:
            first = line.end() - len(content)
            yield from [first] * (where - done)
            yield from range(first, line.end())
            done = where + len(content)
    yield from [len(text)] * (len(decoded) - done + 1)
