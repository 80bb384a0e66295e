"""`ork notes`: the functions that expressions can call."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

import click
import typer

from ork.base.errors import OrkError, UsageError
from ork.base.text import did_you_mean
from ork.cli import terminal
from ork.cli.command import group
from ork.expr.notes import CATALOGUE, Note, search


def list_notes() -> int:
    """List every function, by domain."""
    _print(CATALOGUE.values())
    return 0


def search_notes(
    word: Annotated[str, typer.Argument(metavar="WORD", help="A part of a name or description.", show_default=False)],
) -> int:
    """List the functions whose name, signature or description has a word."""
    found = search(word)
    if not found:
        raise OrkError(f'no function has "{word}" in its name or description; ork notes lists them all')
    _print(found)
    return 0


def show_note(name: Annotated[str, typer.Argument(metavar="NAME", help="A function.", show_default=False)]) -> int:
    """Show one function: signature, description, and an example with its result."""
    if name not in CATALOGUE:
        guess = did_you_mean(name, CATALOGUE) or "ork notes lists them all"
        raise UsageError(f'there is no function "{name}"; {guess}')
    terminal.say(_described(CATALOGUE[name]))
    return 0


def _print(notes: Iterable[Note]) -> None:
    paint = terminal.palette()
    domains: dict[str, list[Note]] = {}
    for note in notes:
        domains.setdefault(note.domain, []).append(note)
    width = max(len(note.signature) for found in domains.values() for note in found)
    blocks = [
        "\n".join([paint("bold", domain), *(f"  {note.signature:{width}}  {note.description}" for note in found)])
        for domain, found in domains.items()
    ]
    terminal.say("\n\n".join(blocks))


def _described(note: Note) -> str:
    example = note.example
    lines = [terminal.palette()("bold", note.signature), "", note.description, "", f"  {example.template}"]
    if example.scope:
        lines.append(f"  on   {json.dumps(example.scope, ensure_ascii=False)}")
    plain = isinstance(example.result, str) and example.result.strip() != ""
    shown = str(example.result) if plain else json.dumps(example.result, ensure_ascii=False)
    return "\n".join([*lines, f"  gives {shown.rstrip().replace(chr(10), f'{chr(10)}        ')}"])


COMMAND: click.Command = group(
    {"list": list_notes, "search": search_notes, "show": show_note},
    first="list",
    about="List the functions that expressions can call.",
    example="ork notes search time",
)
