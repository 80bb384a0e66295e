"""`ork run`: the operator."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import click
import typer

from ork.base import durations
from ork.base.errors import UsageError
from ork.base.findings import Finding, Severity
from ork.base.records import NamedTuple
from ork.cli import terminal, wiring
from ork.cli.command import command
from ork.cli.findings import show_findings
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources
from ork.program import Program

if TYPE_CHECKING:
    import logging
    import signal

    from ork.runtime.operator import Operator, Options, World
    from ork.runtime.process import Katalog, Next, Stop

NOT_WELL, INTERRUPTED = 1, 130


class Call(NamedTuple):
    """What the user asked for."""

    file: str
    cluster: wiring.Cluster
    options: Options
    listen: tuple[str, int]
    allow_hosts: tuple[str, ...]
    once: bool
    uninstall: bool
    log_format: str
    verbose: bool


def run(  # noqa: PLR0913  (the flags of the command)
    file: Annotated[str, typer.Option("-f", "--katalog", metavar="FILE", help="The Katalog.")] = "katalog.yaml",
    kubeconfig: Annotated[str, typer.Option(metavar="FILE", help="Another kubeconfig.", show_default=False)] = "",
    context: Annotated[str, typer.Option(metavar="NAME", help="Another context of it.", show_default=False)] = "",
    namespace: Annotated[
        list[str] | None, typer.Option("-n", "--namespace", metavar="NAME", help="Watch only these namespaces.")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Turns of each CRD in progress at once.")] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where the live API is.")] = "127.0.0.1:8080",
    no_apply_crds: Annotated[bool, typer.Option("--no-apply-crds", help="Leave CRDs to somebody else.")] = False,
    grace: Annotated[str, typer.Option(metavar="DURATION", help="How long turns may take to end.")] = "30s",
    leader_elect: Annotated[
        bool | None,
        typer.Option("--leader-elect/--no-leader-elect", help="One replica works; in a cluster.", show_default=False),
    ] = None,
    allow_hosts: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="The only hosts for external calls: host or *.suffix.")
    ] = None,
    hook: Annotated[list[str] | None, typer.Option("--hook", metavar="NAME=FILE", hidden=True)] = None,
    once: Annotated[bool, typer.Option("--once", help="Give every object one turn, and end.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be written, and end.")] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="With --once: release objects, to take ork away.")] = False,
    dev: Annotated[bool, typer.Option("--dev", help="Apply setup and crFiles; follow changes of the files.")] = False,
    log_format: Annotated[str, typer.Option(click_type=click.Choice(("text", "json")), help="Of the log.")] = "text",
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every step of every turn.")] = False,
) -> int:
    """Run the operator of a Katalog.

    SIGTERM and SIGINT (Ctrl-C) stop it in order, a second one at once. Exit codes: 0 after SIGTERM, 130 after SIGINT, 1
    where the Katalog has errors or with --once something did not go well, 3 where the cluster cannot be used.
    """
    from ork.runtime.operator import Options

    if hook:
        raise UsageError("--hook is not in this version yet: hooks are checked, and not run")
    if uninstall and not once:
        raise UsageError("--uninstall releases objects and ends: write --once --uninstall")
    options = Options(
        namespaces=tuple(namespace or ()),
        workers=workers,
        apply_crds=not (no_apply_crds or uninstall),
        grace=_seconds(grace),
        dev=dev,
        only_deleting=uninstall,
    )
    cluster = wiring.Cluster(kubeconfig, context, leader_elect)
    call = Call(file, cluster, options, _address(listen), tuple(allow_hosts or ()), once, uninstall, log_format, verbose)
    if dry_run:
        return _rehearse(call)
    return _run(call)


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f'--listen: "{text}" is no address; write HOST:PORT, such as 127.0.0.1:8080')
    return host.strip("[]"), int(port)


def _seconds(text: str) -> float:
    try:
        return durations.parse(text).total_seconds()
    except ValueError as error:
        raise UsageError(f"--grace: {error}") from error


def _rehearse(call: Call) -> int:
    """Print what would be written, as `ork diff` does; that there is something is no fault here."""
    from ork.cli.diff import diff

    ...


# ── the operator at work ────────────────────────────────────────────────────────────────────────
def _run(call: Call) -> int:
    import asyncio

    from ork.cli.render.logs import configure

    sources = Sources()
    program, findings = read_katalog(call.file, sources)
    if program is None:
        return show_findings(findings, sources, "text")
    check_startable(program)
    hidden = [os.environ[name] for name in program.variables]
    log = configure(call.log_format, call.verbose, hidden, terminal.palette(sys.stderr))
    _log_warnings(findings, log)
    return asyncio.run(_started(call, program, sources, log))


def _log_warnings(findings: list[Finding], log: logging.Logger) -> None:
    for finding in findings:
        if finding.severity is Severity.WARNING:
            extra = {"code": finding.code, "place": str(finding.span)}
            log.warning("%s: %s [%s]", finding.span, finding.message, finding.code, extra=extra)
