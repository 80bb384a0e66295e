"""`ork validate`: checks files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from ork.base.errors import UsageError
from ork.base.findings import Finding
from ork.cli.command import command, output_option
from ork.cli.findings import FORMATS, show_findings
from ork.katalog.check import check
from ork.katalog.search import files_in
from ork.katalog.sources import ReadError, Sources
from ork.openapi.kubernetes import VERSION

NOTHING_HERE = (
    "there is no document of ork here; name a file, or a folder such as `.` to search it, or begin with an example: "
    "ork init --pack beginner"
)


def validate(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files, and folders; else this folder alone.", show_default=False),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    select: Annotated[list[str] | None, typer.Option("--select", metavar="ORK…", help="Only these codes.")] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="ORK…", help="All but these.")] = None,
    kubernetes: Annotated[
        str, typer.Option("--kubernetes-version", metavar="VERSION", help="The Kubernetes that is meant.")
    ] = VERSION,
    output: Annotated[str, output_option(*FORMATS)] = "text",
) -> int:
    """Check Katalog, Simulate and E2E files, CRDs and CRs."""
    if kubernetes.removeprefix("v").split(".")[:2] != VERSION.split("."):
        raise UsageError(f"this version of ork has the schemas of Kubernetes {VERSION} only, not of {kubernetes}")
    wanted, silenced = _codes(select), _codes(ignore)
    files, searched = _files(paths or [])
    sources = Sources()
    try:
        report = check(files, sources, searched=searched)
    except ReadError as error:
        raise UsageError(str(error)) from error
    if not report.documents and not report.findings:
        raise UsageError(NOTHING_HERE)
    findings = [found for found in report.findings if _chosen(found, wanted, silenced)]
    return show_findings(findings, sources, output, strict)


def _files(paths: Sequence[str]) -> tuple[list[str], set[str]]:
    """Return every file to read, once and in order, and which of them were found in a folder; `./...` is the folder."""
    found: dict[str, bool] = {}
    for path in (given[:-3] if given.endswith("/...") else given for given in paths):
        below = files_in(path) if os.path.isdir(path) else None
        if below == []:
            raise UsageError(f"there is no YAML file in {path}")
        found |= dict.fromkeys([path], False) if below is None else dict.fromkeys(below, True) | found
    if not paths:
        found = dict.fromkeys(files_in(".", deep=False), True)
    return list(found), {file for file, was_found in found.items() if was_found}


def _codes(given: Sequence[str] | None) -> tuple[str, ...]:
    """Return codes and prefixes of codes; several may stand in one text, parted by commas."""
    if not given:
        return ()
    from ork.katalog.codes.catalogue import CODES

    codes = tuple(code.strip().upper() for text in given for code in text.split(","))
    for code in codes:
        if not any(known.startswith(code) for known in CODES):
            raise UsageError(f'no finding code is or begins with "{code}"; write ORK0502, or a prefix such as ORK05')
    return codes


def _chosen(finding: Finding, wanted: tuple[str, ...], silenced: tuple[str, ...]) -> bool:
    return (not wanted or finding.code.startswith(wanted)) and not (silenced and finding.code.startswith(silenced))


COMMAND = command(validate, example="ork validate katalog.yaml -o json")
