"""The live API without a network: what each path shows, what the author hides, pages, and figures for Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from ork.base.objects import Ref
from ork.program import Crd
from ork.reconcile.ports import Outcome, OutcomeKind
from ork.runtime.cache import Cache
from ork.runtime.health import CrdHealth
from ork.runtime.live import PAGE, Inside, Watched, live_api
from ork.runtime.metrics import Metrics
from tests.unit.runtime.conftest import Compiled

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)
TEXT = """
apiVersion: orkestra.orkspace.io/v1
kind: Katalog
metadata: {name: k}
spec:
  crds:
    app: {apiTypes: {group: demo.io, version: v1, kind: App}, endpoints: ENDPOINTS}
    thing: {apiTypes: {group: demo.io, version: v1, kind: Thing}, namespaced: false}
"""


class Shown:
    """Two CRDs and a client of what the live API shows of them."""

    def __init__(self, crds: dict[str, Crd]) -> None:
        self.cache, self.metrics, self.reason = Cache(), Metrics(), ""
        self.health = {name: CrdHealth(2) for name in crds}
        self.crds = crds
        watched = {
            name: Watched(crd, self.health[name], lambda: 3, lambda: 16, {"declared": name})
            for name, crd in crds.items()
        }
        self._api = live_api(Inside("k", watched, self.cache, self.metrics.text, lambda: self.reason))

    def ref(self, name: str, crd: str = "app") -> Ref:
        kind = self.crds[crd].kind
        return Ref(kind, "d" if kind.namespaced else "", name)

    def put(self, name: str, crd: str = "app") -> Ref:
        ref = self.ref(name, crd)
        metadata = {"name": name, "uid": name, "resourceVersion": "1", "generation": 4}
        obj = {"metadata": metadata | ({"namespace": "d"} if ref.namespace else {}), "status": {"phase": "Ready"}}
        assert self.cache.put(ref.kind, obj)
        return ref

    async def _asked(self, path: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(self._api), base_url="http://ork") as client:
            return await client.get(path)

    def get(self, path: str) -> tuple[int, Any]:
        answer = asyncio.run(self._asked(path))
        is_json = answer.headers["content-type"] == "application/json"
        return answer.status_code, answer.json() if is_json else answer.text


@pytest.fixture
def shown(compiled: Compiled) -> Callable[..., Shown]:
    return lambda endpoints="{}": Shown(dict(compiled(TEXT.replace("ENDPOINTS", endpoints)).crds))


def test_it_is_alive_at_once_and_ready_when_nothing_is_waited_for(shown: Callable[..., Shown]) -> None:
    here = shown()
    here.reason = "waiting for the first list of apps"
    assert here.get("/healthz") == (200, "ok")
    assert here.get("/readyz") == (503, "waiting for the first list of apps")
    here.reason = ""
    assert here.get("/readyz") == (200, "ok")


def test_a_degraded_crd_answers_503_and_the_others_do_not(shown: Callable[..., Shown]) -> None:
    here = shown()
    for _ in range(2):
        here.health["app"].record(here.ref("a"), Outcome(OutcomeKind.FAILED, "no image"), NOW)
    code, entry = here.get("/katalog/app/health")
    assert (code, entry["state"], entry["metrics"]["lastError"]) == (503, "degraded", "no image")
    assert here.get("/katalog/thing/health")[0] == 200
    assert here.get("/katalog")[1]["crds"]["app"]["healthy"] is False


def test_a_gated_object_shows_with_its_reason(shown: Callable[..., Shown]) -> None:
    here = shown()
    here.health["app"].started = True
    outcome = Outcome(OutcomeKind.GATED, "spec.enabled is false", gate="reconcileGate")
    here.health["app"].record(here.put("a"), outcome, NOW)
    entry = here.get("/katalog")[1]["crds"]["app"]
    assert (entry["state"], entry["gated"], entry["gateReason"]) == ("gated", True, "spec.enabled is false")
    assert entry["queueDepth"] == 3
    item = here.get("/katalog/app/cr/d/a")[1]
    assert (item["gated"], item["gate"], item["reason"]) == (True, "reconcileGate", "spec.enabled is false")
    assert (item["generation"], item["status"]) == (4, {"phase": "Ready"})
    assert item["lastReconcile"] == "2026-01-05T10:00:00Z"


def test_objects_come_in_pages(shown: Callable[..., Shown]) -> None:
    here = shown()
    for n in range(PAGE + 2):
        here.put(f"a{n:04d}")
    first = here.get("/katalog/app/cr")[1]
    assert (len(first["items"]), first["next"]) == (PAGE, f"d/a{PAGE - 1:04d}")
    rest = here.get(f"/katalog/app/cr?after={first['next']}")[1]
    assert ([item["name"] for item in rest["items"]], rest["next"]) == ([f"a{PAGE:04d}", f"a{PAGE + 1:04d}"], None)


def test_what_has_no_namespace_is_found_under_a_dash(shown: Callable[..., Shown]) -> None:
    here = shown()
    here.put("x", "thing")
    assert here.get("/katalog/thing/cr/-/x")[1]["name"] == "x"


def test_only_transitions_are_events(shown: Callable[..., Shown]) -> None:
    here = shown()
    ref = here.put("a")
    for outcome in (Outcome(OutcomeKind.SETTLED), Outcome(OutcomeKind.SETTLED), Outcome(OutcomeKind.FAILED, "x")):
        here.health["app"].record(ref, outcome, NOW)
    assert [event["outcome"] for event in here.get("/katalog/app/events")[1]["events"]] == ["settled", "failed"]
    assert len(here.get("/katalog/app/cr/d/a/events")[1]["events"]) == 2


@pytest.mark.parametrize(
    ("endpoints", "path", "says"),
    [
        ("{enabled: false}", "/katalog/app", 'shows no CRD "app"; it shows: thing'),
        ("{enabled: false}", "/katalog/app/health", 'shows no CRD "app"'),
        ("{health: false}", "/katalog/app/health", "does not show the health"),
        ("{info: false}", "/katalog/app/raw", "does not show the info"),
        ("{info: false}", "/katalog/app/cr", "does not show the info"),
        ("{}", "/katalog/nobody", 'shows no CRD "nobody"; it shows: app, thing'),
        ("{}", "/katalog/app/cr/d/nobody", "apps/d/nobody is not known"),
        ("{}", "/", "there is nothing at /; what the operator shows begins at /katalog"),
    ],
)
def test_what_is_hidden_or_not_there_is_404_and_says_so(
    shown: Callable[..., Shown], endpoints: str, path: str, says: str
) -> None:
    code, answer = shown(endpoints).get(path)
    assert code == 404
    assert says in answer["error"]


@pytest.mark.parametrize("path", ["/api", "/apis", "/openapi/v2", "/version"])
def test_kubectl_without_a_kubeconfig_is_told_where_it_is(shown: Callable[..., Shown], path: str) -> None:
    code, answer = shown().get(path)
    assert code == 406
    assert "this is the live API of ork, not an API server" in answer


def test_a_hidden_crd_is_not_in_the_list(shown: Callable[..., Shown]) -> None:
    assert list(shown("{enabled: false}").get("/katalog")[1]["crds"]) == ["thing"]


def test_raw_is_what_was_declared_and_enriched_what_became_of_it(shown: Callable[..., Shown]) -> None:
    here = shown()
    assert here.get("/katalog/app/raw") == (200, {"declared": "app"})
    enriched = here.get("/katalog/app/enriched")[1]
    assert (enriched["declared"], enriched["plural"], enriched["settings"]["resyncSeconds"]) == ("app", "apps", 30.0)


def test_figures_are_counted_and_read_by_prometheus(shown: Callable[..., Shown]) -> None:
    here = shown()
    figures = here.metrics.of("app")
    figures.turn(OutcomeKind.SETTLED, 0.004)
    figures.turn(OutcomeKind.FAILED, 7.0)
    figures.adds, figures.depth = 5, 2
    here.metrics.request("PATCH", 200)
    here.metrics.request("GET", 0)
    here.metrics.leads("k", True)
    families = {family.name: family for family in text_string_to_metric_families(here.get("/metrics")[1])}
    values = {(s.name, *s.labels.values()): s.value for family in families.values() for s in family.samples}
    assert values["controller_runtime_reconcile_total", "app", "error"] == 1
    assert values["controller_runtime_reconcile_total", "app", "success"] == 1
    assert values["controller_runtime_reconcile_errors_total", "app"] == 1
    assert values["controller_runtime_reconcile_time_seconds_count", "app"] == 2
    assert values["controller_runtime_reconcile_time_seconds_bucket", "app", "0.005"] == 1
    assert values["controller_runtime_reconcile_time_seconds_bucket", "app", "10.0"] == 2
    assert values["controller_runtime_reconcile_time_seconds_sum", "app"] == pytest.approx(7.004)
    assert values["workqueue_adds_total", "app"] == 5
    assert values["workqueue_depth", "app"] == 2
    assert values["rest_client_requests_total", "200", "PATCH"] == 1
    assert values["rest_client_requests_total", "<error>", "GET"] == 1
    assert values["leader_election_master_status", "k"] == 1
