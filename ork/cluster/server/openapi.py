"""OpenAPI documents: v3 by group and version, which `kubectl explain` and `apply` read, and v2 for older clients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ork.base.objects import Kind, Object
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.catalogue import Catalogue
from ork.cluster.memory.custom import Custom
from ork.cluster.memory.resource import Resource
from ork.cluster.server import bodies
from ork.cluster.server.messages import Content, Response
from ork.openapi import kubernetes, objectmeta

_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_READABLE = re.compile(r"json|protobuf|\*/\*|application/\*")
_NOTHING = Content("", b"")
_V2_HEAD = Content("application/com.github.proto-openapi.spec.v2.v1.0+protobuf", b"\n\x032.0")
"""The document in protobuf, without definitions: a client that knows no other form leaves validation to the server."""
_INFO = {"title": "Kubernetes", "version": f"v{kubernetes.VERSION}"}
_INTERNAL = frozenset({"x-type", "x-vanish", "x-stay"})


class Documents:
    """The documents of the resources that are served at the moment."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    def answer(self, path: str, accept: str) -> Response | None:
        """Return the document at a path; None where there is none."""
        if path.startswith("/openapi/v") and not _READABLE.search(accept or "*/*"):
            return Response(406, _NOTHING)
        if path == "/openapi/v2":
            return Response(200, _V2_HEAD if "protobuf" in accept and "json" not in accept else self._v2())
        if path == "/openapi/v3":
            return Response(200, Content("text/plain; charset=utf-8", bodies.encode_json(self._index())))
        if path.startswith("/openapi/v3/"):
            return self._of_version(path.removeprefix("/openapi/v3/")) or Response(404, _NOTHING)
        return None

    def _versions(self) -> dict[str, list[Resource]]:
        out: dict[str, list[Resource]] = {}
        for resource in self._catalogue.served():
            out.setdefault(_location(resource.kind), []).append(resource)
        return out

    def _index(self) -> Object:
        version = self._catalogue.revision
        urls = {name: {"serverRelativeURL": f"/openapi/v3/{name}?hash={version}"} for name in sorted(self._versions())}
        return {"paths": urls}

    def _of_version(self, name: str) -> Response | None:
        found = self._versions().get(name)
        if found is None:
            return None
        made = _Schemas("#/components/schemas/")
        roots = [made.root(resource) for resource in found]
        paths = dict(path for resource, root in zip(found, roots, strict=True) for path in _paths(resource, root, made))
        return Response(200, {"openapi": "3.0.0", "info": _INFO, "paths": paths, "components": {"schemas": made.found}})

    def _v2(self) -> Object:
        made = _Schemas("#/definitions/")
        for resource in self._catalogue.served():
            made.root(resource)
        empty: Object = {"paths": {}, "parameters": {}, "security": [], "securityDefinitions": {}}
        return {"swagger": "2.0", "info": _INFO, **empty, "definitions": made.found}


def _location(kind: Kind) -> str:
    return f"apis/{kind.group}/{kind.version}" if kind.group else f"api/{kind.version}"


class _Schemas:
    """Component schemas: every struct once, with references between them."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.found: dict[str, Object] = {}

    def root(self, resource: Resource) -> str:
        """Add the schema of a resource's kind, and what it refers to; returns its name."""
        kind = resource.kind
        mark = {"group": kind.group, "kind": kind.kind, "version": kind.version}
        if isinstance(resource, BuiltIn):
            name = _component(resource.schema[kubernetes.TYPE])
            self._struct(resource.schema)
        else:
            assert isinstance(resource, Custom)
            name = f"{_reversed(kind.group)}.{kind.version}.{kind.kind}"
            self.found[name] = self._custom(resource)
        self.found[name]["x-kubernetes-group-version-kind"] = [mark]
        return name

    def reference(self, name: str) -> Object:
        return {"$ref": self._prefix + name}

    def _custom(self, resource: Custom) -> Object:
        self.found.setdefault(_META, self._plain(objectmeta.SCHEMA))
        head = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": self.reference(_META)}
        return {**resource.schema, "properties": {**(resource.schema.get("properties") or {}), **head}}

    def _struct(self, schema: Object) -> Object:
        name = _component(schema[kubernetes.TYPE])
        if name not in self.found:
            self.found[name] = {}
            self.found[name].update(self._plain(schema))
        return self.reference(name)

    def _converted(self, schema: Object) -> Object:
        return self._struct(schema) if kubernetes.TYPE in schema else self._plain(schema)

    def _plain(self, schema: Object) -> Object:
        out: Object = {key: value for key, value in schema.items() if key not in _INTERNAL}
        if "properties" in schema:
            out["properties"] = {key: self._converted(below) for key, below in schema["properties"].items()}
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                out[key] = self._converted(schema[key])
        return out


def _component(name: str) -> str:
    """`io.k8s.api.apps.v1.Deployment` of `apps.v1.Deployment`."""
    package = "io.k8s.apimachinery.pkg.apis" if name.startswith("meta.") else "io.k8s.api"
    return f"{package}.{name}"


def _reversed(group: str) -> str:
    return ".".join(reversed(group.split(".")))


_ACTIONS = {"get": "get", "put": "put", "patch": "patch", "post": "post", "delete": "delete"}


def _paths(resource: Resource, root: str, made: _Schemas) -> Iterator[tuple[str, Object]]:
    kind = resource.kind
    scope = "namespaces/{namespace}/" if kind.namespaced else ""
    base = f"/{_location(kind)}/{scope}{kind.plural}"
    mark = {"group": kind.group, "kind": kind.kind, "version": kind.version}
    yield base, {"post": _operation("post", mark, root, made), "get": _operation("list", mark, root, made)}
    item = {name: _operation(action, mark, root, made) for name, action in _ACTIONS.items() if name != "post"}
    yield f"{base}/{{name}}", item


def _operation(action: str, mark: Object, root: str, made: _Schemas) -> Object:
    answer = {"description": "OK", "content": {"application/json": {"schema": made.reference(root)}}}
    out: dict[str, Any] = {
        "responses": {"200": answer},
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": mark,
    }
    if action in ("post", "put", "patch"):
        names = ("dryRun", "fieldManager", "fieldValidation")
        out["parameters"] = [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]
    return out
