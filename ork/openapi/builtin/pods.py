"""What the API server refuses in pods and their templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.base.patterns import pattern
from ork.openapi import addresses, names
from ork.openapi.builtin.checks import (
    FieldRule,
    Rules,
    amount,
    at,
    between,
    chosen,
    demand,
    each,
    inside,
    labels,
    listed,
    minimum,
    named,
    needs,
    not_negative,
    one_of,
    port,
    port_if_set,
    port_or_name,
    strictly,
    unique,
    user_id,
)
from ork.openapi.causes import Cause, duplicate, forbidden, invalid, not_supported, required

# ── containers ──────────────────────────────────────────────────────────────────────────────────
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_PROBE_NUMBERS = (*("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"),)
_POLICIES = ("Always", "OnFailure", "Never")


def _probes(container: Object, path: str) -> Iterator[Cause]:
    for name in ("livenessProbe", "startupProbe"):
        threshold = inside(container, name, "successThreshold")
        if threshold not in (None, 1):
            yield invalid(at(path, f"{name}.successThreshold"), threshold, "must be 1")


def _mounts(container: Object, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, mount in enumerate(container.get("volumeMounts") or ()):
        place, here = mount.get("mountPath"), at(path, f"volumeMounts[{index}]")
        if place and place in seen:
            yield invalid(at(here, "mountPath"), place, "must be unique")
        seen.add(place)
        for field in ("subPath", "subPathExpr"):
            yield from _relative(mount.get(field), at(path, f"volumeMounts.{field}"))


def _relative(value: str | None, path: str) -> Iterator[Cause]:
    if not value:
        return
    if value.startswith("/"):
        yield invalid(path, value, "must be a relative path")
    yield from _no_way_up(value, path)


def _no_way_up(value: str, path: str) -> Iterator[Cause]:
    if ".." in value.split("/"):
        yield invalid(path, value, "must not contain '..'")


def _env_sources(container: Object, path: str) -> Iterator[Cause]:
    for row in container.get("envFrom") or ():
        found = [key for key in ("configMapRef", "secretRef") if row.get(key) is not None]
        if not found:
            yield invalid(at(path, "envFrom"), "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(found) > 1:
            yield invalid(at(path, "envFrom"), "", "may not have more than one field specified at a time")


def _variable(row: Object, path: str) -> Iterator[Cause]:
    source = row.get("valueFrom")
    if source is None:
        return
    here = at(path, "valueFrom")
    if row.get("value"):
        yield invalid(here, "", "may not be specified when `value` is not empty")
    elif not source:
        options = "`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(here, "", f"must specify one of: {options}")
    elif len(source) > 1:
        yield invalid(here, "", "may not have more than one field specified at a time")


_FIELD_PATHS = pattern(
    r"metadata\.(name|namespace|uid|labels|annotations)|metadata\.(labels|annotations)\['.*'\]|spec\.(nodeName|"
    r"serviceAccountName)|status\.(hostIPs?|podIPs?|phase)"
)


def _field_path(value: Any, path: str) -> Iterator[Cause]:
    if value and not _FIELD_PATHS.fullmatch(value):
        yield invalid(path, value, f"error converting fieldPath: field label not supported: {value}")


def _resource_field(value: Any, path: str) -> Iterator[Cause]:
    if value and value not in _RESOURCE_FIELDS and ".hugepages-" not in value:
        yield not_supported(path, value, _RESOURCE_FIELDS)


def _privileged(context: Object, path: str) -> Iterator[Cause]:
    if context.get("privileged") and context.get("allowPrivilegeEscalation") is False:
        yield invalid(path, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")


# ── resources ───────────────────────────────────────────────────────────────────────────────────
CONTAINER_RESOURCES = ("cpu", "memory", "ephemeral-storage")
_COUNTED = (
    *("pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"),
    *("persistentvolumeclaims", "services.nodeports", "services.loadbalancers"),
)
QUOTA_RESOURCES = (
    *CONTAINER_RESOURCES,
    *(f"{part}.{name}" for part in ("requests", "limits") for name in CONTAINER_RESOURCES),
    *("requests.storage", *_COUNTED),
)
_STANDARD = (*QUOTA_RESOURCES, "storage")


def resource_name(value: str, path: str, known: tuple[str, ...] = (), text: str = "") -> Iterator[Cause]:
    """Yield what is wrong with the name of a resource; `known`: those that may stand here without a domain."""
    complaints = names.qualified(value)
    yield from (invalid(path, value, complaint) for complaint in complaints)
    if "/" in value:
        return
    huge = value.startswith(("hugepages-", "requests.hugepages-"))
    if not complaints and not huge and value not in _STANDARD:
        yield invalid(path, value, "must be a standard resource type or fully qualified")
    if known and not huge and value not in known:
        yield invalid(path, value, text)


def container_resource(value: str, path: str) -> Iterator[Cause]:
    """Yield what is wrong with the name of a resource of a container."""
    yield from resource_name(value, path, CONTAINER_RESOURCES, "must be a standard resource for containers")


def resource_amount(name: str, value: Any, path: str) -> Iterator[Cause]:
    """Yield what is wrong with an amount of a resource."""
    if amount(value) < 0:
        yield invalid(path, value, "must be greater than or equal to 0")
    if (name in _COUNTED or _is_extended(name)) and amount(value) % 1 != 0:
        yield invalid(path, value, "must be an integer")


def _is_extended(name: str) -> bool:
    return "/" in name and "kubernetes.io/" not in name and not name.startswith("requests.")


def _resources(value: Object, path: str) -> Iterator[Cause]:
    limits, requests = value.get("limits") or {}, value.get("requests") or {}
    for field, rows in (("limits", limits), ("requests", requests)):
        for name, text in rows.items():
            here = at(path, f"{field}[{name}]")
            yield from container_resource(name, here)
            yield from resource_amount(name, text, here)
    for name, text in requests.items():
        if name in limits and amount(text) > amount(limits[name]):
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield invalid(at(path, "requests"), text, detail)
        elif name not in limits and (_is_extended(name) or name.startswith("hugepages-")):
            yield required(at(path, "limits"), "Limit must be set for non overcommitable resources")


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
    volumes = {volume.get("name") for volume in spec.get("volumes") or ()}
    for step, container in _containers(spec):
        name = container.get("name")
        if name and name in seen:
            yield duplicate(at(path, f"{step}.name"), name)
        seen.add(name or "")
        for index, mount in enumerate(container.get("volumeMounts") or ()):
            here = at(path, f"{step}.volumeMounts[{index}].name")
            if not mount.get("name"):
                yield required(here)
            elif mount["name"] not in volumes:
                yield Cause("FieldValueNotFound", here, f'Not found: "{mount["name"]}"')


def _init_containers(spec: Object, path: str) -> Iterator[Cause]:
    for index, container in enumerate(spec.get("initContainers") or ()):
        if container.get("restartPolicy") == "Always":
            continue
        for field in ("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"):
            if container.get(field) is not None:
                text = "may not be set for init containers without restartPolicy=Always"
                yield forbidden(at(path, f"initContainers[{index}].{field}"), text)


def _host_ports(spec: Object, path: str) -> Iterator[Cause]:
    running: set[str] = set()
    for step, container in _containers(spec):
        seen = running if step.startswith("containers") else set()
        for index, row in enumerate(container.get("ports") or ()):
            number, here = row.get("hostPort"), at(path, f"{step}.ports[{index}].hostPort")
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
            yield required(at(path, "dnsConfig"), "must provide `dnsConfig` when `dnsPolicy` is None")
        else:
            text = "must provide at least one DNS nameserver when `dnsPolicy` is None"
            yield required(at(path, "dnsConfig.nameservers"), text)


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
        yield invalid(at(path, "operator"), row.get("operator", ""), _ANY_KEY)
    if operator == "Exists" and value:
        yield invalid(at(path, "operator"), value, "value must be empty when `operator` is 'Exists'")
    if row.get("tolerationSeconds") is not None and row.get("effect") != "NoExecute":
        text = "effect must be 'NoExecute' when `tolerationSeconds` is set"
        yield invalid(at(path, "effect"), row.get("effect", ""), text)


def _weight(value: Any, path: str) -> Iterator[Cause]:
    if not 1 <= value <= 100:
        yield invalid(path, value, "must be in the range 1-100")


_annotation = names.any_case(names.qualified)


def _template_metadata(template: Object, path: str) -> Iterator[Cause]:
    yield from labels(inside(template, "metadata", "labels"), at(path, "labels"))
    for key in inside(template, "metadata", "annotations") or {}:
        yield from (invalid(at(path, "annotations"), key, text) for text in _annotation(key))


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
    kept = [row for row in before.get("tolerations") or () if row not in (after.get("tolerations") or ())]
    if kept:
        yield forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds")
    if _fixed(after) != _fixed(before):
        yield forbidden("spec", _CHANGE_TEXT)


def _fixed(spec: Object) -> Object:
    """Return the part of a pod's spec that never changes."""
    rest = {key: value for key, value in spec.items() if key not in _MAY_CHANGE}
    for field in ("containers", "initContainers"):
        rest[field] = [{**container, "image": ""} for container in spec.get(field) or ()]
    return rest


_SOURCE_REFERENCE = Rules({"name": named(names.subdomain)}, needs=demand("name"))
_PROJECTION = Rules(needs=demand("name"))
_RESOURCE_FIELDS = (
    *("limits.cpu", "limits.ephemeral-storage", "limits.memory"),
    *("requests.cpu", "requests.ephemeral-storage", "requests.memory"),
)
_KEY_REFERENCE = Rules({"key": named(names.config_key), "name": named(names.subdomain)}, needs=demand("name", "key"))
_FILES = Rules({"defaultMode": _mode})

RULES: Mapping[str, Rules] = {
    "core.v1.CSIVolumeSource": Rules({"driver": named(names.any_case(names.subdomain))}, needs=demand("driver")),
    "core.v1.ConfigMapEnvSource": _SOURCE_REFERENCE,
    "core.v1.ConfigMapKeySelector": _KEY_REFERENCE,
    "core.v1.ConfigMapProjection": _PROJECTION,
    "core.v1.ConfigMapVolumeSource": Rules({"defaultMode": _mode}, needs=demand("name")),
    "core.v1.Container": Rules(
        {
            "name": named(names.dns_label),
            "ports": unique("name"),
            "restartPolicy": chosen("Always", "Never", "OnFailure"),
            "terminationMessagePolicy": listed("File", "FallbackToLogsOnError"),
        },
        (_probes, _mounts, _env_sources),
        needs=demand("name", "image"),
    ),
    "core.v1.ContainerPort": Rules(
        {"name": named(names.port_name), "containerPort": port_if_set, "hostPort": port_if_set},
        needs=demand("containerPort"),
    ),
    "core.v1.DownwardAPIVolumeFile": Rules(
        {"path": _relative, "mode": _mode},
        (needs("one of fieldRef and resourceFieldRef is required", "fieldRef", "resourceFieldRef"),),
        needs=demand("path"),
    ),
    "core.v1.DownwardAPIVolumeSource": _FILES,
    "core.v1.EmptyDirVolumeSource": Rules({"sizeLimit": _size_limit}),
    "core.v1.EnvVar": Rules({"name": named(names.env_name)}, (_variable,), needs=demand("name")),
    "core.v1.EphemeralVolumeSource": Rules(needs=demand("volumeClaimTemplate")),
    "core.v1.ExecAction": Rules(needs=demand("command")),
    "core.v1.GRPCAction": Rules({"port": port}),
    "core.v1.HTTPGetAction": Rules({"port": port_or_name}, needs=demand("path")),
    "core.v1.HTTPHeader": Rules(needs=demand("name")),
    "core.v1.HostAlias": Rules({"ip": strictly(addresses.ip), "hostnames": each(named(names.subdomain))}),
    "core.v1.HostPathVolumeSource": Rules({"path": _no_way_up}, needs=demand("path")),
    "core.v1.KeyToPath": Rules({"path": _relative, "mode": _mode}, needs=demand("key", "path")),
    "core.v1.LifecycleHandler": Rules(
        whole=(needs("must specify a handler type", *_HANDLERS, "sleep"), one_of("handler type", *_HANDLERS, "sleep"))
    ),
    "core.v1.ObjectFieldSelector": Rules({"fieldPath": _field_path}, needs=demand("fieldPath")),
    "core.v1.NFSVolumeSource": Rules({"path": _absolute}, needs=demand("server", "path")),
    "core.v1.PersistentVolumeClaimVolumeSource": Rules(needs=demand("claimName")),
    "core.v1.Pod": Rules(changes=(_pod_changed,)),
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
            "restartPolicy": listed(*_POLICIES),
            "dnsPolicy": listed("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
            "activeDeadlineSeconds": between(1, 2**31 - 1),
            "serviceAccountName": named(names.subdomain),
            "nodeName": named(names.subdomain),
            "nodeSelector": labels,
            "hostname": named(names.dns_label),
            "subdomain": named(names.dns_label),
            "volumes": unique("name"),
        },
        (_across, _init_containers, _host_ports, _dns),
        needs=demand("containers"),
    ),
    "core.v1.PodTemplateSpec": Rules(whole=(_template_metadata,)),
    "core.v1.Probe": Rules(
        dict.fromkeys(_PROBE_NUMBERS, not_negative),
        (needs("must specify a handler type", *_HANDLERS), one_of("handler type", *_HANDLERS)),
    ),
    "core.v1.ProjectedVolumeSource": _FILES,
    "core.v1.ResourceFieldSelector": Rules({"resource": _resource_field}, needs=demand("resource")),
    "core.v1.ResourceRequirements": Rules(whole=(_resources,)),
    "core.v1.SeccompProfile": Rules(needs={"type": "type is required when seccompProfile is set"}),
    "core.v1.SecretEnvSource": _SOURCE_REFERENCE,
    "core.v1.SecretKeySelector": _KEY_REFERENCE,
    "core.v1.SecretProjection": _PROJECTION,
    "core.v1.SecretVolumeSource": Rules({"defaultMode": _mode}, needs=demand("secretName")),
    "core.v1.SecurityContext": Rules({"runAsUser": user_id, "runAsGroup": user_id}, (_privileged,)),
    "core.v1.TCPSocketAction": Rules({"port": port_or_name}),
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
    "core.v1.VolumeMount": Rules(needs=demand("mountPath")),
    "core.v1.WeightedPodAffinityTerm": Rules({"weight": _weight}),
}
