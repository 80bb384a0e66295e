"""Findings as SARIF 2.1.0, for code-scanning services."""

from __future__ import annotations

import json
from typing import Any

from ork import __version__
from ork.base.findings import Finding, Severity, Span
from ork.cli.render.checked import Checked

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(checked: Checked) -> str:
    """Return one SARIF log with one run."""
    codes = sorted({finding.code for finding in checked.findings})
    driver = {"name": "ork", "version": __version__, "rules": [{"id": code} for code in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in checked.findings],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False)


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    text = f"{finding.message}\n{finding.hint}" if finding.hint else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [_location(finding.span)],
    }
    if finding.related:
        result["relatedLocations"] = [
            _location(related.span) | {"message": {"text": related.message}} for related in finding.related
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": region}}


def _uri(file: str) -> str:
    from urllib.parse import quote

    return quote(file.replace("\\", "/"))
