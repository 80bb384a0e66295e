"""What `/metrics` shows, under controller-runtime's names where it has one, so that its dashboards work here too.

Counting is adding to plain numbers, since it happens several times in every turn; the families that Prometheus knows
are made of them when somebody asks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

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


class Durations:
    """How often something took how long, in seconds."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def observe(self, seconds: float, times: int = 1) -> None:
        """Count one, or several alike."""
        self._counts[bisect_left(self._bounds, seconds)] += times
        self.sum += seconds * times

    def buckets(self) -> list[tuple[str, float]]:
        """Return for each bound how many were not longer."""
        names = [*map(str, map(float, self._bounds)), "+Inf"]
        return [(name, float(count)) for name, count in zip(names, accumulate(self._counts), strict=True)]


class Figures:
    """The figures of one CRD."""

    def __init__(self) -> None:
        self.turns: Counter[OutcomeKind] = Counter()
        self.turn_time, self.wait_time = Durations(_TURN_BUCKETS), Durations(_WAIT_BUCKETS)
        self.adds = self.retries = self.dropped = 0
        self.depth = self.workers = self.active = self.gated = 0
        """Brought up to date before somebody looks."""

    def turn(self, outcome: OutcomeKind, seconds: float, times: int = 1) -> None:
        """Count a turn, or several alike."""
        self.turns[outcome] += times
        self.turn_time.observe(seconds, times)

    def results(self) -> Counter[str]:
        """Return how many turns had which result."""
        found: Counter[str] = Counter(dict.fromkeys(_RESULTS.values(), 0))
        for outcome, count in self.turns.items():
            found[_RESULTS[outcome]] += count
        return found


class Metrics(Collector):
    """Every figure of one process."""

    def __init__(self) -> None:
        self._crds: dict[str, Figures] = {}
        self._requests: Counter[tuple[str, int]] = Counter()
        self._leads: dict[str, bool] = {}

    def of(self, crd: str) -> Figures:
        """Return the figures of one CRD."""
        return self._crds.setdefault(crd, Figures())

    def request(self, method: str, code: int) -> None:
        """Count a request to the API server; code 0 is one that was not answered."""
        self._requests[method, code] += 1

    def leads(self, name: str, leads: bool) -> None:
        """Note whether this process leads."""
        self._leads[name] = leads

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry)

    def collect(self) -> Iterable[Metric]:
        """Return everything as families of Prometheus."""
        turns = CounterMetricFamily("controller_runtime_reconcile", "Turns by result", labels=["controller", "result"])
        for name, figures in self._crds.items():
            for result, count in sorted(figures.results().items()):
                turns.add_metric([name, result], count)
        yield turns
        for family, label, text, value in _COUNTERS:
            yield self._filled(CounterMetricFamily(family, text, labels=[label]), value)
        for family, label, text, value in _GAUGES:
            yield self._filled(GaugeMetricFamily(family, text, labels=[label]), value)
        for family, label, text, durations in _HISTOGRAMS:
            histogram = HistogramMetricFamily(family, text, labels=[label])
            for name, figures in self._crds.items():
                found = durations(figures)
                histogram.add_metric([name], found.buckets(), found.sum)
            yield histogram
        yield from self._of_the_process()

    def _filled(self, family: CounterMetricFamily | GaugeMetricFamily, value: Callable[[Figures], int]) -> Metric:
        for name, figures in self._crds.items():
            family.add_metric([name], value(figures))
        return family

    def _of_the_process(self) -> Iterable[Metric]:
        requests = CounterMetricFamily("rest_client_requests", "Requests to the API server", labels=["code", "method"])
        for (method, code), count in sorted(self._requests.items()):
            requests.add_metric([str(code) if code else "<error>", method], count)
        yield requests
        leads = GaugeMetricFamily("leader_election_master_status", "1 while this process leads", labels=["name"])
        for name, leading in self._leads.items():
            leads.add_metric([name], leading)
        yield leads


Family = tuple[str, str, str, Callable[[Figures], int]]
"""Name, label, help, and where its value stands."""

_COUNTERS: tuple[Family, ...] = (
    (
        "controller_runtime_reconcile_errors",
        "controller",
        "Turns that failed",
        lambda figures: figures.turns[OutcomeKind.FAILED],
    ),
    ("workqueue_adds", "name", "Keys that asked for a turn", lambda figures: figures.adds),
    ("workqueue_retries", "name", "Turns asked for after a failure", lambda figures: figures.retries),
    ("ork_queue_dropped", "name", "Events dropped by queue behaviour", lambda figures: figures.dropped),
)
_GAUGES: tuple[Family, ...] = (
    ("workqueue_depth", "name", "Keys that wait for a worker", lambda figures: figures.depth),
    ("controller_runtime_max_concurrent_reconciles", "controller", "Workers", lambda figures: figures.workers),
    ("controller_runtime_active_workers", "controller", "Workers at work", lambda figures: figures.active),
    ("ork_gated_objects", "controller", "CRs that a gate holds", lambda figures: figures.gated),
)
_HISTOGRAMS: tuple[tuple[str, str, str, Callable[[Figures], Durations]], ...] = (
    ("controller_runtime_reconcile_time_seconds", "controller", "Length of a turn", lambda figures: figures.turn_time),
    ("workqueue_queue_duration_seconds", "name", "How long a key waited", lambda figures: figures.wait_time),
)
