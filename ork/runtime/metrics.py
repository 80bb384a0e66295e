"""What `/metrics` counts, under controller-runtime's names where it has one, so that its dashboards work here too."""

from __future__ import annotations

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


class Metrics:
    """Every figure of one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._turns = Counter(
            "controller_runtime_reconcile",
            "Turns by result",
            ["controller", "result"],
            registry=registry,
        )
        self._errors = Counter(
            "controller_runtime_reconcile_errors", "Turns that failed", ["controller"], registry=registry
        )
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
        self._adds = Counter("workqueue_adds", "Keys that asked for a turn", ["name"], registry=registry)
        self._retries = Counter("workqueue_retries", "Turns asked for after a failure", ["name"], registry=registry)
        self._dropped = Counter("ork_queue_dropped", "Events dropped by queue behaviour", ["name"], registry=registry)
        self._requests = Counter(
            "rest_client_requests", "Requests to the API server", ["method", "code"], registry=registry
        )
        self.depth = Gauge("workqueue_depth", "Keys that wait for a worker", ["name"], registry=registry)
        self.workers = Gauge(
            "controller_runtime_max_concurrent_reconciles", "Workers", ["controller"], registry=registry
        )
        self.active = Gauge("controller_runtime_active_workers", "Workers at work", ["controller"], registry=registry)
        self.gated = Gauge("ork_gated_objects", "CRs that a gate holds", ["controller"], registry=registry)
        self.leader = Gauge("leader_election_master_status", "1 while this process leads", ["name"], registry=registry)

    def turn(self, crd: str, outcome: OutcomeKind, seconds: float) -> None:
        """Count a turn."""
        self._turns.labels(crd, _RESULTS[outcome]).inc()
        self._turn_time.labels(crd).observe(seconds)
        if outcome is OutcomeKind.FAILED:
            self._errors.labels(crd).inc()

    def added(self, crd: str) -> None:
        """Count a key that asked for a turn."""
        self._adds.labels(crd).inc()

    def waited(self, crd: str, seconds: float) -> None:
        """Note how long a key waited for a worker."""
        self._wait_time.labels(crd).observe(seconds)

    def retried(self, crd: str) -> None:
        """Count a turn that is asked for again."""
        self._retries.labels(crd).inc()

    def dropped(self, crd: str) -> None:
        """Count an event that queue behaviour dropped."""
        self._dropped.labels(crd).inc()

    def request(self, method: str, code: int) -> None:
        """Count a request to the API server; code 0 is one that was not answered."""
        self._requests.labels(method, str(code) if code else "<error>").inc()

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self._registry)
