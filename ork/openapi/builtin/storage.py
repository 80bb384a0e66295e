"""What the API server refuses in ConfigMaps, Secrets, volumes and claims."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import names
from ork.openapi.builtin.checks import (
    IMMUTABLE,
    Rules,
    amount,
    chosen,
    demand,
    frozen,
    immutable,
    inside,
    keys,
    listed,
    named,
    one_of,
    positive_amount,
)
from ork.openapi.causes import Cause, below, forbidden, invalid, not_supported, required, too_long

_MOST_BYTES = 1024 * 1024
_MODES = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")


# ── config maps and secrets ─────────────────────────────────────────────────────────────────────
def _keys_once(config: Object, path: str) -> Iterator[Cause]:
    for key in config.get("data") or {}:
        if key in (config.get("binaryData") or {}):
            yield invalid(below(path, f"data[{key}]"), key, "duplicate of key present in binaryData")


def _config_size(config: Object, _path: str) -> Iterator[Cause]:
    size = sum(len(text.encode()) for text in (config.get("data") or {}).values())
    size += sum(_bytes(text) for text in (config.get("binaryData") or {}).values())
    if size > _MOST_BYTES:
        yield too_long("[]", _MOST_BYTES)


def _bytes(text: str) -> int:
    return len(text) * 3 // 4 - text[-2:].count("=")


def _secret_size(secret: Object, path: str) -> Iterator[Cause]:
    if sum(_bytes(text) for text in (secret.get("data") or {}).values()) > _MOST_BYTES:
        yield too_long(below(path, "data"), _MOST_BYTES)


_DEMANDED = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}


def _typed_secret(secret: Object, path: str) -> Iterator[Cause]:
    kind, data = secret.get("type", ""), secret.get("data") or {}
    for key in _DEMANDED.get(kind, ()):
        if key not in data:
            yield required(below(path, f"data[{key}]"))
        elif key.startswith(".docker"):
            yield from _docker(data[key], below(path, f"data[{key}]"))
    if kind == "kubernetes.io/basic-auth" and not data.keys() & {"username", "password"}:
        yield from (required(below(path, f"data[{key}]")) for key in ("username", "password"))
    if kind == "kubernetes.io/ssh-auth" and not data.get("ssh-privatekey"):
        yield required(below(path, "data[ssh-privatekey]"))
    account = "kubernetes.io/service-account.name"
    if kind == "kubernetes.io/service-account-token" and not inside(secret, "metadata", "annotations", account):
        yield required(f"metadata.annotations[{account}]")


def _docker(text: str, path: str) -> Iterator[Cause]:
    try:
        found = json.loads(base64.b64decode(text))
    except ValueError as error:
        yield invalid(path, "<secret contents redacted>", str(error).partition(":")[0])
        return
    if not isinstance(found, dict):
        yield invalid(path, "<secret contents redacted>", "json: cannot unmarshal into Go value of type map")


# ── claims ──────────────────────────────────────────────────────────────────────────────────────
def _access_modes(value: Any, path: str) -> Iterator[Cause]:
    yield from (not_supported(path, mode, _MODES) for mode in value if mode not in _MODES)
    if "ReadWriteOncePod" in value and len(value) > 1:
        yield forbidden(path, "may not use ReadWriteOncePod with other access modes")


def _requested(spec: Object, path: str) -> Iterator[Cause]:
    found, here = inside(spec, "resources", "requests", "storage"), below(path, "resources[storage]")
    if found is None:
        yield required(here)
    else:
        yield from positive_amount(found, here)


_MAY_CHANGE = "resources.requests and volumeAttributesClassName for bound claims"


def _claim_changed(new: Object, old: Object) -> Iterator[Cause]:
    after, before = new.get("spec") or {}, old.get("spec") or {}
    if _fixed(after, old) != _fixed(before, old) or (not before.get("volumeName") and _size(after) != _size(before)):
        yield forbidden("spec", f"spec is immutable after creation except {_MAY_CHANGE}")
    elif amount(_size(after)) < amount(_size(before)) and inside(old, "status", "phase") == "Bound":
        text = "field can not be less than status.capacity"
        yield forbidden("spec.resources.requests.storage", text)
    if after.get("volumeMode") != before.get("volumeMode"):
        yield invalid("volumeMode", after.get("volumeMode"), IMMUTABLE)


def _size(spec: Object) -> str:
    return str(inside(spec, "resources", "requests", "storage") or "0")


def _fixed(spec: Object, old: Object) -> Object:
    """Return the part of a claim's spec that never changes; the names of its volume and class may be set once."""
    once = [field for field in ("volumeName", "storageClassName") if not inside(old, "spec", field)]
    free = ["resources", "volumeAttributesClassName", *once]
    return {key: value for key, value in spec.items() if key not in free}


# ── volumes ─────────────────────────────────────────────────────────────────────────────────────
_SOURCES = (
    *("hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte"),
    *("cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "azureDisk", "portworxVolume"),
    *("photonPersistentDisk", "scaleIO", "local", "storageos", "csi"),
)


def _capacity(spec: Object, path: str) -> Iterator[Cause]:
    value, here = spec.get("capacity"), below(path, "capacity")
    if list(value or ()) != ["storage"]:
        yield not_supported(here, value, ("storage",))
    for key, text in (value or {}).items():
        yield from _volume_size(text, f"{here}[{key}]")


def _volume_size(value: Any, path: str) -> Iterator[Cause]:
    if amount(value) < 0:
        yield Cause("FieldValueInvalid", path, f"Invalid value: {value}: must be a valid resource quantity")
    yield from positive_amount(value, path)


def _has_source(spec: Object, path: str) -> Iterator[Cause]:
    if all(spec.get(source) is None for source in _SOURCES):
        yield required(path, "must specify a volume type")
    if inside(spec, "hostPath", "path") == "/" and spec.get("persistentVolumeReclaimPolicy") == "Recycle":
        text = "may not be 'recycle' for a hostPath mount of '/'"
        yield forbidden(below(path, "persistentVolumeReclaimPolicy"), text)


def _where(spec: Object, path: str) -> Iterator[Cause]:
    if spec.get("local") is not None and inside(spec, "nodeAffinity", "required") is None:
        yield required(below(path, "nodeAffinity"), "Local volume requires node affinity")


def _parameters(value: Any, path: str) -> Iterator[Cause]:
    if "" in value:
        yield invalid(path, "", "field can not be empty.")


def _source_kept(new: Object, old: Object) -> Iterator[Cause]:
    after, before = new.get("spec") or {}, old.get("spec") or {}
    if any(after.get(source) != before.get(source) for source in _SOURCES):
        yield forbidden("spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation")
    if after.get("volumeMode") != before.get("volumeMode"):
        yield invalid("volumeMode", after.get("volumeMode"), IMMUTABLE)


_CLASS_NAME = named(names.subdomain)

RULES: Mapping[str, Rules] = {
    "core.v1.CSIPersistentVolumeSource": Rules(
        {"driver": named(names.any_case(names.subdomain))}, needs=demand("driver", "volumeHandle")
    ),
    "core.v1.ConfigMap": Rules(
        {"data": keys(names.config_key), "binaryData": keys(names.config_key)},
        (_keys_once, _config_size),
        changes=(frozen("data", "binaryData"),),
    ),
    "core.v1.PersistentVolume": Rules(changes=(_source_kept,)),
    "core.v1.PersistentVolumeClaim": Rules(changes=(_claim_changed,)),
    "core.v1.PersistentVolumeClaimSpec": Rules(
        {
            "accessModes": _access_modes,
            "storageClassName": _CLASS_NAME,
            "volumeMode": chosen("Block", "Filesystem"),
        },
        (_requested,),
        needs={"accessModes": "at least 1 access mode is required"},
    ),
    "core.v1.PersistentVolumeSpec": Rules(
        {"accessModes": _access_modes, "storageClassName": _CLASS_NAME},
        (_capacity, _has_source, _where, one_of("volume type", *_SOURCES)),
        needs=demand("capacity", "accessModes"),
    ),
    "core.v1.TopologySelectorLabelRequirement": Rules({"key": named(names.qualified)}, needs=demand("values")),
    "core.v1.Secret": Rules(
        {"data": keys(names.config_key)}, (_secret_size, _typed_secret), changes=(immutable("type"), frozen("data"))
    ),
    "storage.v1.StorageClass": Rules(
        {
            "reclaimPolicy": listed("Delete", "Retain"),
            "provisioner": named(names.any_case(names.qualified)),
            "parameters": _parameters,
        },
        needs=demand("provisioner"),
        changes=(immutable("parameters", "provisioner", "reclaimPolicy", "volumeBindingMode", shown=False),),
    ),
}
