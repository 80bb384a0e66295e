"""Findings as workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from ork.base.findings import Finding, Severity
from ork.cli.render.checked import Checked
from ork.cli.terminal import visible

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(checked: Checked) -> str:
    """Return one command per finding; nothing where all is well."""
    return "\n".join(_command(finding) for finding in checked.findings)


def _command(finding: Finding) -> str:
    span = finding.span
    facts: dict[str, object] = {
        "file": span.file,
        "line": span.line,
        "endLine": span.end_line,
        "col": span.column,
        "endColumn": span.end_column,
        "title": finding.code,
    }
    fields = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items())
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    return f"::{_COMMANDS[finding.severity]} {fields}::{_escape(text)}"


def _escape(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
