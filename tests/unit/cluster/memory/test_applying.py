"""Server-side apply: who owns which field, what an apply takes away, and when it meets another owner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory import fieldset, ownership
from ork.cluster.memory.state import Written
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    DEPLOYMENT,
    WIDGET,
    SetClock,
    config_map,
    deployment,
    frozen,
    made,
    widget,
)


def applied(store: Store, obj: Object, manager: str = "me", **how: Any) -> Written:
    kind = store.kind_for(obj["apiVersion"], obj["kind"])
    assert kind is not None
    return store.apply(kind, "default", obj["metadata"]["name"], obj, manager, **how)


def owned(obj: Object) -> dict[str, list[str]]:
    """Return the paths that each manager owns."""
    return {
        manager.name: [*fieldset.paths(row.fields)]
        for manager, row in ownership.decode(obj["metadata"].get("managedFields")).items()
    }


def conflicts(error: ApiError) -> list[str]:
    return [cause["field"] for cause in error.status["details"]["causes"]]


# ── owning ──────────────────────────────────────────────────────────────────────────────────────
def test_an_apply_creates_what_is_not_there_and_owns_what_it_names(widgets: Store) -> None:
    written = applied(widgets, widget(spec={"color": "red"}, labels={"x": "y"}))
    assert written.created
    assert written.obj["spec"] == {"color": "red", "size": 1}
    assert owned(written.obj) == {"me": [".metadata.labels.x", ".spec.color"]}
    assert written.obj["metadata"]["managedFields"][0]["operation"] == "Apply"


def test_the_same_apply_again_writes_nothing_at_any_time(widgets: Store, clock: SetClock) -> None:
    obj = widget(spec={"color": "red", "parts": [{"name": "p", "count": 1}]})
    first = applied(widgets, obj).obj
    before = widgets.version
    clock.advance(3600)
    again = applied(widgets, obj)
    assert not again.changed
    assert again.obj == first
    assert widgets.version == before


def test_what_an_apply_named_before_and_names_no_more_is_taken_away(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red", "size": 3}, labels={"a": "1", "b": "2"}))
    obj = applied(widgets, widget(spec={"size": 3}, labels={"b": "2"})).obj
    assert obj["spec"] == {"size": 3}
    assert obj["metadata"]["labels"] == {"b": "2"}


def test_a_field_that_is_taken_away_goes_back_to_its_default(widgets: Store) -> None:
    applied(widgets, widget(spec={"size": 3, "color": "red"}))
    assert applied(widgets, widget(spec={"color": "red"})).obj["spec"] == {"size": 1, "color": "red"}


def test_a_map_of_which_nothing_is_left_is_null_as_on_a_real_server(widgets: Store) -> None:
    applied(widgets, widget(spec={"size": 3}))
    with pytest.raises(ApiError, match='spec in body must be of type object: "null"'):
        applied(widgets, widget(spec={}))


def test_what_another_owner_has_stays(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red"}), "one")
    applied(widgets, widget(spec={"color": "red"}), "two")
    obj = applied(widgets, widget(spec={}), "one").obj
    assert obj["spec"]["color"] == "red"
    assert owned(obj) == {"one": [".spec"], "two": [".spec.color"]}


def test_what_nobody_applied_stays(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red"}))
    widgets.patch(WIDGET, "default", "a", {"spec": {"size": 7}}, manager="hand")
    obj = applied(widgets, widget(spec={"color": "blue"})).obj
    assert obj["spec"] == {"color": "blue", "size": 7}
    assert owned(obj) == {"me": [".spec.color"], "hand": [".spec.size"]}


def test_an_update_owns_what_it_changed_and_takes_it_from_others(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red", "size": 2}))
    obj = widgets.patch(WIDGET, "default", "a", {"spec": {"color": "blue"}}, manager="hand").obj
    assert owned(obj) == {"me": [".spec.size"], "hand": [".spec.color"]}


def test_status_is_owned_apart_from_the_object(widgets: Store) -> None:
    applied(widgets, widget(spec={"size": 2}))
    given = frozen({**widget(spec={"size": 9}), "status": {"ready": True}})
    obj = applied(widgets, given, subresource="status").obj
    assert (obj["spec"]["size"], obj["status"]) == (2, {"ready": True})
    assert [(row["manager"], row.get("subresource")) for row in obj["metadata"]["managedFields"]] == [
        ("me", None),
        ("me", "status"),
    ]


def test_an_object_from_before_the_first_apply_has_an_owner_for_what_it_held(store: Store) -> None:
    stored = frozen({**config_map(data={"a": "1"}), "metadata": {**config_map()["metadata"], "managedFields": []}})
    store.restore([stored])
    obj = applied(store, config_map(data={"a": "1", "b": "2"})).obj
    assert owned(obj)["before-first-apply"] == [".data", ".data.a"]
    with pytest.raises(ApiError) as refused:
        applied(store, config_map(data={"a": "9", "b": "2"}))
    assert conflicts(refused.value) == [".data.a"]


# ── conflicts ───────────────────────────────────────────────────────────────────────────────────
def test_another_value_for_what_somebody_else_owns_is_a_conflict(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red", "size": 2}), "one")
    with pytest.raises(ApiError) as refused:
        applied(widgets, widget(spec={"color": "blue", "size": 3}), "two")
    assert (refused.value.code, refused.value.reason) == (409, "Conflict")
    assert conflicts(refused.value) == [".spec.color", ".spec.size"]
    assert str(refused.value) == ('Apply failed with 2 conflicts: conflicts with "one":\n- .spec.color\n- .spec.size')


def test_force_takes_the_fields_over(widgets: Store) -> None:
    applied(widgets, widget(spec={"color": "red", "size": 2}), "one")
    obj = applied(widgets, widget(spec={"color": "blue"}), "two", force=True).obj
    assert obj["spec"] == {"color": "blue", "size": 2}
    assert owned(obj) == {"one": [".spec.size"], "two": [".spec.color"]}


def test_an_updates_fields_are_named_with_its_operation_and_version(widgets: Store) -> None:
    widgets.create(WIDGET, "default", widget(spec={"color": "red"}), manager="hand")
    with pytest.raises(ApiError, match=r'1 conflict: conflict with "hand" using demo\.io/v1: \.spec\.color'):
        applied(widgets, widget(spec={"color": "blue"}))


# ── lists and maps ──────────────────────────────────────────────────────────────────────────────
PARTS = [{"name": "a", "count": 1}, {"name": "b", "count": 2}]


@pytest.mark.parametrize(
    ("one", "two", "result"),
    [
        ({"tags": ["a", "b"]}, {"tags": ["c", "a"]}, {"tags": ["c", "a", "b"]}),
        ({"parts": PARTS}, {"parts": [{"name": "b", "note": "n"}]}, {"parts": [PARTS[0], {**PARTS[1], "note": "n"}]}),
        ({"parts": PARTS}, {"parts": [{"name": "c"}]}, {"parts": [*PARTS, {"name": "c"}]}),
        ({"parts": PARTS}, {"parts": [PARTS[1], PARTS[0]]}, {"parts": [PARTS[1], PARTS[0]]}),
        ({"plain": ["a"]}, {"tags": ["x"]}, {"plain": ["a"], "tags": ["x"]}),
    ],
    ids=["sets", "items by key", "new items", "order", "beside each other"],
)
def test_two_appliers_share_lists_by_their_items(
    widgets: Store, one: Mapping[str, Any], two: Mapping[str, Any], result: Mapping[str, Any]
) -> None:
    applied(widgets, widget(spec=one), "one")
    assert applied(widgets, widget(spec=two), "two").obj["spec"] == {**result, "size": 1}


@pytest.mark.parametrize(
    ("field", "one", "two"),
    [("plain", ["a"], ["a", "b"]), ("atom", {"a": "1"}, {"b": "2"})],
)
def test_what_is_atomic_has_one_owner(widgets: Store, field: str, one: Any, two: Any) -> None:
    applied(widgets, widget(spec={field: one}), "one")
    with pytest.raises(ApiError) as refused:
        applied(widgets, widget(spec={field: two}), "two")
    assert conflicts(refused.value) == [f".spec.{field}"]
    obj = applied(widgets, widget(spec={field: two}), "two", force=True).obj
    assert obj["spec"][field] == two
    assert owned(obj)["two"] == [f".spec.{field}"]


def test_an_item_is_taken_away_with_its_last_owner(widgets: Store) -> None:
    applied(widgets, widget(spec={"parts": PARTS, "tags": ["x", "y"]}), "one")
    applied(widgets, widget(spec={"parts": [PARTS[0]], "tags": ["y"]}), "two")
    obj = applied(widgets, widget(spec={}), "one").obj
    assert obj["spec"] == {"parts": [PARTS[0]], "tags": ["y"], "size": 1}


def test_items_are_named_by_their_keys(widgets: Store) -> None:
    obj = applied(widgets, widget(spec={"parts": [PARTS[0]], "tags": ["x"]})).obj
    assert owned(obj)["me"] == [
        '.spec.parts[name="a"]',
        '.spec.parts[name="a"].count',
        '.spec.parts[name="a"].name',
        '.spec.tags[="x"]',
    ]


def test_a_key_with_a_default_need_not_be_written(store: Store) -> None:
    port = {"containerPort": 80}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": _template({"ports": [port]})}
    obj = applied(store, made(DEPLOYMENT, "web", {"spec": spec})).obj
    assert any('ports[containerPort=80,protocol="TCP"]' in path for path in owned(obj)["me"])


def _template(container: Object) -> Object:
    containers = [{"name": "main", "image": "i", **container}]
    return {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": containers}}


def test_a_container_of_another_owner_survives(store: Store) -> None:
    applied(store, deployment(image="web:1"))
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "main", "image": "web:1"}, _SIDECAR]}}}}
    store.patch(DEPLOYMENT, "default", "web", patch, manager="injector")
    obj = applied(store, deployment(image="web:2")).obj
    found = {row["name"]: row["image"] for row in obj["spec"]["template"]["spec"]["containers"]}
    assert found == {"main": "web:2", "sidecar": "proxy:1"}


_SIDECAR = {"name": "sidecar", "image": "proxy:1"}


# ── refusals ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("kind", "obj", "code", "message"),
    [
        (CONFIG_MAP, {"kind": "ConfigMap", "metadata": {"name": "a"}}, 400, "apiVersion and kind"),
        (CONFIG_MAP, config_map("a", managedFields=[{}]), 400, r"metadata\.managedFields must be nil"),
        (CONFIG_MAP, {**config_map("a"), "apiVersion": "v2"}, 400, "Incorrect version specified in apply patch"),
        (CONFIG_MAP, config_map("b"), 400, "does not match the name on the URL"),
        (CONFIG_MAP, config_map("a", uid="u"), 409, "uid mismatch"),
        (CONFIG_MAP, {**config_map("a"), "odd": 1}, 500, r"\.odd: field not declared in schema"),
        (CONFIG_MAP, {**config_map("a"), "data": {"a": 1}}, 500, r"\.data\.a: expected string, got 1"),
        (WIDGET, widget(spec={"tags": ["x", "x"]}), 500, "duplicate entries for key"),
        (WIDGET, widget(spec={"parts": [{"count": 1}]}), 500, "omits all key fields"),
        (WIDGET, widget(spec={"size": -1}), 422, r"spec\.size"),
    ],
)
def test_a_configuration_that_fits_nothing_is_refused(
    widgets: Store, kind: Kind, obj: Object, code: int, message: str
) -> None:
    with pytest.raises(ApiError, match=message) as refused:
        widgets.apply(kind, "default", "a", frozen(obj), "me")
    assert refused.value.code == code
    assert widgets.find(kind, "default", "a") is None


def test_an_apply_to_the_status_of_what_is_not_there_is_not_found(widgets: Store) -> None:
    with pytest.raises(ApiError, match="not found"):
        applied(widgets, widget(), subresource="status")


# ── many owners ─────────────────────────────────────────────────────────────────────────────────
def test_the_oldest_of_many_updaters_become_one(store: Store, clock: SetClock) -> None:
    store.create(CONFIG_MAP, "default", config_map(data={"start": "1"}), manager="m0")
    for number in range(1, 14):
        clock.advance(1)
        store.patch(CONFIG_MAP, "default", "settings", {"data": {f"k{number}": "1"}}, manager=f"m{number}")
    found = owned(store.get(CONFIG_MAP, "default", "settings"))
    assert len(found) == 10
    assert ".data.k3" in found["ancient-changes"]
    assert "m13" in found


def test_kubectls_client_side_apply_gives_way_to_its_server_side_apply(store: Store) -> None:
    last = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"a":"1"}}'
    before = config_map(data={"a": "1"}, annotations={ownership.LAST_APPLIED: last})
    store.create(CONFIG_MAP, "default", before, manager="kubectl-client-side-apply")
    obj = applied(store, config_map(data={"a": "2"}), "kubectl").obj
    assert obj["data"] == {"a": "2"}
    with pytest.raises(ApiError, match="conflict"):
        applied(store, config_map(data={"a": "3"}), "somebody")
