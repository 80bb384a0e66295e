"""What is deleted when it is no longer wanted, and what never is (language, section 6, "Pruning")."""

from __future__ import annotations

from typing import Any

import pytest

LIST = """
operatorBox:
  onReconcile:
    configMaps:
      - name: "{{ .metadata.name }}-{{ .item }}"
        data: {item: "{{ .item }}"}
        forEach: {field: spec.items, as: each}
        EXTRA
"""


def deleted(w: Any) -> list[str]:
    return [op.removeprefix("delete configmaps/default/") for op in w.ops if op.startswith("delete")]


def box(extra: str = "") -> str:
    return LIST.replace("EXTRA", extra)


def test_an_item_that_leaves_the_list_is_deleted(world: Any) -> None:
    w = world(box())
    w.cr(spec={"items": ["a", "b", "c"]})
    w.turn()
    w.cr(spec={"items": ["c"]})
    w.turn()
    assert deleted(w) == ["web-a", "web-b"]
    w.turn()
    assert w.requests == []


def test_an_emptied_list_deletes_everything(world: Any) -> None:
    w = world(box())
    w.cr(spec={"items": ["a"]})
    w.turn()
    w.cr(spec={})
    w.turn()
    assert deleted(w) == ["web-a"]


@pytest.mark.parametrize(
    ("entry", "gone"),
    [
        (box("prune: false"), []),
        (box().replace("onReconcile", "onCreate"), []),
        (box("reconcile: true").replace("onReconcile", "onCreate"), ["web-a"]),
        (box("prune: true").replace("onReconcile", "onCreate"), ["web-a"]),
    ],
)
def test_only_what_is_drift_corrected_or_says_so_is_pruned(world: Any, entry: str, gone: list[str]) -> None:
    w = world(entry)
    w.cr(spec={"items": ["a"]})
    w.turn()
    w.cr(spec={"items": []})
    w.turn()
    assert deleted(w) == gone


def test_an_object_whose_name_changed_is_left_behind_by_no_one(world: Any) -> None:
    w = world('operatorBox: {onReconcile: {configMaps: [{name: "{{ .spec.name }}"}]}}')
    w.cr(spec={"name": "one"})
    w.turn()
    w.cr(spec={"name": "two"})
    w.turn()
    assert w.ops[:2] == ["create configmaps/default/two", "delete configmaps/default/one"]


@pytest.mark.parametrize(("extra", "gone"), [("", []), ("prune: false", []), ("prune: true", ["web"])])
def test_an_entry_whose_conditions_turn_false_is_left_as_it_is_unless_it_says_prune(
    world: Any, extra: str, gone: list[str]
) -> None:
    w = world(
        f"""
        operatorBox:
          onReconcile:
            configMaps:
              - name: web
                when: [{{field: spec.on, equals: true}}]
                {extra}
        """
    )
    w.cr(spec={"on": True})
    w.turn()
    w.cr(spec={"on": False})
    w.turn()
    assert deleted(w) == gone


def test_an_item_whose_conditions_turn_false_has_not_left_the_list(world: Any) -> None:
    w = world(box('when: [{field: "{{ .item }}", notEquals: "{{ .spec.off }}"}]'))
    w.cr(spec={"items": ["a", "b", "c"], "off": "none"})
    w.turn()
    w.cr(spec={"items": ["a", "c"], "off": "a"})
    w.turn()
    assert deleted(w) == ["web-b"]


def test_nothing_is_pruned_while_an_expression_of_the_box_fails(world: Any) -> None:
    w = world(box() + '      - {name: other, data: {x: "text {{ .spec.missing }}"}}\n')
    w.cr(spec={"items": ["a"], "missing": "x"})
    w.turn()
    w.cr(spec={"items": []})
    w.turn()
    assert deleted(w) == []
    w.cr(spec={"items": [], "missing": "x"})
    w.turn()
    assert deleted(w) == ["web-a"], "it is made up for by the next good cycle"


CALLED = """
operatorBox:
  onReconcile:
    external:
      - {name: plan, url: "http://plan.example.org/", continueOnError: true, GUARD}
    configMaps:
      - name: "{{ .item }}"
        forEach: {field: external.plan.names, as: each}
      - name: "x-{{ .item }}"
        forEach: {field: spec.items, as: each}
"""


@pytest.mark.parametrize("answer", ["failed", "skipped"])
def test_only_a_successful_answer_may_shrink_a_list(world: Any, ok: Any, answer: str) -> None:
    w = world(CALLED.replace("GUARD", "when: [{field: spec.call, equals: true}]"))
    w.answers["plan"] = ok({"names": ["a", "b"]})
    w.cr(spec={"call": True, "items": ["c"]})
    w.turn()
    w.answers["plan"] = ok({"names": []}, status=500)
    w.cr(spec={"call": answer == "failed", "items": []})
    w.turn()
    assert deleted(w) == ["x-c"], "what does not read the call is pruned all the same"
    w.answers["plan"] = ok({"names": ["b"]})
    w.cr(spec={"call": True, "items": []})
    w.turn()
    assert deleted(w) == ["a"]


def test_an_entry_that_left_the_katalog_is_deleted_if_it_was_drift_corrected(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: gone}]}, onCreate: {configMaps: [{name: kept}]}}")
    w.cr(spec={})
    w.turn()
    w.crd = world("operatorBox: {onReconcile: {secrets: [{name: new, data: {a: b}}]}}").crd
    w.turn()
    assert deleted(w) == ["gone"]
    assert w.get("configmaps", "kept")


def test_pruning_follows_the_writes_and_goes_backwards_through_the_waves(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            configMaps: [{name: "{{ .item }}", forEach: {field: spec.items, as: each}}]
            deployments: [{name: "{{ .item }}", image: x, forEach: {field: spec.items, as: each}}]
            serviceAccounts: [{name: "{{ .item }}", forEach: {field: spec.items, as: each}}]
        """
    )
    w.cr(spec={"items": ["a"]})
    w.turn()
    w.cr(spec={"items": ["b"]})
    w.turn()
    assert [request.replace("/default", "") for request in w.requests[:6]] == [
        "apply serviceaccounts/b",
        "apply configmaps/b",
        "apply deployments/b",
        "delete deployments/a",
        "delete configmaps/a",
        "delete serviceaccounts/a",
    ]


def test_a_child_that_is_being_deleted_is_not_deleted_again(world: Any) -> None:
    w = world(box())
    w.cr(spec={"items": ["a"]})
    w.turn()
    w.patch("configmaps", "web-a", {"metadata": {"finalizers": ["example.org/wait"]}})
    w.cr(spec={"items": []})
    w.turn()
    assert deleted(w) == ["web-a"]
    w.turn()
    assert w.requests == []
