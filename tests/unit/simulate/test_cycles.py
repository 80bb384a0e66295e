"""What happens in a cycle: changes, events, turns, controllers, time. How expectations are judged is tested apart."""

from __future__ import annotations

import pytest

from ork.base.clock import rfc3339
from tests.unit.simulate.conftest import BOX, CR, Simulate, errors, failures, ops

QUIET = "expect: {steady: true}"


def test_the_first_cycle_writes_and_the_others_are_quiet(simulate: Simulate) -> None:
    run = simulate(QUIET)
    assert ops(run, 1) == ["create deployments/web", "update status/web"]
    assert all(ops(run, cycle) == [] for cycle in range(2, 11))
    assert (len(run.cycles), run.steady_at, run.passed) == (10, 2, True)


def test_an_op_has_outcome_form_and_owner(simulate: Simulate) -> None:
    first, second = simulate(QUIET).cycles[0].ops
    assert first[:9] == (
        "create", "apply", "deployments", "apps/v1", "Deployment", "default", "web", "app", "default/web",
    )  # fmt: skip
    assert first.written["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx:1"
    assert second[:9] == ("update", "apply", "status", "demo.io/v1", "App", "default", "web", "app", "default/web")


def test_a_run_is_the_same_every_time(simulate: Simulate) -> None:
    text = "changes: [{cycle: 2, delete: {resource: deployments, name: web}}]\nexpect: {steady: true}"
    assert simulate(text) == simulate(text)


def test_a_patch_reaches_the_operator_in_its_cycle(simulate: Simulate) -> None:
    patch = "{resource: apps, name: web, patch: {spec: {image: 'nginx:2'}}}"
    run = simulate(f"changes: [{{cycle: 3, patch: {patch}}}]\n{QUIET}")
    assert ops(run, 2) == []
    assert ops(run, 3) == ["update deployments/web", "update status/web"]
    assert run.cycles[2].ops[0].written["metadata"]["generation"] == 2


def test_drift_is_corrected(simulate: Simulate) -> None:
    run = simulate(
        "changes: [{cycle: 3, patch: {resource: deployments, name: web, patch: {spec: {template: {spec: "
        "{containers: [{name: web, image: 'evil:1'}]}}}}}}]\n" + QUIET
    )
    assert ops(run, 3) == ["update deployments/web"]


def test_a_status_is_patched_through_its_subresource(simulate: Simulate) -> None:
    run = simulate(
        "changes: [{cycle: 2, patch: {resource: apps, name: web, subresource: status, patch: {status: {x: 1}}}}]\n"
        "expect: {status: {x: 1}}"
    )
    assert failures(run) == []


def test_a_deleted_child_is_made_anew(simulate: Simulate) -> None:
    run = simulate("changes: [{cycle: 3, delete: {resource: deployments, name: web}}]\n" + QUIET)
    assert ops(run, 3) == ["create deployments/web"]


def test_a_deleted_cr_takes_its_children_with_it(simulate: Simulate) -> None:
    run = simulate("changes: [{cycle: 3, delete: {resource: apps, name: web}}]\n" + QUIET)
    assert run.steady_at == 2
    assert run.finals == []
    assert [obj["kind"] for obj in run.objects if obj["kind"] in ("App", "Deployment")] == []


@pytest.mark.parametrize(
    "apply",
    ["other.yaml", "{apiVersion: demo.io/v1, kind: App, metadata: {name: other}, spec: {image: 'x:1'}}"],
    ids=["a file", "an object"],
)
def test_an_applied_object_is_created_beside_the_cr(simulate: Simulate, apply: str) -> None:
    other = CR.replace("web", "other")
    run = simulate(f"changes: [{{cycle: 2, apply: {apply}}}]\n{QUIET}", files={"other.yaml": other})
    assert ops(run, 2) == ["create deployments/other", "update status/other"]
    assert [final.object for final in run.finals] == ["default/other", "default/web"]


def test_an_applied_object_that_is_there_is_replaced(simulate: Simulate) -> None:
    new = CR.replace("nginx:1", "nginx:9")
    run = simulate(f"changes: [{{cycle: 2, apply: new.yaml}}]\n{QUIET}", files={"new.yaml": new})
    assert ops(run, 2) == ["update deployments/web", "update status/web"]


def test_a_restarted_operator_writes_nothing_new(simulate: Simulate) -> None:
    run = simulate("changes: [{cycle: 3, restart: true}]\nexpect: {steadyAt: 2}")
    assert failures(run) == []


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        ("{verb: apply, resource: deployments, status: 503}", "refused with 503"),
        ("{verb: create, resource: deployments, status: 422}", "refused with 422"),
        ("{verb: apply, resource: status, status: 500}", "refused with 500"),
        ("{verb: apply, resource: status, status: 409, times: 2}", "refused with 409"),
    ],
)
def test_a_refused_write_is_an_error_and_is_made_up_for(simulate: Simulate, fail: str, message: str) -> None:
    expect = f"expect: {{steady: true, errors: [{{contains: {message}}}]}}"
    run = simulate(f"changes: [{{cycle: 1, fail: {fail}}}]\n{expect}")
    assert failures(run) == []
    assert ops(run, 3 if "times" in fail else 2) != []
    assert all(message in error for error in errors(run))


def test_an_error_in_the_last_cycle_is_not_steady(simulate: Simulate) -> None:
    run = simulate(
        "cycles: 2\nchanges: [{cycle: 1, fail: {verb: apply, resource: deployments, status: 503, times: 9}}]\n"
        "expect: {steady: true, noErrors: false}"
    )
    assert run.steady_at is None
    assert [failure.split(":")[0] for failure in failures(run)] == ["expect.steady"]


# ── time ────────────────────────────────────────────────────────────────────────────────────────
CLOCK_BOX = """
onReconcile:
  configMaps:
    - name: "{{ .metadata.name }}"
      data: {now: "{{ now }}"}
"""


def test_the_clock_begins_on_a_monday_and_goes_by_the_resync(simulate: Simulate) -> None:
    run = simulate(QUIET, box="reconciler: {resync: 90s}\n" + BOX)
    assert [rfc3339(cycle.at) for cycle in run.cycles[:3]] == [
        "2026-01-05T10:00:00Z",
        "2026-01-05T10:01:30Z",
        "2026-01-05T10:03:00Z",
    ]


def test_the_start_of_the_clock_is_told_where_time_is_read(simulate: Simulate) -> None:
    assert "the clock starts at 2026-01-05T10:00:00Z" in simulate("cycles: 1\n" + QUIET, box=CLOCK_BOX).notices[0]
    assert simulate(QUIET).notices == ()


def test_the_clock_can_be_set_and_advanced(simulate: Simulate) -> None:
    run = simulate(
        "at: '2026-12-24T08:00:00Z'\ncycles: 3\nchanges: [{cycle: 3, advance: 10m}]\nexpect: {steady: false}",
        box=CLOCK_BOX,
    )
    assert [rfc3339(cycle.at) for cycle in run.cycles] == [
        "2026-12-24T08:00:00Z",
        "2026-12-24T08:00:30Z",
        "2026-12-24T08:11:00Z",
    ]
    assert run.notices == ()


# ── what the cluster does ───────────────────────────────────────────────────────────────────────
STATUS_BOX = (
    BOX
    + """
status:
  fields:
    - {path: ready, value: "{{ allReplicasReady .children.deployment }}"}
"""
)


@pytest.mark.parametrize(
    ("workloads", "ready"), [("ready", "true"), ("never", "false"), ("{deployments: never}", "false")]
)
def test_workloads_become_ready_after_the_cycle_unless_told_otherwise(
    simulate: Simulate, workloads: str, ready: str
) -> None:
    run = simulate(f"workloads: {workloads}\nexpect: {{status: {{ready: {ready}}}}}", box=STATUS_BOX)
    assert failures(run) == []


def test_given_objects_are_there_from_the_beginning(simulate: Simulate) -> None:
    given = (
        CR
        + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: theirs, namespace: elsewhere, uid: u-1}\n---\n"
        + CR.replace("web", "second")
    )
    run = simulate(QUIET, cr=given)
    assert ops(run, 1) == [
        "create deployments/second",
        "update status/second",
        "create deployments/web",
        "update status/web",
    ]
    (theirs,) = [obj for obj in run.objects if obj["metadata"]["name"] == "theirs"]
    assert theirs["metadata"]["uid"] == "u-1"
    assert "elsewhere" in {obj["metadata"]["name"] for obj in run.objects if obj["kind"] == "Namespace"}


def test_the_schema_defaults_what_the_cr_leaves_out(simulate: Simulate) -> None:
    run = simulate(QUIET, cr=CR.replace('spec: {image: "nginx:1"}', "spec: {}"))
    assert run.cycles[0].ops[0].written["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx"


@pytest.mark.parametrize(
    ("cr", "says"),
    [
        (CR.replace("{image", "{size: -1, image"), "spec.size"),
        (CR.replace("kind: App", "kind: Ship"), "have no App (demo.io/v1); they have Ship (demo.io/v1)"),
        (CR.replace("name: web", "name: WEB"), "metadata.name"),
    ],
    ids=["not as the schema says", "of a kind that nobody knows", "with a bad name"],
)
def test_a_given_object_that_does_not_fit_fails_the_run(simulate: Simulate, cr: str, says: str) -> None:
    run = simulate(QUIET, cr=cr)
    assert not run.passed
    assert says in failures(run)[0]


def test_a_change_that_cannot_be_made_fails_the_run(simulate: Simulate) -> None:
    run = simulate("changes: [{cycle: 2, patch: {resource: appps, name: web, patch: {}}}]\n" + QUIET)
    assert 'nobody serves the resource "appps"; did you mean "apps"?' in failures(run)[0]
    run = simulate("changes: [{cycle: 2, patch: {resource: apps, name: wbe, patch: {}}}]\n" + QUIET)
    assert failures(run)[0] == 'changes[0]: apps.demo.io "wbe" not found in default; did you mean "web"?'


def test_a_warning_on_the_cr_is_told_once_and_an_error_not_twice(simulate: Simulate) -> None:
    rule = "validation: {rules: [{field: spec.size, max: 3, message: too big, action: warn}]}"
    warned = simulate(QUIET, entry=rule, cr=CR.replace("{image", "{size: 9, image"))
    assert [notice for notice in warned.notices if "too big" in notice] == [
        "apps/default/web Warning ValidationWarning: too big"
    ]
    failed = simulate("expect: {noErrors: false}", box=BOX.replace(".spec.image", "div 1 0"))
    assert errors(failed) != []
    assert failed.notices == ()


def test_a_denied_cr_is_no_error_and_is_told(simulate: Simulate) -> None:
    rule = "validation: {rules: [{field: spec.size, max: 3, message: too big, action: deny}]}"
    denied = simulate(QUIET, entry=rule, cr=CR.replace("{image", "{size: 9, image"))
    assert (errors(denied), denied.passed) == ([], True)
    assert denied.finals[0].status["conditions"][0]["reason"] == "ValidationFailed"
    assert any("too big" in notice for notice in denied.notices)
