"""A turn that is not told again would have asked for nothing; and what looks like the same turn is told when it could
differ."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ork.reconcile.ports import Cause, Item, OutcomeKind

BOX = """
operatorBox:
  preReconcile: {sentinels: [labelsChanged]}
  onReconcile:
    configMaps:
      - name: "{{ .metadata.name }}-{{ .item }}"
        data: {mode: "{{ .spec.mode }}"}
        forEach: {field: spec.items, as: each}
    namespaces: [{name: ns, when: [{field: spec.far, equals: true}], prune: true}]
  onCreate: {secrets: [{name: once, data: {a: b}}]}
  status:
    fields:
      - {path: phase, value: two, when: [{field: status.phase, equals: one}]}
      - {path: phase, value: one, when: [{field: status.phase, notExists: true}]}
      - {path: first, value: "{{ len .children.configmaps }}"}
"""

ITEMS = st.lists(st.sampled_from("abc"), unique=True, max_size=3)
CHANGES = st.one_of(
    st.tuples(
        st.just("spec"), st.fixed_dictionaries({"items": ITEMS, "mode": st.sampled_from("xy"), "far": st.booleans()})
    ),
    st.tuples(st.just("labels"), st.dictionaries(st.just("l"), st.sampled_from("12"))),
    st.tuples(st.just("edit"), st.sampled_from(["web-a", "web-b", "web-c"])),
    st.tuples(st.just("delete"), st.sampled_from(["web-a", "web-b", "once"])),
    st.tuples(st.just("foreign"), st.sampled_from(["web-a", "web-c"])),
    st.tuples(st.just("rest"), st.none()),
)


def change(w: Any, kind: str, value: Any) -> None:
    """Do something to the world."""
    if kind == "spec":
        w.cr(spec=value)
    elif kind == "labels":
        w.patch("apps", "web", {"metadata": {"labels": value}})
    elif kind == "rest":
        w.rest()
    elif kind == "foreign" and w.get("configmaps", value) is None:
        w.put({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": value, "namespace": "default"}})
    elif kind == "edit" and w.get("configmaps", value) is not None:
        w.patch("configmaps", value, {"data": {"mode": "edited"}, "metadata": {"annotations": {"note": "x"}}})
    elif kind == "delete":
        plural = "secrets" if value == "once" else "configmaps"
        if w.get(plural, value) is not None:
            w.delete(plural, value)


@given(st.lists(st.tuples(CHANGES, st.integers(1, 3)), max_size=8))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_turn_that_is_not_told_would_have_asked_for_nothing(world: Any, changes: list[Any]) -> None:
    w = world(BOX)
    w.cr(spec={"items": ["a"], "mode": "x", "far": False})
    for (kind, value), turns in [*changes, (("rest", None), 3)]:
        change(w, kind, value)
        for _ in range(turns):
            outcome = w.turn()
            if outcome.kind is OutcomeKind.SETTLED and outcome.scope is None:
                w.restart()
                told = w.turn()
                assert told.scope is not None
                assert (told.kind, told.after, w.requests) == (OutcomeKind.SETTLED, None, [])


def test_a_child_that_is_deleted_time_and_again_is_made_anew_each_time(world: Any) -> None:
    w = world(BOX)
    w.cr(spec={"items": ["a"], "mode": "x", "far": False})
    w.settle()
    for _ in range(3):
        w.delete("configmaps", "web-a")
        w.turn()
        assert w.get("configmaps", "web-a") is not None


@pytest.mark.parametrize(
    "reading",
    [
        '{path: at, value: "{{ now }}"}',
        '{path: state, value: "{{ .health.state }}"}',
    ],
)
def test_what_reads_more_than_the_cr_is_told_every_time(world: Any, reading: str) -> None:
    w = world(f"operatorBox: {{status: {{fields: [{reading}]}}}}")
    w.cr(spec={})
    w.settle()
    assert w.turn().scope is not None


def test_a_rule_over_all_crs_is_told_every_time(world: Any) -> None:
    w = world("operatorBox: {}\nvalidation: {rules: [{field: spec.host, unique: true}]}")
    w.cr(spec={"host": "a"})
    w.settle()
    assert w.turn().scope is not None


def test_a_box_with_calls_is_told_every_time(world: Any, ok: Any) -> None:
    w = world('operatorBox: {onReconcile: {external: [{name: a, url: "http://a.example.org/"}]}}')
    w.answers = {"a": ok()}
    w.cr(spec={})
    w.settle()
    w.turn()
    assert len(w.calls) == 1


def test_another_cause_of_the_same_state_is_not_told_and_other_sentinels_are(world: Any) -> None:
    w = world(BOX)
    w.cr(spec={"items": ["a"], "mode": "x"})
    item = Item(w.ref(), {"labelsChanged": True}, Cause.EVENT)
    for _ in range(4):
        w.turn(item=item)
    assert w.turn(item=item._replace(cause=Cause.RESYNC)).scope is None
    assert w.turn(item=item._replace(sentinels={"labelsChanged": False})).scope is not None
