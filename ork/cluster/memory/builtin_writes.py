"""What a read, create, update or delete fills in on Kubernetes' own kinds: rules by resource, in the order they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base import paths
from ork.base.objects import Object, annotations_of, finalizers_of, labels_of
from ork.cluster.memory.metadata import amended
from ork.cluster.memory.typed import same

Allocate = Callable[[str], int]
Rule = Callable[[Object, Object | None, Allocate], Object]
"""`rule(new, old, allocate)`: the new object as the server stores it; `old` is None on create."""

_NAME_LABEL = "kubernetes.io/metadata.name"


def _namespace(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    finalizers = (new.get("spec") or {}).get("finalizers") or []
    if "kubernetes" not in finalizers:
        finalizers = [*finalizers, "kubernetes"]
    spec = {**(new.get("spec") or {}), "finalizers": finalizers}
    return {**_named(new), "spec": spec, "status": {"phase": "Active"}}


def _named(obj: Object) -> Object:
    """Label a namespace with its name."""
    name = obj["metadata"].get("name")
    if not name or labels_of(obj).get(_NAME_LABEL) == name:
        return obj
    return amended(obj, labels={**labels_of(obj), _NAME_LABEL: name})


def _namespace_kept(new: Object, old: Object | None, _allocate: Allocate) -> Object:
    assert old is not None
    return {**new, "spec": {**(new.get("spec") or {}), "finalizers": old["spec"].get("finalizers")}}


def _pending(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    return {**new, "status": {**(new.get("status") or {}), "phase": "Pending"}}


def _protected(finalizer: str) -> Rule:
    def rule(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
        found = finalizers_of(new)
        return new if finalizer in found else amended(new, finalizers=[*found, finalizer])

    return rule


_CLAIMED_FROM = (("PersistentVolumeClaim", ""), ("VolumeSnapshot", "snapshot.storage.k8s.io"))


def _claim_source(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    """Name what fills a claim's volume both in the old way, which knows two kinds, and in the new one."""
    spec = dict(new["spec"])
    source, ref = spec.get("dataSource"), spec.get("dataSourceRef")
    if source and (source.get("kind"), source.get("apiGroup") or "") not in _CLAIMED_FROM:
        source = spec.pop("dataSource") and None
    if source and not ref:
        spec["dataSourceRef"] = source
    elif ref and not source and not ref.get("namespace"):
        spec["dataSource"] = ref
    return {**new, "spec": spec} if spec != new["spec"] else new


def _pod(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    spec = {"priority": 0, "preemptionPolicy": "PreemptLowerPriority", **new["spec"]}
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        spec["terminationGracePeriodSeconds"] = 1
    status = {"phase": "Pending", "qosClass": _qos(spec)}
    return {**new, "spec": spec, "status": status}


def _tolerant(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    """Let a pod stay for five minutes on a node that is not ready or cannot be reached, unless it says otherwise."""
    tolerations = [*(new["spec"].get("tolerations") or ())]
    keys = {row.get("key") for row in tolerations}
    for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"):
        if key not in keys and None not in keys:
            row = {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
            tolerations.append(row)
    return {**new, "spec": {**new["spec"], "tolerations": tolerations}}


def _ranked(new: Object, old: Object | None, _allocate: Allocate) -> Object:
    """Keep a pod's priority where an update leaves it out."""
    assert old is not None
    missing = {key: old["spec"][key] for key in _RANK if key in old["spec"] and key not in new["spec"]}
    return {**new, "spec": {**new["spec"], **missing}} if missing else new


_RANK = ("priority", "preemptionPolicy")


def _qos(spec: Object) -> str:
    """Return the quality of service that the containers' resources earn."""
    every = [
        row.get("resources") or {} for row in (*(spec.get("containers") or ()), *(spec.get("initContainers") or ()))
    ]
    if not any(row.get("requests") or row.get("limits") for row in every):
        return "BestEffort"
    full = all(
        (row.get("limits") or {}).get(name) and (row.get("requests") or row["limits"]).get(name) == row["limits"][name]
        for row in every
        for name in ("cpu", "memory")
    )
    return "Guaranteed" if full else "Burstable"


def _job(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    """Select the pods by the job's uid, unless the user does."""
    spec, meta = new["spec"], new["metadata"]
    if spec.get("manualSelector"):
        return new
    uid, name = meta["uid"], meta["name"]
    labels = {
        "batch.kubernetes.io/controller-uid": uid,
        "batch.kubernetes.io/job-name": name,
        "controller-uid": uid,
        "job-name": name,
    }
    before, given = _template_labels(spec), spec.get("selector") or {}
    template = paths.put(spec["template"], ("metadata", "labels"), {**labels, **before})
    matched = {**(given.get("matchLabels") or {}), "batch.kubernetes.io/controller-uid": uid}
    selector = {**given, "matchLabels": matched}
    out = {**new, "spec": {**spec, "template": template, "selector": selector}}
    borrowed = not labels_of(out) or labels_of(out) is before
    return amended(out, labels=template["metadata"]["labels"]) if borrowed else out


def _template_labels(spec: Object) -> dict[str, str]:
    found: dict[str, str] = paths.get(spec, ("template", "metadata", "labels")) or {}
    return found


_NODE_PORT_TYPES = ("NodePort", "LoadBalancer")


def _service(new: Object, old: Object | None, allocate: Allocate) -> Object:
    """Give a service what its type needs: an address, families, node ports; what it has, it keeps."""
    before = old["spec"] if old else {}
    spec = _without_other_types(new["spec"], before)
    if spec.get("type") == "ExternalName":
        return {**new, "spec": spec}
    given = spec.get("clusterIP")
    if not given:
        number = allocate("address")
        spec["clusterIP"] = before.get("clusterIP") or f"10.{96 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"
    if given and given != before.get("clusterIP") and spec.get("clusterIPs") == before.get("clusterIPs"):
        spec["clusterIPs"] = [given]
    spec["clusterIPs"] = spec.get("clusterIPs") or before.get("clusterIPs") or [spec["clusterIP"]]
    everywhere = given == "None" and not spec.get("selector")
    spec.setdefault("ipFamilies", before.get("ipFamilies") or (["IPv4", "IPv6"] if everywhere else ["IPv4"]))
    policy = "RequireDualStack" if everywhere else "SingleStack"
    spec.setdefault("ipFamilyPolicy", before.get("ipFamilyPolicy") or policy)
    if spec.get("type") in _NODE_PORT_TYPES and spec.get("allocateLoadBalancerNodePorts") is not False:
        spec["ports"] = _node_ports(spec.get("ports") or [], before.get("ports") or [], allocate)
    if spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local":
        known = spec.get("healthCheckNodePort") or before.get("healthCheckNodePort")
        spec["healthCheckNodePort"] = known or 30000 + allocate("port")
    return {**new, "spec": spec}


_OF_OTHER_TYPES: Mapping[str, tuple[str, ...]] = {
    "ExternalName": (
        *("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy", "externalTrafficPolicy"),
        *("allocateLoadBalancerNodePorts", "loadBalancerClass", "healthCheckNodePort"),
    ),
    "ClusterIP": ("externalTrafficPolicy", "allocateLoadBalancerNodePorts", "loadBalancerClass"),
    "NodePort": ("allocateLoadBalancerNodePorts", "loadBalancerClass"),
}


def _without_other_types(spec: Object, before: Object) -> Object:
    """Return the spec of a service whose type changes without what only the old type had, where nobody changed it."""
    if not before or spec.get("type") == before.get("type"):
        return dict(spec)
    gone = _OF_OTHER_TYPES.get(spec.get("type", ""), ())
    out = {key: value for key, value in spec.items() if key not in gone or value != before.get(key)}
    if before.get("type") in _NODE_PORT_TYPES and spec.get("type") not in _NODE_PORT_TYPES:
        known = {row.get("nodePort") for row in before.get("ports") or ()}
        out["ports"] = [_without_node_port(row, known) for row in out.get("ports") or ()]
    return out


def _without_node_port(row: Object, known: set[Any]) -> Object:
    return {key: value for key, value in row.items() if key != "nodePort" or value not in known}


def _node_ports(ports: list[Object], before: list[Object], allocate: Allocate) -> list[Object]:
    known = {(row.get("protocol"), row["port"]): row.get("nodePort") for row in before}
    out = []
    for row in ports:
        port = row.get("nodePort") or known.get((row.get("protocol"), row["port"]))
        out.append({**row, "nodePort": port or 30000 + allocate("port")})
    return out


_TEMPLATE_GENERATION = "deprecated.daemonset.template.generation"


def _counted(obj: Object) -> Object:
    """Mark a daemon set with the generation of its template, as its first API version did."""
    found = annotations_of(obj)
    return obj if _TEMPLATE_GENERATION in found else _with_count(obj, 0)


def _with_count(obj: Object, count: int) -> Object:
    return amended(obj, annotations={**annotations_of(obj), _TEMPLATE_GENERATION: str(count)})


def _first_template(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    return _with_count(new, 1)


def _next_template(new: Object, old: Object | None, _allocate: Allocate) -> Object:
    assert old is not None
    count = int(annotations_of(old).get(_TEMPLATE_GENERATION, "1"))
    return _with_count(new, count + (not same(new["spec"].get("template"), old["spec"].get("template"))))


def _volume(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    moment = new["metadata"]["creationTimestamp"]
    return {**new, "status": {**(new.get("status") or {}), "lastPhaseTransitionTime": moment}}


def _node(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    """Keep pods off a node that has not said yet that it is ready."""
    taint = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
    spec = new.get("spec") or {}
    return {**new, "spec": {**spec, "taints": [*(spec.get("taints") or ()), taint]}}


_GATED_LEASE_FIELDS = ("strategy", "preferredHolder")


def _lease(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    """Drop the fields of coordinated leader election, which a cluster has to switch on."""
    spec = new.get("spec") or {}
    if not any(name in spec for name in _GATED_LEASE_FIELDS):
        return new
    return {**new, "spec": {key: value for key, value in spec.items() if key not in _GATED_LEASE_FIELDS}}


ON_READ: Mapping[str, Callable[[Object], Object]] = {"namespaces": _named, "daemonsets.apps": _counted}
"""Defaults that every reading of the object brings."""

ON_CREATE: Mapping[str, tuple[Rule, ...]] = {
    "namespaces": (_namespace,),
    "pods": (_pod, _tolerant),
    "daemonsets.apps": (_first_template,),
    "nodes": (_node,),
    "persistentvolumes": (_pending, _volume, _protected("kubernetes.io/pv-protection")),
    "persistentvolumeclaims": (_pending, _claim_source, _protected("kubernetes.io/pvc-protection")),
    "jobs.batch": (_job,),
    "services": (_service,),
    "leases.coordination.k8s.io": (_lease,),
}

ON_UPDATE: Mapping[str, tuple[Rule, ...]] = {
    "pods": (_tolerant, _ranked),
    "daemonsets.apps": (_next_template,),
    "namespaces": (_namespace_kept,),
    "services": (_service,),
    "leases.coordination.k8s.io": (_lease,),
}


def _terminating(obj: Object) -> Object:
    return {**obj, "status": {**(obj.get("status") or {}), "phase": "Terminating"}}


ON_DELETE: Mapping[str, Callable[[Object], Object]] = {"namespaces": _terminating}
