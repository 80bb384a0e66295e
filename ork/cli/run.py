"""`ork run`: the operator."""

from __future__ import annotations

from typing import Annotated

import click
import typer

from ork.base import durations
from ork.base.errors import UsageError
from ork.cli import flags, stories, wiring
from ork.cli.command import command


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
        typer.Option(
            "--leader-elect/--no-leader-elect",
            help="One replica of several works. On in a cluster.",
            show_default=False,
        ),
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
    call = stories.Call(
        file=file,
        cluster=cluster,
        options=options,
        listen=_address(listen),
        allow_hosts=tuple(allow_hosts or ()),
        embedded=embedded,
        state=state,
        story=_story(once, dry_run, uninstall),
        log_format=log_format,
        verbose=verbose,
    )
    return stories.tell(call)


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


def _story(once: bool, dry_run: bool, uninstall: bool) -> stories.Story:
    if dry_run:
        return stories.rehearse
    if uninstall:
        return stories.uninstall
    return stories.once if once else stories.serve


COMMAND = command(run, example="ork run -f katalog.yaml -n team-a")
