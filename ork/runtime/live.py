"""The live API: health, metrics and the state of the katalog, read-only and without secrets (language, section 11)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ork.base.clock import rfc3339
from ork.base.objects import Object, Ref, uid
from ork.base.records import NamedTuple
from ork.program import Crd, surface_of
from ork.runtime.cache import Cache
from ork.runtime.health import CrdHealth, ObjectHealth, State
from ork.runtime.metrics import CONTENT_TYPE

PAGE = 500
"""So many CRs are in one answer: a longer one would hold up the event loop."""


class Watched(NamedTuple):
    """One CRD, as the live API sees it."""

    crd: Crd
    health: CrdHealth
    depth: Callable[[], int]
    workers: Callable[[], int]
    declared: Object
    """The entry as the author wrote it, tokens and headers redacted."""


class Inside(NamedTuple):
    """What the live API may look at."""

    katalog: str
    crds: Mapping[str, Watched]
    cache: Cache
    metrics: Callable[[], bytes]
    ready: Callable[[], str]
    """Why the operator is not ready; empty when it is."""


def live_api(inside: Inside) -> Starlette:
    """Return the application."""
    api = _Api(inside)
    return Starlette(
        routes=[
            Route("/healthz", api.healthz),
            Route("/readyz", api.readyz),
            Route("/metrics", api.metrics),
            Route("/katalog", api.katalog),
            Route("/katalog/{crd}", api.crd),
            Route("/katalog/{crd}/health", api.health),
            Route("/katalog/{crd}/raw", api.raw),
            Route("/katalog/{crd}/enriched", api.enriched),
            Route("/katalog/{crd}/events", api.events),
            Route("/katalog/{crd}/cr", api.objects),
            Route("/katalog/{crd}/cr/{namespace}/{name}", api.object),
            Route("/katalog/{crd}/cr/{namespace}/{name}/events", api.object_events),
        ],
        exception_handlers={HTTPException: _refuse},
    )


_OF_KUBERNETES = ("/api", "/apis", "/openapi", "/version")
"""Where `kubectl` looks first. Without a kubeconfig it looks at localhost:8080, which is the live API's own default;
of a 404 it would not show the text."""
_NO_API_SERVER = "this is the live API of ork, not an API server: name a kubeconfig by KUBECONFIG or --kubeconfig"


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, said, path = error.status_code, error.detail, request.url.path
    if path.startswith(_OF_KUBERNETES):
        return PlainTextResponse(_NO_API_SERVER, HTTPStatus.NOT_ACCEPTABLE)
    if code == HTTPStatus.NOT_FOUND and said == HTTPStatus.NOT_FOUND.phrase:
        said = f"there is nothing at {path}; what the operator shows begins at /katalog"
    return _Json({"error": said}, code)


class _Json(JSONResponse):
    """JSON for people with `curl`, too: indented, with a line's end."""

    def render(self, content: Any) -> bytes:
        return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


class _Api:
    def __init__(self, inside: Inside) -> None:
        self._in = inside

    async def healthz(self, _: Request) -> Response:
        return PlainTextResponse("ok")

    async def readyz(self, _: Request) -> Response:
        reason = self._in.ready()
        return PlainTextResponse(reason or "ok", 503 if reason else 200)

    async def metrics(self, _: Request) -> Response:
        return Response(self._in.metrics(), media_type=CONTENT_TYPE)

    async def katalog(self, _: Request) -> Response:
        crds = {name: _summary(each) for name, each in self._in.crds.items() if each.crd.endpoints.enabled}
        return _Json({"name": self._in.katalog, "crds": crds})

    async def crd(self, request: Request) -> Response:
        watched = self._watched(request)
        return _Json(_summary(watched) | _description(watched))

    async def health(self, request: Request) -> Response:
        watched = self._watched(request, "health")
        degraded = watched.health.state is State.DEGRADED
        return _Json(_summary(watched), 503 if degraded else 200)

    async def raw(self, request: Request) -> Response:
        return _Json(self._watched(request).declared)

    async def enriched(self, request: Request) -> Response:
        watched = self._watched(request)
        return _Json(watched.declared | _description(watched))

    async def events(self, request: Request) -> Response:
        return _Json({"events": _happenings(self._watched(request).health, None)})

    async def objects(self, request: Request) -> Response:
        """Show a page of CRs, and where the next one begins (`?after=NAMESPACE/NAME`)."""
        watched, after = self._watched(request), request.query_params.get("after", "")
        of_kind = self._in.cache.of_kind(watched.crd.kind)
        known = sorted((ref for ref in of_kind if _place(ref) > after), key=_place)
        page, more = known[:PAGE], len(known) > PAGE
        items = [_object(watched, ref, of_kind[ref]) for ref in page]
        return _Json({"items": items, "next": _place(page[-1]) if more else None})

    async def object(self, request: Request) -> Response:
        watched, ref, cr = self._found(request)
        children = [
            {"apiVersion": child.obj["apiVersion"], "kind": child.obj["kind"], **_name(child.ref)}
            for child in self._in.cache.owned(uid(cr))
        ]
        return _Json(_object(watched, ref, cr) | {"children": children, "status": cr.get("status") or {}})

    async def object_events(self, request: Request) -> Response:
        watched, ref, _ = self._found(request)
        return _Json({"events": _happenings(watched.health, ref)})

    def _watched(self, request: Request, what: str = "info") -> Watched:
        """Return the CRD of a path, if its author lets `what` be seen of it (`endpoints`)."""
        name = request.path_params["crd"]
        known = {key: each for key, each in self._in.crds.items() if each.crd.endpoints.enabled}
        if name not in known:
            raise HTTPException(404, f'the katalog shows no CRD "{name}"; it shows: {", ".join(known)}')
        if not getattr(known[name].crd.endpoints, what):
            raise HTTPException(404, f'the katalog does not show the {what} of "{name}"')
        return known[name]

    def _found(self, request: Request) -> tuple[Watched, Ref, Object]:
        watched = self._watched(request)
        kind = watched.crd.kind
        namespace, name = request.path_params["namespace"], request.path_params["name"]
        ref = Ref(kind, namespace if kind.namespaced else "", name)
        cr = self._in.cache.get(ref)
        if cr is None:
            raise HTTPException(404, f"{ref} is not known")
        return watched, ref, cr


def _summary(watched: Watched) -> dict[str, Any]:
    health = watched.health
    return {
        "state": health.state.value,
        "gated": health.state is State.GATED,
        "gateReason": health.gate_reason,
        "gatedObjects": health.gated_objects,
        "healthy": health.state is not State.DEGRADED,
        "blocked": health.blocked,
        "workers": watched.workers(),
        "queueDepth": watched.depth(),
        "metrics": {
            "total": health.total,
            "failed": health.failed,
            "consecutiveFailures": health.consecutive,
            "lastError": health.last_error,
            "lastReconcile": _time(health.last_reconcile),
        },
    }


def _description(watched: Watched) -> dict[str, Any]:
    crd = watched.crd
    return {
        "name": crd.name,
        "description": crd.description,
        "apiVersion": crd.kind.api_version,
        "kind": crd.kind.kind,
        "plural": crd.kind.plural,
        "namespaced": crd.kind.namespaced,
        "surfaces": [
            {
                "target": surface,
                "entries": [{"id": entry.id, "group": entry.group, "kind": entry.kind.kind} for entry in box.entries],
                "sentinels": list(box.sentinels),
            }
            for surface, box in crd.boxes.items()
        ],
        "settings": {"workers": crd.settings.workers, "resyncSeconds": crd.settings.resync.total_seconds()},
    }


def _object(watched: Watched, ref: Ref, cr: Object) -> dict[str, Any]:
    known = watched.health.objects.get(ref)
    target = surface_of(watched.crd, cr)
    return {**_name(ref), "target": target, "generation": cr["metadata"].get("generation"), **_outcome(known)}


def _outcome(known: ObjectHealth | None) -> dict[str, Any]:
    if known is None:
        return {"state": "pending", "gated": False, "reason": "", "failures": 0, "lastReconcile": None}
    return {
        "state": known.outcome.value,
        "gated": bool(known.gate),
        "gate": known.gate,
        "reason": known.reason,
        "failures": known.failures,
        "lastReconcile": _time(known.at),
    }


def _happenings(health: CrdHealth, ref: Ref | None) -> list[dict[str, Any]]:
    wanted: Iterable[Any] = (event for event in health.recent if ref in (None, event.ref))
    return [
        {"time": rfc3339(event.at), **_name(event.ref), "outcome": event.outcome.value, "reason": event.reason}
        for event in wanted
    ]


def _name(ref: Ref) -> dict[str, str]:
    return {"namespace": ref.namespace, "name": ref.name}


def _place(ref: Ref) -> str:
    return f"{ref.namespace}/{ref.name}"


def _time(moment: datetime | None) -> str | None:
    return rfc3339(moment) if moment else None
