"""The API without a network: a request goes in, a response or an open watch comes out."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.cluster.memory import status
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.memory.workloads import READY, Policy
from ork.cluster.server import auth, discovery, openapi, version
from ork.cluster.server.auth import Tokens
from ork.cluster.server.messages import NOT_FOUND, Refused, Request, Response, Stream
from ork.cluster.server.negotiation import Form, accepted, aggregated
from ork.cluster.server.objects import Objects
from ork.cluster.server.target import Target, parse
from ork.cluster.server.watches import wanted
from ork.openapi import kubernetes

Answer = Response | Stream
_CHECKS = ("ping", "log", "etcd")
_HEALTH = frozenset(
    f"/{name}{check}" for name in ("healthz", "livez", "readyz") for check in ("", *(f"/{one}" for one in _CHECKS))
)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


class Api:
    """One store as an API server. `controllers` follow every write."""

    def __init__(self, store: Store, token: str, secret: bytes = b"ork", workloads: Policy = READY) -> None:
        self.store = store
        self.controllers = Controllers(store, workloads)
        self._tokens = Tokens(token, secret, self._account_uid)
        self._objects = Objects(store, self._tokens)
        self._documents = openapi.Documents(store.catalogue)

    def _account_uid(self, namespace: str, name: str) -> str:
        kind = self.store.kind_for("v1", "ServiceAccount")
        found = self.store.find(kind, namespace, name) if kind else None
        uid: str = found["metadata"]["uid"] if found else ""
        return uid

    def handle(self, request: Request) -> tuple[Answer, Form]:
        """Answer a request; a refusal is an answer too. The form says how to encode it."""
        form = Form(bare=request.method == "HEAD")
        try:
            form = self._form(request)
            return self._answered(request, form), form
        except ApiError as error:
            headers = (("Retry-After", str(error.retry_after)),) if error.retry_after else ()
            return Response(error.code, error.status, error.warnings, headers), self._error_form(request, form)
        except Refused as error:
            return Response(error.code, error.text), form
        except Exception as error:
            logging.getLogger(__name__).exception("%s %s", request.method, request.path)
            failed = status.internal(f"Internal error occurred: {error}", "InternalError")
            return Response(500, failed.status), form

    def _form(self, request: Request) -> Form:
        """Return the form of the answer. Raises ApiError (406), and Refused for a path that is none."""
        if _BAD_ESCAPE.search(request.path):
            raise Refused(400, "400 Bad Request")
        bare, accept, target = request.method == "HEAD", request.headers.get("accept", ""), parse(request.path)
        if target is None:
            return Form(bare=bare) if request.path.startswith("/openapi/") else accepted(accept)._replace(bare=bare)
        everything = None if target.group or target.version else aggregated(accept)
        own = bool(target.core or target.version) and self._is_own(target)
        form = everything or accepted(accept, wanted(request, target), own, plain=not target.plural)
        return form._replace(bare=bare)

    def settle(self) -> None:
        """Let the simulated controllers do what the last writes call for."""
        self.controllers.step()

    def _error_form(self, request: Request, form: Form) -> Form:
        yaml = "yaml" in request.headers.get("accept", "").partition(",")[0]
        return Form("yaml" if yaml else form.format, bare=form.bare)

    def _answered(self, request: Request, form: Form) -> Answer:
        target = parse(request.path)
        user = self._tokens.acting(request, target)
        auth.check_allowed(user, request, target)
        if target is None:
            return self._unversioned(request)
        if "//" in request.path:
            raise status.no_such_path()
        if not target.plural:
            return self._discovered(request, target, form)
        resource = self._resource(request, target)
        if request.method == "HEAD" and resource.custom:
            request = request._replace(method="GET")
        try:
            answer = self._objects.answer(request, target, resource, user, form)
        except ApiError as error:
            error.warnings = (*error.warnings, *_deprecation(resource))
            raise
        return answer._replace(warnings=(*answer.warnings, *_deprecation(resource)))

    # ── paths without objects ───────────────────────────────────────────────────────────────────
    def _unversioned(self, request: Request) -> Response:
        path = request.path.rstrip("/")
        if path in _HEALTH:
            return Response(200, _health(path) if request.params("verbose") else "ok")
        if path == "/version" and request.method != "GET":
            raise status.method_not_allowed()
        if path.startswith("/version/"):
            raise status.no_such_path()
        simple: dict[str, Callable[[], Any]] = {"/version": version.answer, "": _index, "/index.html": _index}
        if path in simple:
            return Response(200, simple[path]())
        document = self._documents.answer(path, request.headers.get("accept", ""))
        if document is None:
            raise Refused(404, NOT_FOUND)
        return document

    def _discovered(self, request: Request, target: Target, form: Form) -> Response:
        found = self._discovery(target, form)
        if found is None:
            raise self._missing(target)
        if request.method != "GET" and (target.core or target.version) and self._is_own(target):
            raise status.method_not_allowed()
        return Response(200, found)

    def _discovery(self, target: Target, form: Form) -> Object | None:
        catalogue = self.store.catalogue
        if target.version:
            return discovery.resource_list(catalogue, target.group, target.version)
        if target.group:
            return discovery.group(catalogue, target.group)
        if form.aggregated:
            return discovery.aggregated(catalogue, target.core)
        return discovery.api_versions() if target.core else discovery.group_list(catalogue)

    # ── resources ───────────────────────────────────────────────────────────────────────────────
    def _resource(self, request: Request, target: Target) -> Resource:
        """Return the resource that a path names, as far as the path fits its scope. Raises ApiError or Refused."""
        found = self.store.catalogue.by_plural(target.group, target.version, target.plural)
        if found is None or (target.in_namespace and not found.kind.namespaced):
            raise self._missing(target)
        if target.name in (".", ".."):
            raise status.bad_request(f"Name parameter invalid: \"{target.name}\": may not be '{target.name}'")
        if not found.custom and (target.extra or not _has_route(found, target)):
            raise self._missing(target)
        if found.kind.namespaced and not target.namespace:
            if target.name:
                raise self._missing(target)
            if request.method not in ("GET", "HEAD"):
                raise self._missing(target) if found.custom else status.method_not_allowed()
        if target.subresource and target.subresource not in found.subresources:
            raise status.not_found(found.by_name, target.name) if found.custom else self._missing(target)
        return found

    def _missing(self, target: Target) -> ApiError | Refused:
        """Return the 404 of a path: JSON where Kubernetes' own groups are concerned, else plain text."""
        own = self._is_own(target) and (target.version or target.core)
        return status.no_such_path() if own else Refused(404, NOT_FOUND)

    def _is_own(self, target: Target) -> bool:
        """Tell whether a path is below one of Kubernetes' own groups."""
        return target.core or any(kind.group == target.group for kind in kubernetes.kinds().values())


def _has_route(resource: Resource, target: Target) -> bool:
    """Tell whether one of Kubernetes' own resources has a path of this shape: of an object, or across namespaces."""
    if target.name:
        return target.subresource != "" or "get" in discovery.verbs(resource)
    return target.in_namespace or not resource.kind.namespaced or "list" in discovery.verbs(resource)


def _health(path: str) -> str:
    """Return the checks behind a path of health, each on a line."""
    _, name, *one = path.split("/")
    return "".join(f"[+]{check} ok\n" for check in one or _CHECKS) + f"{name} check passed\n"


def _index() -> Object:
    return {"paths": ["/api", "/apis"]}


def _deprecation(resource: Resource) -> tuple[str, ...]:
    return (resource.deprecation,) if resource.deprecation else ()
