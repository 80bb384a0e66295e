"""Deleting objects: what holds them, what a client may ask for, what happens to a CRD's or a namespace's content."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind
from ork.cluster.memory.deletion import Delete, delete
from ork.cluster.memory.reading import Query
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    CRD,
    DEPLOYMENT,
    NAMESPACE,
    POD,
    WIDGET,
    SetClock,
    config_map,
    deployment,
    made,
    widget,
)


def test_an_object_that_nothing_holds_is_gone_at_once(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    written = store.delete(CONFIG_MAP, "default", "settings")
    assert written.gone
    assert written.obj["metadata"]["resourceVersion"] == store.version
    assert store.find(CONFIG_MAP, "default", "settings") is None
    with pytest.raises(ApiError, match="not found"):
        store.delete(CONFIG_MAP, "default", "settings")


def test_finalizers_hold_an_object_until_the_last_is_taken_off(widgets: Store, clock: SetClock) -> None:
    widgets.create(WIDGET, "default", widget(finalizers=["a.b/c", "a.b/d"]))
    clock.advance(5)
    written = widgets.delete(WIDGET, "default", "a")
    meta = written.obj["metadata"]
    assert not written.gone
    assert meta["deletionTimestamp"] == "2026-01-05T10:00:05Z"
    assert (meta["deletionGracePeriodSeconds"], meta["generation"]) == (0, 2)
    widgets.patch(WIDGET, "default", "a", {"metadata": {"finalizers": ["a.b/d"]}})
    assert widgets.find(WIDGET, "default", "a") is not None
    assert widgets.patch(WIDGET, "default", "a", {"metadata": {"finalizers": None}}).gone
    assert widgets.find(WIDGET, "default", "a") is None


def test_a_second_delete_changes_nothing(widgets: Store, clock: SetClock) -> None:
    widgets.create(WIDGET, "default", widget(finalizers=["a.b/c"]))
    first = widgets.delete(WIDGET, "default", "a").obj
    clock.advance(5)
    again = widgets.delete(WIDGET, "default", "a")
    assert (again.obj, again.changed) == (first, False)


def test_no_finalizer_comes_to_an_object_that_is_going(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(finalizers=["a.b/c"]))
    widgets.delete(WIDGET, "default", "a")
    with pytest.raises(ApiError, match="no new finalizers can be added if the object is being deleted"):
        widgets.patch(WIDGET, "default", "a", {"metadata": {"finalizers": ["a.b/c", "d.e/f"]}})


def test_an_update_cannot_undo_a_deletion(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(finalizers=["a.b/c"]))
    moment = widgets.delete(WIDGET, "default", "a").obj["metadata"]["deletionTimestamp"]
    obj = widgets.patch(WIDGET, "default", "a", {"metadata": {"deletionTimestamp": None}, "spec": {"size": 4}}).obj
    assert obj["metadata"]["deletionTimestamp"] == moment


@pytest.mark.parametrize("wrong", [{"uid": "other"}, {"resource_version": "1"}])
def test_a_precondition_that_does_not_hold_is_a_conflict(store: Store, wrong: dict[str, str]) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    with pytest.raises(ApiError, match="in the precondition") as refused:
        store.delete(CONFIG_MAP, "default", "settings", **wrong)
    assert (refused.value.code, refused.value.reason) == (409, "Conflict")
    assert store.find(CONFIG_MAP, "default", "settings") is not None


def test_preconditions_that_hold_let_it_go(store: Store) -> None:
    meta = store.create(CONFIG_MAP, "default", config_map()).obj["metadata"]
    uid, version = meta["uid"], meta["resourceVersion"]
    assert store.delete(CONFIG_MAP, "default", "settings", uid=uid, resource_version=version).gone


@pytest.mark.parametrize(
    ("propagation", "finalizers"),
    [("Orphan", ["orphan"]), ("Foreground", ["foregroundDeletion"]), ("Background", None), ("", None)],
)
def test_a_policy_leaves_its_mark_for_the_garbage_collector(
    store: Store, propagation: str, finalizers: list[str] | None
) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    written = store.delete(CONFIG_MAP, "default", "settings", propagation=propagation)
    assert written.gone == (finalizers is None)
    assert written.obj["metadata"].get("finalizers") == finalizers


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (Delete("Odd"), 'propagationPolicy: Unsupported value: "Odd"'),
        (Delete("Orphan", orphan=True), "cannot be both set"),
    ],
)
def test_a_policy_that_is_none_is_refused(store: Store, how: Delete, message: str) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    with pytest.raises(ApiError, match=message) as refused:
        delete(store.state, store.resource(CONFIG_MAP), "default", "settings", how)
    assert refused.value.code == 422


def test_a_dry_run_deletes_nothing(store: Store) -> None:
    store.create(CONFIG_MAP, "default", config_map())
    before = store.version
    assert delete(store.state, store.resource(CONFIG_MAP), "default", "settings", Delete(dry_run=True)).gone
    assert store.find(CONFIG_MAP, "default", "settings") is not None
    assert store.version == before


def test_all_that_match_are_deleted(store: Store) -> None:
    for name, tier in (("a", "x"), ("b", "y"), ("c", "x")):
        store.create(CONFIG_MAP, "default", config_map(name, labels={"tier": tier}))
    gone = store.delete_all(CONFIG_MAP, Query("default", "tier=x"))[0].items
    assert [obj["metadata"]["name"] for obj in gone] == ["a", "c"]
    assert [obj["metadata"]["name"] for obj in store.list(CONFIG_MAP, "default")] == ["b"]


def test_a_job_tells_what_becomes_of_its_pods(store: Store) -> None:
    job = Kind("batch", "v1", "Job", "jobs", True)
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    store.create(job, "default", made(job, "j", {"spec": {"template": template}}))
    written = store.delete(job, "default", "j")
    assert "child pods are preserved by default" in written.warnings[0]


# ── pods ────────────────────────────────────────────────────────────────────────────────────────
def _pod(**spec: Any) -> Any:
    return made(POD, "p", {"spec": {"containers": [{"name": "c", "image": "i"}], **spec}})


def test_a_pod_on_a_node_gets_time_to_end(store: Store) -> None:
    store.create(POD, "default", _pod(nodeName="n"))
    assert store.delete(POD, "default", "p").obj["metadata"]["deletionGracePeriodSeconds"] == 30
    assert store.find(POD, "default", "p") is not None
    at_once = Delete(grace=0)
    assert delete(store.state, store.resource(POD), "default", "p", at_once).gone


def test_a_pod_on_no_node_is_gone_at_once(store: Store) -> None:
    store.create(POD, "default", _pod())
    assert store.delete(POD, "default", "p").gone


# ── containers of other objects ─────────────────────────────────────────────────────────────────
def test_the_usual_namespaces_stay(store: Store) -> None:
    with pytest.raises(ApiError, match="this namespace may not be deleted") as refused:
        store.delete(NAMESPACE, "", "default")
    assert refused.value.code == 403


def test_nothing_new_comes_to_a_namespace_that_is_going(store: Store) -> None:
    store.create_namespace("team")
    assert store.delete(NAMESPACE, "", "team").obj["status"] == {"phase": "Terminating"}
    with pytest.raises(ApiError, match="because it is being terminated") as refused:
        store.create(CONFIG_MAP, "team", config_map(namespace="team"))
    assert refused.value.code == 403
    assert refused.value.status["details"]["causes"][0]["reason"] == "NamespaceTerminating"


def test_a_definition_takes_its_objects_along(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget("a"))
    widgets.create(WIDGET, "default", widget("b"))
    widgets.delete(CRD, "", "widgets.demo.io")
    assert widgets.find(CRD, "", "widgets.demo.io") is None
    assert widgets.kind_for("demo.io/v1", "Widget") is None


def test_a_definition_waits_for_objects_that_finalizers_hold(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(finalizers=["a.b/c"]))
    widgets.delete(CRD, "", "widgets.demo.io")
    assert widgets.get(CRD, "", "widgets.demo.io")["metadata"]["deletionTimestamp"]
    with pytest.raises(ApiError, match="create not allowed while custom resource definition is terminating"):
        widgets.create(WIDGET, "default", widget("b"))
    widgets.patch(WIDGET, "default", "a", {"metadata": {"finalizers": None}})
    assert widgets.find(CRD, "", "widgets.demo.io") is None


def test_the_last_write_of_a_gone_object_is_seen_by_nobody_else(store: Store) -> None:
    store.create(DEPLOYMENT, "default", deployment(finalizers=["a.b/c"]))
    store.delete(DEPLOYMENT, "default", "web")
    resource = store.resource(DEPLOYMENT)
    patched = store.writer.patch(
        resource, "default", "web", lambda obj: {**obj, "metadata": {**obj["metadata"], "finalizers": []}}, Options()
    )
    assert patched.gone
    assert store.list(DEPLOYMENT) == []
