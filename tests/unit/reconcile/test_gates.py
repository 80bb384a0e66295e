"""Gates and sentinels: at event time and at dequeue, with calls, failPolicy, and what travels with the item
(seed conditional-reconciliation.md; language, section 8)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.engine.gates import Held
from ork.reconcile.gates import Event
from ork.reconcile.ports import Cause, Item, OutcomeKind

CHILD = "onReconcile: {configMaps: [{name: web}]}"
RECONCILE = f"""
operatorBox:
  preReconcile:
    reconcileGate:
      when: [{{field: "{{{{ .spec.enabled }}}}", equals: "true"}}]
      or:
        - {{field: spec.tier, equals: gold}}
        - {{field: spec.tier, equals: silver}}
  {CHILD}
"""


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ({"enabled": False, "tier": "gold"}, "spec.enabled is false"),
        ({"tier": "gold"}, "spec.enabled is not set"),
        (
            {"enabled": True, "tier": "tin"},
            "none of: spec.tier equals gold, spec.tier equals silver (spec.tier is tin)",
        ),
    ],
)
def test_a_gated_turn_writes_nothing_at_all_and_says_why(world: Any, spec: dict[str, Any], reason: str) -> None:
    w = world(RECONCILE)
    w.cr(spec=spec)
    outcome = w.turn()
    assert (outcome.kind, outcome.gate, outcome.reason) == (OutcomeKind.GATED, "reconcileGate", reason)
    assert (outcome.faults, outcome.after) == ((), None)
    assert w.requests == []


def test_an_open_gate_lets_the_turn_pass(world: Any) -> None:
    w = world(RECONCILE)
    w.cr(spec={"enabled": True, "tier": "silver"})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert "apply configmaps/default/web" in w.requests


def test_the_gate_reads_the_object_as_it_is_at_dequeue(world: Any) -> None:
    w = world(RECONCILE)
    old = w.cr(spec={"enabled": True, "tier": "gold"})
    item = w.admit(Event(w.ref(), Cause.EVENT, old))
    w.cr(spec={"enabled": False, "tier": "gold"})
    assert w.turn(item=item).kind is OutcomeKind.GATED


LARGE = "{failPolicy: open, when: [{field: spec.size, greaterThan: 5}]}"
CALLING = """
operatorBox:
  preReconcile:
    external: [{name: shared, url: "http://s.example.org/"}]
    GATE:
      failPolicy: POLICY
      external: [{name: own, url: "http://o.example.org/", ON}]
      when: [{field: external.own.open, equals: true}]
  onReconcile:
    configMaps: [{name: web, data: {own: "OWN", shared: "{{ .external.shared.status }}"}}]
"""


def calling(gate: str, policy: str, on: str = "timeout: 1s") -> str:
    read = "{{ .external.own.status }}" if gate == "reconcileGate" else "-"
    return CALLING.replace("GATE", gate).replace("POLICY", policy).replace(", ON}", f", {on}}}").replace("OWN", read)


@pytest.mark.parametrize(
    ("failing", "policy", "held"),
    [
        ("own", "open", None),
        ("own", "closed", 'external call "own" failed: answered 500'),
        ("shared", "open", None),
        ("shared", "closed", 'external call "shared" failed: answered 500'),
    ],
)
def test_a_failed_call_opens_or_holds_the_gate_as_fail_policy_says(
    world: Any, ok: Any, failing: str, policy: str, held: str | None
) -> None:
    w = world(calling("reconcileGate", policy))
    w.answers = {"own": ok({"open": True}), "shared": ok()} | {failing: ok(status=500)}
    w.cr(spec={})
    outcome = w.turn()
    if held is None:
        assert outcome.kind is OutcomeKind.SETTLED
    else:
        assert (outcome.kind, outcome.reason) == (OutcomeKind.GATED, held)


def test_a_call_that_may_fail_is_no_evaluation_failure(world: Any, ok: Any) -> None:
    w = world(calling("reconcileGate", "open", "continueOnError: true"))
    w.answers = {"own": ok(status=500), "shared": ok()}
    w.cr(spec={})
    outcome = w.turn()
    assert (outcome.kind, outcome.reason) == (OutcomeKind.GATED, "external.own.open is not set")


@pytest.mark.parametrize(("policy", "kind"), [("open", OutcomeKind.SETTLED), ("closed", OutcomeKind.GATED)])
def test_a_condition_that_cannot_be_evaluated_is_a_failure_too(world: Any, policy: str, kind: OutcomeKind) -> None:
    w = world(
        f"""
        operatorBox:
          preReconcile: {{reconcileGate: {{failPolicy: {policy}, when: [{{field: spec.size, greaterThan: 5}}]}}}}
          {CHILD}
        """
    )
    w.cr(spec={"size": "large"})
    assert w.turn().kind is kind


def test_a_reconcile_gate_that_stands_open_unevaluated_says_why(world: Any) -> None:
    w = world(f"operatorBox: {{preReconcile: {{reconcileGate: {LARGE}}}, {CHILD}}}")
    w.cr(spec={"size": "large"})
    (notice,) = w.turn().notices
    assert notice.startswith("the reconcileGate could not be evaluated (")
    assert notice.endswith("): it is open, since failPolicy is open")


def test_what_left_an_enqueue_gate_open_is_said_by_the_turn(world: Any) -> None:
    w = world(f"operatorBox: {{preReconcile: {{enqueueGate: {LARGE}}}, {CHILD}}}")
    item = w.admit(Event(w.ref(), Cause.EVENT, w.cr(spec={"size": "large"})))
    assert [notice.split(" (")[0] for notice in w.turn(item=item).notices] == ["the enqueueGate could not be evaluated"]


def test_a_gate_that_was_evaluated_says_nothing(world: Any) -> None:
    w = world(RECONCILE)
    w.cr(spec={"enabled": True, "tier": "gold"})
    assert w.turn().notices == ()


def test_the_calls_of_gates_are_read_by_resources(world: Any, ok: Any) -> None:
    w = world(calling("reconcileGate", "closed"))
    w.answers = {"own": ok({"open": True}), "shared": ok({}, 201)}
    w.cr(spec={})
    w.turn()
    assert [call.name for call in w.calls] == ["shared", "own"]
    assert w.get("configmaps", "web")["data"] == {"own": "200", "shared": "201"}


def test_the_results_of_an_enqueue_gate_travel_with_the_item(world: Any, ok: Any) -> None:
    w = world(calling("enqueueGate", "closed"))
    w.answers = {"own": ok({"open": True}), "shared": ok()}
    cr = w.cr(spec={})
    item = w.admit(Event(w.ref(), Cause.EVENT, cr))
    assert [call.name for call in w.calls] == ["shared", "own"]
    w.turn(item=item)
    assert w.calls == []
    assert w.get("configmaps", "web")["data"] == {"own": "-", "shared": "200"}


def test_a_retry_and_a_resync_ask_anew_and_an_event_of_a_child_does_not(world: Any, ok: Any) -> None:
    w = world(calling("enqueueGate", "closed"))
    w.answers = {"own": ok({"open": True}), "shared": ok()}
    cr = w.cr(spec={})
    item = w.admit(Event(w.ref(), Cause.EVENT, cr))
    for cause, names in [
        (Cause.RETRY, ["shared", "own"]),
        (Cause.RESYNC, ["shared", "own"]),
        (Cause.CHILD, []),
    ]:
        again = w.admit(Event(w.ref(), cause, cr, None, item))
        assert [call.name for call in w.calls] == names
        assert again.external == item.external


def test_a_resync_can_open_a_gate_on_an_external_call(world: Any, ok: Any) -> None:
    w = world(calling("enqueueGate", "closed"))
    w.answers = {"own": ok({"open": False}), "shared": ok()}
    cr = w.cr(spec={})
    assert w.admit(Event(w.ref(), Cause.EVENT, cr)) == Held("enqueueGate", "external.own.open is false")
    w.answers["own"] = ok({"open": True})
    assert isinstance(w.admit(Event(w.ref(), Cause.RESYNC, cr)), Item)


def test_without_an_enqueue_gate_the_shared_calls_run_at_dequeue(world: Any, ok: Any) -> None:
    w = world(calling("reconcileGate", "closed"))
    w.answers = {"own": ok({"open": True}), "shared": ok()}
    item = w.admit(Event(w.ref(), Cause.EVENT, w.cr(spec={})))
    assert w.calls == []
    w.turn(item=item)
    assert [call.name for call in w.calls] == ["shared", "own"]


def test_a_failed_shared_call_counts_for_the_reconcile_gate_as_well(world: Any, ok: Any) -> None:
    w = world(
        f"""
        operatorBox:
          preReconcile:
            external: [{{name: shared, url: "http://s.example.org/"}}]
            enqueueGate: {{when: [{{field: spec.on, equals: true}}]}}
            reconcileGate: {{failPolicy: closed, when: [{{field: spec.on, equals: true}}]}}
          {CHILD}
        """
    )
    w.answers = {"shared": ok(status=503)}
    item = w.admit(Event(w.ref(), Cause.EVENT, w.cr(spec={"on": True})))
    assert isinstance(item, Item), "the enqueueGate fails open"
    outcome = w.turn(item=item)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.GATED, 'external call "shared" failed: answered 503')
    assert w.calls == [], "it is not made twice"


def test_a_shared_call_without_any_gate_fails_the_cycle(world: Any, ok: Any) -> None:
    w = world(f'operatorBox: {{preReconcile: {{external: [{{name: s, url: "http://s.example.org/"}}]}}, {CHILD}}}')
    w.answers = {"s": ok(status=503)}
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.FAILED
    assert w.status()["Ready"]["reason"] == "ExternalCallFailed"


# ── sentinels ───────────────────────────────────────────────────────────────────────────────────
SENTINELS = f"""
operatorBox:
  preReconcile:
    sentinels: [generationChanged, labelsChanged, deletionStarted]
    enqueueGate: {{when: [{{field: "{{{{ generationChanged }}}}", equals: "true"}}]}}
  {CHILD}
"""


def test_on_an_add_event_everything_is_new(world: Any) -> None:
    w = world(SENTINELS)
    item = w.admit(Event(w.ref(), Cause.EVENT, w.cr(spec={})))
    assert item.sentinels == {"generationChanged": True, "labelsChanged": True, "deletionStarted": False}


def test_an_event_that_changes_nothing_of_interest_is_dropped(world: Any) -> None:
    w = world(SENTINELS)
    old = w.cr(spec={})
    new = w.cr(spec={}, labels={"a": "b"})
    assert w.admit(Event(w.ref(), Cause.EVENT, new, old)) == Held("enqueueGate", "generationChanged is false")


def test_causes_that_are_no_change_of_the_cr_carry_what_the_last_admitted_event_changed(world: Any) -> None:
    w = world(SENTINELS)
    old = w.cr(spec={"a": 1})
    new = w.cr(spec={"a": 2})
    item = w.admit(Event(w.ref(), Cause.EVENT, new, old))
    assert item.sentinels == {"generationChanged": True, "labelsChanged": False, "deletionStarted": False}
    for cause in (Cause.CHILD, Cause.RETRY, Cause.RESYNC):
        assert w.admit(Event(w.ref(), cause, new, None, item)).sentinels == item.sentinels


def test_before_any_event_was_admitted_they_carry_the_add_events(world: Any) -> None:
    w = world(SENTINELS)
    assert w.admit(Event(w.ref(), Cause.RESYNC, w.cr(spec={}))).sentinels["generationChanged"] is True


def test_events_that_meet_in_the_queue_are_one_with_both_their_changes(world: Any) -> None:
    w = world(SENTINELS.replace('"{{ generationChanged }}", equals: "true"', "spec.a, exists: true"))
    one = w.cr(spec={"a": 1})
    two = w.cr(spec={"a": 2})
    three = w.cr(spec={"a": 2}, labels={"a": "b"})
    first = w.admit(Event(w.ref(), Cause.EVENT, two, one))
    joined = w.admit(Event(w.ref(), Cause.EVENT, three, two, first, waiting=True))
    assert joined.sentinels == {"generationChanged": True, "labelsChanged": True, "deletionStarted": False}
    alone = w.admit(Event(w.ref(), Cause.EVENT, three, two, first, waiting=False))
    assert alone.sentinels == {"generationChanged": False, "labelsChanged": True, "deletionStarted": False}


def test_a_reconcile_gate_reads_what_the_event_changed(world: Any) -> None:
    w = world(SENTINELS.replace("enqueueGate", "reconcileGate"))
    old = w.cr(spec={})
    new = w.cr(spec={}, labels={"a": "b"})
    item = w.admit(Event(w.ref(), Cause.EVENT, new, old))
    outcome = w.turn(item=item)
    assert (outcome.kind, outcome.reason) == (OutcomeKind.GATED, "generationChanged is false")


def test_a_gate_never_stops_a_deletion(world: Any) -> None:
    w = world(SENTINELS.replace('"{{ generationChanged }}", equals: "true"', "spec.never, equals: true"))
    w.cr(spec={}, finalizers=["orkestra.orkspace.io/finalizer"])
    w.delete("apps", "web")
    new = w.store.get(w.crd.kind, "default", "web")
    item = w.admit(Event(w.ref(), Cause.EVENT, new))
    assert item.sentinels["deletionStarted"] is True
    assert w.turn(item=item).kind is OutcomeKind.GONE


def test_drift_behind_a_generation_gate_is_still_corrected(world: Any) -> None:
    w = world(SENTINELS)
    cr = w.cr(spec={})
    item = w.admit(Event(w.ref(), Cause.EVENT, cr))
    w.turn(item=item)
    w.delete("configmaps", "web")
    again = w.admit(Event(w.ref(), Cause.CHILD, cr, None, item))
    w.turn(item=again)
    assert w.ops == ["create configmaps/default/web"]


def test_what_could_not_be_evaluated_at_event_time_is_said_by_the_turn_of_a_box_without_gates(world: Any) -> None:
    w = world("operatorBox: {}")
    w.cr(spec={})
    item = Item(w.ref(), {}, Cause.EVENT, notice="it decides nothing")
    assert w.turn(item=item).notices == ("it decides nothing",)
