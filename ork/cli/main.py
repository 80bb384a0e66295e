"""The entry point of `ork`: loads the called command's module alone, and turns what happens into an exit code."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import click
import typer
from typer.core import TyperGroup

from ork import __version__
from ork.base.errors import OrkError, OutsideError, UsageError
from ork.base.text import did_you_mean
from ork.cli import terminal
from ork.cli.exits import INTERRUPTED, NOT_WELL, OUTSIDE_FAILED, WRONG_CALL

COMMANDS = {
    "validate": "Check Katalog, Simulate and E2E files, CRDs and CRs.",
    "simulate": "Run scenarios against an API server in memory.",
    "run": "Run the operator of a Katalog.",
    "diff": "Show what the operator would change on the live cluster.",
    "bundle": "Print what installs the operator of a Katalog.",
    "init": "Copy a pack of examples into a folder.",
    "eval": "Try one expression.",
    "template": "Print the objects that one CR becomes.",
    "explain": "Say what a finding code or a Katalog field means.",
    "notes": "List the functions that expressions can call.",
    "schema": "Print the JSON Schema of a document kind, for editors.",
    "version": "Print the version.",
}
"""Every command and its one line in `ork --help`. Each lives in the module of its name, as `COMMAND`."""

LATER = ("e2e", "console", "gateway")
"""Commands of the design that this version does not have."""


class Commands(TyperGroup):
    """A group that imports a command when it is called; the list of `--help` needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of `COMMANDS`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command, importing its module."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"ork.cli.{cmd_name}").COMMAND
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the called command; one that is not there is a usage error that says what was meant."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            _refuse(args[0], ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of `--help` without loading a command."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _refuse(name: str, ctx: click.Context) -> NoReturn:
    if name in LATER:
        raise click.UsageError(f'"ork {name}" is not in this version yet.', ctx)
    guess = did_you_mean(name, COMMANDS)
    raise click.UsageError(f'There is no command "{name}"' + (f"; {guess}" if guess else "."), ctx)


def _print_version(wanted: bool) -> None:
    if wanted:
        terminal.say(f"ork {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n  ork init --pack intermediate\n  ork validate\n  ork simulate",
)


@app.callback()
def ork(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Kubernetes operators declared in YAML: check them, simulate them, run them."""


OBJECTS = 100_000
"""How many objects are made before Python looks for garbage: loading modules makes many, and none of them is any."""


def main() -> NoReturn:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(OBJECTS)
    sys.exit(run(sys.argv[1:]))


def run(args: Sequence[str]) -> int:
    """Carry out one call and return its exit code; what went wrong is on stderr."""
    try:
        return int(typer.main.get_command(app).main(args=list(args), prog_name="ork", standalone_mode=False) or 0)
    except click.UsageError as error:
        return _wrong_call(error)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except UsageError as error:
        return _failed(error, WRONG_CALL)
    except OutsideError as error:
        return _failed(error, OUTSIDE_FAILED)
    except OrkError as error:
        return _failed(error, NOT_WELL)
    except Exception as error:
        from ork.cli.crash import report

        return report(error, args)


def _failed(error: OrkError, code: int) -> int:
    terminal.complain(str(error))
    return code


def _wrong_call(error: click.UsageError) -> int:
    place = error.ctx.command_path if error.ctx else "ork"
    terminal.complain(error.format_message(), hint=f"{place} --help")
    return WRONG_CALL
