"""`ork template`: the objects that one CR becomes."""

from __future__ import annotations

from typing import Annotated

import typer

from ork.base import yaml_writer
from ork.base.errors import UsageError
from ork.base.objects import in_written_order
from ork.cli import flags, terminal
from ork.cli.command import command
from ork.cli.findings import refuse
from ork.katalog.sources import Sources
from ork.simulate.report import Run
from ork.simulate.run import Options
from ork.simulate.suite import Request, simulate_all


def template(
    cr: Annotated[list[str], typer.Option("--cr", metavar="FILE", help="The CR, and what else is there.")],
    katalog: flags.Katalog = "katalog.yaml",
    target: flags.Target = "",
    external: Annotated[
        str, typer.Option("--external", metavar="FILE", help="Answers of external calls (`externalResponses`).")
    ] = "",
) -> int:
    """Print the objects that one CR becomes, as YAML.

    One turn is simulated, and what it would apply is printed, in order. What a cluster lacks of it, `ork diff` shows.
    """
    sources = Sources()
    request = Request(objects=tuple(cr), katalog=katalog, target=target, cycles=1, answers=external)
    found = simulate_all(request, sources, Options())
    if found.findings:
        return refuse(found.findings, sources)
    if not found.runs:
        raise UsageError(f"{', '.join(cr)}: there is no object in it")
    (run,) = found.runs
    for result in run.results:
        terminal.complain(result.message)
    terminal.say(yaml_writer.dump_all(map(in_written_order, run.applied)) if run.applied else "")
    _explain(run)
    return 0 if run.passed else 1


def _explain(run: Run) -> None:
    """Say why there may be less than was expected."""
    for notice in run.notices:
        terminal.notice(f"note: {terminal.visible(notice)}")
    for cycle in run.cycles:
        for gating in cycle.gated:
            terminal.notice(f"{gating.crd} {gating.object} is held at {gating.gate}: {terminal.visible(gating.reason)}")
        for problem in cycle.errors:
            place = f"{problem.span}: " if problem.span else ""
            terminal.complain(f"{place}{terminal.visible(problem.message)}")


COMMAND = command(template, example="ork template -f katalog.yaml --cr cr.yaml")
