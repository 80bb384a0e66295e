"""A CRD entry, compiled from a Katalog of one box."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent

import pytest

from ork.katalog.compiler import compile_katalog
from ork.katalog.sources import Sources, in_memory
from ork.program import Crd

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


@pytest.fixture
def entry() -> Entry:
    def compiled(box: str) -> Crd:
        text = HEAD + indent(box.strip("\n"), " " * 8)
        made = compile_katalog("katalog.yaml", Sources(in_memory({"katalog.yaml": text})))
        assert made.program is not None, made.findings
        return made.program.crds["app"]

    return compiled
