"""The verbs on objects and collections: which request means what to the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object
from ork.cluster.memory import reading, status
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.deletion import delete
from ork.cluster.memory.reading import Listing, Query
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options, Written
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store, json_patch, merge_patch
from ork.cluster.memory.strategic import strategic_patch
from ork.cluster.server import bodies, containers, discovery, options, scale, tables
from ork.cluster.server.auth import Tokens, User
from ork.cluster.server.bodies import Body
from ork.cluster.server.messages import Request, Response, Stream
from ork.cluster.server.negotiation import Form, not_acceptable
from ork.cluster.server.reviews import Reviews
from ork.cluster.server.target import Target
from ork.cluster.server.watches import Wish, opened, wanted
from ork.openapi import causes

_JSON, _MERGE = "application/json-patch+json", "application/merge-patch+json"
_STRATEGIC, _APPLY = "application/strategic-merge-patch+json", "application/apply-patch+yaml"
_APPLY_CBOR = "application/apply-patch+cbor"
Answer = Response | Stream


class Call:
    """One request to one resource, taken apart."""

    def __init__(self, request: Request, target: Target, resource: Resource, user: User, form: Form) -> None:
        self.request, self.target, self.resource, self.user, self.form = request, target, resource, user, form

    @property
    def place(self) -> tuple[str, str]:
        """Namespace and name."""
        return self.target.namespace, self.target.name


class Objects:
    """Answers requests to resources from a store."""

    def __init__(self, store: Store, tokens: Tokens) -> None:
        self._store = store
        self._reviews = Reviews(store, tokens)
        self._of_collections: Mapping[str, Callable[[Call], Answer]] = {
            "GET": self._list,
            "POST": self._create,
            "DELETE": self._delete_all,
        }
        self._of_objects: Mapping[str, Callable[[Call], Answer]] = {
            "GET": self._get,
            "PUT": self._update,
            "PATCH": self._patch,
            "DELETE": self._delete,
        }

    def answer(self, request: Request, target: Target, resource: Resource, user: User, form: Form) -> Answer:
        """Return the answer. Raises ApiError."""
        options.check_timeout(request)
        call = Call(request, target, resource, user, form)
        if target.subresource:
            return self._of_subresource(call)
        one = bool(target.name) and not target.watched
        verbs = self._of_objects if one else self._of_collections
        verb = verbs.get(request.method) if _can(resource, request.method, one) else None
        if verb is None and resource.custom and request.method in ("PUT", "PATCH"):
            raise status.bad_request("name must be provided")
        if verb is None and resource.custom and request.method == "POST":
            verb = self._create
        if verb is None:
            raise _not_allowed(resource, request.method)
        return verb(call)

    # ── reads ───────────────────────────────────────────────────────────────────────────────────
    def _get(self, call: Call) -> Answer:
        options.check_export(call.request)
        reading.check_version(self._store.state, call.request.param("resourceVersion"))
        return self._shown(call, self._found(call.resource, *call.place))

    def _found(self, resource: Resource, namespace: str, name: str) -> Object:
        stored = self._store.state.row(resource, namespace, name)
        if stored is None:
            raise status.not_found(resource.by_name, name)
        return resource.shown(stored)

    def _list(self, call: Call) -> Answer:
        request = call.request
        watching = wanted(request, call.target)
        query = options.list_query(request, call.target.namespace, watching)
        if watching:
            if "watch" not in discovery.verbs(call.resource):
                raise status.method_not_supported(call.resource.by_name, "watch")
            name = call.target.name
            return self._watch(call, query._replace(fields=f"metadata.name={name}") if name else query)
        options.timeout_seconds(request)
        page = reading.listing(self._store.state, call.resource, query)
        return Response(200, self._listed(call, page))

    def _listed(self, call: Call, page: Listing) -> Object:
        resource, form = call.resource, call.form
        meta: Object = {"resourceVersion": page.version}
        if page.token or (resource.custom and not form.kind):
            meta["continue"] = page.token
        if page.remaining:
            meta["remainingItemCount"] = page.remaining
        if form.kind == "Table":
            return tables.table(resource, page.items, meta, self._view(call))
        if form.kind == "PartialObjectMetadata":
            text = f"the requested object is a list (*core.{resource.list_kind})"
            raise not_acceptable(f"you requested PartialObjectMetadata, but {text}")
        version = f"meta.k8s.io/{form.version}" if form.kind else resource.kind.api_version
        return {
            "kind": form.kind or resource.list_kind,
            "apiVersion": version,
            "metadata": meta,
            "items": [_item(obj, resource, form) for obj in page.items] or (None if form.kind else []),
        }

    def _watch(self, call: Call, query: Query) -> Stream:
        request = call.request
        initial = request.flag("sendInitialEvents") if request.params("sendInitialEvents") else None
        seconds = options.timeout_seconds(request)
        wish = Wish(initial, request.flag("allowWatchBookmarks"), seconds, request.param("includeObject"))
        return opened(self._store, call.resource, query, wish, call.form)

    # ── writes ──────────────────────────────────────────────────────────────────────────────────
    def _create(self, call: Call) -> Answer:
        resource, request = call.resource, call.request
        how = options.write_options(request, "CreateOptions")
        body = self._body(call, how)
        if isinstance(resource, BuiltIn) and "get" not in resource.served.verbs:
            return self._review(call, body, how)
        write = self._store.writer.create
        return self._written(call, how, body, lambda how: write(resource, call.target.namespace, body.data, how))

    def _review(self, call: Call, body: Body, how: Options) -> Answer:
        if call.form.kind:
            raise not_acceptable("a review has no other form than its own")
        found, warnings = self._reviews.review(call.resource, call.target.namespace, body.data or {}, call.user, how)
        return Response(201, found, (*body.complaints, *warnings))

    def _update(self, call: Call) -> Answer:
        how = options.write_options(call.request, "UpdateOptions")
        body = self._body(call, how)
        write, subresource = self._store.writer.update, call.target.subresource
        place = call.place
        return self._written(call, how, body, lambda how: write(call.resource, *place, body.data, how, subresource))

    def _patch(self, call: Call) -> Answer:
        kind = bodies.media_type(call.request.headers.get("content-type", ""))
        self._check_patch_type(call.resource, kind)
        how = options.write_options(call.request, "PatchOptions", kind == _APPLY)
        body = self._patch_body(call, kind, how)
        return self._written(call, how, body, lambda how: self._patched(call, kind, body.data, how))

    def _patched(self, call: Call, kind: str, patch: Any, how: Options) -> Written:
        writer, resource = self._store.writer, call.resource
        if kind == _APPLY:
            return writer.apply(resource, *call.place, patch, how, call.target.subresource)
        if kind == _JSON and patch is None:
            patch = []
        if kind == _JSON and not isinstance(patch, list):
            self._found(resource, *call.place)
            raise status.bad_request("json: cannot unmarshal object into Go value of type jsonpatch.Patch")
        patched = strategic_patch(resource, patch) if kind == _STRATEGIC else _PATCHES[kind](patch)
        return writer.patch(resource, *call.place, patched, how, call.target.subresource)

    def _check_patch_type(self, resource: Resource, kind: str) -> None:
        known = (_JSON, _MERGE, *(() if resource.custom else (_STRATEGIC,)), _APPLY)
        if kind in known:
            return
        if resource.custom or kind in (_STRATEGIC, _APPLY_CBOR):
            shown = ", ".join(known)
            text = f"the body of the request was in an unknown format - accepted media types include: {shown}"
            raise status.failure(415, "UnsupportedMediaType", text)
        raise status.failure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {})

    def _delete(self, call: Call) -> Answer:
        namespace, name = call.place
        resource = call.resource
        how = options.delete_options(call.request, self._delete_body(call))
        written = delete(self._store.state, resource, namespace, name, how)
        if written.gone and not resource.traits.returns_deleted:
            return Response(200, _success(resource, written.obj))
        return self._shown(call, written.obj, written.warnings)

    def _delete_all(self, call: Call) -> Answer:
        body = self._delete_body(call)
        query = options.list_query(call.request, call.target.namespace)
        how = options.delete_options(call.request, body)
        page, warnings = self._store.delete_all(call.resource.kind, query, how)
        return Response(200, self._listed(call, page), warnings)

    # ── subresources ────────────────────────────────────────────────────────────────────────────
    def _of_subresource(self, call: Call) -> Answer:
        name, method = call.target.subresource, call.request.method
        if _VERBS.get(method) not in discovery.subresource_kind(call.resource, name)[3]:
            raise _not_allowed(call.resource, method)
        if name == "scale":
            return self._scale(call)
        if name == "token":
            return self._token(call)
        if name in ("status", "finalize", "approval") or (method == "GET" and name in _PARTS):
            return self._of_objects[method](call)
        obj = self._found(call.resource, *call.place)
        if call.resource.table == "pods" and name in containers.PATHS:
            return containers.answer(call.request, name, obj)
        if name == "eviction":
            return self._evict(call)
        raise _not_allowed(call.resource, method)

    def _evict(self, call: Call) -> Answer:
        """Delete a pod, as the options in the eviction say."""
        how = options.write_options(call.request, "CreateOptions")
        body = self._body(call, how, "Eviction").data or {}
        wish = options.delete_options(call.request, options.read_delete_options(body.get("deleteOptions") or {}))
        delete(self._store.state, call.resource, *call.place, wish._replace(dry_run=wish.dry_run or how.dry_run))
        return Response(201, _SUCCESS)

    def _scale(self, call: Call) -> Answer:
        resource, request, (namespace, name) = call.resource, call.request, call.place
        if request.method == "GET":
            obj = self._found(resource, namespace, name)
            scale.check_countable(resource, obj)
            return self._shown_scale(call, obj)
        kind = bodies.media_type(request.headers.get("content-type", ""))
        applying = request.method == "PATCH" and kind == _APPLY
        how = options.write_options(request, "UpdateOptions" if request.method == "PUT" else "PatchOptions", applying)
        if applying and resource.custom:
            self._found(resource, namespace, name)
            text = "failed to create typed patch object: no corresponding type for autoscaling/v1, Kind=Scale"
            raise status.internal(text)
        if applying:
            config = scale.configuration(resource, scale.check_kind(bodies.decode_yaml(request.body, lax=True).data))
            applied = self._store.writer.apply(resource, namespace, name, config, how, "scale")
            return self._shown_scale(call, applied.obj, applied.warnings)
        wanted, warnings = self._new_scale(call, how)
        write, rest = self._store.writer.patch, how._replace(validation="Ignore")
        written = write(resource, namespace, name, lambda live: scale.written(resource, live, wanted), rest, "scale")
        return self._shown_scale(call, written.obj, (*warnings, *written.warnings))

    def _shown_scale(self, call: Call, obj: Object, warnings: tuple[str, ...] = ()) -> Response:
        found = scale.shown(call.resource, obj)
        if call.form.kind == "Table":
            found = tables.of_scale(found, call.resource.custom, self._view(call))
        elif call.form.kind:
            found = tables.partial(found, call.form.version)
        return Response(200, found, warnings)

    def _new_scale(self, call: Call, how: Options) -> tuple[Object, list[str]]:
        if call.request.method == "PUT":
            body = self._body(call, how, "Scale")
            wanted, warnings = scale.read(body.data, call.place, how.validation)
        else:
            kind = bodies.media_type(call.request.headers.get("content-type", ""))
            obj = self._found(call.resource, *call.place)
            self._check_patch_type(call.resource, kind)
            body = self._patch_body(call, kind, how)
            patched = json_patch(body.data) if kind == _JSON else merge_patch(body.data)
            found = patched(scale.shown(call.resource, obj))
            wanted, warnings = scale.read(found, call.place, how.validation, True)
        return wanted, [*body.complaints, *warnings]

    def _token(self, call: Call) -> Answer:
        how = options.write_options(call.request, "CreateOptions")
        body = self._body(call, how, "TokenRequest").data or {}
        account = self._found(call.resource, *call.place)
        return Response(201, self._reviews.token(account, body, how))

    # ── bodies and answers ──────────────────────────────────────────────────────────────────────
    def _body(self, call: Call, how: Options, what: str = "") -> Body:
        """Return the object of a request's body. Raises ApiError, also where a field stands there twice."""
        request, expected = call.request, what or call.resource.kind.kind
        given = request.headers.get("content-type", "")
        if call.resource.custom and bodies.media_type(given) == bodies.PROTOBUF:
            raise bodies.unsupported_media()
        body = _heeded(bodies.decode(request.body, given, expected), how)
        if body.complaints and how.validation == "Strict":
            kind = call.resource.kind
            what = f'{kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}'
            raise status.bad_request(f"{what}: strict decoding error: {', '.join(body.complaints)}")
        return body

    def _patch_body(self, call: Call, kind: str, how: Options) -> Body:
        content = call.request.body
        body = bodies.decode_yaml(content, lax=True) if kind == _APPLY else bodies.decode_json(content)
        if kind not in (_APPLY, _JSON) and not isinstance(body.data, dict):
            self._found(call.resource, *call.place)
            raise status.bad_request("json: cannot unmarshal patch into Go value of type map[string]interface {}")
        if kind == _JSON:
            body = body._replace(complaints=tuple(f"json patch {text}" for text in body.complaints))
        body = _heeded(body, how)
        if body.complaints and how.validation == "Strict":
            text = f"strict decoding error: {', '.join(body.complaints)}"
            if kind == _APPLY:
                raise status.bad_request(f"error decoding YAML: {text}")
            raise status.invalid(status.Subject("", ""), "", [causes.invalid("patch", "", text)])
        return body

    def _delete_body(self, call: Call) -> Object | None:
        request = call.request
        if not request.body:
            return None
        body = bodies.decode(request.body, request.headers.get("content-type", "")).data
        if body is None:
            return {}
        if not isinstance(body, dict):
            raise status.bad_request("couldn't get version/kind; json parse error: DeleteOptions must be an object")
        kind = body.get("kind") or "DeleteOptions"
        if kind != "DeleteOptions":
            version = body.get("apiVersion", "")
            text = f'no kind "{kind}" is registered for version "{version}" in scheme "pkg/runtime/scheme.go:111"'
            raise status.bad_request(text)
        return options.read_delete_options(body)

    def _written(self, call: Call, how: Options, body: Body, write: Callable[[Options], Written]) -> Response:
        """Carry out a write and show the object; the client hears of fields that stood there twice in any case."""
        try:
            written = _sized(call.request, how, write)
        except ApiError as error:
            error.warnings = (*body.complaints, *error.warnings)
            raise
        warnings = (*body.complaints, *written.warnings)
        return self._shown(call, written.obj, warnings, 201 if written.created else 200)

    def _shown(self, call: Call, obj: Object, warnings: tuple[str, ...] = (), code: int = 200) -> Response:
        form, resource = call.form, call.resource
        if form.kind == "Table":
            meta = {"resourceVersion": obj["metadata"].get("resourceVersion", "")}
            return Response(code, tables.table(resource, [obj], meta, self._view(call)), warnings)
        if form.kind == "PartialObjectMetadataList":
            text = f"the requested object is not a list (*core.{resource.kind.kind})"
            raise not_acceptable(f"you requested PartialObjectMetadataList, but {text}")
        return Response(code, tables.partial(obj, form.version) if form.kind else obj, warnings)

    def _view(self, call: Call) -> tables.View:
        return tables.View(self._store.state.time(), call.request.param("includeObject"), call.form.version)


_PARTS = ("ephemeralcontainers", "resize")
"""Subresources that show the object, and of which no more is carried out."""
_SUCCESS = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201}
_STORED_LIMIT = 1_500_000


def _heeded(body: Body, how: Options) -> Body:
    """Return the body without complaints that the request asks not to hear."""
    return body._replace(complaints=()) if how.validation == "Ignore" else body


def _sized(request: Request, how: Options, write: Callable[[Options], Written]) -> Written:
    """Carry out a write, unless its object is too large to be stored. Raises ApiError (500), as etcd's limit does."""
    if len(request.body) <= _STORED_LIMIT:
        return write(how)
    write(how._replace(dry_run=True))
    raise status.internal("etcdserver: request is too large")


def _item(obj: Object, resource: Resource, form: Form) -> Object:
    if form.kind:
        return tables.partial(obj, form.version)
    if resource.custom:
        return obj
    return {key: value for key, value in obj.items() if key not in ("kind", "apiVersion")}


def _not_allowed(resource: Resource, method: str) -> ApiError:
    """405, in the words of a custom resource or of Kubernetes' own."""
    verb = "create" if method == "POST" else method.lower()
    return status.method_not_supported(resource.by_name, verb) if resource.custom else status.method_not_allowed()


_VERBS = {"GET": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete", "POST": "create"}
_COLLECTION_VERBS = {"GET": "list", "DELETE": "deletecollection"}


def _can(resource: Resource, method: str, one: bool) -> bool:
    """Tell whether a resource has the verb of a method, for one object or for all."""
    verb = _VERBS.get(method, "")
    return (verb if one else _COLLECTION_VERBS.get(method, verb)) in discovery.verbs(resource)


_PATCHES: Mapping[str, Callable[[Any], Callable[[Object], Any]]] = {_JSON: json_patch, _MERGE: merge_patch}


def _success(resource: Resource, obj: Object) -> Object:
    meta = obj["metadata"]
    details = status.details(resource.by_name, meta["name"], meta["uid"])
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}
