"""Deletion of a CR: finalizer and inventory where they are needed, sweep by labels, release (language, section 6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ork.reconcile.ports import OutcomeKind

FINALIZER = "orkestra.orkspace.io/finalizer"
INVENTORY = "orkestra.orkspace.io/inventory"

COVERED = "operatorBox: {onReconcile: {configMaps: [{name: web}]}}"
UNCOVERED = """
operatorBox:
  onReconcile:
    namespaces: [{name: "ns-{{ .item }}", forEach: {field: spec.regions, as: region}}]
    configMaps:
      - {name: web}
      - {name: far, namespace: kube-public, when: [{field: spec.far, equals: true}]}
"""


def meta(w: Any) -> dict[str, Any]:
    cr = w.store.find(w.crd.kind, "default", "web")
    return {} if cr is None else dict(cr["metadata"])


def delete_cr(w: Any) -> None:
    w.store.delete(w.crd.kind, "default", "web", propagation="Background")


def test_a_cr_whose_children_kubernetes_deletes_has_no_finalizer(world: Any) -> None:
    w = world(COVERED)
    w.cr(spec={})
    w.turn()
    assert "finalizers" not in meta(w)
    assert INVENTORY not in meta(w).get("annotations", {})
    delete_cr(w)
    assert w.turn().kind is OutcomeKind.GONE
    assert w.requests == []


def test_finalizer_and_inventory_come_before_the_first_child_that_needs_them_in_one_request(world: Any) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu"], "far": True})
    w.turn()
    assert w.requests[:2] == ["mark", "apply namespaces/ns-eu"]
    assert meta(w)["finalizers"] == [FINALIZER]
    assert json.loads(meta(w)["annotations"][INVENTORY]) == {"kinds": ["ConfigMap", "Namespace"]}
    w.turn()
    assert w.requests == []


def test_the_finalizer_goes_when_deletion_needs_no_work_any_more(world: Any) -> None:
    w = world(UNCOVERED.replace("namespaces:", "serviceAccounts:"))
    w.cr(spec={"far": True})
    w.settle()
    assert meta(w)["finalizers"] == [FINALIZER]
    w.cr(spec={"far": False})
    w.settle()
    assert meta(w)["finalizers"] == [FINALIZER], "a false condition leaves the object as it is"
    w.delete("configmaps", "far", "kube-public")
    w.settle()
    assert not meta(w).get("finalizers")
    assert INVENTORY not in meta(w).get("annotations", {})


def test_other_finalizers_and_annotations_are_kept(world: Any) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu"]}, finalizers=["example.org/mine"], annotations={"note": "x"})
    w.settle()
    assert meta(w)["finalizers"] == ["example.org/mine", FINALIZER]
    delete_cr(w)
    w.turn()
    w.rest()
    w.turn()
    assert meta(w)["finalizers"] == ["example.org/mine"]
    assert meta(w)["annotations"]["note"] == "x"


def test_deletion_sweeps_what_kubernetes_would_leave_and_waits_until_it_is_gone(world: Any) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu", "us"], "far": True})
    w.settle()
    w.patch("namespaces", "ns-eu", {"metadata": {"finalizers": ["example.org/slow"]}})
    delete_cr(w)
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FINISHING
    assert w.requests == ["delete configmaps/kube-public/far", "delete namespaces/ns-eu", "delete namespaces/ns-us"]
    assert meta(w)["finalizers"] == [FINALIZER]
    outcome = w.turn()
    assert (outcome.kind, w.requests) == (OutcomeKind.FINISHING, [])
    assert outcome.reason == "waits until these are gone: namespaces/ns-eu and 1 more"
    w.rest()
    assert w.turn().reason == "waits until these are gone: namespaces/ns-eu"
    w.patch("namespaces", "ns-eu", {"metadata": {"finalizers": None}})
    w.rest()
    assert w.settle().kind is OutcomeKind.GONE
    assert meta(w) == {}


def test_deletion_needs_no_template_no_gate_and_no_valid_spec(world: Any) -> None:
    w = world(
        UNCOVERED
        + """
  preReconcile: {reconcileGate: {when: [{field: spec.on, equals: true}]}}
validation: {rules: [{field: spec.on, equals: true, message: must be on}]}
"""
    )
    w.cr(spec={"regions": ["eu"], "on": True})
    w.settle()
    w.cr(spec={"regions": [{"not": "a name"}], "on": False})
    delete_cr(w)
    assert w.turn().kind is OutcomeKind.FINISHING
    assert w.requests == ["delete namespaces/ns-eu"]


def test_skip_teardown_releases_the_cr_at_once(world: Any) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu"]})
    w.settle()
    w.patch("apps", "web", {"metadata": {"annotations": {"orkestra.orkspace.io/skip-teardown": "true"}}})
    delete_cr(w)
    assert w.turn().kind is OutcomeKind.GONE
    assert w.requests == ["mark"]
    assert w.get("namespaces", "ns-eu") is not None


def test_a_deleting_cr_that_is_not_held_by_us_is_left_alone(world: Any) -> None:
    w = world(COVERED)
    w.cr(spec={}, finalizers=["example.org/other"])
    w.turn()
    delete_cr(w)
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.requests == []


def test_a_cluster_scoped_cr_covers_children_everywhere(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            namespaces: [{name: "ns-{{ .metadata.name }}"}]
            configMaps: [{name: web, namespace: kube-public}]
        """,
        namespaced=False,
    )
    w.cr(spec={})
    w.turn()
    assert w.requests == ["apply namespaces/ns-web", "apply configmaps/kube-public/web", "status"]
    assert w.get("namespaces", "ns-web")["metadata"]["ownerReferences"][0]["kind"] == "App"


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"kinds": 5, "ran": []}'])
def test_an_inventory_that_somebody_edited_is_written_anew(world: Any, text: str) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu"]})
    w.settle()
    w.patch("apps", "web", {"metadata": {"annotations": {INVENTORY: text}}})
    w.settle()
    assert json.loads(meta(w)["annotations"][INVENTORY]) == {"kinds": ["Namespace"]}


def test_without_the_lease_nothing_is_deleted_and_nothing_released(world: Any) -> None:
    w = world(UNCOVERED)
    w.cr(spec={"regions": ["eu"]})
    w.settle()
    delete_cr(w)
    w.may_write = False
    assert w.turn().kind is OutcomeKind.FAILED
    w.patch("apps", "web", {"metadata": {"annotations": {"orkestra.orkspace.io/skip-teardown": "true"}}})
    assert w.turn().kind is OutcomeKind.FAILED
    assert w.requests == []
