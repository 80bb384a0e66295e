"""`ork bundle`: what installs the operator of a Katalog."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ork import __version__
from ork.base import yaml_writer
from ork.base.errors import UsageError
from ork.cli import flags, terminal
from ork.cli.command import command
from ork.cli.files import write_file
from ork.cli.findings import refuse
from ork.cli.katalogs import read_katalog
from ork.katalog.sources import Sources

if TYPE_CHECKING:
    from ork.program import Program
    from ork.runtime.bundle import Choices, Files


def bundle(  # noqa: PLR0913  (the flags of the command)
    file: flags.Katalog = "katalog.yaml",
    into: Annotated[str, typer.Option(metavar="NAMESPACE", help="Where the operator is installed.")] = "ork-system",
    namespace: flags.Namespaces = None,
    image: Annotated[str, typer.Option(metavar="IMAGE", help="The operator's image.", show_default=False)] = "",
    replicas: Annotated[int, typer.Option(min=1, help="How many; one of them works.")] = 1,
    apply_crds: Annotated[bool, typer.Option("--apply-crds", help="The operator applies CRDs itself.")] = False,
    bake: Annotated[bool, typer.Option("--bake", help="The Katalog is in the image, not in a ConfigMap.")] = False,
    folder: Annotated[str, typer.Option("--dir", metavar="DIR", help="Write files, for kubectl apply -k.")] = "",
    helm: Annotated[bool, typer.Option("--helm", help="Write a Helm chart into --dir.")] = False,
) -> int:
    """Print what installs the operator of a Katalog: manifests with the least rights that it needs.

    The namespace of --into must exist. With --dir, there are also a kustomization or a Helm chart, and a Containerfile.
    """
    from ork.runtime.bundle import Choices, manifests
    from ork.runtime.packaging import chart, kustomization

    if helm and not folder:
        raise UsageError("--helm writes a chart: say where, with --dir")
    sources = Sources()
    program, findings = read_katalog(file, sources)
    if program is None:
        return refuse(findings, sources)
    files = _files(file, sources)
    image = image or (f"{program.name}:latest" if bake else f"ork:{__version__}")
    choices = Choices(
        image=image,
        namespace=into,
        files=files,
        baked=bake,
        replicas=replicas,
        watched=tuple(namespace or ()),
        apply_crds=apply_crds,
    )
    if folder:
        _write((chart if helm else kustomization)(program, choices, __version__), Path(folder))
    else:
        terminal.say(yaml_writer.dump_all(manifests(program, choices)))
    _say_what_is_left(program, choices)
    return 0


def _write(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        write_file(folder / path, text)
    terminal.notice(f"{len(files)} files in {folder}")


def _files(main: str, sources: Sources) -> Files:
    """Return everything that was read for the Katalog, relative to the folder that holds it all."""
    from ork.runtime.bundle import Files

    texts = {os.path.abspath(path): sources.source(path).text for path in sources.files}
    base = os.path.commonpath([os.path.dirname(path) for path in texts])
    named = {Path(os.path.relpath(path, base)).as_posix(): text for path, text in texts.items()}
    return Files(Path(os.path.relpath(os.path.abspath(main), base)).as_posix(), named)


def _say_what_is_left(program: Program, choices: Choices) -> None:
    """Say what the manifests cannot bring."""
    from ork.runtime.bundle import secret_name
    from ork.runtime.rbac import granting

    if program.variables:
        names = ", ".join(sorted(program.variables))
        terminal.notice(f"the Secret {choices.namespace}/{secret_name(program)} must hold {names}")
    if kinds := granting(program):
        terminal.notice(f"the operator makes {', '.join(kinds)}: grant it whatever those grant, too")


COMMAND = command(bundle, example="ork bundle --into platform --image example.com/ork:1 | kubectl apply -f -")
