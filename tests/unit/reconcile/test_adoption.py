"""An object that exists already where a child should be: ours, free, or somebody else's (language, section 6)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.reconcile.ports import Cause, Item, OutcomeKind

SYNC = """
operatorBox:
  onReconcile:
    configMaps:
      - {name: shared, data: {mode: fast}}
"""
ADOPT = SYNC.replace("{name: shared,", "{name: shared, adopt: true,")
ONCE = SYNC.replace("onReconcile", "onCreate")


def config(**metadata: Any) -> dict[str, Any]:
    meta = {"name": "shared", "namespace": "default", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": {"old": "1"}}


def owner(kind: str, name: str, uid: str) -> list[dict[str, Any]]:
    return [{"apiVersion": "demo.io/v1", "kind": kind, "name": name, "uid": uid, "controller": True}]


def test_a_free_object_is_adopted_without_an_owner_and_without_force(world: Any) -> None:
    w = world(SYNC)
    w.put(config())
    w.cr(spec={})
    w.turn()
    meta = w.get("configmaps", "shared")["metadata"]
    assert meta["annotations"]["orkestra.orkspace.io/adopted"] == "true"
    assert "ownerReferences" not in meta
    assert w.get("configmaps", "shared")["data"] == {"old": "1", "mode": "fast"}
    w.turn()
    assert w.requests == []


def test_a_field_of_another_manager_is_not_taken_from_it(world: Any) -> None:
    w = world(SYNC)
    w.put({**config(), "data": {"mode": "theirs"}})
    w.cr(spec={})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert "other" in outcome.reason, "the manager is named"
    assert w.get("configmaps", "shared")["data"] == {"mode": "theirs"}
    assert w.status()["Ready"]["reason"] == "ReconcileError"


def test_an_adopted_object_is_never_deleted(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            configMaps:
              - {name: "{{ .item }}", forEach: {field: spec.names, as: one}}
        """
    )
    w.put(config())
    w.cr(spec={"names": ["shared", "own"]})
    w.turn()
    w.cr(spec={"names": []})
    w.turn()
    assert w.ops == ["delete configmaps/default/own", "update status/default/web"]


def assert_owned(w: Any) -> None:
    """The object is the CR's own, and nothing is left to do."""
    meta = w.get("configmaps", "shared")["metadata"]
    assert meta["ownerReferences"][0]["name"] == "web"
    assert "orkestra.orkspace.io/adopted" not in meta["annotations"]
    w.turn()
    assert w.requests == []


def test_adopt_true_takes_full_ownership(world: Any) -> None:
    w = world(ADOPT)
    w.put({**config(), "data": {"mode": "theirs"}})
    w.cr(spec={})
    w.turn()
    assert_owned(w)
    assert w.get("configmaps", "shared")["data"] == {"mode": "fast"}


def test_adopt_true_takes_what_was_only_adopted_before(world: Any) -> None:
    w = world(SYNC)
    w.put(config())
    w.cr(spec={})
    w.turn()
    w.crd = world(ADOPT).crd
    w.turn()
    assert_owned(w)


def test_a_create_once_entry_leaves_a_free_object_alone_and_remembers_it(world: Any) -> None:
    w = world(ONCE)
    w.put(config())
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.get("configmaps", "shared")["data"] == {"old": "1"}
    assert "labels" not in w.get("configmaps", "shared")["metadata"]
    w.turn()
    assert w.requests == []


@pytest.mark.parametrize("entry", [SYNC, ADOPT, ONCE])
def test_an_object_of_another_controller_is_refused_and_its_owner_named(world: Any, entry: str) -> None:
    w = world(entry)
    w.put(config(ownerReferences=owner("Shop", "corner", "other-uid")))
    w.cr(spec={})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.reason.startswith("configmaps/default/shared exists and is controlled by Shop corner")
    assert w.get("configmaps", "shared")["data"] == {"old": "1"}


def test_a_child_of_another_living_cr_is_refused(world: Any) -> None:
    w = world(SYNC)
    w.cr("first", spec={})
    w.cr("second", spec={})
    w.turn("first")
    outcome = w.turn("second")
    assert outcome.kind is OutcomeKind.FAILED
    assert "controlled by App first" in outcome.reason


def test_a_child_that_a_restore_brought_back_is_ours_again(world: Any) -> None:
    w = world(SYNC)
    w.cr(spec={})
    w.turn()
    saved = w.get("configmaps", "shared")
    w.store.delete(w.crd.kind, "default", "web")
    w.delete("configmaps", "shared")
    w.cr(spec={})
    w.put({**saved, "metadata": {k: v for k, v in saved["metadata"].items() if k in ("name", "namespace", "labels")}})
    w.turn()
    uid = w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"]
    meta = w.get("configmaps", "shared")["metadata"]
    assert meta["labels"]["orkestra.orkspace.io/owner-uid"] == uid
    assert [reference["uid"] for reference in meta["ownerReferences"]] == [uid]
    w.turn()
    assert w.requests == []


def test_a_restored_create_once_child_is_relabelled_and_keeps_its_body(world: Any) -> None:
    w = world(ONCE)
    w.cr(spec={})
    w.turn()
    saved = w.get("configmaps", "shared")
    w.store.delete(w.crd.kind, "default", "web")
    w.delete("configmaps", "shared")
    w.cr(spec={})
    kept = {k: v for k, v in saved["metadata"].items() if k in ("name", "namespace", "labels", "ownerReferences")}
    w.put({**saved, "metadata": kept, "data": {"mode": "changed by hand"}})
    w.turn()
    uid = w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"]
    obj = w.get("configmaps", "shared")
    assert obj["metadata"]["labels"]["orkestra.orkspace.io/owner-uid"] == uid
    assert [reference["uid"] for reference in obj["metadata"]["ownerReferences"]] == [uid]
    assert obj["data"] == {"mode": "changed by hand"}
    w.turn()
    assert w.requests == []


def test_two_crs_of_one_name_in_two_namespaces_never_touch_each_others_children(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            namespaces:
              - {name: "ns-{{ .metadata.namespace }}"}
        """
    )
    w.cr("web", "one", spec={})
    w.cr("web", "two", spec={})
    for namespace in ("one", "two"):
        w.turn(item=Item(w.ref("web", namespace), {}, Cause.EVENT))
    w.store.delete(w.crd.kind, "one", "web")
    w.turn(item=Item(w.ref("web", "one"), {}, Cause.EVENT))
    assert w.ops == ["delete namespaces/ns-one"]
