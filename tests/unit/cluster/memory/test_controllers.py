"""Simulated controllers: namespaces are emptied, workloads report as the policy says."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind, Object
from ork.cluster.memory import workloads
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.store import Store
from tests.unit.cluster.world import (
    CONFIG_MAP,
    DEPLOYMENT,
    NAMESPACE,
    WIDGET,
    SetClock,
    config_map,
    deployment,
    frozen,
    made,
    widget,
)

JOB = Kind("batch", "v1", "Job", "jobs", True)
STATEFUL_SET = Kind("apps", "v1", "StatefulSet", "statefulsets", True)
DAEMON_SET = Kind("apps", "v1", "DaemonSet", "daemonsets", True)
REPLICA_SET = Kind("apps", "v1", "ReplicaSet", "replicasets", True)


# ── namespaces ──────────────────────────────────────────────────────────────────────────────────
def test_a_namespace_goes_with_all_that_is_in_it(store: Store) -> None:
    controllers = Controllers(store)
    store.create_namespace("team")
    store.create(CONFIG_MAP, "team", config_map(namespace="team"))
    store.create(DEPLOYMENT, "team", deployment(namespace="team"))
    store.create(CONFIG_MAP, "default", config_map())
    store.delete(NAMESPACE, "", "team")
    controllers.step()
    assert store.find(NAMESPACE, "", "team") is None
    assert [obj["metadata"]["namespace"] for obj in store.list(CONFIG_MAP)] == ["default"]
    assert store.list(DEPLOYMENT) == []


def test_a_namespace_waits_for_finalizers_and_says_so(widgets: Store) -> None:
    controllers = Controllers(widgets)
    widgets.create_namespace("team")
    widgets.create(WIDGET, "team", widget(namespace="team", finalizers=["a.b/c"]))
    widgets.delete(NAMESPACE, "", "team")
    controllers.step()
    conditions = {row["type"]: row for row in widgets.get(NAMESPACE, "", "team")["status"]["conditions"]}
    assert conditions["NamespaceContentRemaining"]["message"].endswith("widgets.demo.io has 1 resource instances")
    assert "a.b/c in 1 resource instances" in conditions["NamespaceFinalizersRemaining"]["message"]
    widgets.patch(WIDGET, "team", "a", {"metadata": {"finalizers": None}})
    controllers.step()
    assert widgets.find(NAMESPACE, "", "team") is None


# ── workloads ───────────────────────────────────────────────────────────────────────────────────
def reported(store: Store, kind: Kind, obj: Object, policy: workloads.Policy = workloads.READY) -> Object:
    """Return the status after one step."""
    controllers = Controllers(store, policy)
    store.create(kind, "default", obj)
    controllers.step()
    status: Object = store.get(kind, "default", obj["metadata"]["name"]).get("status") or {}
    return status


def _set_spec() -> Object:
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    return {"selector": {"matchLabels": labels}, "template": template}


def _job() -> Object:
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    return made(JOB, "web", {"spec": {"template": template, "completions": 2, "backoffLimit": 3}})


OBJECTS: dict[Kind, Object] = {
    DEPLOYMENT: deployment(replicas=3),
    STATEFUL_SET: made(STATEFUL_SET, "web", {"spec": {**_set_spec(), "serviceName": "web", "replicas": 3}}),
    REPLICA_SET: made(REPLICA_SET, "web", {"spec": {**_set_spec(), "replicas": 3}}),
    DAEMON_SET: made(DAEMON_SET, "web", {"spec": _set_spec()}),
    JOB: _job(),
}


@pytest.mark.parametrize(
    ("kind", "well", "ill"),
    [
        (DEPLOYMENT, {"readyReplicas": 3, "availableReplicas": 3}, {"unavailableReplicas": 3}),
        (STATEFUL_SET, {"readyReplicas": 3, "availableReplicas": 3}, {"availableReplicas": 0}),
        (REPLICA_SET, {"readyReplicas": 3, "availableReplicas": 3}, {"replicas": 3}),
        (DAEMON_SET, {"numberReady": 1, "numberAvailable": 1}, {"numberReady": 0, "numberUnavailable": 1}),
        (JOB, {"succeeded": 2}, {"failed": 4}),
    ],
    ids=lambda value: value.kind if isinstance(value, Kind) else None,
)
def test_a_workload_reports_that_all_went_well_or_nothing_did(
    store: Store, kind: Kind, well: Object, ill: Object
) -> None:
    for policy, wanted, name in ((workloads.READY, well, "web"), (workloads.FAIL, ill, "ill")):
        obj = frozen({**OBJECTS[kind], "metadata": {**OBJECTS[kind]["metadata"], "name": name}})
        status = reported(store, kind, obj, policy)
        assert {key: status.get(key) for key in wanted} == wanted
        assert "readyReplicas" not in status or policy == workloads.READY


def test_a_workload_that_never_starts_reports_nothing(store: Store) -> None:
    assert reported(store, DEPLOYMENT, deployment(), workloads.NEVER) == {}


def test_the_policy_may_differ_by_kind(store: Store) -> None:
    policy = {"deployments": "fail", "*": "never"}
    assert reported(store, DEPLOYMENT, deployment(), policy)["unavailableReplicas"] == 1
    assert "readyReplicas" not in reported(store, STATEFUL_SET, OBJECTS[STATEFUL_SET], policy)
    assert [workloads.outcome({"Deployments": "fail"}, plural) for plural in ("deployments", "jobs")] == [
        "fail",
        "ready",
    ]


def _conditions(status: Object) -> dict[str, tuple[str, str]]:
    return {row["type"]: (row["status"], row["lastTransitionTime"]) for row in status["conditions"]}


def test_conditions_keep_the_time_at_which_they_came_true(store: Store, clock: SetClock) -> None:
    controllers = Controllers(store)
    store.create(DEPLOYMENT, "default", deployment(replicas=1))
    controllers.step()
    clock.advance(60)
    store.patch(DEPLOYMENT, "default", "web", {"spec": {"replicas": 2}})
    controllers.step()
    status = store.get(DEPLOYMENT, "default", "web")["status"]
    assert (status["readyReplicas"], status["observedGeneration"]) == (2, 2)
    assert _conditions(status)["Available"] == ("True", "2026-01-05T10:00:00Z")


def test_a_job_ends_once(store: Store, clock: SetClock) -> None:
    controllers = Controllers(store)
    store.create(JOB, "default", _job())
    controllers.step()
    before = store.get(JOB, "default", "web")["status"]
    clock.advance(60)
    store.patch(JOB, "default", "web", {"metadata": {"labels": {"x": "y"}}})
    controllers.step()
    assert store.get(JOB, "default", "web")["status"] == before


def test_given_objects_keep_their_status(store: Store) -> None:
    store.restore([frozen({**deployment(), "status": {"readyReplicas": 7}})])
    Controllers(store).step()
    assert store.get(DEPLOYMENT, "default", "web")["status"] == {"readyReplicas": 7}


def test_a_step_with_nothing_to_do_writes_nothing(store: Store) -> None:
    controllers = Controllers(store)
    store.create(DEPLOYMENT, "default", deployment())
    controllers.step()
    before = store.version
    controllers.step()
    assert store.version == before


def test_what_is_going_reports_nothing_more(store: Store) -> None:
    controllers = Controllers(store)
    store.create(DEPLOYMENT, "default", deployment(finalizers=["a.b/c"]))
    store.delete(DEPLOYMENT, "default", "web")
    controllers.step()
    assert store.get(DEPLOYMENT, "default", "web")["status"] == {}


@pytest.mark.parametrize("policy", ["ready", {}, {"*": "ready"}])
def test_without_a_word_workloads_become_ready(policy: Any) -> None:
    assert workloads.outcome(policy, "deployments") == workloads.READY
