"""`ork simulate`: runs scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from ork.base.errors import UsageError
from ork.cli import flags, terminal
from ork.cli.command import command, output_option
from ork.cli.files import write_file
from ork.cli.findings import show_findings

if TYPE_CHECKING:
    from ork.simulate.report import Run


def simulate(  # noqa: PLR0913  (the flags of the command)
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE]...", help="Simulate files; ./... is every one below.", show_default=False),
    ] = None,
    more: Annotated[
        list[str] | None, typer.Option("-f", "--file", metavar="FILE", help="A file, as an argument would be.")
    ] = None,
    target: flags.Target = "",
    katalog: Annotated[str, typer.Option("--katalog", metavar="FILE", help="Another Katalog.")] = "",
    cr: Annotated[
        list[str] | None,
        typer.Option("--cr", metavar="FILE", help="Another CR; without a Simulate file, just show what happens."),
    ] = None,
    cycles: Annotated[int | None, typer.Option("--cycles", min=1, max=10_000, help="How many cycles.")] = None,
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="When the first cycle begins.")] = "",
    hook: flags.Hooks = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each condition came out.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Notices fail too.")] = False,
    snapshot: Annotated[str, typer.Option("--snapshot", metavar="FILE", help="Write the objects of the end.")] = "",
    live: Annotated[bool, typer.Option("--live-external", help="Make calls that have no scripted answer.")] = False,
    envtest: Annotated[bool, typer.Option("--envtest", help="Run on a real API server.")] = False,
    output: Annotated[str, output_option("text", "json", "junit")] = "text",
) -> int:
    """Run scenarios against an API server in memory."""
    from ork.cli import wiring
    from ork.katalog.sources import Sources
    from ork.simulate.run import Options
    from ork.simulate.suite import Request, simulate_all

    if hook:
        raise UsageError("--hook is not in this version yet; a hook is skipped, with a notice")
    sources = Sources()
    named = (*(files or ()), *(more or ()))
    request = Request(named, tuple(cr or ()), katalog, target, cycles, _moment(at) if at else None)
    with wiring.outside(live) as world, wiring.stages(envtest) as stages:
        found = simulate_all(request, sources, Options(explain, strict, world.send, world.environ, stages))
    if found.findings:
        return show_findings(found.findings, sources, output)
    if snapshot and found.runs:
        _write_snapshot(snapshot, found.runs)
    terminal.say(_rendered(found.runs, output))
    return 0 if all(run.passed for run in found.runs) else 1


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f'--at: "{text}" is no time; write it as 2026-01-05T10:00:00Z') from error
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def _rendered(runs: Sequence[Run], output: str) -> str:
    if output == "json":
        from ork.cli.render import simulation_json

        return simulation_json.render(runs)
    if output == "junit":
        from ork.cli.render import simulation_junit

        return simulation_junit.render(runs)
    from ork.cli.render import simulation_text

    return simulation_text.render(runs, terminal.palette())


def _write_snapshot(path: str, runs: Sequence[Run]) -> None:
    from ork.simulate.snapshot import snapshot

    if len(runs) > 1:
        terminal.notice(f"{path} has the end of the first of {len(runs)} runs, {runs[0].name}")
    write_file(path, snapshot(runs[0]))


COMMAND = command(simulate, example="ork simulate -f simulate.yaml --target regional")
