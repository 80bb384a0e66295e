"""What `ork validate` found, as every format of it needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ork.base.findings import Finding, Severity, Span
from ork.base.records import NamedTuple
from ork.cli.terminal import PLAIN, Palette


class Checked(NamedTuple):
    """The findings of one call, in the order in which they are shown."""

    findings: Sequence[Finding]
    files: Sequence[str]
    """Every file that was read, named as in the findings."""
    line: Callable[[Span], str]
    """The text of the line at which a span begins; empty where it is not known."""
    paint: Palette = PLAIN

    def count(self, severity: Severity) -> int:
        """Return how many findings have that severity."""
        return sum(finding.severity is severity for finding in self.findings)


Render = Callable[[Checked], str]


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings by file, line, column and code."""
    return sorted(findings, key=lambda found: (found.span.file, found.span.line, found.span.column, found.code))


def by_file(checked: Checked) -> Mapping[str, list[Finding]]:
    """Return the findings of every file that was read, empty where all is well."""
    grouped: dict[str, list[Finding]] = {file: [] for file in checked.files}
    for finding in checked.findings:
        grouped.setdefault(finding.span.file, []).append(finding)
    return grouped


def plural(number: int, noun: str) -> str:
    """Return `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
