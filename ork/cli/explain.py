"""`ork explain`: what a finding code, or a field of a document, means."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from ork.base.errors import UsageError
from ork.base.patterns import pattern
from ork.base.text import did_you_mean
from ork.cli import terminal
from ork.cli.command import command

_CODE = pattern(r"ORK\d+\Z", re.IGNORECASE)


def explain(
    what: Annotated[
        str, typer.Argument(metavar="ORKnnnn|PATH", help="A code, or the path of a field.", show_default=False)
    ],
) -> int:
    """Say what a finding code or a Katalog field means."""
    terminal.say(_code(what.upper()) if _CODE.match(what) else _field(what))
    return 0


def _code(name: str) -> str:
    from ork.katalog.codes.catalogue import CODES

    if name not in CODES:
        guess = did_you_mean(name, CODES) or "docs/findings.md lists them"
        raise UsageError(f'there is no code "{name}"; {guess}')
    code, paint = CODES[name], terminal.palette()
    return "\n".join(
        [
            paint("bold", f"{code.code}: {code.title} ({code.severity.value})"),
            "",
            code.meaning,
            "",
            paint("red", "wrong"),
            _indented(code.bad),
            "",
            paint("green", "right"),
            _indented(code.good),
        ]
    )


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.strip("\n").split("\n"))


def _field(path: str) -> str:
    from ork.katalog.describe import describe

    found, paint = describe(path), terminal.palette()
    lines = [paint("bold", f"{found.kind} {found.path}".strip()), "", found.doc, "", f"  {found.wants}"]
    if found.required and found.path:
        lines.append("  required")
    if found.default:
        lines.append(f"  default: {found.default}")
    if found.keys:
        width = max(len(key.name) for key in found.keys)
        lines += ["", paint("bold", "keys")]
        lines += [f"  {key.name:{width}}  {key.doc}{_beside(key.required, key.default)}" for key in found.keys]
    if found.later:
        lines += ["", f"known, not supported yet: {', '.join(found.later)}"]
    return "\n".join(lines)


def _beside(required: bool, default: str) -> str:
    if required:
        return " (required)"
    return f" (default: {default})" if default else ""


COMMAND = command(explain, example="ork explain spec.crds.operatorBox.preReconcile")
