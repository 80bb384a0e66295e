"""JUnit XML: one document for findings and simulations alike."""

from __future__ import annotations

from collections.abc import Sequence

from ork.base.findings import Finding, Severity
from ork.base.records import NamedTuple
from ork.cli.render.checked import Checked, by_file
from ork.cli.terminal import visible


class Case(NamedTuple):
    """One test case: it failed where there are failures."""

    name: str
    failures: Sequence[str] = ()
    notes: str = ""
    """What else to say of it (`system-out`)."""


class Suite(NamedTuple):
    """Test cases that belong together: those of a file."""

    name: str
    cases: Sequence[Case]


def render(checked: Checked) -> str:
    """Return a suite per file and a case per code found in it; a clean file is one case that passes."""
    return document("ork validate", [Suite(file, _cases(found)) for file, found in by_file(checked).items()])


def _cases(findings: Sequence[Finding]) -> list[Case]:
    if not findings:
        return [Case("valid")]
    return [_case(finding) for finding in findings]


def _case(finding: Finding) -> Case:
    name = f"{finding.code} line {finding.span.line}"
    text = f"{finding.span}: {finding.message}" + (f"\nhelp: {finding.hint}" if finding.hint else "")
    return Case(name, [text]) if finding.severity is Severity.ERROR else Case(name, notes=text)


def document(name: str, suites: Sequence[Suite]) -> str:
    """Return the whole document, counts included."""
    body = "".join(_suite(suite) for suite in suites)
    counts = _counts([case for suite in suites for case in suite.cases])
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name={_quoted(name)} {counts}>\n{body}</testsuites>'


def _suite(suite: Suite) -> str:
    body = "".join(_element(case, suite.name) for case in suite.cases)
    return f"  <testsuite name={_quoted(suite.name)} {_counts(suite.cases)}>\n{body}  </testsuite>\n"


def _counts(cases: Sequence[Case]) -> str:
    return f'tests="{len(cases)}" failures="{sum(bool(case.failures) for case in cases)}"'


def _element(case: Case, suite: str) -> str:
    inner = "".join(_failure(text) for text in case.failures)
    if case.notes:
        inner += f"<system-out>{_text(case.notes)}</system-out>"
    return f"    <testcase classname={_quoted(suite)} name={_quoted(case.name)}>{inner}</testcase>\n"


def _failure(text: str) -> str:
    return f"<failure message={_quoted(text.splitlines()[0])}>{_text(text)}</failure>"


def _text(text: str) -> str:
    """Escape for XML, which cannot hold control characters at all."""
    return visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    return '"' + _text(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;") + '"'
