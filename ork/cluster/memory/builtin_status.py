"""What the API server refuses in the status of its own kinds: counts below nought, more ready than there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ork.base.objects import Object, deleting
from ork.openapi import addresses, causes, names
from ork.openapi.causes import Cause

_NEGATIVE = "must be greater than or equal to 0"

_COUNTS: Mapping[str, tuple[str, ...]] = {
    "deployments.apps": (
        *("observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
        *("unavailableReplicas", "collisionCount"),
    ),
    "replicasets.apps": (
        *("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"),
    ),
    "replicationcontrollers": (
        *("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"),
    ),
    "statefulsets.apps": (
        *("replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        *("observedGeneration", "collisionCount"),
    ),
    "daemonsets.apps": (
        *("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady"),
        *("observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable", "collisionCount"),
    ),
    "jobs.batch": ("active", "succeeded", "failed", "ready", "terminating"),
    "poddisruptionbudgets.policy": ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
    "horizontalpodautoscalers.autoscaling": ("currentReplicas", "desiredReplicas"),
}
"""Fields of a status that count something."""

_MORE_THAN = "cannot be greater than status.replicas"
_BOUNDS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "deployments.apps": (
        ("updatedReplicas", "replicas", _MORE_THAN),
        ("readyReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
    ),
    "replicasets.apps": (
        ("fullyLabeledReplicas", "replicas", _MORE_THAN),
        ("readyReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
    ),
    "replicationcontrollers": (
        ("fullyLabeledReplicas", "replicas", _MORE_THAN),
        ("readyReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
    ),
    "statefulsets.apps": (
        ("readyReplicas", "replicas", _MORE_THAN),
        ("currentReplicas", "replicas", _MORE_THAN),
        ("updatedReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "replicas", _MORE_THAN),
        ("availableReplicas", "readyReplicas", "cannot be greater than status.readyReplicas"),
    ),
}
"""A field, the one that it may not exceed, and what is said when it does."""


def check(table: str, new: Object) -> list[Cause]:
    """Return why a status may not be stored."""
    status = new.get("status") or {}
    found = [*_counts(table, status), *_bounds(table, status)]
    special = _SPECIAL.get(table)
    return [*found, *special(new)] if special else found


def _counts(table: str, status: Object) -> Iterator[Cause]:
    for name in _COUNTS.get(table, ()):
        if (value := status.get(name, 0)) < 0:
            yield causes.invalid(f"status.{name}", value, _NEGATIVE)


def _bounds(table: str, status: Object) -> Iterator[Cause]:
    for name, limit, text in _BOUNDS.get(table, ()):
        if (value := status.get(name, 0)) > status.get(limit, 0):
            yield causes.invalid(f"status.{name}", value, text)


def _namespace(namespace: Object) -> Iterator[Cause]:
    phase = (namespace.get("status") or {}).get("phase", "")
    if deleting(namespace) and phase != "Terminating":
        text = "may only be 'Terminating' if `deletionTimestamp` is not empty"
        yield causes.invalid("status.Phase", phase, text)
    elif not deleting(namespace) and phase != "Active":
        yield causes.invalid("status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty")


def _balancer(obj: Object) -> Iterator[Cause]:
    rows = ((obj.get("status") or {}).get("loadBalancer") or {}).get("ingress") or ()
    for number, row in enumerate(rows):
        for text in addresses.ip(row["ip"]) if row.get("ip") else ():
            yield causes.invalid(f"status.loadBalancer.ingress[{number}].ip", row["ip"], text)


def _service(service: Object) -> Iterator[Cause]:
    yield from _balancer(service)
    ingress = ((service.get("status") or {}).get("loadBalancer") or {}).get("ingress")
    if ingress and service["spec"].get("type") != "LoadBalancer":
        text = "may only be used when `spec.type` is 'LoadBalancer'"
        yield causes.forbidden("status.loadBalancer.ingress", text)


def _pod(pod: Object) -> Iterator[Cause]:
    for number, row in enumerate((pod.get("status") or {}).get("conditions") or ()):
        for text in names.qualified(row["type"]):
            yield causes.invalid(f"status.conditions[{number}].Type", row["type"], text)


_SPECIAL: Mapping[str, Callable[[Object], Iterator[Cause]]] = {
    "ingresses.networking.k8s.io": _balancer,
    "namespaces": _namespace,
    "pods": _pod,
    "services": _service,
}
