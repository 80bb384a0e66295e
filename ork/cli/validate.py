"""`ork validate`: checks files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from ork.base.errors import UsageError
from ork.base.findings import Finding
from ork.cli.command import command, output_option
from ork.cli.findings import FORMATS, show_findings
from ork.katalog.check import check
from ork.katalog.sources import STDIN, ReadError, Sources

NOTHING_HERE = "there is no document of ork in this folder; name a file, or begin with `ork init --pack beginner`"


def validate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files and folders; this folder.", show_default=False),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    select: Annotated[list[str] | None, typer.Option("--select", metavar="ORK…", help="Only these codes.")] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="ORK…", help="All but these.")] = None,
    kubernetes: Annotated[str, typer.Option("--kubernetes-version", help="The version of Kubernetes.")] = "",
    output: Annotated[str, output_option(*FORMATS)] = "text",
) -> int:
    """Check Katalog, Simulate and E2E files, CRDs and CRs."""
    ...


COMMAND = command(validate, example="ork validate katalog.yaml -o json")
