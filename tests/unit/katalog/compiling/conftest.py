"""Katalogs in memory, compiled, and what came of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from textwrap import dedent, indent
from typing import Any, NamedTuple

import pytest

from ork.base.findings import Finding, Severity
from ork.base.objects import Object
from ork.expr.env import Env
from ork.katalog.compiler import compile_katalog
from ork.katalog.sources import Sources, in_memory
from ork.program import CRD_LEVEL, Box, Crd, Entry, Program, Surface
from tests.documents import crd

CRD = crd(
    """
    type: object
    required: [image]
    properties:
      image: {type: string}
      enabled: {type: boolean}
      replicas: {type: integer}
      tier: {type: string, enum: [gold, silver]}
      memory: {type: string}
      regions: {type: array, items: {type: string}}
      limits: {type: object, additionalProperties: {type: string}}
      ports: {type: array, items: {type: object, properties: {name: {type: string}, port: {type: integer}}}}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """,
    status="""
    type: object
    properties:
      phase: {type: string}
      ready: {type: integer}
      conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    """,
)

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


class Result(NamedTuple):
    """What came of one Katalog."""

    program: Program | None
    findings: list[Finding]

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, in order."""
        return [finding.code for finding in self.findings]

    @property
    def only(self) -> Finding:
        """The one finding."""
        assert len(self.findings) == 1, self.findings
        return self.findings[0]

    @property
    def crd(self) -> Crd:
        """The compiled entry `app`."""
        assert self.program is not None, self.findings
        return self.program.crds["app"]

    def box(self, surface: str = CRD_LEVEL) -> Box:
        """A compiled box of that entry."""
        return self.crd.boxes[Surface(surface)]

    def entry(self, index: int = 0, surface: str = CRD_LEVEL) -> Entry:
        """A compiled resource entry of a box."""
        return self.box(surface).entries[index]

    def built(self, cr: Object, entry: int = 0, /, **scope: Any) -> Object:
        """What an entry builds for a CR."""
        found: Object = self.entry(entry).build({**cr, **scope}, ENV)
        return found


Compile = Callable[..., Result]


@pytest.fixture
def compiled() -> Compile:
    """Compile the keys of one CRD entry `app`, whose CRD is `CRD`; `typed=False` leaves its schema out.

    `beside` stands beside `spec`, `inside` in it; further files are given by name.
    """

    def run(entry: str, *, typed: bool = True, beside: str = "", inside: str = "", **files: str) -> Result:
        head = "crdFile: crd.yaml\n" if typed else "apiTypes: {group: demo.io, version: v1, kind: App}\n"
        text = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: demo}\n" + dedent(beside)
        text += "spec:\n" + indent(dedent(inside), "  ") + "  crds:\n    app:\n"
        text += indent(head + dedent(entry), "      ")
        named = {name.replace("__", "."): dedent(content) for name, content in files.items()}
        sources = Sources(in_memory({"katalog.yaml": text, "crd.yaml": CRD, **named}))
        made = compile_katalog("katalog.yaml", sources)
        return Result(made.program, sorted(made.findings, key=lambda found: found.span))

    return run


def cr(**spec: Any) -> Object:
    """Return an App named `web`."""
    meta = {"name": "web", "namespace": "shop", "uid": "u-1", "labels": {"team": "red"}}
    return {"apiVersion": "demo.io/v1", "kind": "App", "metadata": meta, "spec": {"image": "nginx:1", **spec}}


@pytest.fixture
def app() -> Callable[..., Object]:
    """Make a CR of the kind App."""
    return cr


@pytest.fixture
def errors() -> Callable[[Result], list[str]]:
    """Return the codes of the errors only."""
    return lambda result: [finding.code for finding in result.findings if finding.severity is Severity.ERROR]
