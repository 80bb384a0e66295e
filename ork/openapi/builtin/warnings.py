"""What the API server warns of in objects of its own kinds, and stores nevertheless."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import names
from ork.openapi.builtin.checks import amount, inside
from ork.openapi.causes import below, quoted

PodWarning = Callable[[Object, str], Iterable[str]]
"""Takes a pod's spec and its path."""

Warn = Callable[[Object], Iterable[str]]


def warnings(struct: str, new: Object, old: Object | None) -> list[str]:
    """Return the warnings about an object of that struct (`apps.v1.Deployment`) that is to be stored."""
    out = [*_name(struct, new)] if old is None else []
    place = _PODS.get(struct, "")
    if place and (old is None or _renewed(struct, new, old)):
        spec = inside(new, *place.split(".")) or {}
        out += [text for rule in _POD_RULES for text in rule(spec, place)]
    if old is None:
        out += _ON_CREATE.get(struct, _nothing)(new)
    return [*out, *_ALWAYS.get(struct, _nothing)(new)]


def _nothing(_obj: Object) -> Iterable[str]:
    return ()


# ── names ───────────────────────────────────────────────────────────────────────────────────────
_IN_PODS = "this is used in Pod names and hostnames"
_NAMES: Mapping[str, str] = {
    "apps.v1.Deployment": _IN_PODS,
    "apps.v1.ReplicaSet": _IN_PODS,
    "batch.v1.CronJob": _IN_PODS,
    "batch.v1.Job": _IN_PODS,
    "core.v1.Pod": "this is used in the Pod's hostname",
    "core.v1.ReplicationController": _IN_PODS,
}


def _name(struct: str, obj: Object) -> Iterator[str]:
    found = names.dns_label(obj["metadata"].get("name", "")) if struct in _NAMES else ()
    if found:
        text = "which can result in surprising behavior; a DNS label is recommended"
        yield f"metadata.name: {_NAMES[struct]}, {text}: [{' '.join(found)}]"


# ── pods and their templates ────────────────────────────────────────────────────────────────────
_PODS: Mapping[str, str] = {
    "core.v1.Pod": "spec",
    "core.v1.PodTemplate": "template.spec",
    **dict.fromkeys(
        (
            *("apps.v1.DaemonSet", "apps.v1.Deployment", "apps.v1.ReplicaSet", "apps.v1.StatefulSet", "batch.v1.Job"),
            "core.v1.ReplicationController",
        ),
        "spec.template.spec",
    ),
    "batch.v1.CronJob": "spec.jobTemplate.spec.template.spec",
}
"""Where the spec of a pod stands."""


def _renewed(struct: str, new: Object, old: Object) -> bool:
    """Tell whether an update is one of those that are looked at."""
    if struct in ("core.v1.Pod", "apps.v1.DaemonSet"):
        return struct != "core.v1.Pod" and inside(new, "spec", "template") != inside(old, "spec", "template")
    return bool(new["metadata"].get("generation") != old["metadata"].get("generation"))


_RENAMED = {
    "beta.kubernetes.io/arch": ("v1.14", "kubernetes.io/arch"),
    "beta.kubernetes.io/os": ("v1.14", "kubernetes.io/os"),
    "failure-domain.beta.kubernetes.io/region": ("v1.17", "topology.kubernetes.io/region"),
    "failure-domain.beta.kubernetes.io/zone": ("v1.17", "topology.kubernetes.io/zone"),
    "beta.kubernetes.io/instance-type": ("v1.17", "node.kubernetes.io/instance-type"),
}


def _node_selector(spec: Object, path: str) -> Iterator[str]:
    for key in spec.get("nodeSelector") or {}:
        if key in _RENAMED:
            since, now = _RENAMED[key]
            yield f"{path}.nodeSelector[{key}]: deprecated since {since}; use {quoted(now)} instead"


_NO_LONGER: Mapping[str, str] = {
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
}
"""Sorts of volumes that are going or gone."""


def _volumes(spec: Object, path: str) -> Iterator[str]:
    for number, volume in enumerate(spec.get("volumes") or ()):
        for sort in volume:
            if sort in _NO_LONGER:
                shown = "storageOS" if sort == "storageos" else sort
                yield f"{path}.volumes[{number}].{shown}: {_NO_LONGER[sort]}"


def _selectors(spec: Object, path: str) -> Iterator[str]:
    rows = [
        (f"topologySpreadConstraints[{n}]", row) for n, row in enumerate(spec.get("topologySpreadConstraints") or ())
    ]
    for field in ("podAffinity", "podAntiAffinity"):
        affinity = inside(spec, "affinity", field) or {}
        for kind, term in (("required", ""), ("preferred", "podAffinityTerm")):
            name = f"{kind}DuringSchedulingIgnoredDuringExecution"
            for number, row in enumerate(affinity.get(name) or ()):
                at = below(f"affinity.{field}.{name}[{number}]", term) if term else f"affinity.{field}.{name}[{number}]"
                rows.append((at, row.get(term) or {} if term else row))
    for at, row in rows:
        if row.get("labelSelector") is None:
            yield f"{path}.{at}.labelSelector: a null labelSelector results in matching no pod"


def _repeated(field: str, key: str, text: str) -> PodWarning:
    """Return the rule that the elements of a list differ in a field."""

    def rule(spec: Object, path: str) -> Iterator[str]:
        seen = set()
        for number, row in enumerate(spec.get(field) or ()):
            at, value = f"{path}.{field}[{number}].{key}", row.get(key) or ""
            if not value and field == "imagePullSecrets":
                yield f'{at}: invalid empty name ""'
            elif value in seen:
                yield f"{at}: {text} {quoted(value)}"
            seen.add(value)

    return rule


def _grace(spec: Object, path: str) -> Iterator[str]:
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        text = "must be >= 0; negative values are invalid and will be treated as 1"
        yield f"{path}.terminationGracePeriodSeconds: {text}"


def _containers(spec: Object, path: str) -> Iterator[str]:
    for field in ("initContainers", "containers"):
        for number, container in enumerate(spec.get(field) or ()):
            at = f"{path}.{field}[{number}]"
            yield from _variables(container, at)
            yield from _fractions(container.get("resources") or {}, f"{at}.resources")


def _variables(container: Object, path: str) -> Iterator[str]:
    seen = set()
    for number, row in enumerate(container.get("env") or ()):
        name = row.get("name", "")
        if name in seen and f"$({name})" not in row.get("value", ""):
            text = f"hides previous definition of {quoted(name)}, which may be dropped when using apply"
            yield f"{path}.env[{number}]: {text}"
        seen.add(name)


def _all_ports(spec: Object, path: str) -> list[tuple[str, Object]]:
    return [
        (f"{path}.{field}[{number}].ports[{index}]", row)
        for field in ("initContainers", "containers")
        for number, container in enumerate(spec.get(field) or ())
        for index, row in enumerate(container.get("ports") or ())
    ]


def _ports(spec: Object, path: str) -> Iterator[str]:
    ports = _all_ports(spec, path)
    for number, (at, row) in enumerate(ports):
        for place, other in ports[:number]:
            if any(row.get(key) != other.get(key) for key in ("containerPort", "protocol")):
                continue
            here, there = row.get("hostPort", 0), other.get("hostPort", 0)
            if here == there or not (here and there):
                word = "duplicate" if here == there else "overlapping"
                yield f"{at}: {word} port definition with {place}"


def _port_names(spec: Object, path: str) -> Iterator[str]:
    first: dict[str, str] = {}
    for at, row in _all_ports(spec, path):
        name = row.get("name") or ""
        if name in first:
            text = f"services and probes that select ports by name will use {first[name]}"
            yield f"{at}: duplicate port name {quoted(name)} with {first[name]}, {text}"
        elif name:
            first[name] = at


def _fractions(resources: Object, path: str) -> Iterator[str]:
    for field in ("limits", "requests"):
        for name, value in (resources.get(field) or {}).items():
            if name in ("memory", "ephemeral-storage", "storage") and amount(value) % 1:
                text = f"fractional byte value {quoted(value)} is invalid, must be an integer"
                yield f"{path}.{field}[{name}]: {text}"


_POD_RULES: tuple[PodWarning, ...] = (
    _node_selector,
    _volumes,
    _selectors,
    _repeated("hostAliases", "ip", "duplicate ip"),
    _repeated("imagePullSecrets", "name", "duplicate name"),
    _grace,
    _containers,
    _ports,
    _port_names,
)


# ── others ──────────────────────────────────────────────────────────────────────────────────────
def _spec_of(obj: Object) -> Any:
    return obj.get("spec") or {}


def _service(service: Object) -> Iterator[str]:
    spec = _spec_of(service)
    if spec.get("clusterIP") == "None":
        for field, shown in (("loadBalancerIP", ""), ("externalIPs", ""), ("sessionAffinity", "SessionAffinity")):
            if spec.get(field) not in (None, [], "None"):
                yield f"spec.{shown or field} is ignored for headless services"
    elif spec.get("externalIPs"):
        yield "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
    if spec.get("trafficDistribution") == "PreferClose":
        yield 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'


def _ingress(ingress: Object) -> Iterator[str]:
    key = "kubernetes.io/ingress.class"
    if key in (ingress["metadata"].get("annotations") or {}):
        yield f"annotation {quoted(key)} is deprecated, please use 'spec.ingressClassName' instead"


def _volume(volume: Object) -> Iterator[str]:
    if _spec_of(volume).get("persistentVolumeReclaimPolicy") == "Recycle":
        text = "The Recycle reclaim policy is deprecated."
        instead = "Instead, the recommended approach is to use dynamic provisioning."
        yield f"spec.persistentVolumeReclaimPolicy: {text} {instead}"


def _claim(claim: Object) -> Iterator[str]:
    key = "volume.beta.kubernetes.io/storage-class"
    if key in (claim["metadata"].get("annotations") or {}):
        yield f'metadata.annotations[{key}]: deprecated since v1.8; use "storageClassName" attribute instead'
    yield from _fractions(_spec_of(claim).get("resources") or {}, "spec.resources")


def _node(node: Object) -> Iterator[str]:
    if _spec_of(node).get("externalID"):
        yield "spec.externalID: this field is deprecated, and is unused by Kubernetes"


def _slice(endpoints: Object) -> Iterator[str]:
    if endpoints.get("addressType") == "FQDN":
        yield "spec.addressType: FQDN endpoints are deprecated"


def _secret(secret: Object) -> Iterator[str]:
    if secret.get("type") != "kubernetes.io/tls":
        return
    for field, what in (("tls.crt", "certificate"), ("tls.key", "key")):
        if b"-----BEGIN" not in base64.b64decode((secret.get("data") or {}).get(field) or ""):
            yield f"tls: failed to find any PEM data in {what} input"
            return


_ON_CREATE: Mapping[str, Warn] = {"networking.v1.Ingress": _ingress}

_ALWAYS: Mapping[str, Warn] = {
    "core.v1.Node": _node,
    "core.v1.PersistentVolume": _volume,
    "core.v1.PersistentVolumeClaim": _claim,
    "core.v1.Secret": _secret,
    "core.v1.Service": _service,
    "discovery.v1.EndpointSlice": _slice,
}
