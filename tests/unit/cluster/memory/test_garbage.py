"""Garbage collection: what becomes of objects whose owners go."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Object
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import CONFIG_MAP, NAMESPACE, WIDGET, config_map, widget


def reference(owner: Object, **more: bool) -> Object:
    meta = owner["metadata"]
    return {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": meta["name"], "uid": meta["uid"], **more}


class Family:
    """An owner `boss` and what depends on it."""

    def __init__(self, store: Store) -> None:
        self.store, self.controllers = store, Controllers(store)
        self.owner = store.create(CONFIG_MAP, "default", config_map("boss")).obj

    def child(self, name: str, *owners: Object, **meta: Any) -> Object:
        references = [*owners] or [reference(self.owner)]
        made = config_map(name, ownerReferences=references, **meta)
        created: Object = self.store.create(CONFIG_MAP, "default", made).obj
        self.controllers.step()
        return created

    def dismiss(self, propagation: str = "") -> None:
        self.store.delete(CONFIG_MAP, "default", "boss", propagation=propagation)
        self.controllers.step()

    @property
    def names(self) -> list[str]:
        return [obj["metadata"]["name"] for obj in self.store.list(CONFIG_MAP, "default")]


@pytest.fixture
def family(store: Store) -> Family:
    return Family(store)


def test_dependents_go_with_their_owner_all_the_way_down(family: Family) -> None:
    child = family.child("child")
    family.child("grandchild", reference(child))
    family.dismiss()
    assert family.names == []


def test_orphans_stay_and_forget_their_owner(family: Family) -> None:
    family.child("child")
    family.dismiss("Orphan")
    assert family.names == ["child"]
    assert "ownerReferences" not in family.store.get(CONFIG_MAP, "default", "child")["metadata"]


def test_in_the_foreground_the_owner_waits_for_those_that_block_it(family: Family) -> None:
    family.child("child", reference(family.owner, blockOwnerDeletion=True), finalizers=["a.b/c"])
    family.child("other", reference(family.owner))
    family.dismiss("Foreground")
    assert family.names == ["boss", "child"]
    family.store.patch(CONFIG_MAP, "default", "child", {"metadata": {"finalizers": None}})
    family.controllers.step()
    assert family.names == []


def test_one_owner_left_is_enough(family: Family) -> None:
    second = family.store.create(CONFIG_MAP, "default", config_map("second")).obj
    family.child("child", reference(family.owner), reference(second))
    family.dismiss()
    assert family.names == ["child", "second"]
    left = family.store.get(CONFIG_MAP, "default", "child")["metadata"]["ownerReferences"]
    assert [row["name"] for row in left] == ["second"]


def test_another_object_of_the_owners_name_is_not_the_owner(family: Family) -> None:
    family.child("child", {**reference(family.owner), "uid": "long-gone"})
    assert family.names == ["boss"]


def test_an_owner_in_another_namespace_is_none(family: Family) -> None:
    family.store.create_namespace("team")
    owner = family.store.create(CONFIG_MAP, "team", config_map("boss2", namespace="team")).obj
    family.child("child", reference(owner))
    assert family.names == ["boss"]


def test_a_cluster_scoped_owner_may_own_anything(family: Family) -> None:
    owner = family.store.get(NAMESPACE, "", "kube-system")
    family.child("child", reference(owner))
    assert family.names == ["boss", "child"]


def test_an_owner_of_an_unknown_kind_counts_as_there(family: Family) -> None:
    family.child("child", {"apiVersion": "else.io/v1", "kind": "Odd", "name": "o", "uid": "u"})
    assert family.names == ["boss", "child"]


def test_given_objects_whose_owner_is_missing_are_left_alone(store: Store) -> None:
    gone = {"apiVersion": "v1", "kind": "ConfigMap", "name": "never", "uid": "u"}
    store.restore([config_map("child", ownerReferences=[gone])])
    Controllers(store).step()
    assert store.find(CONFIG_MAP, "default", "child") is not None


def test_custom_resources_take_part(widgets: Store) -> None:
    controllers = Controllers(widgets)
    owner = widgets.create(WIDGET, "default", widget()).obj
    widgets.create(CONFIG_MAP, "default", config_map("child", ownerReferences=[reference(owner)]))
    widgets.delete(WIDGET, "default", "a")
    controllers.step()
    assert widgets.list(CONFIG_MAP, "default") == []


def test_dependents_are_found_by_their_owners_uid(family: Family) -> None:
    child = family.child("child")
    state = family.store.state
    assert list(map(state.at, state.dependents(family.owner["metadata"]["uid"]))) == [child]
    assert state.dependents("nobody") == []
