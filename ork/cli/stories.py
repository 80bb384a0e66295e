"""What `ork run` does: it works until a signal, looks once, shows what it would do, or lets everything go."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ork.base.findings import Finding, Severity
from ork.base.records import NamedTuple
from ork.cli import terminal, wiring
from ork.cli.exits import INTERRUPTED, NOT_WELL, WELL
from ork.cli.findings import show_findings
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources
from ork.program import Program

if TYPE_CHECKING:
    import logging
    from contextlib import AbstractAsyncContextManager

    from ork.runtime.operator import Options
    from ork.runtime.process import Plot, Stop
    from ork.runtime.rehearsed import Plan
    from ork.runtime.world import World


class Call(NamedTuple):
    """What the user asked for."""

    file: str
    cluster: wiring.Cluster
    options: Options
    listen: tuple[str, int]
    allow_hosts: tuple[str, ...]
    story: Story
    """What is done: serve, one look, a rehearsal, taking it away."""
    embedded: bool
    state: str
    log_format: str
    verbose: bool


class Start(NamedTuple):
    """What there is when a story begins."""

    call: Call
    program: Program
    sources: Sources
    log: logging.Logger
    asked: Stop


Story = Callable[[Start], Awaitable[int]]
"""Goes its way to the end, and returns the exit code. Raises Stopped after a signal."""


def tell(call: Call) -> int:
    """Read the Katalog and tell the story of a call; return the exit code."""
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


async def serve(start: Start) -> int:
    """Work until a signal."""
    from ork.base.listening import listener
    from ork.katalog.declared import declared
    from ork.runtime import process
    from ork.runtime.operator import Operator

    call, program = start.call, start.program
    with listener(*call.listen) as at:
        async with _world(start) as world:
            host, port = at.getsockname()[:2]
            start.log.info("%s runs; its state is at http://%s:%s/katalog", program.name, host, port)
            katalog = process.Katalog(program, declared(call.file, start.sources))
            plot = process.Plot(katalog, lambda program: Operator(program, world, call.options, start.log))
            if call.options.dev:
                plot = _followed(plot, start)
            if call.embedded:
                plot = plot._replace(started=partial(_say_what_next, start))
            await process.serve(plot, at, start.asked)


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

    options = rehearsal.Options(call.options.namespaces, call.options.apply_crds, examples=True)
    return await plans.plan(program, call.cluster, call.allow_hosts, options)


async def once(start: Start) -> int:
    """Give every CR one turn."""
    from ork.runtime import process
    from ork.runtime.operator import Operator

    call = start.call
    async with _world(start) as world:
        well = await process.once(Operator(start.program, world, call.options, start.log), start.asked)
    start.log.info("every object had its turn" if well else "not everything went well")
    return WELL if well else NOT_WELL


async def uninstall(start: Start) -> int:
    """Let what is being deleted go, and release everything else."""
    from ork.runtime import process
    from ork.runtime.operator import Operator
    from ork.runtime.release import Releasing

    call, program = start.call, start.program
    async with _world(start) as world:
        await process.once(Operator(program, world, call.options, start.log), start.asked)
        releasing = Releasing(world.source, world.unfenced(), call.options.namespaces, start.log)
        well = await process.unless(start.asked, releasing.program(program))
    start.log.info("ork holds no object any more" if well else "not everything could be released")
    return WELL if well else NOT_WELL


async def rehearse(start: Start) -> int:
    """Print what would be written."""
    from ork.cli import plans
    from ork.runtime.process import unless

    plan = await unless(start.asked, _planned(start.call, start.program))
    terminal.say(plans.shown(plan))
    return NOT_WELL if plan.failed else WELL
