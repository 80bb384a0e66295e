"""Where Kubernetes' own kinds differ in how the API server writes them: tables by resource, one row per rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base import paths
from ork.base.objects import Object, annotations_of, finalizers_of, labels_of
from ork.cluster.memory.fieldset import Fields
from ork.cluster.memory.metadata import amended
from ork.cluster.memory.resource import Traits
from ork.cluster.memory.typed import same

Allocate = Callable[[str], int]
Rule = Callable[[Object, Object | None, Allocate], Object]
"""`rule(new, old, allocate)`: the new object as the server stores it; `old` is None on create."""

_CONDITIONAL_ONLY = {
    "poddisruptionbudgets.policy",
    "runtimeclasses.node.k8s.io",
    "leases.coordination.k8s.io",
    "csidrivers.storage.k8s.io",
    "csistoragecapacities.storage.k8s.io",
    "volumeattachments.storage.k8s.io",
    "csinodes.storage.k8s.io",
    "clustertrustbundles.certificates.k8s.io",
    "podcertificaterequests.certificates.k8s.io",
    "storageversionmigrations.storagemigration.k8s.io",
    "customresourcedefinitions.apiextensions.k8s.io",
    "apiservices.apiregistration.k8s.io",
    "validatingadmissionpolicies.admissionregistration.k8s.io",
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    "mutatingadmissionpolicies.admissionregistration.k8s.io",
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
    "validatingwebhookconfigurations.admissionregistration.k8s.io",
    "mutatingwebhookconfigurations.admissionregistration.k8s.io",
}
"""A PUT must say which version it replaces."""

_CREATED_BY_PUT = {
    "runtimeclasses.node.k8s.io",
    "rolebindings.rbac.authorization.k8s.io",
    "clusterrolebindings.rbac.authorization.k8s.io",
    "roles.rbac.authorization.k8s.io",
    "clusterroles.rbac.authorization.k8s.io",
    "leases.coordination.k8s.io",
    "limitranges",
    "events",
    "services",
    "endpoints",
}

_ANSWERED_WITH_OBJECT = {
    "csidrivers.storage.k8s.io",
    "storageclasses.storage.k8s.io",
    "volumeattachments.storage.k8s.io",
    "csinodes.storage.k8s.io",
    "volumeattributesclasses.storage.k8s.io",
    "resourceclaims.resource.k8s.io",
    "resourceclaimtemplates.resource.k8s.io",
    "resourceslices.resource.k8s.io",
    "deviceclasses.resource.k8s.io",
    "resourcequotas",
    "persistentvolumes",
    "serviceaccounts",
    "persistentvolumeclaims",
    "namespaces",
    "pods",
    "services",
    "podtemplates",
}
"""A DELETE returns what was deleted."""

_MARKED_BY_TIME = {"namespaces", "customresourcedefinitions.apiextensions.k8s.io"}
_ORPHANING = {"jobs.batch"}


def traits(table: str) -> Traits:
    """Return the habits of a resource."""
    return Traits(
        table not in _CONDITIONAL_ONLY,
        table in _CREATED_BY_PUT,
        table in _ANSWERED_WITH_OBJECT,
        table in _MARKED_BY_TIME,
        table in _ORPHANING,
    )


DEPRECATIONS: Mapping[str, str] = {
    "endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    "componentstatuses": "v1 ComponentStatus is deprecated in v1.19+",
}
"""What every answer about a resource warns of."""

KEEP_STATUS = {"nodes"}
"""A create may bring the status, although it has a path of its own."""


# ── generation ──────────────────────────────────────────────────────────────────────────────────
def _never(new: Object, old: Object) -> bool:  # noqa: ARG001
    return False


def _spec(new: Object, old: Object) -> bool:
    return not same(new.get("spec"), old.get("spec"))


def _spec_or_annotations(new: Object, old: Object) -> bool:
    return _spec(new, old) or annotations_of(new) != annotations_of(old)


def _content(new: Object, old: Object) -> bool:
    return any(not same(new.get(key), old.get(key)) for key in {**new, **old} if key not in ("metadata", "status"))


def _content_or_labels(new: Object, old: Object) -> bool:
    return _content(new, old) or labels_of(new) != labels_of(old) or annotations_of(new) != annotations_of(old)


GENERATIONS: Mapping[str, Callable[[Object, Object], bool]] = {
    "deployments.apps": _spec_or_annotations,
    "daemonsets.apps": _spec,
    "statefulsets.apps": _spec,
    "replicasets.apps": _spec,
    "jobs.batch": _spec,
    "cronjobs.batch": _spec,
    "pods": _spec,
    "podtemplates": _content,
    "replicationcontrollers": _spec,
    "ingresses.networking.k8s.io": _spec,
    "ingressclasses.networking.k8s.io": _spec,
    "networkpolicies.networking.k8s.io": _spec,
    "endpointslices.discovery.k8s.io": _content_or_labels,
    "horizontalpodautoscalers.autoscaling": _spec,
    "poddisruptionbudgets.policy": _spec,
    "priorityclasses.scheduling.k8s.io": _never,
    "flowschemas.flowcontrol.apiserver.k8s.io": _spec,
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": _spec,
    "deviceclasses.resource.k8s.io": _spec,
    "resourceslices.resource.k8s.io": _spec,
    "customresourcedefinitions.apiextensions.k8s.io": _spec,
    "validatingadmissionpolicies.admissionregistration.k8s.io": _spec,
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": _spec,
    "mutatingadmissionpolicies.admissionregistration.k8s.io": _spec,
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": _spec,
    "validatingwebhookconfigurations.admissionregistration.k8s.io": _content,
    "mutatingwebhookconfigurations.admissionregistration.k8s.io": _content,
}
"""The resources that count their generations, and what makes the next one."""


# ── subresources ────────────────────────────────────────────────────────────────────────────────
RESETS: Mapping[tuple[str, str], Fields] = {
    ("deployments.apps", "status"): {"f:spec": {}, "f:metadata": {"f:labels": {}}},
    ("namespaces", "finalize"): {"f:status": {}},
    ("customresourcedefinitions.apiextensions.k8s.io", "status"): {"f:metadata": {}, "f:spec": {}},
}
"""What writes to a path never change, where that is not simply status or spec."""


def of_subresource(table: str, subresource: str, new: Object, old: Object) -> Object:
    """Return the object with only what a write to that path changes."""
    if subresource == "finalize":
        return {**old, "metadata": new["metadata"], "spec": new["spec"]} if "spec" in new else new
    if subresource != "status":
        return new
    out = {**new, **{key: value for key, value in old.items() if key not in ("metadata", "status")}}
    if table == "deployments.apps":
        out = amended(out, labels=old["metadata"].get("labels"))
    if table == "customresourcedefinitions.apiextensions.k8s.io":
        kept = {"managedFields": new["metadata"].get("managedFields")}
        out = amended({**out, "metadata": old["metadata"]}, **kept)
    return out


# ── what a create or update fills in ────────────────────────────────────────────────────────────
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


def _pod(new: Object, _old: Object | None, _allocate: Allocate) -> Object:
    spec = {"priority": 0, "preemptionPolicy": "PreemptLowerPriority", **new["spec"]}
    keys = {row.get("key") for row in spec.get("tolerations") or ()}
    tolerations = [*(spec.get("tolerations") or ())]
    for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"):
        if key not in keys and None not in keys:
            row = {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
            tolerations.append(row)
    status = {"phase": "Pending", "qosClass": _qos(spec)}
    return {**new, "spec": {**spec, "tolerations": tolerations}, "status": status}


def _qos(spec: Object) -> str:
    """Return the quality of service that the containers' resources earn."""
    every = [row.get("resources") or {} for row in (*spec["containers"], *(spec.get("initContainers") or ()))]
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
    template = paths.put(spec["template"], ("metadata", "labels"), {**_template_labels(spec), **labels})
    selector = {"matchLabels": {"batch.kubernetes.io/controller-uid": uid}}
    out = {**new, "spec": {**spec, "template": template, "selector": selector}}
    return out if labels_of(out) else amended(out, labels=template["metadata"]["labels"])


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
    return {**new, "spec": spec}


_OF_OTHER_TYPES: Mapping[str, tuple[str, ...]] = {
    "ExternalName": ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"),
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
    "pods": (_pod,),
    "daemonsets.apps": (_first_template,),
    "nodes": (_node,),
    "persistentvolumes": (_pending, _volume, _protected("kubernetes.io/pv-protection")),
    "persistentvolumeclaims": (_pending, _protected("kubernetes.io/pvc-protection")),
    "jobs.batch": (_job,),
    "services": (_service,),
    "leases.coordination.k8s.io": (_lease,),
}

ON_UPDATE: Mapping[str, tuple[Rule, ...]] = {
    "daemonsets.apps": (_next_template,),
    "namespaces": (_namespace_kept,),
    "services": (_service,),
    "leases.coordination.k8s.io": (_lease,),
}


def _terminating(obj: Object) -> Object:
    return {**obj, "status": {**(obj.get("status") or {}), "phase": "Terminating"}}


ON_DELETE: Mapping[str, Callable[[Object], Object]] = {"namespaces": _terminating}


# ── field selectors ─────────────────────────────────────────────────────────────────────────────
def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _field(path: str, missing: str = "") -> Callable[[Object], str]:
    steps = tuple(path.split("."))
    return lambda obj: _text(paths.get(obj, steps)) or missing


def _fields(*names: str, **missing: str) -> Mapping[str, Callable[[Object], str]]:
    return {name: _field(name, missing.get(name.rpartition(".")[2], "")) for name in names}


_INVOLVED = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")
_EVENT_FIELDS = (
    *(f"involvedObject.{name}" for name in _INVOLVED),
    "reason",
    "reportingComponent",
    "source",
    "type",
)

SELECTABLE: Mapping[str, Mapping[str, Callable[[Object], str]]] = {
    "pods": _fields(
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "spec.hostNetwork",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName",
        hostNetwork="false",
    ),
    "events": _fields(*_EVENT_FIELDS),
    "secrets": _fields("type"),
    "namespaces": _fields("status.phase"),
    "nodes": _fields("spec.unschedulable", unschedulable="false"),
    "services": _fields("spec.clusterIP", "spec.type"),
    "replicationcontrollers": _fields("status.replicas", replicas="0"),
    "jobs.batch": _fields("status.successful", successful="0"),
    "certificatesigningrequests.certificates.k8s.io": _fields("spec.signerName"),
}
"""Fields besides name and namespace that a field selector may name."""
