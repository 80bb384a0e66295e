"""Katalogs, compiled from their text or from one box."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from ork.katalog.compiler import compile_katalog
from ork.katalog.sources import Sources, in_memory
from ork.program import Crd, Program

HEAD = """
apiVersion: orkestra.orkspace.io/v1
kind: Katalog
metadata: {name: k}
spec:
  crds:
    app:
      apiTypes: {group: demo.io, version: v1, kind: App}
      operatorBox:
"""

Entry = Callable[[str], Crd]
Compiled = Callable[[str], Program]


@pytest.fixture
def compiled() -> Compiled:
    """Compile a Katalog."""

    def program(text: str) -> Program:
        made = compile_katalog("katalog.yaml", Sources(in_memory({"katalog.yaml": text})))
        assert made.program is not None, made.findings
        return made.program

    return program


@pytest.fixture
def entry(compiled: Compiled) -> Entry:
    """Compile a box, and return its CRD."""
    return lambda box: compiled(HEAD + indent(box.strip("\n"), " " * 8)).crds["app"]
