"""What one faulty entry or refused write does to the rest of a cycle: waves, faults, status."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.findings import Fault, FaultKind
from ork.base.requests import Done, WriteError
from ork.reconcile.errors import MEANINGS, Again, meaning
from ork.reconcile.ports import OutcomeKind

WAVES = """
operatorBox:
  onReconcile:
    configMaps:
      - {name: good}
      - {name: bad, data: {x: "text {{ .spec.missing }}"}}
    serviceAccounts: [{name: early}]
    deployments: [{name: late, image: x}]
  status:
    fields:
      - {path: phase, value: Good}
      - {path: always, value: "{{ .spec.mode }}", when: [{field: spec.mode, exists: true}]}
"""


def test_a_faulty_entry_is_not_written_its_wave_is_finished_and_later_waves_wait(world: Any) -> None:
    w = world(WAVES)
    w.cr(spec={"mode": "m"})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert w.ops == [
        "create serviceaccounts/default/early",
        "create configmaps/default/good",
        "update status/default/web",
    ]


def test_ready_names_the_first_fault_and_only_conditional_fields_are_written(world: Any) -> None:
    w = world(WAVES)
    w.cr(spec={"mode": "m"})
    outcome = w.turn()
    status = w.status()
    assert status["Ready"]["status"] == "False"
    assert status["Ready"]["reason"] == "ReconcileError"
    assert status["Ready"]["message"] == outcome.reason
    assert outcome.reason == (
        "spec.crds.app.operatorBox.onReconcile.configMaps[1]: .spec.missing is not set (for App default/web)"
    )
    assert status["always"] == "m"
    assert "phase" not in status


def test_a_fault_says_where_in_the_katalog_it_stands(world: Any) -> None:
    w = world(WAVES)
    w.cr(spec={"mode": "m"})
    fault = w.turn().faults[0]
    assert fault.kind is FaultKind.EVALUATION
    assert (fault.span.file, fault.span.line) == ("katalog.yaml", 13)


def test_a_mended_cr_is_made_whole_in_the_next_turn(world: Any) -> None:
    w = world(WAVES)
    w.cr(spec={"mode": "m"})
    w.turn()
    w.cr(spec={"mode": "m", "missing": "found"})
    w.turn()
    assert "create deployments/default/late" in w.ops
    assert w.status()["Ready"]["status"] == "True"
    assert w.status()["phase"] == "Good"


def test_a_refused_write_finishes_its_wave_and_stops_later_ones(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            configMaps: [{name: one, data: {a: "{{ .spec.a }}"}}, {name: two}]
            deployments: [{name: late, image: x}]
            custom:
              - {apiVersion: v1, kind: ConfigMap, metadata: {name: three, finalizers: ["not a finalizer"]}}
        """
    )
    w.cr(spec={"a": "b"})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.faults[0].kind is FaultKind.INVALID
    assert "late" not in " ".join(w.requests)
    assert {"create configmaps/default/one", "create configmaps/default/two"} <= set(w.ops)


CLASH = """
operatorBox:
  onReconcile:
    configMaps:
      - {name: "{{ .spec.first }}"}
      - {name: "{{ .spec.second }}"}
      - {name: other}
"""


def test_two_entries_that_render_one_object_are_both_faulty_and_named(world: Any) -> None:
    w = world(CLASH)
    w.cr(spec={"first": "same", "second": "same"})
    outcome = w.turn()
    assert outcome.reason == (
        "spec.crds.app.operatorBox.onReconcile.configMaps[0] and spec.crds.app.operatorBox.onReconcile.configMaps[1] "
        "both render configmaps/default/same (for App default/web): their names must differ"
    )
    assert len(outcome.faults) == 1
    assert w.ops == ["create configmaps/default/other", "update status/default/web"]


def test_two_items_that_render_one_object_are_faulty(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: same, forEach: {field: spec.items, as: each}}]}}")
    w.cr(spec={"items": ["a", "b"]})
    assert w.turn().reason.startswith("two items of spec.crds.app.operatorBox.onReconcile.configMaps[0] both render")
    assert not [op for op in w.ops if "configmaps" in op]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Web", "is no name for a ConfigMap"),
        ("a" * 254, "is no name for a ConfigMap"),
        ("a..b", "is no name for a ConfigMap"),
    ],
)
def test_a_name_that_kubernetes_refuses_is_found_before_any_write(world: Any, name: str, problem: str) -> None:
    w = world('operatorBox: {onReconcile: {configMaps: [{name: "{{ .spec.name }}"}]}}')
    w.cr(spec={"name": name})
    outcome = w.turn()
    assert problem in outcome.reason
    assert w.requests == ["status", w.requests[1]]
    assert w.requests[1].startswith("event Warning ReconcileError")


def test_a_label_that_kubernetes_refuses_is_found_before_any_write(world: Any) -> None:
    w = world('operatorBox: {onReconcile: {configMaps: [{name: a, labels: {team: "{{ .spec.team }}"}}]}}')
    w.cr(spec={"team": "blue team"})
    assert "is no value for the label team" in w.turn().reason


@pytest.mark.parametrize(
    ("items", "problem"),
    [("text", "forEach takes a list, a map or a number"), (True, "forEach takes"), (10**30, "more than 10000 objects")],
)
def test_a_for_each_over_the_wrong_thing_is_a_fault(world: Any, items: Any, problem: str) -> None:
    w = world(
        'operatorBox: {onReconcile: {configMaps: [{name: "a-{{ .index }}", forEach: {field: spec.items, as: each}}]}}'
    )
    w.cr(spec={"items": items})
    assert problem in w.turn().reason


def test_the_same_fault_is_said_once(world: Any) -> None:
    w = world(WAVES)
    w.cr(spec={"mode": "m"})
    w.turn()
    assert [request for request in w.requests if request.startswith("event")] == [
        "event Warning ReconcileError: " + w.status()["Ready"]["message"]
    ]
    w.turn()
    assert w.requests == []


def test_a_conflict_writes_no_status(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: web}]}}")
    w.cr(spec={})
    w.turn()
    w.patch("configmaps", "web", {"data": {"x": "y"}, "metadata": {"labels": {"orkestra-owner": "z"}}})
    stale = w.ports.view.owned(w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"])
    w.delete("configmaps", "web")
    w.put({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "default"}})

    fresh = w.ports

    class Stale:
        """A cache that lags behind."""

        get, find = fresh.view.get, fresh.view.find

        def owned(self, _: str) -> Any:
            return stale

    w.ports = fresh._replace(view=Stale())
    outcome = w.turn()
    assert outcome.faults[0].kind is FaultKind.CONFLICT
    assert w.requests == ["apply configmaps/default/web", "read configmaps/default/web"]
    assert w.status()["Ready"]["status"] == "True"
    w.ports = fresh
    assert w.settle().kind is OutcomeKind.SETTLED


@pytest.mark.parametrize("kind", list(FaultKind))
def test_every_kind_of_fault_has_a_row_in_the_table(kind: FaultKind) -> None:
    row = MEANINGS[kind]
    assert row.reason in ("", "ReconcileError", "ValidationFailed", "ExternalCallFailed")
    assert (row.reason == "") is (row.again is Again.SOON)
    assert row.level > 0


def test_a_denied_cr_waits_for_a_change_and_a_failed_call_for_its_back_off() -> None:
    assert MEANINGS[FaultKind.DENIED].again is Again.ON_CHANGE
    assert MEANINGS[FaultKind.DENIED].reason == "ValidationFailed"
    assert MEANINGS[FaultKind.CALL].again is Again.LATER
    assert MEANINGS[FaultKind.CALL].reason == "ExternalCallFailed"


def test_an_empty_namespace_is_a_fault(world: Any) -> None:
    w = world('operatorBox: {onReconcile: {configMaps: [{name: a, namespace: "{{ .spec.team }}"}]}}')
    w.cr(spec={"team": ""})
    assert "the namespace is empty" in w.turn().reason


@pytest.mark.parametrize("depth", [100, 450, 900])
def test_a_deeply_nested_cr_is_at_most_a_fault(world: Any, depth: int) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            custom: [{apiVersion: demo.io/v1, kind: App, metadata: {name: copy}, spec: {deep: "{{ .spec.deep }}"}}]
        """
    )
    deep: Any = "x"
    for _ in range(depth):
        deep = [{"d": deep}]
    crafted = {**w.cr(spec={"deep": 1}), "spec": {"deep": deep}}

    class Deep:
        """A view that shows the CR as no store here would take it."""

        owned, find = w.ports.view.owned, w.ports.view.find

        def get(self, _: Any) -> Any:
            return crafted

    class Sink:
        """A cluster that takes everything."""

        event, read = w.ports.cluster.event, w.ports.cluster.read

        async def write(self, wave: Any) -> Done:
            return Done({write.ref: write.obj for write in wave})

        async def status(self, ref: Any, status: Any, uid: str) -> Any:
            return {**crafted, "status": status}

    w.ports = w.ports._replace(view=Deep(), cluster=Sink())
    assert w.turn().kind in (OutcomeKind.SETTLED, OutcomeKind.FAILED)


@pytest.mark.parametrize(
    ("kinds", "again"),
    [
        ([FaultKind.DENIED], Again.ON_CHANGE),
        ([FaultKind.DENIED, FaultKind.DENIED], Again.ON_CHANGE),
        ([FaultKind.DENIED, FaultKind.UNAVAILABLE], Again.LATER),
        ([FaultKind.DENIED, FaultKind.CONFLICT], Again.SOON),
        ([FaultKind.EVALUATION, FaultKind.DENIED], Again.LATER),
    ],
)
def test_what_is_to_be_repeated_is_repeated_whatever_stands_before_it(kinds: list[FaultKind], again: Again) -> None:
    found = meaning([Fault(kind, "no") for kind in kinds])
    assert found == MEANINGS[kinds[0]]._replace(again=again)


def test_a_denial_that_could_not_be_written_is_no_denial_yet(world: Any) -> None:
    w = world("operatorBox: {}\nvalidation: {rules: [{field: spec.tier, exists: true, message: no tier}]}")
    w.cr(spec={})
    good = w.ports

    class Away:
        """A cluster that takes no status."""

        async def status(self, *_: Any) -> Any:
            raise WriteError(Fault(FaultKind.UNAVAILABLE, "not now"))

    w.ports = good._replace(cluster=Away())
    assert (w.turn().kind, w.turn().reason) == (OutcomeKind.FAILED, "no tier")
    w.ports = good
    assert w.turn().kind is OutcomeKind.DENIED
    assert w.status()["Ready"]["reason"] == "ValidationFailed"
