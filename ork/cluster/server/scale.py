"""The `scale` subresource: an object seen and written as an `autoscaling/v1 Scale`."""

from __future__ import annotations

from ork.base import paths
from ork.base.objects import Object
from ork.base.paths import Path
from ork.cluster.memory import status
from ork.cluster.memory.custom import Custom
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.status import Subject
from ork.cluster.server.printing import selector_text
from ork.openapi import causes

_SUBJECT = Subject("autoscaling", "Scale")
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


def written(resource: Resource, obj: Object, scale: Object, patched: bool = False) -> Object:
    """Return the object with the replicas of a Scale, and the version that it names. Raises ApiError."""
    name, meta = obj["metadata"]["name"], scale.get("metadata") or {}
    if meta.get("name") not in (None, "", name):
        text = f"the name of the object ({meta['name']}) does not match the name on the URL ({name})"
        raise status.bad_request(text)
    replicas = (scale.get("spec") or {}).get("replicas", 0)
    if isinstance(replicas, bool) or not isinstance(replicas, int):
        text = "json: cannot unmarshal value into Go struct field ScaleSpec.spec.replicas of type int32"
        if patched:
            raise status.invalid(Subject("", ""), "", [causes.invalid("patch", "", text)])
        raise status.bad_request(f'Scale in version "v1" cannot be handled as a Scale: {text}')
    if replicas < 0 and not resource.custom:
        wrong = causes.invalid("spec.replicas", replicas, "must be greater than or equal to 0")
        raise status.invalid(_SUBJECT, name, [wrong])
    out: Object = paths.put(obj, _places(resource)[0], replicas)
    version = meta.get("resourceVersion") or obj["metadata"]["resourceVersion"]
    return {**out, "metadata": {**out["metadata"], "resourceVersion": version}}


def configuration(resource: Resource, scale: Object) -> Object:
    """Return what an applied Scale configures of the object itself."""
    kind, meta = resource.kind, scale.get("metadata") or {}
    out: Object = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": meta}
    replicas = (scale.get("spec") or {}).get("replicas")
    return out if replicas is None else paths.put(out, _places(resource)[0], replicas)


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
