"""How findings are shown, whichever command found them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from ork.base.findings import Finding, Severity
from ork.cli import terminal
from ork.cli.render.checked import Checked, in_order

if TYPE_CHECKING:
    from ork.katalog.sources import Sources

FORMATS = ("text", "json", "sarif", "junit", "github")
"""Each is the module of its name in `ork.cli.render`."""


def show_findings(findings: Sequence[Finding], sources: Sources, output: str, strict: bool = False) -> int:
    """Print findings and return the exit code: 1 with an error among them, or a warning where that is `strict`."""
    checked = Checked(in_order(findings), sources.files, sources.line, terminal.palette())
    terminal.say(_rendered(checked, output))
    bad = checked.count(Severity.ERROR) + (checked.count(Severity.WARNING) if strict else 0)
    return 1 if bad else 0


def refuse(findings: Sequence[Finding], sources: Sources) -> int:
    """Say why a command whose result others read prints none, and return the exit code."""
    checked = Checked(in_order(findings), sources.files, sources.line, terminal.palette(sys.stderr))
    terminal.notice(_rendered(checked, "text"))
    return 1


def _rendered(checked: Checked, output: str) -> str:
    text: str = import_module(f"ork.cli.render.{output}").render(checked)
    return text
