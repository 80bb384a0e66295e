"""Objects that are copies of others, and that stand in several namespaces (language, section 6)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.labels import OWNER_UID_LABEL
from ork.reconcile.ports import OutcomeKind

SPREAD = """
operatorBox:
  onReconcile:
    configMaps:
      - name: shared
        data: {image: "{{ .spec.image }}"}
        toNamespaces: [default, "{{ .spec.team }}", "{{ .spec.others }}"]
"""
COPY = """
operatorBox:
  onReconcile:
    secrets:
      - name: "{{ .metadata.name }}-pull"
        fromSecret: "{{ .spec.source }}"
        fromNamespace: vault
        EXTRA
"""
SOURCE = {
    "metadata": {"name": "pull", "namespace": "vault"},
    "type": "demo.io/pull",
    "data": {"a": "MQ==", "b": "Mg=="},
}


def spread(w: Any, others: list[str] | None, team: str = "team") -> None:
    spec = {"image": "x", "team": team} | ({} if others is None else {"others": others})
    w.cr(spec=spec)


def teams(world: Any, box: str = SPREAD, namespaces: tuple[str, ...] = ("team", "a", "b", "vault")) -> Any:
    w = world(box)
    for namespace in namespaces:
        w.store.create_namespace(namespace)
    return w


def copying(world: Any, extra: str = "", block: str = "onReconcile") -> Any:
    w = teams(world, COPY.replace("EXTRA", extra).replace("onReconcile", block))
    w.cr(spec={"source": "pull"})
    return w


def written(w: Any) -> list[str]:
    """What the last turn changed beside the CR itself."""
    return [op for op in w.ops if not op.endswith("/default/web")]


def put(w: Any, kind: str = "Secret", **parts: Any) -> None:
    w.put({"apiVersion": "v1", "kind": kind, **SOURCE, **parts})


# ── in several namespaces ───────────────────────────────────────────────────────────────────────
def test_each_namespace_of_the_list_gets_one_and_lists_in_it_are_flattened(world: Any) -> None:
    w = teams(world)
    spread(w, ["a", "b", "a"])
    assert w.turn().kind is OutcomeKind.SETTLED
    assert written(w) == [f"create configmaps/{place}/shared" for place in ("default", "team", "a", "b")]
    labels = [w.get("configmaps", "shared", place)["metadata"]["labels"] for place in ("default", "team", "a", "b")]
    assert all(each == labels[0] and OWNER_UID_LABEL in each for each in labels)


def test_only_the_one_in_the_crs_namespace_is_owned_by_reference(world: Any) -> None:
    w = teams(world)
    spread(w, ["a"])
    w.settle()
    assert "ownerReferences" in w.get("configmaps", "shared")["metadata"]
    assert "ownerReferences" not in w.get("configmaps", "shared", "a")["metadata"]


def test_a_namespace_that_leaves_the_list_loses_its_object(world: Any) -> None:
    w = teams(world)
    spread(w, ["a", "b"])
    w.settle()
    spread(w, ["b"])
    w.turn()
    assert written(w) == ["delete configmaps/a/shared"]


def test_those_elsewhere_are_swept_with_the_cr(world: Any) -> None:
    w = teams(world)
    spread(w, ["a"])
    w.settle()
    w.delete("apps", "web")
    w.turn()
    assert written(w) == ["delete configmaps/a/shared", "delete configmaps/team/shared"]


def test_a_list_that_cannot_be_told_prunes_nothing(world: Any) -> None:
    w = teams(world)
    spread(w, ["a"])
    w.settle()
    spread(w, None)
    outcome = w.turn()
    assert written(w) == []
    assert "`toNamespaces[2]`" in outcome.reason


@pytest.mark.parametrize(("team", "told"), [("", "an empty text"), ("No_Place", "no namespace"), (7, "type int")])
def test_what_is_no_namespace_is_a_fault_of_the_entry(world: Any, team: Any, told: str) -> None:
    w = teams(world)
    spread(w, [], team)
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert told in outcome.reason
    assert written(w) == []


def test_with_for_each_every_item_stands_in_every_namespace_of_its_own(world: Any) -> None:
    w = teams(
        world,
        """
        operatorBox:
          onReconcile:
            configMaps:
              - name: "{{ .item.name }}"
                data: {a: b}
                forEach: {field: spec.items}
                toNamespaces: ["{{ .item.places }}"]
                when: [{field: item.off, exists: false}]
        """,
    )
    both: dict[str, Any] = {"name": "x", "places": ["a", "b"]}
    w.cr(spec={"items": [both, {"name": "y", "places": ["a"]}]})
    w.turn()
    assert written(w) == ["create configmaps/a/x", "create configmaps/b/x", "create configmaps/a/y"]
    w.settle()
    w.cr(spec={"items": [both | {"off": True}]})
    w.turn()
    assert written(w) == ["delete configmaps/a/y"], "an item that is held back has not left the list"


# ── from another object ─────────────────────────────────────────────────────────────────────────
def test_a_secret_is_copied_with_its_type(world: Any) -> None:
    w = copying(world)
    put(w)
    w.turn()
    assert w.requests[0] == "read secrets/vault/pull"
    made = w.get("secrets", "web-pull")
    assert (made["type"], made["data"]) == (SOURCE["type"], SOURCE["data"])


def test_what_the_entry_declares_lies_over_the_copy(world: Any) -> None:
    w = copying(world, "type: Opaque\n        data: {b: own}")
    put(w)
    w.turn()
    made = w.get("secrets", "web-pull")
    assert (made["type"], made["data"]) == ("Opaque", {"a": "MQ==", "b": "b3du"})


def test_a_config_map_is_copied_out_of_the_crs_namespace(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: mine, fromConfigMap: base}]}}")
    w.cr()
    put(w, "ConfigMap", metadata={"name": "base", "namespace": "default"}, data={"a": "b"}, type=None)
    w.turn()
    assert w.get("configmaps", "mine")["data"] == {"a": "b"}


def test_a_source_that_changes_is_copied_in_the_next_turn(world: Any) -> None:
    w = copying(world)
    put(w)
    w.turn()
    w.turn()
    assert written(w) == []
    w.patch("secrets", "pull", {"data": {"a": "Mw=="}}, "vault")
    w.turn()
    assert written(w) == ["update secrets/default/web-pull"]
    assert w.get("secrets", "web-pull")["data"]["a"] == "Mw=="


def test_a_source_that_is_not_there_is_a_fault_that_names_it_and_nothing_is_pruned(world: Any) -> None:
    w = copying(world, "toNamespaces: [a, b]")
    put(w)
    w.turn()
    w.delete("secrets", "pull", "vault")
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert "secrets/vault/pull, which it copies, does not exist" in outcome.reason
    assert w.status()["Ready"]["reason"] == "ReconcileError"
    assert written(w) == []
    put(w)
    assert w.turn().kind is OutcomeKind.SETTLED


def test_the_other_entries_are_written_all_the_same(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: a, fromConfigMap: none}, {name: b, data: {a: b}}]}}")
    w.cr()
    assert w.turn().kind is OutcomeKind.FAILED
    assert written(w) == ["create configmaps/default/b"]


def test_one_source_of_many_copies_is_read_once_in_a_turn(world: Any) -> None:
    w = copying(world, "toNamespaces: [a, b]")
    put(w)
    w.turn()
    assert [each for each in w.requests if each.startswith("read")] == ["read secrets/vault/pull"]


def test_a_copy_that_is_made_once_reads_its_source_no_more(world: Any) -> None:
    w = copying(world, block="onCreate")
    put(w)
    w.settle()
    w.delete("secrets", "pull", "vault")
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.requests == []


def test_a_condition_that_does_not_hold_reads_nothing(world: Any) -> None:
    w = copying(world, "when: [{field: spec.on, exists: true}]")
    assert w.turn().kind is OutcomeKind.SETTLED
    assert not [each for each in w.requests if each.startswith("read")]


def test_a_name_out_of_a_cr_leads_to_no_other_path(world: Any) -> None:
    w = copying(world)
    w.cr(spec={"source": "../../secrets/other"})
    outcome = w.turn()
    assert "is no name for a Secret" in outcome.reason
    assert not [each for each in w.requests if each.startswith("read")]


# ── made once ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("block", "extra", "corrected"),
    [("onCreate", "", False), ("onCreate", "reconcile: true, ", True), ("onReconcile", "", True)],
)
def test_once_has_no_effect_where_drift_is_corrected(world: Any, block: str, extra: str, corrected: bool) -> None:
    w = world(f"operatorBox: {{{block}: {{secrets: [{{name: s, once: true, {extra}data: {{a: b}}}}]}}}}")
    w.cr()
    w.settle()
    w.patch("secrets", "s", {"data": {"a": "ZHJpZnQ="}})
    w.turn()
    assert written(w) == (["update secrets/default/s"] if corrected else [])


def test_a_random_secret_is_made_once_and_copied_from_there(world: Any) -> None:
    w = teams(
        world,
        """
        operatorBox:
          onCreate:
            secrets: [{name: one, once: true, data: {password: "{{ randomAlphanumeric 20 }}"}}]
          onReconcile:
            secrets: [{name: many, fromSecret: one, toNamespaces: [a, b]}]
        """,
    )
    w.cr()
    assert w.turn().kind is OutcomeKind.FAILED, "there is nothing to copy yet"
    assert w.turn().kind is OutcomeKind.SETTLED
    data = [w.get("secrets", "many", place)["data"] for place in ("a", "b")]
    assert data == [w.get("secrets", "one")["data"]] * 2
