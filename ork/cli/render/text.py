"""Findings for people: place, code and message, the line with a caret under the span, and what to do."""

from __future__ import annotations

import unicodedata

from ork.base.findings import Finding, Severity, Span
from ork.cli.render.checked import Checked, plural
from ork.cli.terminal import visible

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
_UNSHOWN = frozenset(("ORK0707",))
"""What is said of lines that hold a secret."""
_WIDTH = 100
"""How much of a long line is shown."""


def render(checked: Checked) -> str:
    """Return all findings and a summary; nothing but the summary where all is well."""
    blocks = [_block(finding, checked) for finding in checked.findings]
    return "\n".join([*blocks, _summary(checked)])


def _block(finding: Finding, checked: Checked) -> str:
    paint = checked.paint
    label = paint(_COLOURS[finding.severity], f"{finding.severity.value}[{finding.code}]")
    lines = [f"{paint('bold', str(finding.span))}: {label}: {visible(finding.message)}"]
    source = checked.line(finding.span)
    if source.strip() and finding.code not in _UNSHOWN:
        lines += _excerpt(source, finding.span)
    lines += [f"  {paint('dim', f'{related.span}: {visible(related.message)}')}" for related in finding.related]
    if finding.hint:
        lines.append(f"  {paint('cyan', 'help')}: {visible(finding.hint)}")
    return "\n".join(lines)


def _excerpt(source: str, span: Span) -> list[str]:
    """Return the line and the carets under it; a long line is cut around the span."""
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(source)
    first = max(0, start - _WIDTH // 2) if len(source) > _WIDTH else 0
    shown = source[first : first + _WIDTH]
    before, marked = shown[: start - first], shown[start - first : end - first]
    number = str(span.line)
    carets = " " * _columns(before) + "^" * max(1, _columns(marked))
    return [f"  {number} | {_cells(shown)}", f"  {' ' * len(number)} | {carets}"]


def _cells(text: str) -> str:
    """Return the text as it is shown: one cell for a tab, control characters made visible."""
    return visible(text.replace("\t", " "))


def _columns(text: str) -> int:
    """Return how many cells of a terminal a text takes."""
    return sum(_cell_width(char) for char in _cells(text))


def _cell_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _summary(checked: Checked) -> str:
    errors, warnings = checked.count(Severity.ERROR), checked.count(Severity.WARNING)
    colour = "red" if errors else "yellow" if warnings else "green"
    text = f"{plural(errors, 'error')}, {plural(warnings, 'warning')} in {plural(len(checked.files), 'file')}"
    return checked.paint(colour, text)
