"""`ork run`: the operator."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from ork.base import durations
from ork.base.errors import UsageError
from ork.base.findings import Finding, Severity
from ork.base.records import NamedTuple
from ork.cli import flags, terminal, wiring
from ork.cli.command import command
from ork.cli.exits import INTERRUPTED, NOT_WELL, WELL
from ork.cli.findings import show_findings
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources
from ork.program import Program

if TYPE_CHECKING:
    import logging
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from ork.runtime.operator import Options
    from ork.runtime.process import Plot, Stop
    from ork.runtime.rehearsal import Plan
    from ork.runtime.world import World


class Call(NamedTuple):
    """What the user asked for."""

    file: str
    cluster: wiring.Cluster
    options: Options
    listen: tuple[str, int]
    allow_hosts: tuple[str, ...]
    story: Callable[[Start], Awaitable[int]]
    """What is done: serve, one look, a rehearsal, taking it away."""
    embedded: bool
    state: str
    log_format: str
    verbose: bool


def run(  # noqa: PLR0913  (the flags of the command)
    file: flags.Katalog = "katalog.yaml",
    kubeconfig: flags.Kubeconfig = "",
    context: flags.Context = "",
    namespace: flags.Namespaces = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Turns of each CRD in progress at once.")] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where the live API is.")] = "127.0.0.1:8080",
    no_apply_crds: flags.NoApplyCrds = False,
    grace: Annotated[str, typer.Option(metavar="DURATION", help="How long turns may take to end.")] = "30s",
    leader_elect: Annotated[
        bool | None,
        typer.Option("--leader-elect/--no-leader-elect", help="One replica works; in a cluster.", show_default=False),
    ] = None,
    allow_hosts: flags.AllowHosts = None,
    hook: flags.Hooks = None,
    once: Annotated[bool, typer.Option("--once", help="Give every object one turn, and end.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be written, and end.")] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="With --once: let go of all objects.")] = False,
    embedded: Annotated[bool, typer.Option("--embedded", help="Run a whole cluster in this process.")] = False,
    state: Annotated[
        str, typer.Option(metavar="FILE", help="With --embedded: where its objects are kept.", show_default=False)
    ] = "",
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
    if embedded and (kubeconfig or context):
        raise UsageError("--embedded is a cluster of its own: leave --kubeconfig and --context out")
    if state and not embedded:
        raise UsageError("--state keeps the objects of the cluster of --embedded: add that flag")
    options = Options(
        namespaces=tuple(namespace or ()),
        workers=workers,
        apply_crds=not (no_apply_crds or uninstall),
        grace=_seconds(grace),
        dev=dev,
        only_deleting=uninstall,
        once=once,
    )
    one_look = once or dry_run
    cluster = wiring.Cluster(kubeconfig, context, bool(leader_elect) if one_look else leader_elect)
    call = Call(
        file=file,
        cluster=cluster,
        options=options,
        listen=_address(listen),
        allow_hosts=tuple(allow_hosts or ()),
        embedded=embedded,
        state=state,
        story=_rehearse if dry_run else _uninstall if uninstall else _once if once else _serve,
        log_format=log_format,
        verbose=verbose,
    )
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


# ── the operator at work ────────────────────────────────────────────────────────────────────────
class Start(NamedTuple):
    """What there is when a story begins."""

    call: Call
    program: Program
    sources: Sources
    log: logging.Logger
    asked: Stop


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
    return asyncio.run(_told(call, program, sources, log))


def _log_warnings(findings: list[Finding], log: logging.Logger) -> None:
    for finding in findings:
        if finding.severity is Severity.WARNING:
            extra = {"code": finding.code, "place": str(finding.span)}
            log.warning("%s: %s [%s]", finding.span, finding.message, finding.code, extra=extra)


async def _told(call: Call, program: Program, sources: Sources, log: logging.Logger) -> int:
    """Tell the story until its end, or until a signal."""
    import signal

    from ork.runtime.process import Stopped, stop_signals

    with stop_signals() as asked:
        try:
            start = Start(call, program, sources, log, asked)
            return await (_embedded(start) if call.embedded else call.story(start))
        except Stopped:
            received = asked.result()
    log.info("stopped by %s", received.name)
    return INTERRUPTED if received is signal.SIGINT else WELL


async def _embedded(start: Start) -> int:
    """Tell the story on a cluster in this process."""
    call = start.call
    async with wiring.embedded(start.program.name, call.state) as cluster:
        return await call.story(start._replace(call=call._replace(cluster=cluster)))


def _world(start: Start) -> AbstractAsyncContextManager[World]:
    return wiring.world(start.call.cluster, start.program, os.environ, start.call.allow_hosts)


async def _serve(start: Start) -> int:
    """Work until a signal."""
    from ork.base.listening import listener
    from ork.katalog.declared import declared
    from ork.runtime.operator import Operator
    from ork.runtime.process import Katalog, Plot, serve

    call, program = start.call, start.program
    with listener(*call.listen) as at:
        async with _world(start) as world:
            host, port = at.getsockname()[:2]
            start.log.info("%s runs; its state is at http://%s:%s/katalog", program.name, host, port)
            katalog = Katalog(program, declared(call.file, start.sources))
            plot = Plot(katalog, lambda program: Operator(program, world, call.options, start.log))
            if call.options.dev:
                plot = _followed(plot, start)
            if call.embedded:
                plot = plot._replace(started=partial(_say_what_next, start))
            await serve(plot, at, start.asked)


def _say_what_next(start: Start) -> None:
    """Print the three lines that a person types next."""
    crd = next(iter(start.program.crds.values()))
    found = [path for path in Path(start.call.file).parent.glob("cr*.yaml") if not path.name.startswith("crd")]
    example = min(found, key=lambda path: (len(path.name), path), default=Path("cr.yaml"))
    terminal.say(
        f"\n  export KUBECONFIG={start.call.cluster.kubeconfig}\n"
        f"  kubectl apply -f {example}\n"
        f"  kubectl get {crd.kind.resource} --all-namespaces --watch\n"
    )


def _followed(plot: Plot, start: Start) -> Plot:
    """Let the operator follow the files."""
    from ork.cli.dev import Following

    return plot._replace(following=Following(start.call.file, start.sources, partial(_planned, start.call), start.log))


async def _planned(call: Call, program: Program) -> Plan:
    from ork.cli import plans
    from ork.runtime import rehearsal

    options = rehearsal.Options(call.options.namespaces, call.options.apply_crds)
    return await plans.plan(program, call.cluster, call.allow_hosts, options)


async def _once(start: Start) -> int:
    """Give every CR one turn."""
    from ork.runtime.operator import Operator
    from ork.runtime.process import once

    call = start.call
    async with _world(start) as world:
        well = await once(Operator(start.program, world, call.options, start.log), start.asked)
    start.log.info("every object had its turn" if well else "not everything went well")
    return WELL if well else NOT_WELL


async def _uninstall(start: Start) -> int:
    """Let what is being deleted go, and release everything else."""
    from ork.runtime.operator import Operator
    from ork.runtime.process import once, unless
    from ork.runtime.release import Releasing

    call, program = start.call, start.program
    async with _world(start) as world:
        await once(Operator(program, world, call.options, start.log), start.asked)
        releasing = Releasing(world.source, world.unfenced(), call.options.namespaces, start.log)
        well = await unless(start.asked, releasing.program(program))
    start.log.info("ork holds no object any more" if well else "not everything could be released")
    return WELL if well else NOT_WELL


async def _rehearse(start: Start) -> int:
    """Print what would be written."""
    from ork.cli import plans
    from ork.runtime.process import unless

    plan = await unless(start.asked, _planned(start.call, start.program))
    terminal.say(plans.shown(plan))
    return NOT_WELL if plan.failed else WELL


COMMAND = command(run, example="ork run -f katalog.yaml -n team-a")
