"""`ork simulate --envtest`: whatever a simulation says in memory, it says on a real API server, word for word."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from pathlib import Path

import pytest

from ork.base import shipped
from ork.cli import wiring
from ork.cli.render import simulation_json
from ork.katalog.sources import Sources, in_memory, read_file
from ork.simulate.run import Options
from ork.simulate.server import Stages
from ork.simulate.suite import Request, Simulated, simulate_all
from ork.simulate.world import InMemory
from tests.controlplane.controlplane import SKIP_REASON, binaries
from tests.unit.simulate.conftest import BOX, CR, CRD, katalog

pytestmark = pytest.mark.skipif(binaries() is None, reason=SKIP_REASON)

SUITES = [
    path
    for path in sorted(shipped.folder("packs").rglob("simulate*.yaml"))
    if "imports:" not in path.read_text(encoding="utf-8")
]


@pytest.fixture(scope="module")
def real() -> Iterator[Stages]:
    with wiring.stages(envtest=True) as stages:
        yield stages


def compared(request: Request, real: Stages, files: Mapping[str, str] | None = None) -> Simulated:
    """Run the same in memory and on the server, where everything must come out alike; return the latter."""
    read = in_memory(files) if files else read_file
    memory, server = (simulate_all(request, Sources(read), Options(stages=stages)) for stages in (InMemory, real))
    assert not server.findings, [f"{finding.span} {finding.message}" for finding in server.findings]
    found = list(unified_diff(_lines(memory), _lines(server), "in memory", "on the server", n=12, lineterm=""))
    if found:
        pytest.fail("\n".join(found))
    return server


def _lines(found: Simulated) -> list[str]:
    document = json.loads(simulation_json.render(found.runs))
    return json.dumps(document, indent=1, sort_keys=True).splitlines()


@pytest.mark.parametrize("suite", SUITES, ids=lambda path: str(path.relative_to(shipped.folder("packs"))))
def test_a_pack_does_the_same_on_a_real_api_server(suite: Path, real: Stages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(suite.parent)
    assert all(run.passed for run in compared(Request((suite.name,)), real).runs)


GROUP = """
onCreate:
  configMaps:
    - {name: "{{ .metadata.name }}-once", data: {image: "{{ .spec.image }}"}}
onReconcile:
  configMaps:
    - forEach: {field: .spec.names, as: each}
      name: "{{ .metadata.name }}-{{ .each }}"
      data: {name: "{{ .each }}"}
  jobs:
    - {name: "{{ .metadata.name }}-job", image: "{{ .spec.image }}", command: ["true"]}
status:
  fields:
    - {path: done, value: "{{ jobSucceeded .children.job }}"}
"""
ELSEWHERE = """
onReconcile:
  namespaces:
    - {name: "{{ .metadata.name }}-space"}
  configMaps:
    - {name: inside, namespace: "{{ .metadata.name }}-space", data: {image: "{{ .spec.image }}"}}
"""
GIVEN = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-a
  namespace: default
  uid: 11111111-1111-4111-8111-111111111111
  creationTimestamp: "2020-01-01T00:00:00Z"
  labels: {team: blue}
data: {name: stranger}
"""
OLD_CR = """
apiVersion: demo.io/v1
kind: App
metadata:
  {name: web, namespace: default, generation: 7, uid: 22222222-2222-4222-8222-222222222222,
   creationTimestamp: "2020-01-01T00:00:00Z", finalizers: [demo.io/theirs]}
spec: {image: "nginx:1", names: [a]}
status: {observedGeneration: 6, note: kept}
"""

SCENARIOS = {
    "a list grows and shrinks": (
        GROUP,
        CR,
        """
cycles: 6
changes:
  - {cycle: 2, patch: {resource: apps, name: web, patch: {spec: {names: [a, b]}}}}
  - {cycle: 4, patch: {resource: apps, name: web, patch: {spec: {names: [b]}}}}
expect: {steady: true, status: {done: true}}
""",
    ),
    "drift, and a child that somebody deletes": (
        GROUP,
        CR.replace('"nginx:1"', '"nginx:1", names: [a]'),
        """
cycles: 6
changes:
  - {cycle: 2, patch: {resource: configmaps, name: web-a, patch: {data: {name: other, more: x}}}}
  - {cycle: 3, delete: {resource: configmaps, name: web-once}}
  - {cycle: 4, delete: {resource: jobs, name: web-job}}
expect: {steady: true}
""",
    ),
    "deletion, with garbage": (
        GROUP,
        CR.replace('"nginx:1"', '"nginx:1", names: [a]'),
        "cycles: 4\nchanges: [{cycle: 3, delete: {resource: apps, name: web}}]\nexpect: {steady: true}\n",
    ),
    "deletion, with a finalizer and a namespace of its own": (
        ELSEWHERE,
        CR,
        "cycles: 6\nchanges: [{cycle: 3, delete: {resource: apps, name: web}}]\nexpect: {steady: true}\n",
    ),
    "an object that is somebody else's": (
        GROUP,
        f"{OLD_CR}\n---\n{GIVEN}",
        "cycles: 3\nexpect: {noErrors: false, steady: false}\n",
    ),
    "a server that refuses": (
        BOX,
        CR,
        """
cycles: 5
changes:
  - {cycle: 1, fail: {verb: apply, resource: deployments, status: 409, times: 1}}
  - {cycle: 3, fail: {verb: apply, resource: status, status: 500, times: 1}}
  - {cycle: 3, patch: {resource: apps, name: web, patch: {spec: {image: "nginx:2"}}}}
  - {cycle: 4, restart: true}
expect: {noErrors: false, steady: true}
""",
    ),
    "a value that the schema refuses, and one that it fills in": (
        BOX,
        "apiVersion: demo.io/v1\nkind: App\nmetadata: {name: web}\nspec: {size: 1}\n",
        """
changes: [{cycle: 2, patch: {resource: apps, name: web, patch: {spec: {size: -1}}}}]
expect: {steady: true}
""",
    ),
    "workloads that never become ready": (
        "onReconcile:\n  deployments: [{name: '{{ .metadata.name }}', image: nginx}]\n"
        "status: {fields: [{path: ready, value: '{{ allReplicasReady .children.deployment }}'}]}\n",
        CR,
        "cycles: 4\nworkloads: {deployments: fail}\nexpect: {steady: true, status: {ready: false}}\n",
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_does_the_same_on_a_real_api_server(name: str, real: Stages) -> None:
    box, cr, scenario = SCENARIOS[name]
    texts = {
        "katalog.yaml": katalog(box),
        "crd.yaml": CRD,
        "cr.yaml": cr,
        "simulate.yaml": f"cr: cr.yaml\n{scenario}",
    }
    compared(Request(("simulate.yaml",)), real, texts)
