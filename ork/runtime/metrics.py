"""What `/metrics` counts, under controller-runtime's names where it has one, so that its dashboards work here too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from ork.reconcile.ports import OutcomeKind

CONTENT_TYPE = CONTENT_TYPE_LATEST

_TURN_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_WAIT_BUCKETS = (0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1000)
_RESULTS = {
    OutcomeKind.GONE: "success",
    OutcomeKind.SETTLED: "success",
    OutcomeKind.GATED: "gated",
    OutcomeKind.DENIED: "denied",
    OutcomeKind.FAILED: "error",
    OutcomeKind.FINISHING: "requeue",
}


class Figures(NamedTuple):
    """The figures of one CRD, looked up once: an update in a turn costs no look-up."""

    results: Mapping[OutcomeKind, Counter]
    errors: Counter
    turn_time: Histogram
    wait_time: Histogram
    adds: Counter
    retries: Counter
    dropped: Counter
    depth: Gauge
    workers: Gauge
    active: Gauge
    gated: Gauge

    def turn(self, outcome: OutcomeKind, seconds: float) -> None:
        """Count a turn."""
        self.results[outcome].inc()
        self.turn_time.observe(seconds)
        if outcome is OutcomeKind.FAILED:
            self.errors.inc()


class Metrics:
    """Every figure of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        self._turns = counter("controller_runtime_reconcile", "Turns by result", ["controller", "result"])
        self._errors = counter("controller_runtime_reconcile_errors", "Turns that failed", ["controller"])
        self._turn_time = Histogram(
            "controller_runtime_reconcile_time_seconds",
            "Length of a turn",
            ["controller"],
            buckets=_TURN_BUCKETS,
            registry=registry,
        )
        self._wait_time = Histogram(
            "workqueue_queue_duration_seconds",
            "How long a key waited for a worker",
            ["name"],
            buckets=_WAIT_BUCKETS,
            registry=registry,
        )
        self._adds = counter("workqueue_adds", "Keys that asked for a turn", ["name"])
        self._retries = counter("workqueue_retries", "Turns asked for after a failure", ["name"])
        self._dropped = counter("ork_queue_dropped", "Events dropped by queue behaviour", ["name"])
        self._requests = counter("rest_client_requests", "Requests to the API server", ["method", "code"])
        self._depth = gauge("workqueue_depth", "Keys that wait for a worker", ["name"])
        self._workers = gauge("controller_runtime_max_concurrent_reconciles", "Workers", ["controller"])
        self._active = gauge("controller_runtime_active_workers", "Workers at work", ["controller"])
        self._gated = gauge("ork_gated_objects", "CRs that a gate holds", ["controller"])
        self._leader = gauge("leader_election_master_status", "1 while this process leads", ["name"])

    def of(self, crd: str) -> Figures:
        """Return the figures of one CRD."""
        return Figures(
            results={kind: self._turns.labels(crd, result) for kind, result in _RESULTS.items()},
            errors=self._errors.labels(crd),
            turn_time=self._turn_time.labels(crd),
            wait_time=self._wait_time.labels(crd),
            adds=self._adds.labels(crd),
            retries=self._retries.labels(crd),
            dropped=self._dropped.labels(crd),
            depth=self._depth.labels(crd),
            workers=self._workers.labels(crd),
            active=self._active.labels(crd),
            gated=self._gated.labels(crd),
        )

    def request(self, method: str, code: int) -> None:
        """Count a request to the API server; code 0 is one that was not answered."""
        self._requests.labels(method, str(code) if code else "<error>").inc()

    def leads(self, name: str, leads: bool) -> None:
        """Note whether this process leads."""
        self._leader.labels(name).set(leads)

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self._registry)
