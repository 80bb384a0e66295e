"""How a function becomes a command: its docstring is the help, and an example ends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import click
import typer
from typer.core import TyperCommand

_SETTINGS = {"help_option_names": ["-h", "--help"]}

Run = Callable[..., int]
"""A command's work: its annotated parameters are the flags, its answer is the exit code."""


def output_option(*formats: str) -> Any:
    """Return `-o`, which takes one of the formats."""
    return typer.Option("-o", "--output", click_type=click.Choice(formats), help="How to print the result.")


def command(run: Run, example: str) -> click.Command:
    """Return the command that calls `run`."""
    app = _app()
    app.command(cls=_Command, context_settings=_SETTINGS, epilog=_epilog(example))(run)
    return _described(typer.main.get_command(app), run)


def group(parts: Mapping[str, Run], first: str, about: str, example: str) -> click.Command:
    """Return a command with commands of its own; without a word it does the `first` of them."""
    app = _app()
    for name, run in parts.items():
        app.command(name, cls=_Command, context_settings=_SETTINGS)(run)

    def start(context: typer.Context) -> int:
        return parts[first]() if context.invoked_subcommand is None else 0

    app.callback(invoke_without_command=True, help=about, context_settings=_SETTINGS, epilog=_epilog(example))(start)
    made = typer.main.get_command(app)
    assert isinstance(made, click.Group), "a callback makes a group"
    for name, part in made.commands.items():
        _described(part, parts[name])
    return made


class _Command(TyperCommand):
    """Writes its arguments once: typer puts them before the options, click 8.5 before those."""

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Leave it to typer."""


def _described(made: click.Command, run: Run) -> click.Command:
    """Return a command whose arguments have their help: click 8.5 gives them an empty one of its own over typer's."""
    hints = get_type_hints(run, include_extras=True)
    for argument in made.params:
        if isinstance(argument, click.Argument) and argument.name:
            argument.help = hints[argument.name].__metadata__[0].help
    return made


def _app() -> typer.Typer:
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def _epilog(example: str) -> str:
    return f"\b\nExample:\n  {example}"
