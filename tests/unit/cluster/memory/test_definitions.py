"""CustomResourceDefinitions: new kinds are served at once, in every version, and follow their schema."""

from __future__ import annotations

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import CRD, SPEC_SCHEMA, WIDGET, frozen, made, widget, widget_crd


def conditions(crd: Object) -> dict[str, str]:
    return {row["type"]: row["status"] for row in crd["status"]["conditions"]}


def test_a_new_kind_is_served_at_once(store: Store) -> None:
    assert store.kind_for("demo.io/v1", "Widget") is None
    store.create(CRD, "", widget_crd())
    assert store.kind_for("demo.io/v1", "Widget") == WIDGET
    assert WIDGET in store.kinds()
    crd = store.get(CRD, "", "widgets.demo.io")
    assert conditions(crd) == {"NamesAccepted": "True", "Established": "True"}
    assert crd["status"]["storedVersions"] == ["v1"]
    assert crd["status"]["acceptedNames"]["listKind"] == "WidgetList"


def test_a_schema_that_is_not_structural_is_refused(store: Store) -> None:
    bad = widget_crd({"type": "object", "properties": {"a": {}}})
    with pytest.raises(ApiError, match=r"properties\[spec\]\.properties\[a\]\.type: Required value") as refused:
        store.create(CRD, "", bad)
    assert refused.value.code == 422
    assert store.kind_for("demo.io/v1", "Widget") is None


def test_a_changed_schema_holds_for_what_is_stored_already(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(spec={"size": 2, "color": "red"}))
    properties = {"color": SPEC_SCHEMA["properties"]["color"], "kind": {"type": "string", "default": "new"}}
    narrower = widget_crd({"type": "object", "properties": properties})
    widgets.patch(CRD, "", "widgets.demo.io", {"spec": narrower["spec"]})
    assert widgets.get(WIDGET, "default", "a")["spec"] == {"color": "red", "kind": "new"}
    version = widgets.get(WIDGET, "default", "a")["metadata"]["resourceVersion"]
    assert version < widgets.version


# ── versions ────────────────────────────────────────────────────────────────────────────────────
V2 = Kind("demo.io", "v2", "Widget", "widgets", True)


def two_versions(storage: str = "v1") -> Object:
    (first,) = widget_crd()["spec"]["versions"]
    rows = [{**first, "name": name, "storage": name == storage} for name in ("v1", "v2")]
    return frozen({**widget_crd(), "spec": {**widget_crd()["spec"], "versions": rows}})  # type: ignore[no-any-return]


def test_every_version_shows_the_same_objects(store: Store) -> None:
    store.create(CRD, "", two_versions())
    store.create(WIDGET, "default", widget(spec={"size": 2}))
    shown = store.get(V2, "default", "a")
    assert shown["apiVersion"] == "demo.io/v2"
    assert store.list(V2) == [shown]
    store.patch(V2, "default", "a", {"spec": {"size": 3}})
    assert store.get(WIDGET, "default", "a")["spec"]["size"] == 3


def test_the_versions_in_which_objects_were_stored_are_remembered(store: Store) -> None:
    store.create(CRD, "", two_versions("v1"))
    store.patch(CRD, "", "widgets.demo.io", {"spec": two_versions("v2")["spec"]})
    assert store.get(CRD, "", "widgets.demo.io")["status"]["storedVersions"] == ["v1", "v2"]


def test_a_version_that_is_served_no_more_is_not_found(store: Store) -> None:
    store.create(CRD, "", two_versions())
    rows = [{**row, "served": row["name"] == "v1"} for row in two_versions()["spec"]["versions"]]
    store.patch(CRD, "", "widgets.demo.io", {"spec": {"versions": rows}})
    assert store.kind_for("demo.io/v2", "Widget") is None
    assert store.kind_for("demo.io/v1", "Widget") is not None


def test_owners_of_one_version_conflict_with_those_of_another(store: Store) -> None:
    store.create(CRD, "", two_versions())
    store.apply(WIDGET, "default", "a", widget(spec={"color": "red"}), "one")
    with pytest.raises(ApiError, match=r'conflict with "one": \.spec\.color'):
        store.apply(V2, "default", "a", made(V2, "a", {"spec": {"color": "blue"}}), "two")


# ── what a definition offers ────────────────────────────────────────────────────────────────────
def test_without_a_status_subresource_status_is_a_field_like_others(store: Store) -> None:
    store.create(CRD, "", widget_crd(subresources={}))
    given = frozen({**widget(spec={}), "status": {"ready": True}})
    assert store.create(WIDGET, "default", given).obj["status"] == {"ready": True}
    changed = store.patch(WIDGET, "default", "a", {"status": {"ready": False}}).obj
    assert changed["metadata"]["generation"] == 2


def test_cluster_scoped_objects_have_no_namespace(store: Store) -> None:
    crd = widget_crd()
    store.create(CRD, "", frozen({**crd, "spec": {**crd["spec"], "scope": "Cluster"}}))
    kind = store.kind_for("demo.io/v1", "Widget")
    assert kind is not None
    assert not kind.namespaced
    assert "namespace" not in store.create(kind, "", made(kind, "a")).obj["metadata"]


def test_what_is_preserved_is_kept_unknown_fields_and_all(store: Store) -> None:
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    store.create(CRD, "", widget_crd(free))
    spec = {"a": {"b": [1, {"c": None}]}}
    assert store.create(WIDGET, "default", widget(spec=spec)).obj["spec"] == spec
    obj = store.apply(WIDGET, "default", "a", widget(spec={"a": {"x": 1}}), "me").obj
    assert obj["spec"]["a"]["x"] == 1
    assert "b" in obj["spec"]["a"]


def test_a_definition_that_is_deleted_and_made_again_begins_anew(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget())
    widgets.delete(CRD, "", "widgets.demo.io")
    widgets.create(CRD, "", widget_crd())
    assert widgets.list(WIDGET) == []
