"""What a cluster's controllers and nodes would report of workloads, without running anything: a status by policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object

READY, NEVER, FAIL = "ready", "never", "fail"
Policy = str | Mapping[str, str]
"""What becomes of workloads: `ready`, `never` or `fail`, for all or by plural, where `*` is all others (language,
section 14, `workloads`)."""

Report = Callable[[Object, str, bool], Object]
"""`report(obj, now, well)`: the status after everything went well, or after it failed."""


def outcome(policy: Policy, plural: str) -> str:
    """Return what the policy says of a resource; those that it does not name become ready."""
    if isinstance(policy, str):
        return policy
    named = {key.lower(): value for key, value in policy.items()}
    return named.get(plural, named.get("*", READY))


def reported(table: str, obj: Object, policy: Policy, now: str) -> Object | None:
    """Return the status that the controllers would write; None where they leave the object alone."""
    report = _REPORTS.get(table)
    decided = outcome(policy, table.partition(".")[0]) if report else NEVER
    if report is None or decided == NEVER:
        return None
    return report(obj, now, decided == READY)


def _condition(name: str, well: bool, reason: str, message: str, now: str) -> Object:
    return {
        "type": name,
        "status": "True" if well else "False",
        "lastTransitionTime": now,
        "lastUpdateTime": now,
        "reason": reason,
        "message": message,
    }


def _kept_times(rows: list[Object], before: Any) -> list[Object]:
    """Return the conditions with the times of those before that say the same."""
    known = {(row["type"], row["status"]): row for row in before or ()}
    times = ("lastTransitionTime", "lastUpdateTime", "lastProbeTime")
    out = []
    for row in rows:
        there = known.get((row["type"], row["status"]))
        out.append({**row, **{key: there[key] for key in times if there and key in there and key in row}})
    return out


def _replicas(obj: Object) -> int:
    wanted: int = obj["spec"].get("replicas", 1)
    return wanted


def _observed(obj: Object) -> Object:
    return {"observedGeneration": obj["metadata"].get("generation", 1)}


def _counts(wanted: int, *names: str) -> Object:
    return {name: wanted for name in names if wanted}


def _deployment(obj: Object, now: str, well: bool) -> Object:
    wanted, name = _replicas(obj), obj["metadata"]["name"]
    status = _observed(obj) | _counts(wanted, "replicas", "updatedReplicas")
    if well:
        status |= _counts(wanted, "readyReplicas", "availableReplicas")
        available = _condition(
            "Available", True, "MinimumReplicasAvailable", "Deployment has minimum availability.", now
        )
        text = f'ReplicaSet for "{name}" has successfully progressed.'
        progress = _condition("Progressing", True, "NewReplicaSetAvailable", text, now)
    else:
        status |= _counts(wanted, "unavailableReplicas")
        text = "Deployment does not have minimum availability."
        available = _condition("Available", False, "MinimumReplicasUnavailable", text, now)
        text = f'ReplicaSet for "{name}" has timed out progressing.'
        progress = _condition("Progressing", False, "ProgressDeadlineExceeded", text, now)
    before = (obj.get("status") or {}).get("conditions")
    return {**status, "conditions": _kept_times([available, progress], before)}


def _stateful_set(obj: Object, now: str, well: bool) -> Object:  # noqa: ARG001
    wanted, name = _replicas(obj), obj["metadata"]["name"]
    revision = f"{name}-{obj['metadata'].get('generation', 1)}"
    status = _observed(obj) | {"replicas": wanted, "currentRevision": revision, "updateRevision": revision}
    status |= _counts(wanted, "currentReplicas", "updatedReplicas")
    return {**status, "availableReplicas": wanted if well else 0, **_counts(wanted if well else 0, "readyReplicas")}


def _replica_set(obj: Object, now: str, well: bool) -> Object:  # noqa: ARG001
    wanted = _replicas(obj)
    status = _observed(obj) | {"replicas": wanted, **_counts(wanted, "fullyLabeledReplicas")}
    return {**status, **_counts(wanted if well else 0, "readyReplicas", "availableReplicas")}


def _daemon_set(obj: Object, now: str, well: bool) -> Object:  # noqa: ARG001
    """One node is there to run it."""
    status = _observed(obj) | {"desiredNumberScheduled": 1, "currentNumberScheduled": 1, "updatedNumberScheduled": 1}
    status |= {"numberMisscheduled": 0, "numberReady": 1 if well else 0}
    return {**status, **({"numberAvailable": 1} if well else {"numberUnavailable": 1})}


def _job(obj: Object, now: str, well: bool) -> Object:
    before = obj.get("status") or {}
    if any(row["type"] in ("Complete", "Failed") and row["status"] == "True" for row in before.get("conditions") or ()):
        return before
    count = obj["spec"].get("completions") or obj["spec"].get("parallelism", 1)
    if well:
        text = "Reached expected number of succeeded pods"
        rows = [("SuccessCriteriaMet", "CompletionsReached", text), ("Complete", "CompletionsReached", text)]
        status: Object = {"succeeded": count, "completionTime": now}
    else:
        text = "Job has reached the specified backoff limit"
        rows = [("FailureTarget", "BackoffLimitExceeded", text), ("Failed", "BackoffLimitExceeded", text)]
        status = {"failed": obj["spec"].get("backoffLimit", 6) + 1}
    conditions = [
        {
            "type": name,
            "status": "True",
            "lastProbeTime": now,
            "lastTransitionTime": now,
            "reason": reason,
            "message": text,
        }
        for name, reason, text in rows
    ]
    start = before.get("startTime", now)
    return {
        **status,
        "startTime": start,
        "ready": 0,
        "terminating": 0,
        "uncountedTerminatedPods": {},
        "conditions": conditions,
    }


_REPORTS: Mapping[str, Report] = {
    "deployments.apps": _deployment,
    "statefulsets.apps": _stateful_set,
    "replicasets.apps": _replica_set,
    "daemonsets.apps": _daemon_set,
    "jobs.batch": _job,
}
