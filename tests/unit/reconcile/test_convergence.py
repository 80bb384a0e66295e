"""Whatever happened before: a CR comes to what its spec alone asks for, and its end leaves nothing behind."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ork.reconcile.ports import OutcomeKind

TARGET = "orkestra.orkspace.io/serve-target"

BOX = """
operatorBox:
  onReconcile:
    configMaps:
      - {name: "{{ .item }}", data: {mode: "{{ .spec.mode }}"}, forEach: {field: spec.items, as: each}}
    namespaces: [{name: "ns-{{ .item }}", forEach: {field: spec.items, as: each}}]
serve:
  enabled: true
  target:
    other:
      primary: true
      operatorBox:
        onReconcile:
          configMaps:
            - {name: "{{ .item }}", data: {mode: other}, forEach: {field: spec.items, as: each}}
            - {name: far, namespace: kube-public}
"""

SPECS = st.fixed_dictionaries(
    {"items": st.lists(st.sampled_from("abc"), unique=True, max_size=3), "mode": st.sampled_from("xy")}
)
STEPS = st.one_of(
    st.tuples(st.just("spec"), SPECS, st.booleans()),
    st.tuples(st.just("edit"), st.sampled_from("abc"), st.booleans()),
    st.tuples(st.just("crash"), st.integers(0, 4), st.none()),
)


def step(w: Any, kind: str, value: Any, flag: Any) -> None:
    """Do something to the world, and give the CR a turn."""
    if kind == "spec":
        w.cr(spec=value, annotations={TARGET: "other"} if flag else {})
    elif kind == "edit" and w.get("configmaps", value) is not None:
        if flag:
            w.delete("configmaps", value)
        else:
            w.patch("configmaps", value, {"data": {"mode": "edited"}})
    elif kind == "crash":
        crash(w, value)
        return
    w.turn()


def crash(w: Any, writes: int) -> None:
    """Let the process die before one of its writes; it starts anew with an empty memory."""
    left = [writes]

    def may_write() -> bool:
        left[0] -= 1
        return left[0] >= 0

    w.ports = w.ports._replace(may_write=may_write)
    w.turn()
    w.restart()


def state(w: Any) -> list[Any]:
    """Return the CR's children, without what only tells when they were written."""
    uid = w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"]
    return [(str(child.ref), child.obj.get("data"), owner(child.obj)) for child in w.ports.view.owned(uid)]


def owner(obj: Any) -> str:
    return str(obj["metadata"]["labels"]["orkestra-owner"])


@given(st.lists(STEPS, max_size=8), SPECS, st.booleans())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_cr_comes_to_what_its_spec_asks_for_and_leaves_nothing_behind(
    world: Any, steps: list[Any], spec: Any, other: bool
) -> None:
    w, fresh = world(BOX), world(BOX)
    w.cr(spec={"items": ["a"], "mode": "x"})
    for each in [*steps, ("spec", spec, other)]:
        step(w, *each)
        w.rest()
    fresh.cr(spec=spec, annotations={TARGET: "other"} if other else {})
    for both in (w, fresh):
        both.settle()
        both.rest()
        both.settle()
    assert state(w) == state(fresh)
    w.restart()
    w.turn()
    assert w.requests == [], "what is settled is settled for a new process too"
    finish(w)


def finish(w: Any) -> None:
    """Delete the CR, and see that nothing of it is left."""
    uid = w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"]
    w.store.delete(w.crd.kind, "default", "web", propagation="Background")
    for _ in range(4):
        w.turn()
        w.rest()
    assert w.turn().kind is OutcomeKind.GONE
    assert w.store.find(w.crd.kind, "default", "web") is None
    assert [str(child.ref) for child in w.ports.view.owned(uid)] == []
