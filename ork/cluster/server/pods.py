"""The cells of pods in a table: what `kubectl get pods` makes of the state of their containers."""

from __future__ import annotations

from datetime import datetime

from ork.base import paths
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.server.cells import age


class Summary(NamedTuple):
    """What is told of a pod's containers."""

    reason: str
    ready: int
    restarts: int
    restarted: str
    """When one was restarted last; empty where that is not known."""


def ready(obj: Object, _now: datetime) -> str:
    """`1/2`: how many of the containers that keep running are ready."""
    containers = len(paths.get(obj, ("spec", "containers")) or ())
    return f"{summary(obj).ready}/{containers + len(_sidecars(obj))}"


def status(obj: Object, _now: datetime) -> str:
    """The phase, or what keeps the pod from it: `CrashLoopBackOff`, `Init:0/1`, `Terminating`."""
    if not obj["metadata"].get("deletionTimestamp"):
        return summary(obj).reason
    state = obj.get("status") or {}
    if state.get("reason") == "NodeLost":
        return "Unknown"
    return summary(obj).reason if state.get("phase") in ("Failed", "Succeeded") else "Terminating"


def restarts(obj: Object, now: datetime) -> str:
    """`3`, or `3 (5m ago)` where it is known when."""
    found = summary(obj)
    if found.restarts and found.restarted:
        return f"{found.restarts} ({age(found.restarted, now)} ago)"
    return str(found.restarts)


def gates(obj: Object, _now: datetime) -> str:
    """`1/2`: how many readiness gates are open."""
    rows = paths.get(obj, ("spec", "readinessGates"))
    if not rows:
        return "<none>"
    true = {row["type"] for row in _conditions(obj) if row["status"] == "True"}
    return f"{sum(row['conditionType'] in true for row in rows)}/{len(rows)}"


def summary(obj: Object) -> Summary:
    """Return what the states of a pod's containers say."""
    initial = _initial(obj)
    if initial is not None and not _is_true(obj, "Initialized"):
        return initial
    sidecars = [row for row in _statuses(obj, "initContainerStatuses") if row["name"] in _sidecars(obj)]
    rows = _statuses(obj, "containerStatuses")
    running = [row for row in rows if row.get("ready") and "running" in (row.get("state") or {})]
    reason = initial.reason if initial else _phase(obj)
    reason = next((found for row in rows if (found := _reason(row))), reason)
    if reason == "Completed" and running:
        reason = "Running" if _is_true(obj, "Ready") else "NotReady"
    up = sum(bool(row.get("started") and row.get("ready")) for row in sidecars)
    return Summary(reason, up + len(running), _restarts(sidecars + rows), _restarted(sidecars + rows))


def _initial(obj: Object) -> Summary | None:
    """Return what is told of a pod whose init containers still run; None where they have done."""
    rows, up = _statuses(obj, "initContainerStatuses"), 0
    for number, row in enumerate(rows):
        state = row.get("state") or {}
        if "terminated" in state and not state["terminated"].get("exitCode"):
            continue
        if row["name"] in _sidecars(obj) and row.get("started"):
            up += bool(row.get("ready"))
            continue
        found = _reason(row)
        total = len(paths.get(obj, ("spec", "initContainers")) or ())
        reason = f"Init:{number}/{total}" if found in ("", "PodInitializing") else f"Init:{found}"
        seen = rows[: number + 1]
        return Summary(reason, up, _restarts(seen), _restarted(seen))
    return None


def _reason(row: Object) -> str:
    """Return why a container waits or has ended; empty where it does neither."""
    state = row.get("state") or {}
    if found := (state.get("waiting") or {}).get("reason"):
        return str(found)
    ended = state.get("terminated")
    if ended is None:
        return ""
    code = f"Signal:{ended['signal']}" if ended.get("signal") else f"ExitCode:{ended.get('exitCode', 0)}"
    return ended.get("reason") or code


def _phase(obj: Object) -> str:
    state = obj.get("status") or {}
    if any(row["type"] == "PodScheduled" and row.get("reason") == "SchedulingGated" for row in _conditions(obj)):
        return "SchedulingGated"
    phase: str = state.get("reason") or state.get("phase", "")
    return phase


def _sidecars(obj: Object) -> set[str]:
    rows = paths.get(obj, ("spec", "initContainers")) or ()
    return {row["name"] for row in rows if row.get("restartPolicy") == "Always"}


def _statuses(obj: Object, field: str) -> list[Object]:
    return paths.get(obj, ("status", field)) or []


def _conditions(obj: Object) -> list[Object]:
    return paths.get(obj, ("status", "conditions")) or []


def _is_true(obj: Object, kind: str) -> bool:
    return any(row["type"] == kind and row["status"] == "True" for row in _conditions(obj))


def _restarts(rows: list[Object]) -> int:
    return sum(row.get("restartCount", 0) for row in rows)


def _restarted(rows: list[Object]) -> str:
    ends = (paths.get(row, ("lastState", "terminated", "finishedAt")) for row in rows)
    return max((end for end in ends if end), default="")
