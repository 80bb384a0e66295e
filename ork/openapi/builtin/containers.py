"""What the API server refuses in containers: ports, variables, probes, resources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.base.patterns import pattern
from ork.openapi import names
from ork.openapi.builtin.checks import (
    Rules,
    amount,
    chosen,
    demand,
    inside,
    listed,
    named,
    needs,
    not_negative,
    one_of,
    port,
    port_if_set,
    port_or_name,
    relative,
    unique,
    user_id,
)
from ork.openapi.causes import Cause, below, invalid, not_supported, required

# ── containers ──────────────────────────────────────────────────────────────────────────────────
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_PROBE_NUMBERS = (*("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"),)


def _probes(container: Object, path: str) -> Iterator[Cause]:
    for name in ("livenessProbe", "startupProbe"):
        threshold = inside(container, name, "successThreshold")
        if threshold not in (None, 1):
            yield invalid(below(path, f"{name}.successThreshold"), threshold, "must be 1")


def _mounts(container: Object, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, mount in enumerate(container.get("volumeMounts") or ()):
        place, here = mount.get("mountPath"), below(path, f"volumeMounts[{index}]")
        if place and place in seen:
            yield invalid(below(here, "mountPath"), place, "must be unique")
        seen.add(place)
        for field in ("subPath", "subPathExpr"):
            yield from relative(mount.get(field), below(path, f"volumeMounts.{field}"))


def _env_sources(container: Object, path: str) -> Iterator[Cause]:
    for row in container.get("envFrom") or ():
        found = [key for key in ("configMapRef", "secretRef") if row.get(key) is not None]
        if not found:
            yield invalid(below(path, "envFrom"), "", "must specify one of: `configMapRef` or `secretRef`")
        elif len(found) > 1:
            yield invalid(below(path, "envFrom"), "", "may not have more than one field specified at a time")


def _variable(row: Object, path: str) -> Iterator[Cause]:
    source = row.get("valueFrom")
    if source is None:
        return
    here = below(path, "valueFrom")
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
            here = below(path, f"{field}[{name}]")
            yield from container_resource(name, here)
            yield from resource_amount(name, text, here)
    for name, text in requests.items():
        if name in limits and amount(text) > amount(limits[name]):
            detail = f"must be less than or equal to {name} limit of {limits[name]}"
            yield invalid(below(path, "requests"), text, detail)
        elif name not in limits and (_is_extended(name) or name.startswith("hugepages-")):
            yield required(below(path, "limits"), "Limit must be set for non overcommitable resources")


_SOURCE_REFERENCE = Rules({"name": named(names.subdomain)}, needs=demand("name"))
_RESOURCE_FIELDS = (
    *("limits.cpu", "limits.ephemeral-storage", "limits.memory"),
    *("requests.cpu", "requests.ephemeral-storage", "requests.memory"),
)
_KEY_REFERENCE = Rules({"key": named(names.config_key), "name": named(names.subdomain)}, needs=demand("name", "key"))

RULES: Mapping[str, Rules] = {
    "core.v1.ConfigMapEnvSource": _SOURCE_REFERENCE,
    "core.v1.ConfigMapKeySelector": _KEY_REFERENCE,
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
    "core.v1.EnvVar": Rules({"name": named(names.env_name)}, (_variable,), needs=demand("name")),
    "core.v1.ExecAction": Rules(needs=demand("command")),
    "core.v1.GRPCAction": Rules({"port": port}),
    "core.v1.HTTPGetAction": Rules({"port": port_or_name}, needs=demand("path")),
    "core.v1.HTTPHeader": Rules(needs=demand("name")),
    "core.v1.LifecycleHandler": Rules(
        whole=(needs("must specify a handler type", *_HANDLERS, "sleep"), one_of("handler type", *_HANDLERS, "sleep"))
    ),
    "core.v1.ObjectFieldSelector": Rules({"fieldPath": _field_path}, needs=demand("fieldPath")),
    "core.v1.Probe": Rules(
        dict.fromkeys(_PROBE_NUMBERS, not_negative),
        (needs("must specify a handler type", *_HANDLERS), one_of("handler type", *_HANDLERS)),
    ),
    "core.v1.ResourceFieldSelector": Rules({"resource": _resource_field}, needs=demand("resource")),
    "core.v1.ResourceRequirements": Rules(whole=(_resources,)),
    "core.v1.SeccompProfile": Rules(needs={"type": "type is required when seccompProfile is set"}),
    "core.v1.SecretEnvSource": _SOURCE_REFERENCE,
    "core.v1.SecretKeySelector": _KEY_REFERENCE,
    "core.v1.SecurityContext": Rules({"runAsUser": user_id, "runAsGroup": user_id}, (_privileged,)),
    "core.v1.TCPSocketAction": Rules({"port": port_or_name}),
    "core.v1.VolumeMount": Rules(needs=demand("mountPath")),
}
