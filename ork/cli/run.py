"""`ork run`: the operator."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click
import typer

from ork.base import durations
from ork.base.errors import UsageError
from ork.base.findings import Finding, Severity
from ork.cli import terminal, wiring
from ork.cli.command import command
from ork.cli.findings import show_findings
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources
from ork.program import Program

if TYPE_CHECKING:
    import logging

    from ork.base.objects import Object

INTERRUPTED = 130


class Call(NamedTuple):
    """What the user asked for."""

    file: str
    cluster: wiring.Cluster
    namespaces: tuple[str, ...]
    workers: int | None
    listen: tuple[str, int]
    apply_crds: bool
    grace: float
    allow_hosts: tuple[str, ...]
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
    hook: Annotated[list[str] | None, typer.Option("--hook", metavar="NAME=FILE", help="Bind a hook.")] = None,
    log_format: Annotated[str, typer.Option(click_type=click.Choice(("text", "json")), help="Of the log.")] = "text",
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Show every step of every turn.")] = False,
) -> int:
    """Run the operator of a Katalog."""
    if hook:
        raise UsageError("--hook is not in this version yet: hooks are checked, and not run")
    call = Call(
        file=file,
        cluster=wiring.Cluster(kubeconfig, context, leader_elect),
        namespaces=tuple(namespace or ()),
        workers=workers,
        listen=_address(listen),
        apply_crds=not no_apply_crds,
        grace=_seconds(grace),
        allow_hosts=tuple(allow_hosts or ()),
        log_format=log_format,
        verbose=verbose,
    )
    return _run(call)


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
    return asyncio.run(_serve(call, program, sources, log))


def _log_warnings(findings: list[Finding], log: logging.Logger) -> None:
    for finding in findings:
        if finding.severity is Severity.WARNING:
            extra = {"code": finding.code, "place": str(finding.span)}
            log.warning("%s: %s [%s]", finding.span, finding.message, finding.code, extra=extra)


async def _serve(call: Call, program: Program, sources: Sources, log: logging.Logger) -> int:
    import signal

    from ork.base.listening import listener
    from ork.katalog.declared import declared
    from ork.runtime.operator import Operator, Options
    from ork.runtime.process import inside, serve, stop_signals

    options = Options(call.namespaces, call.workers, call.apply_crds, call.grace)
    entries: dict[str, Object] = declared(call.file, sources)
    with listener(*call.listen) as at, stop_signals() as asked:
        async with wiring.world(call.cluster, program, os.environ, call.allow_hosts) as world:
            operator = Operator(program, world, options, log)
            host, port = at.getsockname()[:2]
            log.info("%s runs; its state is at http://%s:%s/katalog", program.name, host, port)
            received = await serve(operator, inside(program, operator, entries), at, asked)
    log.info("stopped by %s", received.name)
    return INTERRUPTED if received is signal.SIGINT else 0


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


COMMAND = command(run, example="ork run -f katalog.yaml -n team-a")
