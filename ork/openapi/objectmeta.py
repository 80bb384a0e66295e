"""The schema of `metadata`, the same for every object of every kind (`meta/v1 ObjectMeta`)."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object

_STRING: Object = {"type": "string"}
_BOOLEAN: Object = {"type": "boolean"}
_TIME: Object = {"type": "string", "format": "date-time", "nullable": True}
_COUNT: Object = {"type": "integer", "format": "int64"}
_TEXTS: Object = {"type": "object", "additionalProperties": _STRING}


def _struct(required: tuple[str, ...] = (), **properties: Any) -> Object:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


_OWNER: Object = {
    **_struct(
        ("apiVersion", "kind", "name", "uid"),
        apiVersion=_STRING,
        kind=_STRING,
        name=_STRING,
        uid=_STRING,
        controller=_BOOLEAN,
        blockOwnerDeletion=_BOOLEAN,
    ),
    "x-kubernetes-map-type": "atomic",
}
_MANAGED: Object = _struct(
    manager=_STRING,
    operation=_STRING,
    apiVersion=_STRING,
    time=_TIME,
    fieldsType=_STRING,
    fieldsV1={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    subresource=_STRING,
)

SCHEMA: Object = _struct(
    name=_STRING,
    generateName=_STRING,
    namespace=_STRING,
    selfLink=_STRING,
    uid=_STRING,
    resourceVersion=_STRING,
    generation=_COUNT,
    creationTimestamp=_TIME,
    deletionTimestamp=_TIME,
    deletionGracePeriodSeconds=_COUNT,
    labels=_TEXTS,
    annotations=_TEXTS,
    ownerReferences={
        "type": "array",
        "items": _OWNER,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["uid"],
        "x-kubernetes-patch-strategy": "merge",
        "x-kubernetes-patch-merge-key": "uid",
    },
    finalizers={
        "type": "array",
        "items": _STRING,
        "x-kubernetes-list-type": "set",
        "x-kubernetes-patch-strategy": "merge",
    },
    managedFields={"type": "array", "items": _MANAGED, "x-kubernetes-list-type": "atomic"},
)
