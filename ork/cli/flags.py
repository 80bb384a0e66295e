"""Flags that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Katalog = Annotated[str, typer.Option("-f", "--katalog", metavar="FILE", help="The Katalog.")]
Kubeconfig = Annotated[str, typer.Option(metavar="FILE", help="Another kubeconfig.", show_default=False)]
Context = Annotated[str, typer.Option(metavar="NAME", help="Another context of it.", show_default=False)]
Namespaces = Annotated[
    list[str] | None, typer.Option("-n", "--namespace", metavar="NAME", help="Look only at these namespaces.")
]
NoApplyCrds = Annotated[bool, typer.Option("--no-apply-crds", help="Leave CRDs to somebody else.")]
AllowHosts = Annotated[
    list[str] | None, typer.Option(metavar="HOST", help="The only hosts for external calls: host or *.suffix.")
]
Target = Annotated[str, typer.Option("--target", metavar="NAME", help="The target whose box is meant.")]
Hooks = Annotated[list[str] | None, typer.Option("--hook", metavar="NAME=FILE", hidden=True)]
