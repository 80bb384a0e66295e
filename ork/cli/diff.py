"""`ork diff`: what `ork run` would change on the live cluster now."""

from __future__ import annotations

from typing import Annotated

import typer

from ork.cli import flags, plans, terminal, wiring
from ork.cli.command import command, output_option
from ork.cli.findings import show_findings
from ork.cli.katalogs import check_startable, read_katalog
from ork.katalog.sources import Sources


def diff(  # noqa: PLR0913  (the flags of the command)
    file: flags.Katalog = "katalog.yaml",
    kubeconfig: flags.Kubeconfig = "",
    context: flags.Context = "",
    namespace: flags.Namespaces = None,
    no_apply_crds: flags.NoApplyCrds = False,
    no_external: Annotated[bool, typer.Option("--no-external", help="Make no external calls.")] = False,
    allow_hosts: flags.AllowHosts = None,
    output: Annotated[str, output_option("text", "json")] = "text",
) -> int:
    """Show what `ork run` would change on the live cluster now: nothing is written.

    Exit code 0: nothing, 1: something. External calls are made as `ork run` makes them.
    """
    import asyncio

    from ork.runtime.rehearsal import Options

    sources = Sources()
    program, findings = read_katalog(file, sources)
    if program is None:
        return show_findings(findings, sources, "text")
    check_startable(program)
    options = Options(tuple(namespace or ()), apply_crds=not no_apply_crds, external=not no_external)
    cluster = wiring.Cluster(kubeconfig, context, elect=False)
    plan = asyncio.run(plans.plan(program, cluster, tuple(allow_hosts or ()), options))
    terminal.say(plans.shown(plan, output))
    return 0 if plan.empty else 1


COMMAND = command(diff, example="ork diff -f katalog.yaml --context staging")
