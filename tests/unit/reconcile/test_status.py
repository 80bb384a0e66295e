"""A CR's status after a turn: Ready, observedGeneration, fields, Events of transitions (language, section 11)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.reconcile.ports import OutcomeKind

OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def box(*fields: str, extra: str = "") -> str:
    listed = "\n".join(f"      - {field}" for field in fields)
    return f"""
operatorBox:
  onReconcile:
    deployments: [{{name: web, image: "x:{{{{ .spec.tag }}}}"}}]
  status:
    {extra}
    fields:
{listed}
"""


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def events(w: Any) -> list[str]:
    return [request.removeprefix("event ") for request in w.requests if request.startswith("event")]


def test_of_several_entries_for_a_path_the_last_whose_conditions_hold_wins(world: Any) -> None:
    w = world(
        box(
            "{path: phase, value: Pending}",
            '{path: phase, value: Ready, when: [{field: "{{ allReplicasReady .children.deployment }}", equals: true}]}',
        )
    )
    w.cr(spec={"tag": "1"})
    w.turn()
    assert w.status()["phase"] == "Pending"
    w.rest()
    w.turn()
    assert w.requests == ["status"]
    assert w.status()["phase"] == "Ready"


def test_a_field_for_which_no_entry_holds_keeps_its_value_unless_it_is_cleared(world: Any) -> None:
    w = world(
        box(
            "{path: kept, value: x, when: [{field: spec.on, equals: true}]}",
            "{path: cleared, value: x, when: [{field: spec.on, equals: true}], clearOnFalse: true}",
        )
    )
    w.cr(spec={"tag": "1", "on": True})
    w.turn()
    w.cr(spec={"tag": "1", "on": False})
    w.turn()
    assert (w.status()["kept"], w.status()["cleared"]) == ("x", "")
    w.turn()
    assert w.requests == []


def test_nested_paths_and_typed_values(world: Any) -> None:
    w = world(
        box(
            '{path: counts.regions, value: "{{ len .spec.regions }}"}',
            '{path: text, value: "{{ len .spec.regions }} regions"}',
            '{path: list, value: "{{ .spec.regions }}"}',
        ),
        status=schema(
            counts=schema(regions={"type": "integer"}), text={"type": "string"}, list={"type": "array", "items": OPEN}
        ),
    )
    w.cr(spec={"tag": "1", "regions": [{"a": 1}]})
    w.turn()
    assert w.status() == {"counts": {"regions": 1}, "text": "1 regions", "list": [{"a": 1}]}
    w.turn()
    assert w.requests == []


def test_a_missing_value_is_an_empty_text_and_no_number(world: Any) -> None:
    w = world(
        box('{path: text, value: "{{ .spec.missing }}"}', '{path: number, value: "{{ .spec.missing }}"}'),
        status=schema(text={"type": "string"}, number={"type": "integer"}),
    )
    w.cr(spec={"tag": "1"})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.status() == {"text": ""}


def test_a_field_that_is_no_text_keeps_its_value_when_it_goes_missing(world: Any) -> None:
    w = world(box('{path: number, value: "{{ .spec.size }}"}'), status=schema(number={"type": "integer"}))
    w.cr(spec={"tag": "1", "size": 3})
    w.turn()
    w.cr(spec={"tag": "1"})
    w.turn()
    assert w.status() == {"number": 3}


def test_a_field_that_cannot_be_evaluated_is_a_fault_and_keeps_its_value(world: Any) -> None:
    w = world(box('{path: half, value: "{{ div 10 .spec.by }}"}', "{path: other, value: x}"))
    w.cr(spec={"tag": "1", "by": 2})
    w.turn()
    assert w.status()["half"] == 5
    w.cr(spec={"tag": "1", "by": 0})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.reason.startswith("status.half: ")
    assert (w.status()["half"], w.status()["other"]) == (5, "x")
    assert w.status()["Ready"]["status"] == "False"


def test_conditions_see_the_status_as_it_was_at_the_start(world: Any) -> None:
    w = world(
        box(
            "{path: phase, value: two, when: [{field: status.phase, equals: one}]}",
            "{path: phase, value: one, when: [{field: status.phase, notExists: true}]}",
        )
    )
    w.cr(spec={"tag": "1"})
    outcome = w.turn()
    assert w.status()["phase"] == "one"
    assert outcome.after is not None, "a condition reads what has changed: another turn is due"
    assert outcome.after.total_seconds() == 0
    w.turn()
    assert w.status()["phase"] == "two"


def test_a_status_that_no_condition_reads_causes_no_further_turn(world: Any) -> None:
    w = world(box('{path: count, value: "{{ add (default .status.count 0) 1 }}"}'))
    w.cr(spec={"tag": "1"})
    assert w.turn().after is None
    assert w.status()["count"] == 1


# ── Ready ───────────────────────────────────────────────────────────────────────────────────────
def test_the_transition_time_moves_only_with_the_status(world: Any) -> None:
    w = world(box("{path: phase, value: x}"))
    w.cr(spec={"tag": "1"})
    w.turn()
    w.clock.moment = w.clock.moment.replace(hour=11)
    w.cr(spec={"tag": "2"})
    w.turn()
    assert w.status()["observedGeneration"] == 2
    assert w.status()["Ready"]["lastTransitionTime"] == "2026-01-05T10:00:00Z"
    w.cr(spec={})
    w.turn()
    assert w.status()["Ready"]["lastTransitionTime"] == "2026-01-05T11:00:00Z"


def test_a_long_message_is_cut(world: Any) -> None:
    w = world(
        box("{path: phase, value: x}", extra="")
        + f"validation: {{rules: [{{field: spec.no, exists: true, message: {'m' * 999}}}]}}\n"
    )
    w.cr(spec={"tag": "1"})
    w.turn()
    assert len(w.status()["Ready"]["message"]) == 256


def test_conditions_of_others_are_kept(world: Any) -> None:
    for conditions in (
        OPEN,
        schema(
            conditions={
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["type"],
                "items": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "required": ["type"],
                    "properties": {"type": {"type": "string"}},
                },
            }
        ),
    ):
        w = world("operatorBox: {onReconcile: {configMaps: [{name: web}]}}", status=conditions)
        w.cr(spec={})
        w.patch("apps", "web", {"status": {"conditions": [{"type": "Synced", "status": "True"}]}}, subresource="status")
        w.turn()
        assert w.status()["Synced"]["status"] == "True"
        assert w.status()["Ready"]["status"] == "True"
        w.turn()
        assert w.requests == []


def test_without_conditions_only_the_fields_are_written(world: Any) -> None:
    w = world(box("{path: phase, value: x}", extra="conditions: false"))
    w.cr(spec={"tag": "1"})
    w.turn()
    assert w.status() == {"phase": "x"}


def test_a_box_without_fields_still_says_ready(world: Any) -> None:
    w = world("operatorBox: {status: {}}")
    w.cr(spec={})
    w.turn()
    assert w.status()["Ready"]["reason"] == "ReconcileSucceeded"


@pytest.mark.parametrize(
    "room",
    [
        schema(phase={"type": "string"}),
        schema(
            phase={"type": "string"},
            conditions={"type": "array", "items": schema(type={"type": "string"}, status={"type": "string"})},
        ),
    ],
)
def test_what_the_schema_would_prune_is_not_written_and_never_written_for_ever(world: Any, room: Any) -> None:
    w = world(box("{path: phase, value: x}"), status=room)
    w.cr(spec={"tag": "1"})
    w.turn()
    assert "observedGeneration" not in w.status()
    w.turn()
    assert w.requests == []


def test_a_crd_without_the_status_subresource_gets_no_status(world: Any) -> None:
    w = world("operatorBox: {onReconcile: {configMaps: [{name: web}]}}", has_status=False)
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.requests == ["apply configmaps/default/web"]


def test_a_server_that_does_not_keep_a_status_is_not_sent_it_for_ever(world: Any) -> None:
    w = world(box("{path: phase, value: x}"))
    cluster = w.ports.cluster

    class Meddling:
        """A cluster with a webhook that rewrites the phase."""

        write, read, mark, event = cluster.write, cluster.read, cluster.mark, cluster.event

        async def status(self, ref: Any, status: Any, uid: str) -> Any:
            return await cluster.status(ref, {**status, "phase": "mine"}, uid)

    w.ports = w.ports._replace(cluster=Meddling())
    w.cr(spec={"tag": "1"})
    w.turn()
    assert w.requests[-1] == "status"
    w.turn()
    assert w.requests == []
    w.cr(spec={"tag": "2"})
    w.turn()
    assert w.requests[-1] == "status", "what is new is sent all the same"


def test_a_field_that_the_clusters_crd_does_not_know_is_a_fault(world: Any) -> None:
    w = world("operatorBox: {status: {}}", status=schema(phase={"type": "string"}))
    w.crd = w.crd._replace(schema=None)
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.FAILED


# ── Events ──────────────────────────────────────────────────────────────────────────────────────
def test_the_first_success_is_no_event_and_a_transition_is_one(world: Any) -> None:
    w = world(box("{path: phase, value: x}"))
    w.cr(spec={"tag": "1"})
    w.turn()
    assert events(w) == []
    w.cr(spec={})
    w.turn()
    assert [event.split(":")[0] for event in events(w)] == ["Warning ReconcileError"]
    w.cr(spec={"tag": "2"})
    w.turn()
    assert events(w) == ["Normal ReconcileSucceeded: reconciled"]
    w.turn()
    assert w.requests == []


def test_a_status_write_that_fails_is_a_fault_of_the_turn(world: Any) -> None:
    w = world(box("{path: phase, value: x}"), status=schema(phase={"type": "string", "maxLength": 0}))
    w.cr(spec={"tag": "1"})
    outcome = w.turn()
    assert outcome.kind is OutcomeKind.FAILED
    assert "status.phase" in outcome.reason
