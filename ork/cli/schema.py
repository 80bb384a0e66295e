"""`ork schema`: the JSON Schema of a document kind."""

from __future__ import annotations

from typing import Annotated

import typer

from ork.base import shipped
from ork.base.errors import UsageError
from ork.base.text import did_you_mean
from ork.cli import terminal
from ork.cli.command import command


def schema(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="Katalog, Simulate or E2E.", show_default=False)],
) -> int:
    """Print the JSON Schema of a document kind, for editors.

    Save it beside your files and name it in their first line: # yaml-language-server: $schema=./katalog.schema.json
    """
    known = {path.stem: path for path in sorted(shipped.folder("schemas").glob("*.json"))}
    if kind.lower() not in known:
        guess = did_you_mean(kind, known) or f"the kinds are {', '.join(known)}"
        raise UsageError(f'there is no schema of a kind "{kind}"; {guess}')
    terminal.say(known[kind.lower()].read_text(encoding="utf-8"))
    return 0


COMMAND = command(schema, example="ork schema Katalog > katalog.schema.json")
