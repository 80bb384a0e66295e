"""How tests of the runner build a run: a Katalog and a Simulate file as text, everything else in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from textwrap import dedent
from typing import Any

import pytest

from ork.katalog.sources import Sources, in_memory
from ork.simulate.report import Run
from ork.simulate.run import Options
from ork.simulate.suite import Request, simulate_all
from tests import documents
from tests.documents import crd

CRD = crd(
    """
    type: object
    properties:
      active: {type: boolean, default: true}
      image: {type: string, default: nginx}
      size: {type: integer, minimum: 0}
      url: {type: string}
      names: {type: array, items: {type: string}}
    """
)

CR = """
apiVersion: demo.io/v1
kind: App
metadata: {name: web, namespace: default}
spec: {image: "nginx:1"}
"""

BOX = """
onReconcile:
  deployments:
    - name: "{{ .metadata.name }}"
      image: "{{ .spec.image }}"
"""

Simulate = Callable[..., Run]
PLAIN = Options()


def katalog(box: str, keys: str = "") -> str:
    """Return a Katalog with one entry, `app`: its box, and its other keys."""
    return documents.katalog("test", app=documents.entry(box, f"crdFile: crd.yaml\n{dedent(keys)}"))


@pytest.fixture
def simulate() -> Simulate:
    """Run a scenario: `simulate("expect: {steady: true}", box=…)`; the CR and the Katalog have defaults."""

    def run(
        scenario: str,
        box: str = BOX,
        entry: str = "",
        files: Mapping[str, str] | None = None,
        cr: str = CR,
        options: Options = PLAIN,
        **request: Any,
    ) -> Run:
        texts = {
            "katalog.yaml": katalog(box, entry),
            "crd.yaml": CRD,
            "cr.yaml": cr,
            "simulate.yaml": f"cr: cr.yaml\n{scenario}",
            **(files or {}),
        }
        found = simulate_all(Request(**{"files": ("simulate.yaml",), **request}), Sources(in_memory(texts)), options)
        assert not found.findings, [f"{finding.span} {finding.message}" for finding in found.findings]
        (only,) = found.runs
        return only

    return run


def ops(run: Run, cycle: int) -> list[str]:
    """Return the writes of a cycle as text: `create deployments/web`."""
    return [str(op) for op in run.cycles[cycle - 1].ops]


def errors(run: Run) -> list[str]:
    """Return the errors of all cycles."""
    return [problem.message for cycle in run.cycles for problem in cycle.errors]


def failures(run: Run) -> list[str]:
    """Return what did not hold: `expect.ops[0]: …`."""
    return [f"{result.path}: {result.message}" for result in run.results if not result.passed]
