"""Whatever happens to a CR, its children and the API server: the operator settles, does the same again when told the
same, leaves nothing behind, and finds nothing to do where it ended."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ork.base import yaml_writer
from ork.katalog.sources import Sources, in_memory
from ork.simulate.report import Run
from ork.simulate.run import Options
from ork.simulate.snapshot import snapshot
from ork.simulate.suite import Request, simulate_all
from tests.unit.simulate.conftest import CR, CRD, katalog

LAST_CHANGE, CYCLES = 6, 18

BOX = """
preReconcile:
  reconcileGate:
    when: [{field: spec.active, equals: "true"}]
onReconcile:
  deployments:
    - name: "{{ .metadata.name }}"
      image: "{{ .spec.image }}"
  configMaps:
    - name: "{{ .metadata.name }}-{{ .item }}"
      forEach: {field: spec.names, as: item}
      data: {image: "{{ .spec.image }}"}
  namespaces:
    - name: "{{ .metadata.name }}-space"
      when: [{field: spec.size, gt: "1"}]
status:
  fields:
    - {path: ready, value: "{{ allReplicasReady .children.deployment }}"}
"""
SERVE = """
serve:
  enabled: true
  target:
    plain: {primary: true}
    small:
      operatorBox:
        status: {}
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}-small"
              data: {size: '{{ .spec.size | default 0 }}'}
"""


def on(resource: str, name: str, **patch: Any) -> dict[str, Any]:
    """Return a change that patches one object."""
    return {"patch": {"resource": resource, "name": name, "patch": patch}}


SPECS = st.fixed_dictionaries(
    {},
    optional={
        "active": st.booleans(),
        "image": st.sampled_from(["nginx:1", "nginx:2"]),
        "size": st.sampled_from([0, 1, 2, None]),
        "names": st.lists(st.sampled_from("abc"), unique=True, max_size=3),
    },
)
TARGETS = st.sampled_from(["plain", "small", None])
CHANGES = st.one_of(
    SPECS.map(lambda spec: on("apps", "web", spec=spec)),
    TARGETS.map(lambda name: on("apps", "web", metadata={"annotations": {"orkestra.orkspace.io/serve-target": name}})),
    st.just({"delete": {"resource": "apps", "name": "web"}}),
    st.just({"restart": True}),
    st.just({"advance": "3h"}),
    st.sampled_from(["apply", "patch", "delete"]).map(
        lambda verb: {"fail": {"verb": verb, "resource": "configmaps", "status": 503}}
    ),
)
SEQUENCES = st.lists(st.tuples(st.integers(2, LAST_CHANGE), CHANGES), max_size=6)


def run(changes: Sequence[Any], cr: str) -> Run:
    scenario = {
        "cr": "cr.yaml",
        "cycles": CYCLES,
        "changes": [{"cycle": cycle, **change} for cycle, change in changes],
        "expect": {"noErrors": False},
    }
    files = {
        "katalog.yaml": katalog(BOX, SERVE),
        "crd.yaml": CRD,
        "cr.yaml": cr,
        "simulate.yaml": yaml_writer.dump(scenario),
    }
    found = simulate_all(Request(files=("simulate.yaml",)), Sources(in_memory(files)), Options())
    assert not found.findings
    (only,) = found.runs
    return only


def possible(changes: Sequence[Any]) -> list[Any]:
    """Return the changes in order, up to the deletion of the CR: nobody can patch what is gone."""
    kept = []
    for cycle, change in sorted(changes, key=lambda pair: pair[0]):
        kept.append((cycle, change))
        if change.get("delete"):
            break
    return kept


def children(outcome: Run) -> list[str]:
    return [f"{obj['kind']} {obj['metadata']['name']}" for obj in outcome.objects if _ours(obj)]


def _ours(obj: dict[str, Any]) -> bool:
    return "orkestra-owner" in obj["metadata"].get("labels", {})


@settings(max_examples=40)
@given(SEQUENCES, SPECS)
def test_the_operator_settles_and_leaves_nothing_behind(changes: Sequence[Any], spec: dict[str, Any]) -> None:
    cr = CR.replace('{image: "nginx:1"}', json.dumps({"image": "nginx:1", **spec}))
    done = possible(changes)
    outcome = run(done, cr)
    assert outcome == run(done, cr)
    # A refusal waits for its request, however late it comes; each costs one more cycle.
    last = LAST_CHANGE + sum("fail" in change for _, change in done)
    assert outcome.steady_at is not None
    assert outcome.steady_at <= last + 4
    assert [cycle.number for cycle in outcome.cycles if cycle.errors and cycle.number > last + 1] == []
    if not outcome.finals:
        assert children(outcome) == []
        return
    again = run([], snapshot(outcome))
    assert [cycle.ops for cycle in again.cycles] == [[]] * CYCLES
    assert children(again) == children(outcome)


@settings(max_examples=20)
@given(SPECS)
def test_a_child_that_somebody_deletes_is_there_again_after_one_cycle(spec: dict[str, Any]) -> None:
    cr = CR.replace('{image: "nginx:1"}', json.dumps({"image": "nginx:1", **spec, "active": True}))
    before = run([], cr)
    after = run([(4, {"delete": {"resource": "deployments", "name": "web"}})], cr)
    assert [str(op) for op in after.cycles[3].ops if op.resource == "deployments"] == ["create deployments/web"]
    assert children(after) == children(before)
