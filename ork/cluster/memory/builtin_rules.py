"""Where Kubernetes' own kinds differ in how the API server writes them: tables by resource, one row per rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ork.base.objects import Object, annotations_of, labels_of
from ork.cluster.memory.fieldset import Fields
from ork.cluster.memory.metadata import amended
from ork.cluster.memory.resource import Traits
from ork.cluster.memory.selectors import field
from ork.cluster.memory.typed import same

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
_ORPHANING = {"jobs.batch", "replicationcontrollers"}


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
    return _content(new, old) or labels_of(new) != labels_of(old)


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
    return out


# ── field selectors ─────────────────────────────────────────────────────────────────────────────
def _fields(*names: str, **missing: str) -> Mapping[str, Callable[[Object], str]]:
    return {name: field(name, missing.get(name.rpartition(".")[2], "")) for name in names}


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
        "status.podIPs",
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

_NO_REPLICAS: Object = {"replicas": 0, "selector": None}
BLANK_SPECS: Mapping[str, Object] = {
    "daemonsets.apps": {"selector": None},
    "deployments.apps": _NO_REPLICAS,
    "replicasets.apps": _NO_REPLICAS,
    "statefulsets.apps": _NO_REPLICAS,
}
"""What is written of a spec of which nothing is set, where that is more than its type says."""

BY_NAMESPACE = _fields("metadata.namespace")
WITHOUT_NAMESPACE = {
    "namespaces",
    "nodes",
    "certificatesigningrequests.certificates.k8s.io",
    "clustertrustbundles.certificates.k8s.io",
    "resourceslices.resource.k8s.io",
}
"""Resources without namespaces, for which a field selector may not name them; it may for all others."""
