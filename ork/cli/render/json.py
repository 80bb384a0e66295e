"""Findings as JSON, version 1: what tools read."""

from __future__ import annotations

import json
from typing import Any

from ork.base.findings import Finding, Related, Severity
from ork.cli.render.checked import Checked


def render(checked: Checked) -> str:
    """Return one JSON document."""
    return json.dumps(
        {
            "version": 1,
            "findings": [_finding(finding) for finding in checked.findings],
            "summary": {
                "errors": checked.count(Severity.ERROR),
                "warnings": checked.count(Severity.WARNING),
                "files": len(checked.files),
            },
        },
        indent=2,
        ensure_ascii=False,
    )


def _finding(finding: Finding) -> dict[str, Any]:
    span = finding.span
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "hint": finding.hint or None,
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "path": finding.path,
        "related": [_related(related) for related in finding.related],
    }


def _related(related: Related) -> dict[str, Any]:
    span = related.span
    return {"file": span.file, "line": span.line, "column": span.column, "message": related.message}
