"""Strategic merge patches: lists of Kubernetes' own kinds are merged by their keys, with the directives of kubectl."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Object
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.memory.strategic import strategic_patch
from tests.unit.cluster.world import DEPLOYMENT, SERVICE, frozen


def patched(store: Store, obj: Object, patch: Object) -> Any:
    return strategic_patch(store.resource(DEPLOYMENT), frozen(patch))(frozen(obj))


def pod(**spec: Any) -> Object:
    return {"spec": {"template": {"spec": spec}}}


A, B, C = ({"name": name, "image": f"{name}:1"} for name in "abc")


@pytest.mark.parametrize(
    ("patch", "result"),
    [
        ([{"name": "b", "image": "b:2"}], [A, {**B, "image": "b:2"}]),
        ([C], [C, A, B]),
        ([{"name": "a", "$patch": "delete"}], [B]),
        ([C, {"$patch": "replace"}], [C]),
        ([{"name": "a", "image": None}], [{"name": "a"}, B]),
        ([{"name": "a", "$retainKeys": ["name"]}], [{"name": "a"}, B]),
    ],
    ids=["change", "add in front", "delete", "replace all", "drop a field", "retain"],
)
def test_items_are_merged_by_their_key(store: Store, patch: list[Object], result: list[Object]) -> None:
    assert patched(store, pod(containers=[A, B]), pod(containers=patch)) == pod(containers=result)


def test_a_given_order_is_followed(store: Store) -> None:
    order = {"$setElementOrder/containers": [{"name": "c"}, {"name": "a"}, {"name": "b"}]}
    patch = pod(**order, containers=[C])
    assert patched(store, pod(containers=[A, B]), patch) == pod(containers=[C, A, B])
    alone = {"spec": {"template": {"spec": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]}}}}
    assert patched(store, pod(containers=[A, B]), alone) == pod(containers=[B, A])


def test_what_the_order_does_not_name_keeps_its_place(store: Store) -> None:
    order = {"$setElementOrder/containers": [{"name": "c"}, {"name": "b"}]}
    assert patched(store, pod(containers=[A, B, C]), pod(**order)) == pod(containers=[A, C, B])


def test_lists_of_texts_are_merged_where_the_kind_says_so(store: Store) -> None:
    obj = {"metadata": {"finalizers": ["a.b/c", "a.b/d"]}}
    added = patched(store, obj, {"metadata": {"finalizers": ["a.b/e"]}})
    assert sorted(added["metadata"]["finalizers"]) == ["a.b/c", "a.b/d", "a.b/e"]
    less = patched(store, obj, {"metadata": {"$deleteFromPrimitiveList/finalizers": ["a.b/c"]}})
    assert less == {"metadata": {"finalizers": ["a.b/d"]}}


def test_other_lists_are_replaced(store: Store) -> None:
    obj = pod(containers=[{"name": "a", "args": ["x", "y"]}])
    result = pod(containers=[{"name": "a", "args": ["z"]}])
    assert patched(store, obj, pod(containers=[{"name": "a", "args": ["z"]}])) == result


@pytest.mark.parametrize(
    ("patch", "result"),
    [
        ({"metadata": {"labels": {"a": None, "c": "3"}}}, {"metadata": {"labels": {"b": "2", "c": "3"}}}),
        ({"metadata": {"labels": {"$patch": "replace", "c": "3"}}}, {"metadata": {"labels": {"c": "3"}}}),
        ({"metadata": {"labels": {"$patch": "delete"}}}, {"metadata": {}}),
        ({"metadata": {"labels": {"$retainKeys": ["b"], "c": "3"}}}, {"metadata": {"labels": {"b": "2", "c": "3"}}}),
        ({"metadata": {"labels": None}}, {"metadata": {}}),
    ],
)
def test_maps_are_merged_replaced_or_deleted(store: Store, patch: Object, result: Object) -> None:
    assert patched(store, {"metadata": {"labels": {"a": "1", "b": "2"}}}, patch) == result


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (pod(containers=[{"image": "x"}]), "does not contain declared merge key: name"),
        ({"spec": {"$patch": "odd"}}, "unknown patch type: odd"),
    ],
)
def test_a_patch_that_makes_no_sense_is_refused(store: Store, patch: Object, message: str) -> None:
    with pytest.raises(ApiError, match=message):
        patched(store, pod(containers=[A]), patch)


def test_ports_of_a_service_are_told_apart_by_their_number(store: Store) -> None:
    patch = strategic_patch(store.resource(SERVICE), {"spec": {"ports": [{"port": 80, "targetPort": 8080}]}})
    obj = frozen({"spec": {"ports": [{"port": 80, "name": "a"}, {"port": 81, "name": "b"}]}})
    assert patch(obj)["spec"]["ports"] == [{"port": 80, "name": "a", "targetPort": 8080}, {"port": 81, "name": "b"}]
