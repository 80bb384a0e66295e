"""Notes on workloads, Jobs, Services and containers. A workload is not ready while its `observedGeneration` is behind
its `generation`: what its status says is about the spec before."""

from __future__ import annotations

from typing import Any

from ork.expr.compare import number
from ork.expr.notes import objects
from ork.expr.notes.kubernetes import exists, synced
from ork.expr.notes.note import Example, alias, note, text, whole

_POD_SPECS = ("spec.template.spec", "spec.jobTemplate.spec.template.spec", "spec")

_SCOPE = {
    "children": {
        "deployment": {
            "metadata": {"name": "web", "generation": 2},
            "spec": {
                "replicas": 3,
                "template": {
                    "spec": {
                        "containers": [
                            {
                                "name": "app",
                                "image": "nginx:1.27",
                                "env": [{"name": "MODE", "value": "fast"}],
                                "ports": [{"name": "http", "containerPort": 8080}],
                            }
                        ]
                    }
                },
            },
            "status": {
                "observedGeneration": 2,
                "replicas": 3,
                "readyReplicas": 3,
                "availableReplicas": 2,
                "updatedReplicas": 3,
            },
        },
        "job": {"metadata": {"name": "migrate"}, "status": {"succeeded": 1}},
        "service": {
            "spec": {"clusterIP": "10.96.0.7", "ports": [{"port": 80, "nodePort": 31234}]},
            "status": {"loadBalancer": {"ingress": [{"ip": "203.0.113.7", "hostname": "lb.example.com"}]}},
        },
        "cronjob": {"status": {"active": [{"name": "a"}], "lastScheduleTime": "2026-01-05T09:00:00Z"}},
    }
}


# ── replicas: a DaemonSet counts nodes where the others count replicas ──────────────────────────
def _desired(value: Any) -> int:
    if not exists(value):
        return 0
    return objects.int_at(value, "status.desiredNumberScheduled", objects.int_at(value, "spec.replicas", 1))


def _counted(replicas: str, nodes: str) -> Any:
    return lambda value: objects.int_at(value, f"status.{replicas}", objects.int_at(value, f"status.{nodes}"))


_ready = _counted("readyReplicas", "numberReady")
_available = _counted("availableReplicas", "numberAvailable")
_updated = _counted("updatedReplicas", "updatedNumberScheduled")


def _all_ready(value: Any) -> bool:
    """Tell whether a workload is ready, or every one of a map of workloads by name."""
    if not exists(value):
        return False
    if "metadata" not in value and "spec" not in value and "status" not in value:
        return all(map(_all_ready, value.values()))
    return synced(value) and _ready(value) == _desired(value)


def _rolled_out(value: Any) -> bool:
    return exists(value) and synced(value) and _updated(value) == _desired(value)


def _finished(kind: str) -> Any:
    return lambda value: text(objects.condition(value, kind).get("status")) == "True"


_complete, _gave_up = _finished("Complete"), _finished("Failed")


def _succeeded(value: Any) -> bool:
    wanted = max(objects.int_at(value, "spec.completions", 1), 1)
    return _complete(value) or (not _gave_up(value) and objects.int_at(value, "status.succeeded") >= wanted)


def _failed(value: Any) -> bool:
    if _gave_up(value) or _succeeded(value):
        return not _succeeded(value)
    return objects.int_at(value, "status.failed") > objects.int_at(value, "spec.backoffLimit")


# ── containers ──────────────────────────────────────────────────────────────────────────────────
def _container(value: Any, which: Any = 0) -> dict[str, Any]:
    """Return one container of a workload, CronJob or Pod, by its place or name."""
    for path in _POD_SPECS:
        containers = [each for each in objects.list_at(value, f"{path}.containers") if isinstance(each, dict)]
        if containers and number(which) is None:
            return next((each for each in containers if each.get("name") == text(which)), {})
        if containers:
            at = whole(which)
            return containers[at] if 0 <= at < len(containers) else {}
    return {}


def _env(value: Any, which: Any, name: Any) -> str:
    variables = objects.list_at(_container(value, which), "env")
    found = (each.get("value") for each in variables if isinstance(each, dict) and each.get("name") == text(name))
    return text(next(found, ""))


def _exposes(value: Any, which: Any, port: Any) -> bool:
    ports = objects.list_at(_container(value, which), "ports")
    return any(isinstance(each, dict) and text(each.get("containerPort")) == text(port) for each in ports)


# ── services ────────────────────────────────────────────────────────────────────────────────────
def _first(value: Any, path: str, field: str) -> Any:
    found = next(iter(objects.list_at(value, path)), None)
    return found.get(field) if isinstance(found, dict) else None


def _count(name: str, call: Any, meaning: str, result: int) -> Any:
    return note(f"{name} OBJECT", call, meaning, Example(f"{{{{ {name} .children.deployment }}}}", _SCOPE, result))


_all_ready_note = note(
    "allReplicasReady OBJECT",
    _all_ready,
    "Whether a workload has as many ready replicas as it wants; of a map of workloads, whether all have.",
    Example("{{ allReplicasReady .children.deployment }}", _SCOPE, True),
)

NOTES = (
    _all_ready_note,
    alias("replicasReady", _all_ready_note),
    note(
        "rolloutComplete OBJECT",
        _rolled_out,
        "Whether all wanted replicas run the newest spec.",
        Example("{{ rolloutComplete .children.deployment }}", _SCOPE, True),
    ),
    _count("desiredReplicas", _desired, "How many replicas the workload wants: 1 where it does not say.", 3),
    _count("readyReplicas", _ready, "How many replicas are ready.", 3),
    _count("availableReplicas", _available, "How many replicas have been ready for long enough.", 2),
    _count("updatedReplicas", _updated, "How many replicas run the newest spec.", 3),
    note(
        "jobSucceeded OBJECT",
        _succeeded,
        "Whether the Job completed.",
        Example("{{ jobSucceeded .children.job }}", _SCOPE, True),
    ),
    note(
        "jobFailed OBJECT",
        _failed,
        "Whether the Job gave up: it failed more often than its `backoffLimit` allows.",
        Example("{{ jobFailed .children.job }}", _SCOPE, False),
    ),
    note(
        "jobActive OBJECT",
        lambda value: objects.int_at(value, "status.active") > 0,
        "Whether a pod of the Job is at work.",
        Example("{{ jobActive .children.job }}", _SCOPE, False),
    ),
    note(
        "cronJobActiveCount OBJECT",
        lambda value: len(objects.list_at(value, "status.active")),
        "How many Jobs of the CronJob are at work.",
        Example("{{ cronJobActiveCount .children.cronjob }}", _SCOPE, 1),
    ),
    note(
        "cronJobLastScheduleTime OBJECT",
        lambda value: objects.text_at(value, "status.lastScheduleTime"),
        "When the CronJob last started a Job; empty where it has not.",
        Example("{{ cronJobLastScheduleTime .children.cronjob }}", _SCOPE, "2026-01-05T09:00:00Z"),
    ),
    note(
        "cronJobLastSuccessTime OBJECT",
        lambda value: objects.text_at(value, "status.lastSuccessfulTime"),
        "When a Job of the CronJob last completed; empty where none has.",
        Example("{{ cronJobLastSuccessTime .children.cronjob }}", _SCOPE, ""),
    ),
    note(
        "serviceClusterIP OBJECT",
        lambda value: objects.text_at(value, "spec.clusterIP"),
        "The Service's address inside the cluster; empty until it has one.",
        Example("{{ serviceClusterIP .children.service }}", _SCOPE, "10.96.0.7"),
    ),
    note(
        "serviceNodePort OBJECT",
        lambda value: _first(value, "spec.ports", "nodePort"),
        "The node port of the Service's first port; nothing where it has none.",
        Example("{{ serviceNodePort .children.service }}", _SCOPE, 31234),
    ),
    note(
        "serviceLoadBalancerIP OBJECT",
        lambda value: text(_first(value, "status.loadBalancer.ingress", "ip")),
        "The address that the load balancer gave; empty until it did.",
        Example("{{ serviceLoadBalancerIP .children.service }}", _SCOPE, "203.0.113.7"),
    ),
    note(
        "serviceLoadBalancerHost OBJECT",
        lambda value: text(_first(value, "status.loadBalancer.ingress", "hostname")),
        "The host name that the load balancer gave; empty until it did.",
        Example("{{ serviceLoadBalancerHost .children.service }}", _SCOPE, "lb.example.com"),
    ),
    note(
        "containerImage OBJECT [CONTAINER]",
        lambda value, which=0: text(_container(value, which).get("image")),
        "The image of a container, by its place (0) or name; empty where there is none.",
        Example("{{ containerImage .children.deployment }}", _SCOPE, "nginx:1.27"),
    ),
    note(
        "containerEnv OBJECT CONTAINER NAME",
        _env,
        "The value of an environment variable that a container declares; empty where there is none.",
        Example('{{ containerEnv .children.deployment 0 "MODE" }}', _SCOPE, "fast"),
    ),
    note(
        "containerPort OBJECT CONTAINER PORT",
        _exposes,
        "Whether a container declares that port.",
        Example('{{ containerPort .children.deployment "app" 8080 }}', _SCOPE, True),
    ),
)
