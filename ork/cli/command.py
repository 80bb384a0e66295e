"""How a function becomes a command: its docstring is the help, and an example ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import typer


def output_option(*formats: str) -> Any:
    """Return `-o`, which takes one of the formats."""
    return typer.Option("-o", "--output", click_type=click.Choice(formats), help="How to print the result.")


def command(run: Callable[..., int], example: str) -> click.Command:
    """Return the command that calls `run`: its annotated parameters are the flags, its answer is the exit code."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    settings: dict[str, Any] = {"help_option_names": ["-h", "--help"]}
    app.command(context_settings=settings, epilog=f"\b\nExample:\n  {example}")(run)
    return typer.main.get_command(app)
