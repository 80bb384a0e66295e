"""Objects put in as they are, and taken out again: the snapshot of a simulated cluster."""

from __future__ import annotations

import pytest

from ork.base.objects import Object
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    DEPLOYMENT,
    NAMESPACE,
    WIDGET,
    config_map,
    deployment,
    frozen,
    made,
    new_store,
    widget,
    widget_crd,
)


def without_versions(objects: list[Object]) -> list[Object]:
    return [
        {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key != "resourceVersion"}}
        for obj in objects
    ]


def test_given_objects_are_kept_as_they_are(store: Store) -> None:
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "u"}
    meta = {
        "name": "web",
        "namespace": "default",
        "uid": "mine",
        "creationTimestamp": "2020-01-01T00:00:00Z",
        "generation": 4,
        "deletionTimestamp": "2020-01-02T00:00:00Z",
        "deletionGracePeriodSeconds": 0,
        "finalizers": ["a.b/c"],
        "ownerReferences": [owner],
        "managedFields": [
            {
                "manager": "me",
                "operation": "Apply",
                "apiVersion": "apps/v1",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:spec": {"f:replicas": {}}},
            }
        ],
    }
    given = frozen({**deployment(), "metadata": meta, "status": {"readyReplicas": 1, "observedGeneration": 4}})
    store.restore([given])
    kept = store.get(DEPLOYMENT, "default", "web")
    assert {key: kept["metadata"][key] for key in meta} == meta
    assert kept["status"] == given["status"]
    assert kept["spec"]["replicas"] == 1


def test_what_an_api_server_would_have_set_is_filled_in(store: Store) -> None:
    store.restore([config_map(data={"a": "1"}), deployment()])
    meta = store.get(CONFIG_MAP, "default", "settings")["metadata"]
    assert meta["uid"].startswith("uid-")
    assert meta["creationTimestamp"] == "2026-01-05T10:00:00Z"
    assert meta["resourceVersion"]
    assert store.get(DEPLOYMENT, "default", "web")["metadata"]["generation"] == 1


def test_namespaces_and_definitions_come_into_being_first(store: Store) -> None:
    store.restore([widget(namespace="team", spec={"size": 2}), widget_crd()])
    assert store.get(NAMESPACE, "", "team")["status"] == {"phase": "Active"}
    assert store.get(WIDGET, "team", "a")["spec"] == {"size": 2}


def test_an_unknown_kind_is_not_taken(store: Store) -> None:
    with pytest.raises(ApiError, match="could not find the requested resource"):
        store.restore([widget()])


def test_restored_objects_are_found_and_watched_like_others(store: Store) -> None:
    watch = store.watch(CONFIG_MAP)
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o", "uid": "u"}
    store.restore([config_map("a", labels={"x": "y"}, ownerReferences=[owner])])
    assert [event.type for event in watch.poll()] == ["ADDED"]
    assert len(store.by_label("x", "y")) == len(store.state.dependents("u")) == 1


def test_restoring_again_replaces(store: Store) -> None:
    store.restore([config_map(data={"a": "1"})])
    store.restore([config_map(data={"b": "2"})])
    assert store.get(CONFIG_MAP, "default", "settings")["data"] == {"b": "2"}


def test_a_snapshot_feeds_back() -> None:
    store = new_store()
    controllers = Controllers(store)
    store.restore([widget_crd()])
    store.apply(WIDGET, "default", "a", widget(spec={"size": 3, "parts": [{"name": "p"}]}), "me")
    store.patch(WIDGET, "default", "a", {"status": {"ready": True}}, subresource="status")
    store.create(DEPLOYMENT, "default", deployment(replicas=2, finalizers=["a.b/c"]))
    controllers.step()
    store.delete(DEPLOYMENT, "default", "web")
    again = new_store()
    again.restore(frozen(store.objects()))
    assert without_versions(again.objects()) == without_versions(store.objects())
    assert not again.apply(WIDGET, "default", "a", widget(spec={"size": 3, "parts": [{"name": "p"}]}), "me").changed


def test_all_objects_are_ordered_by_resource_namespace_and_name(store: Store) -> None:
    store.restore([made(CONFIG_MAP, "b"), made(CONFIG_MAP, "a"), deployment()])
    found = [(obj["kind"], obj["metadata"]["name"]) for obj in store.objects() if obj["kind"] != "Namespace"]
    assert found == [("ConfigMap", "a"), ("ConfigMap", "b"), ("Deployment", "web")]
