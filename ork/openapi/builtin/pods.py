"""What the API server refuses in pods and their templates: volumes, ports, names, where they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import addresses, names
from ork.openapi.builtin.checks import (
    FieldRule,
    Rules,
    amount,
    between,
    demand,
    each,
    inside,
    labels,
    listed,
    minimum,
    named,
    needs,
    no_way_up,
    one_of,
    relative,
    strictly,
    unique,
    user_id,
)
from ork.openapi.causes import Cause, below, duplicate, forbidden, invalid, required

# ── volumes ─────────────────────────────────────────────────────────────────────────────────────
_SOURCES = (
    *("emptyDir", "hostPath", "gitRepo", "gcePersistentDisk", "awsElasticBlockStore", "secret", "nfs", "iscsi"),
    *("glusterfs", "flexVolume", "persistentVolumeClaim", "rbd", "cinder", "cephfs", "flocker", "downwardAPI", "fc"),
    *("configMap", "azureFile", "azureDisk", "vsphereVolume", "photonPersistentDisk", "portworxVolume", "quobyte"),
    *("scaleIO", "storageos", "projected", "csi", "ephemeral", "image"),
)


def _mode(value: Any, path: str) -> Iterator[Cause]:
    if not 0 <= value <= 0o777:
        yield invalid(path, value, "must be a number between 0 and 0777 (octal), both inclusive")


def _absolute(value: Any, path: str) -> Iterator[Cause]:
    if not value.startswith("/"):
        yield invalid(path, value, "must be an absolute path")


def _size_limit(value: Any, path: str) -> Iterator[Cause]:
    if amount(value) < 0:
        yield forbidden(path, "SizeLimit field must be a valid resource quantity")


# ── pods ────────────────────────────────────────────────────────────────────────────────────────
def _containers(spec: Object) -> Iterator[tuple[str, Object]]:
    for field in ("containers", "initContainers"):
        for index, container in enumerate(spec.get(field) or ()):
            yield f"{field}[{index}]", container


def _across(spec: Object, path: str) -> Iterator[Cause]:
    """Yield what containers break between them: names twice, mounts of no volume."""
    seen: set[str] = set()
    volumes = {volume.get("name") for volume in spec.get("volumes") or () if _is_sound(volume)}
    for step, container in _containers(spec):
        name = container.get("name")
        if name and name in seen:
            yield duplicate(below(path, f"{step}.name"), name)
        seen.add(name or "")
        for index, mount in enumerate(container.get("volumeMounts") or ()):
            here = below(path, f"{step}.volumeMounts[{index}].name")
            if not mount.get("name"):
                yield required(here)
            elif mount["name"] not in volumes:
                yield Cause("FieldValueNotFound", here, f'Not found: "{mount["name"]}"')


def _is_sound(volume: Object) -> bool:
    """Tell whether a volume has one source: one that is refused can be mounted by nobody."""
    return sum(volume.get(source) is not None for source in _SOURCES) == 1


def _images(pod: Object, path: str) -> Iterator[Cause]:
    """A template is not held to it."""
    for step, container in _containers(pod.get("spec") or {}):
        image = container.get("image") or ""
        if image != image.strip():
            yield invalid(below(path, f"spec.{step}.image"), image, "must not have leading or trailing whitespace")


def _init_containers(spec: Object, path: str) -> Iterator[Cause]:
    for index, container in enumerate(spec.get("initContainers") or ()):
        if container.get("restartPolicy") == "Always":
            continue
        for field in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
            if container.get(field) is not None:
                text = "may not be set for init containers without restartPolicy=Always"
                yield forbidden(below(path, f"initContainers[{index}].{field}"), text)


def _host_ports(spec: Object, path: str) -> Iterator[Cause]:
    running: set[str] = set()
    for step, container in _containers(spec):
        seen = running if step.startswith("containers") else set()
        for index, row in enumerate(container.get("ports") or ()):
            number, here = row.get("hostPort"), below(path, f"{step}.ports[{index}].hostPort")
            if not number:
                continue
            if spec.get("hostNetwork") and number != row.get("containerPort"):
                yield invalid(here, number, "must match `containerPort` when `hostNetwork` is true")
            key = f"{row.get('protocol')}/{row.get('hostIP', '')}/{number}"
            if key in seen:
                yield duplicate(here, key)
            seen.add(key)


def _dns(spec: Object, path: str) -> Iterator[Cause]:
    if spec.get("dnsPolicy") == "None" and not inside(spec, "dnsConfig", "nameservers"):
        if spec.get("dnsConfig") is None:
            yield required(below(path, "dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None")
        else:
            text = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield required(below(path, "dnsConfig.nameservers"), text)


def _at_most(limit: int, what: str) -> FieldRule:
    def rule(value: Any, path: str) -> Iterator[Cause]:
        if len(value) > limit:
            yield invalid(path, value, f"must not have more than {limit} {what}")

    return rule


def _nameservers(value: Any, path: str) -> Iterator[Cause]:
    yield from _at_most(3, "nameservers")(value, path)
    yield from each(strictly(addresses.ip))(value, path)


def _searches(value: Any, path: str) -> Iterator[Cause]:
    yield from _at_most(32, "search paths")(value, path)
    for index, name in enumerate(value):
        if name != ".":
            yield from named(names.search_path)(name.removesuffix("."), f"{path}[{index}]")


def _dns_options(value: Any, path: str) -> Iterator[Cause]:
    for index, option in enumerate(value):
        if not option.get("name"):
            yield required(f"{path}[{index}]", "must not be empty")


_ANY_KEY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'


def _toleration(row: Object, path: str) -> Iterator[Cause]:
    operator, value = row.get("operator") or "Equal", row.get("value")
    if not row.get("key") and operator != "Exists":
        yield invalid(below(path, "operator"), row.get("operator", ""), _ANY_KEY)
    if operator == "Exists" and value:
        yield invalid(below(path, "operator"), value, "value must be empty when `operator` is 'Exists'")
    if row.get("tolerationSeconds") is not None and row.get("effect") != "NoExecute":
        text = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield invalid(below(path, "effect"), row.get("effect", ""), text)


def _gates(value: Any, path: str) -> Iterator[Cause]:
    for index, gate in enumerate(value):
        yield from strictly(names.qualified)(gate.get("name", ""), f"{path}[{index}]")


def _none_at_first(pod: Object, _path: str) -> Iterator[Cause]:
    if inside(pod, "spec", "ephemeralContainers"):
        yield forbidden("spec.ephemeralContainers", "cannot be set on create")


def _weight(value: Any, path: str) -> Iterator[Cause]:
    if not 1 <= value <= 100:
        yield invalid(path, value, "must be in the range 1-100")


_annotation = names.any_case(names.qualified)


def _template_metadata(template: Object, path: str) -> Iterator[Cause]:
    yield from labels(inside(template, "metadata", "labels"), below(path, "labels"))
    for key in inside(template, "metadata", "annotations") or {}:
        yield from (invalid(below(path, "annotations"), key, text) for text in _annotation(key))


# ── changes ─────────────────────────────────────────────────────────────────────────────────────
_MAY_CHANGE = ("activeDeadlineSeconds", "tolerations")
_CHANGE_TEXT = (
    "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
    "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)"
)


def _pod_changed(new: Object, old: Object) -> Iterator[Cause]:
    after, before = new.get("spec") or {}, old.get("spec") or {}
    for field in ("containers", "initContainers"):
        if len(after.get(field) or ()) != len(before.get(field) or ()):
            yield forbidden(f"spec.{field}", "pod updates may not add or remove containers")
            return
    yield from _deadline_changed(after.get("activeDeadlineSeconds"), before.get("activeDeadlineSeconds"))
    kept = [row for row in before.get("tolerations") or () if row not in (after.get("tolerations") or ())]
    if kept:
        yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    if _fixed(after) != _fixed(before):
        yield forbidden("spec", _CHANGE_TEXT)


def _deadline_changed(after: int | None, before: int | None) -> Iterator[Cause]:
    path = "spec.activeDeadlineSeconds"
    if before is not None and after is None:
        yield invalid(path, None, "must not update from a positive integer to nil value")
    elif before is not None and after is not None and after > before:
        yield invalid(path, after, "must be less than or equal to previous value")


def _fixed(spec: Object) -> Object:
    """Return the part of a pod's spec that never changes."""
    rest = {key: value for key, value in spec.items() if key not in _MAY_CHANGE}
    for field in ("containers", "initContainers"):
        rest[field] = [{**container, "image": ""} for container in spec.get(field) or ()]
    return rest


_PROJECTION = Rules(needs=demand("name"))
_FILES = Rules({"defaultMode": _mode})

RULES: Mapping[str, Rules] = {
    "core.v1.CSIVolumeSource": Rules({"driver": named(names.any_case(names.subdomain))}, needs=demand("driver")),
    "core.v1.ConfigMapProjection": _PROJECTION,
    "core.v1.ConfigMapVolumeSource": Rules({"defaultMode": _mode}, needs=demand("name")),
    "core.v1.DownwardAPIVolumeFile": Rules(
        {"path": relative, "mode": _mode},
        (needs("one of fieldRef and resourceFieldRef is required", "fieldRef", "resourceFieldRef"),),
        needs=demand("path"),
    ),
    "core.v1.DownwardAPIVolumeSource": _FILES,
    "core.v1.EmptyDirVolumeSource": Rules({"sizeLimit": _size_limit}),
    "core.v1.EphemeralVolumeSource": Rules(needs=demand("volumeClaimTemplate")),
    "core.v1.HostAlias": Rules({"ip": strictly(addresses.ip), "hostnames": each(named(names.subdomain))}),
    "core.v1.HostPathVolumeSource": Rules({"path": no_way_up}, needs=demand("path")),
    "core.v1.KeyToPath": Rules({"path": relative, "mode": _mode}, needs=demand("key", "path")),
    "core.v1.NFSVolumeSource": Rules({"path": _absolute}, needs=demand("server", "path")),
    "core.v1.PersistentVolumeClaimVolumeSource": Rules(needs=demand("claimName")),
    "core.v1.NodeSelector": Rules(needs={"nodeSelectorTerms": "must have at least one node selector term"}),
    "core.v1.Pod": Rules(whole=(_images,), creation=(_none_at_first,), changes=(_pod_changed,)),
    "core.v1.PodAffinityTerm": Rules(
        {"topologyKey": strictly(names.qualified)}, needs={"topologyKey": "can not be empty"}
    ),
    "core.v1.PodDNSConfig": Rules({"nameservers": _nameservers, "searches": _searches, "options": _dns_options}),
    "core.v1.PodReadinessGate": Rules({"conditionType": strictly(names.qualified)}),
    "core.v1.PodSecurityContext": Rules(
        {"runAsUser": user_id, "runAsGroup": user_id, "fsGroup": user_id, "supplementalGroups": each(user_id)}
    ),
    "core.v1.PodSpec": Rules(
        {
            "restartPolicy": listed("Always", "OnFailure", "Never"),
            "dnsPolicy": listed("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
            "activeDeadlineSeconds": between(1, 2**31 - 1),
            "serviceAccountName": named(names.subdomain),
            "nodeName": named(names.subdomain),
            "nodeSelector": labels,
            "hostname": named(names.dns_label),
            "subdomain": named(names.dns_label),
            "schedulingGates": _gates,
            "volumes": unique("name"),
        },
        (_across, _init_containers, _host_ports, _dns),
        needs=demand("containers"),
    ),
    "core.v1.PodTemplateSpec": Rules(whole=(_template_metadata,)),
    "core.v1.ProjectedVolumeSource": _FILES,
    "core.v1.SecretProjection": _PROJECTION,
    "core.v1.SecretVolumeSource": Rules({"defaultMode": _mode}, needs=demand("secretName")),
    "core.v1.Toleration": Rules(
        {
            "key": named(names.qualified),
            "operator": listed("Equal", "Exists"),
            "effect": listed("NoSchedule", "PreferNoSchedule", "NoExecute"),
        },
        (_toleration,),
    ),
    "core.v1.TopologySpreadConstraint": Rules(
        {"maxSkew": minimum(1, "must be greater than zero")}, needs={"topologyKey": "can not be empty"}
    ),
    "core.v1.Volume": Rules(
        {"name": named(names.dns_label)}, (one_of("volume type", *_SOURCES),), needs=demand("name")
    ),
    "core.v1.PreferredSchedulingTerm": Rules({"weight": _weight}),
    "core.v1.WeightedPodAffinityTerm": Rules({"weight": _weight}),
}
