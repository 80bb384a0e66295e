"""The short form of every resource group, as data: what each field becomes in the native object (resources.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ork.base.objects import Kind
from ork.base.records import NamedTuple
from ork.katalog.resources import adapters
from ork.katalog.resources.adapters import Adapter, native
from ork.katalog.resources.shapes import Step


class Short(NamedTuple):
    """One short field: `adapt` rewrites what the author wrote, the result stands at `path`."""

    name: str
    path: tuple[Step, ...]
    adapt: Adapter = native
    required: bool = False


class Copied(NamedTuple):
    """How a group's objects are copied from others."""

    key: str
    """The field that names the other object: `fromSecret`."""
    fields: tuple[str, ...]
    """What of it is copied."""


class Group(NamedTuple):
    """One resource group."""

    name: str
    kind: Kind
    suffix: str
    """The default name is the CR's name and this."""
    fields: tuple[Short, ...] = ()
    fixed: tuple[tuple[tuple[Step, ...], Any], ...] = ()
    """What stands there unless a field or the native overlay says otherwise."""
    pods: tuple[Step, ...] = ()
    """Where the container list's pod spec stands; empty for what runs no pods."""
    workload: bool = False
    """It selects its pods by label: they carry the pod labels, and Services find it."""
    once: bool = False
    """Created once wherever it stands."""
    copied: Copied | None = None
    """It takes `toNamespaces`, and this."""


_CONTAINER_FIELDS = {
    "image": "image",
    "env": "env",
    "volumeMounts": "volumeMounts",
    "resources": "resources",
    "securityContext": "securityContext",
    "workingDirectory": "workingDir",
}
_POD_FIELDS = {
    "imagePullSecrets": "imagePullSecrets",
    "nodeSelector": "nodeSelector",
    "serviceAccountName": "serviceAccountName",
    "podSecurity": "securityContext",
    "volumes": "volumes",
}


def _container(pod: tuple[Step, ...]) -> tuple[Short, ...]:
    """The fields of everything that runs a container, for a pod spec at that path."""
    first = (*pod, "containers", 0)
    return (
        *(Short(name, (*first, field), required=name == "image") for name, field in _CONTAINER_FIELDS.items()),
        Short("envFrom", (*first, "envFrom"), adapters.env_from),
        Short("command", (*first, "command"), adapters.strings),
        Short("args", (*first, "args"), adapters.strings),
        *(Short(name, (*pod, field)) for name, field in _POD_FIELDS.items()),
    )


def _served(pod: tuple[Step, ...]) -> tuple[Short, ...]:
    """The fields of a container that listens."""
    first = (*pod, "containers", 0)
    return (
        Short("port", (*first, "ports", 0, "containerPort")),
        Short("protocol", (*first, "ports", 0, "protocol")),
        Short("probes", first, adapters.probes),
    )


_POD = ("spec", "template", "spec")

_ALL = (
    Group(
        "deployments",
        Kind("apps", "v1", "Deployment", "deployments", True),
        "-deployment",
        (
            Short("replicas", ("spec", "replicas")),
            Short("rollingUpdate", ("spec", "strategy", "rollingUpdate")),
            *_container(_POD),
            *_served(_POD),
        ),
        pods=_POD,
        workload=True,
    ),
    Group(
        "jobs",
        Kind("batch", "v1", "Job", "jobs", True),
        "-job",
        (Short("backoffLimit", ("spec", "backoffLimit")), *_container(_POD)),
        fixed=((("spec", "backoffLimit"), 3), ((*_POD, "restartPolicy"), "Never")),
        pods=_POD,
        once=True,
    ),
    Group(
        "services",
        Kind("", "v1", "Service", "services", True),
        "-svc",
        (
            Short("type", ("spec", "type")),
            Short("headless", ("spec", "clusterIP"), adapters.headless),
            Short("port", ("spec", "ports", 0, "port"), required=True),
            Short("targetPort", ("spec", "ports", 0, "targetPort")),
            Short("protocol", ("spec", "ports", 0, "protocol")),
            Short("selector", ("spec", "selector")),
        ),
    ),
    Group(
        "configMaps",
        Kind("", "v1", "ConfigMap", "configmaps", True),
        "-config",
        (Short("data", ("data",)),),
        copied=Copied("fromConfigMap", ("data",)),
    ),
    Group(
        "secrets",
        Kind("", "v1", "Secret", "secrets", True),
        "-secret",
        (Short("type", ("type",)), Short("data", ("data",), adapters.encoded)),
        copied=Copied("fromSecret", ("data", "type")),
    ),
    Group("serviceAccounts", Kind("", "v1", "ServiceAccount", "serviceaccounts", True), "-sa"),
    Group(
        "namespaces",
        Kind("", "v1", "Namespace", "namespaces", False),
        "-ns",
        (Short("finalizers", ("metadata", "finalizers")),),
    ),
)

GROUPS: Mapping[str, Group] = {group.name: group for group in _ALL}
"""By name as the language writes it. `custom` is no group: its entries are whole objects."""
