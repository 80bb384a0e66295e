"""The `scale` subresource: an object seen and written as an `autoscaling/v1 Scale`."""

from __future__ import annotations

from ork.base import paths
from ork.base.objects import Object
from ork.base.paths import Path
from ork.cluster.memory import status
from ork.cluster.memory.codec import DecodeError, compile_reader
from ork.cluster.memory.custom import Custom
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.status import ApiError, Subject
from ork.cluster.memory.writing import wrong_uid
from ork.cluster.server.printing import selector_text
from ork.openapi import causes, objectmeta

_SUBJECT = Subject("autoscaling", "Scale")
_TEXT, _COUNT = {"type": "string"}, {"type": "integer", "format": "int32"}
_SCALE: Object = {
    "type": "object",
    "properties": {
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "metadata": objectmeta.SCHEMA,
        "spec": {"type": "object", "properties": {"replicas": _COUNT}},
        "status": {"type": "object", "properties": {"replicas": _COUNT, "selector": _TEXT}},
    },
}
_read = compile_reader(_SCALE)
_SHOWN = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")


def _places(resource: Resource) -> tuple[Path, Path, Path]:
    """Return where an object holds wanted replicas, replicas, and the selector."""
    if not isinstance(resource, Custom):
        return ("spec", "replicas"), ("status", "replicas"), ("spec", "selector")
    scale = resource.definition["subresources"]["scale"]
    keys = ("specReplicasPath", "statusReplicasPath", "labelSelectorPath")
    wanted, there, selector = (tuple(scale.get(key, "").strip(".").split(".")) for key in keys)
    return wanted, there, selector


def shown(resource: Resource, obj: Object) -> Object:
    """Return an object as its Scale."""
    wanted, there, selector = _places(resource)
    replicas = paths.get(obj, wanted)
    found: Object = {"replicas": paths.get(obj, there) or 0}
    if text := _selector(resource, paths.get(obj, selector)):
        found["selector"] = text
    meta = {key: obj["metadata"][key] for key in _SHOWN if key in obj["metadata"]}
    spec = {"replicas": replicas} if replicas else {}
    return {"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": meta, "spec": spec, "status": found}


def check_countable(resource: Resource, obj: Object) -> None:
    """Refuse to show a custom resource that says no number of replicas. Raises ApiError (500)."""
    wanted = _places(resource)[0]
    if isinstance(resource, Custom) and paths.get(obj, wanted) is None:
        text = f'the spec replicas field ".{".".join(wanted)}" does not exist'
        message = f"Internal error occurred: {text}"
        raise status.failure(500, "InternalError", message, {"causes": [{"message": text}]})


def _selector(resource: Resource, value: object) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return ""
    labels = value if resource.table == "replicationcontrollers" else None
    return selector_text({"matchLabels": labels} if labels else value)


def written(resource: Resource, obj: Object, scale: Object) -> Object:
    """Return the object with the replicas of a Scale, and the version that it names. Raises ApiError."""
    meta, live, replicas = scale["metadata"], obj["metadata"], _replicas(scale) or 0
    if (meta.get("uid") or live["uid"]) != live["uid"]:
        raise wrong_uid(resource, live.get("namespace", ""), live["name"], meta["uid"], live["uid"])
    _check_count(resource, live["name"], replicas)
    out: Object = paths.put(obj, _places(resource)[0], replicas)
    return {**out, "metadata": {**live, "resourceVersion": meta.get("resourceVersion") or live["resourceVersion"]}}


def _replicas(scale: Object) -> int | None:
    found: int | None = (scale.get("spec") or {}).get("replicas")
    return found


def _check_count(resource: Resource, name: str, replicas: int) -> None:
    if replicas < 0 and not resource.custom:
        wrong = causes.invalid("spec.replicas", replicas, "must be greater than or equal to 0")
        raise status.invalid(_SUBJECT, name, [wrong])


def configuration(resource: Resource, scale: Object) -> Object:
    """Return what an applied Scale configures of the object itself. Raises ApiError."""
    kind, unknown = resource.kind, list[str]()
    meta = scale.get("metadata") or {}
    try:
        replicas = _replicas(_read(scale, unknown))
    except DecodeError as error:
        raise _untyped(meta, str(error)) from None
    if unknown:
        raise _untyped(meta, f".{unknown[0]}: field not declared in schema")
    _check_count(resource, meta.get("name", ""), replicas or 0)
    out: Object = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": meta}
    return out if replicas is None else paths.put(out, _places(resource)[0], replicas)


def _untyped(meta: Object, why: str) -> ApiError:
    what = f"{meta.get('namespace', '')}/{meta.get('name', '')}; autoscaling/v1, Kind=Scale"
    return status.internal(f"failed to create typed patch object ({what}): {why}")


def read(scale: object, place: tuple[str, str], validation: str, patched: bool = False) -> tuple[Object, list[str]]:
    """Return a request's Scale of the object at that namespace and name, with warnings. Raises ApiError (400, 422)."""
    unknown: list[str] = []
    try:
        found: Object = _read(check_kind(scale), unknown)
    except DecodeError as error:
        raise _undecodable(str(error), patched) from None
    complaints = [f'unknown field "{path}"' for path in unknown if validation != "Ignore"]
    if complaints and validation == "Strict":
        raise _undecodable(f"strict decoding error: {', '.join(complaints)}", patched)
    meta, (namespace, name) = found.get("metadata") or {}, place
    if meta.get("name") != name:
        text = f"the name of the object ({meta.get('name', '')}) does not match the name on the URL ({name})"
        raise status.bad_request(text)
    if (meta.get("namespace") or namespace) != namespace:
        text = "the namespace of the provided object does not match the namespace sent on the request"
        raise status.bad_request(text)
    return {**found, "metadata": meta}, complaints


def _undecodable(why: str, patched: bool) -> ApiError:
    if patched:
        return status.invalid(Subject("", ""), "", [causes.invalid("patch", "", why)])
    return status.bad_request(f'Scale in version "v1" cannot be handled as a Scale: {why}')


def check_kind(scale: object) -> Object:
    """Return a body that is a Scale. Raises ApiError (400)."""
    if not isinstance(scale, dict):
        raise status.bad_request("the object provided is unrecognized (must be of type Scale)")
    kind, version = scale.get("kind") or "Scale", scale.get("apiVersion") or "autoscaling/v1"
    if (kind, version) != ("Scale", "autoscaling/v1"):
        short = str(version).rpartition("/")[2]
        text = f'no kind "{kind}" is registered for version "{version}" in scheme "pkg/runtime/scheme.go:111"'
        raise status.bad_request(f'{kind} in version "{short}" cannot be handled as a Scale: {text}')
    return scale
