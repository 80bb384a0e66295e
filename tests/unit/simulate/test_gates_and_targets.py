"""Gates, sentinels and targets in a simulation: who is held, why, and which box a CR meets."""

from __future__ import annotations

import pytest

from ork.base.errors import UsageError
from tests.unit.simulate.conftest import BOX, CR, Simulate, failures, ops

QUIET = "expect: {steady: true}"

DISABLED = CR.replace("{image", "{active: false, image")


def gate(name: str) -> str:
    return f"preReconcile:\n  {name}:\n    when: [{{field: spec.active, equals: 'true'}}]\n{BOX}"


@pytest.mark.parametrize("name", ["enqueueGate", "reconcileGate"])
def test_a_held_object_is_shown_with_gate_and_reason_and_nothing_is_written(simulate: Simulate, name: str) -> None:
    run = simulate("expect: {gated: true, steady: false}", box=gate(name), cr=DISABLED)
    assert failures(run) == []
    assert all(cycle.ops == [] for cycle in run.cycles)
    assert {tuple(gating) for cycle in run.cycles for gating in cycle.gated} == {
        ("app", "default/web", name, "spec.active is false")
    }


@pytest.mark.parametrize("name", ["enqueueGate", "reconcileGate"])
def test_a_gate_opens_with_the_change(simulate: Simulate, name: str) -> None:
    change = "{cycle: 3, patch: {resource: apps, name: web, patch: {spec: {active: true}}}}"
    run = simulate(
        f"changes: [{change}]\nexpect: {{gated: false}}",
        box=gate(name),
        cr=DISABLED,
    )
    assert failures(run) == []
    assert [bool(cycle.gated) for cycle in run.cycles[:4]] == [True, True, False, False]
    assert ops(run, 3) == ["create deployments/web", "update status/web"]


def test_a_gate_never_stops_a_deletion(simulate: Simulate) -> None:
    run = simulate(
        "changes: [{cycle: 3, patch: {resource: apps, name: web, patch: {spec: {active: false}}}},"
        " {cycle: 4, delete: {resource: apps, name: web}}]\nexpect: {steady: true}",
        box=gate("enqueueGate").replace("deployments", "namespaces").replace('      image: "{{ .spec.image }}"\n', ""),
    )
    assert "create namespaces/web" in ops(run, 1)
    assert "delete namespaces/web" in ops(run, 4)
    assert run.finals == []


SENTINEL_BOX = """
preReconcile:
  sentinels: [generationChanged]
  enqueueGate:
    when: [{field: "{{ generationChanged }}", equals: "true"}]
onReconcile:
  configMaps:
    - name: "{{ .metadata.name }}"
      data: {note: '{{ getAnnotation . "note" | default "none" }}', size: '{{ .spec.size | default 0 }}'}
"""


def test_a_sentinel_is_true_on_the_first_event_and_carried_by_resyncs(simulate: Simulate) -> None:
    run = simulate(
        "changes: [{cycle: 3, delete: {resource: configmaps, name: web}}]\nexpect: {gated: false}", box=SENTINEL_BOX
    )
    assert ops(run, 1) == ["create configmaps/web", "update status/web"]
    assert ops(run, 3) == ["create configmaps/web"]


def test_two_changes_in_one_cycle_are_both_seen(simulate: Simulate) -> None:
    run = simulate(
        "changes: [{cycle: 3, patch: {resource: apps, name: web, patch: {spec: {size: 2}}}},"
        " {cycle: 3, patch: {resource: apps, name: web, patch: {metadata: {annotations: {note: hi}}}}}]\n" + QUIET,
        box=SENTINEL_BOX,
    )
    data = [op.written["data"] for op in run.cycles[2].ops if op.resource == "configmaps"]
    assert data == [{"note": "hi", "size": "2"}]


# ── targets ─────────────────────────────────────────────────────────────────────────────────────
SERVE = """
serve:
  enabled: true
  target:
    plain: {primary: true}
    regional:
      operatorBox:
        onReconcile:
          configMaps:
            - name: "{{ .metadata.name }}-regional"
              data: {a: b}
"""


@pytest.mark.parametrize(
    ("target", "annotations", "made"),
    [
        ("", "", "deployments/web"),
        ("", "orkestra.orkspace.io/serve-target: regional", "configmaps/web-regional"),
        ("", "orkestra.orkspace.io/serve-target: unknown", "deployments/web"),
        ("target: regional\n", "", "configmaps/web-regional"),
        ("target: regional\n", "orkestra.orkspace.io/serve-alias: plain", "configmaps/web-regional"),
        ("target: plain\n", "orkestra.orkspace.io/serve-target: regional", "deployments/web"),
    ],
)
def test_which_box_a_cr_meets(simulate: Simulate, target: str, annotations: str, made: str) -> None:
    cr = CR.replace("namespace: default", f"namespace: default, annotations: {{{annotations}}}")
    run = simulate(target + QUIET, entry=SERVE, cr=cr)
    assert f"create {made}" in ops(run, 1)
    assert run.target == ("regional" if "regional" in made else "plain" if "plain" in target else None)


def test_the_call_chooses_the_target_over_the_file(simulate: Simulate) -> None:
    assert "create configmaps/web-regional" in ops(
        simulate("target: plain\n" + QUIET, entry=SERVE, target="regional"), 1
    )


@pytest.mark.parametrize(
    ("entry", "says"), [(SERVE, "the targets are plain, regional"), ("", "the Katalog has no targets")]
)
def test_an_unknown_target_is_a_wrong_call(simulate: Simulate, entry: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        simulate("target: moon\n" + QUIET, entry=entry)


def test_a_switch_of_the_surface_sweeps_what_the_old_one_made(simulate: Simulate) -> None:
    run = simulate(
        "target: regional\nchanges: [{cycle: 3, patch: {resource: apps, name: web, patch: {metadata: {annotations: "
        "{orkestra.orkspace.io/serve-target: plain}}}}}]\n" + QUIET,
        entry=SERVE,
    )
    assert ops(run, 3)[:2] == ["delete configmaps/web-regional", "create deployments/web"]


@pytest.mark.parametrize("gate", ["enqueueGate", "reconcileGate"])
def test_a_gate_that_stands_open_unevaluated_is_told_of_once(simulate: Simulate, gate: str) -> None:
    when = "when: [{field: spec.image, greaterThan: 5}]"
    run = simulate("expect: {steady: true}", f"preReconcile: {{{gate}: {{{when}}}}}\n{BOX}")
    told = [notice for notice in run.notices if notice.startswith(f"the {gate} could not be evaluated (")]
    assert len(told) == 1
    assert run.passed
