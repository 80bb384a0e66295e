"""The cells of Kubernetes' own kinds in a table, column by column behind the name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ork.base import paths
from ork.base.objects import Object
from ork.cluster.server import pods
from ork.cluster.server.cells import Cell, age, at, count, created, created_at, human, length, since, size

# ── parts of workloads ──────────────────────────────────────────────────────────────────────────
_TEMPLATE = ("spec", "template", "spec")


def _containers(field: str, path: tuple[str, ...] = _TEMPLATE) -> Cell:
    return lambda obj, _now: ",".join(
        row.get(field, "") for row in (paths.get(obj, path) or {}).get("containers") or ()
    )


def _selector(path: str = "spec.selector") -> Cell:
    steps = tuple(path.split("."))
    return lambda obj, _now: selector_text(paths.get(obj, steps))


def selector_text(selector: Mapping[str, Any] | None) -> str:
    """Return a LabelSelector as a selector's text."""
    if selector is None:
        return "<none>"
    parts = [(key, f"{key}={value}") for key, value in (selector.get("matchLabels") or {}).items()]
    for row in selector.get("matchExpressions") or ():
        parts.append((row["key"], _requirement(row["key"], row["operator"], row.get("values") or ())))
    return ",".join(text for _, text in sorted(parts)) or "<none>"


def _requirements(obj: Object, _now: datetime) -> str:
    """A selector as it is carried out; one without requirements has no text."""
    shown = selector_text(obj["spec"].get("selector"))
    return "" if shown == "<none>" else shown


def _requirement(key: str, operator: str, values: Any) -> str:
    listed = f"({','.join(sorted(values))})"
    forms = {"In": f"{key} in {listed}", "NotIn": f"{key} notin {listed}", "Exists": key, "DoesNotExist": f"!{key}"}
    return forms[operator]


def _labels(path: str) -> Cell:
    steps = tuple(path.split("."))

    def read(obj: Object, _now: datetime) -> str:
        found = paths.get(obj, steps)
        return ",".join(f"{key}={value}" for key, value in sorted((found or {}).items())) or "<none>"

    return read


def _ready_of(ready: str, wanted: str) -> Cell:
    """`2/3`: how many of the wanted are ready."""
    have, want = tuple(ready.split(".")), tuple(wanted.split("."))
    return lambda obj, _now: f"{paths.get(obj, have) or 0}/{paths.get(obj, want) or 0}"


_JOB_STATES = (
    ("Complete", "Complete"),
    ("Failed", "Failed"),
    ("", "Terminating"),
    ("Suspended", "Suspended"),
    ("FailureTarget", "FailureTarget"),
    ("SuccessCriteriaMet", "SuccessCriteriaMet"),
)


def _job_status(obj: Object, _now: datetime) -> str:
    true = {row["type"] for row in _conditions(obj) if row["status"] == "True"}
    if obj["metadata"].get("deletionTimestamp"):
        true.add("")
    return next((shown for name, shown in _JOB_STATES if name in true), "Running")


def _conditions(obj: Object) -> list[Object]:
    found: list[Object] = paths.get(obj, ("status", "conditions")) or []
    return found


def _job_completions(obj: Object, _now: datetime) -> str:
    done, wanted = paths.get(obj, ("status", "succeeded")) or 0, obj["spec"].get("completions")
    if wanted is not None:
        return f"{done}/{wanted}"
    side = obj["spec"].get("parallelism", 0)
    return f"{done}/1 of {side}" if side > 1 else f"{done}/1"


def _job_duration(obj: Object, now: datetime) -> str:
    start, end = (paths.get(obj, ("status", name)) for name in ("startTime", "completionTime"))
    if not start:
        return ""
    moments = [datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (start, end) if text]
    return human(((moments[1] if end else now) - moments[0]).total_seconds())


# ── networking ──────────────────────────────────────────────────────────────────────────────────
def _external_address(obj: Object, _now: datetime) -> str:
    spec = obj["spec"]
    given = ",".join(spec.get("externalIPs") or ())
    rows = paths.get(obj, ("status", "loadBalancer", "ingress")) or ()
    balancer = ",".join(row.get("ip") or row.get("hostname", "") for row in rows)
    if spec.get("type") == "ExternalName":
        name: str = spec.get("externalName", "")
        return name
    if not spec.get("type"):
        return "<unknown>"
    if spec["type"] == "LoadBalancer":
        return ",".join(part for part in (balancer, given) if part) or "<pending>"
    return given or "<none>"


def _ports(obj: Object, _now: datetime) -> str:
    rows = obj["spec"].get("ports") or ()
    shown = (f"{row['port']}{_node_port(row)}/{row.get('protocol', 'TCP')}" for row in rows)
    return ",".join(shown) or "<none>"


def _node_port(row: Object) -> str:
    return f":{row['nodePort']}" if row.get("nodePort") else ""


def _hosts(obj: Object, _now: datetime) -> str:
    found = [row["host"] for row in obj["spec"].get("rules") or () if row.get("host")]
    if len(found) > 3:
        return f"{','.join(found[:3])} + {len(found) - 3} more..."
    return ",".join(found) or "*"


def _ingress_address(obj: Object, _now: datetime) -> str:
    rows = paths.get(obj, ("status", "loadBalancer", "ingress")) or ()
    return ",".join(row.get("ip") or row.get("hostname", "") for row in rows)


def _ingress_ports(obj: Object, _now: datetime) -> str:
    return "80, 443" if obj["spec"].get("tls") else "80"


def _slice_ports(obj: Object, _now: datetime) -> str:
    return ",".join(str(row.get("port", "*")) for row in obj.get("ports") or ()) or "<unset>"


def _slice_endpoints(obj: Object, _now: datetime) -> str:
    found = [address for row in obj.get("endpoints") or () for address in row.get("addresses") or ()]
    return ",".join(found[:3]) + (f" + {len(found) - 3} more..." if len(found) > 3 else "") if found else "<unset>"


def _endpoints(obj: Object, _now: datetime) -> str:
    found = [
        f"{address['ip']}:{port['port']}"
        for subset in obj.get("subsets") or ()
        for port in subset.get("ports") or ({"port": ""},)
        for address in subset.get("addresses") or ()
    ]
    return ",".join(found[:3]) + (f" + {len(found) - 3} more..." if len(found) > 3 else "") if found else "<none>"


# ── identity, policy, storage ───────────────────────────────────────────────────────────────────
def _role(obj: Object, _now: datetime) -> str:
    return _named(obj.get("roleRef") or {})


def _named(reference: Object) -> str:
    return f"{reference.get('kind', '')}/{reference.get('name', '')}"


def _subjects(kind: str) -> Cell:
    def read(obj: Object, _now: datetime) -> str:
        rows = [row for row in obj.get("subjects") or () if row["kind"] == kind]
        return ", ".join(f"{row['namespace']}/{row['name']}" if row.get("namespace") else row["name"] for row in rows)

    return read


def _text_at(path: str, missing: str) -> Cell:
    read = at(path, missing)
    return lambda obj, now: str(read(obj, now))


_MODES = {"ReadWriteOnce": "RWO", "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOncePod": "RWOP"}


def _modes(path: str) -> Cell:
    steps = tuple(path.split("."))
    return lambda obj, _now: ",".join(_MODES.get(mode, mode) for mode in paths.get(obj, steps) or ())


def _phase(obj: Object, _now: datetime) -> str:
    phase: str = paths.get(obj, ("status", "phase")) or ""
    return "Terminating" if obj["metadata"].get("deletionTimestamp") else phase


def _bound(cell: Cell) -> Cell:
    """What a claim has of its volume; nothing where it has none."""
    return lambda obj, now: cell(obj, now) if obj["spec"].get("volumeName") else ""


def _claim(obj: Object, _now: datetime) -> str:
    found = obj["spec"].get("claimRef")
    return f"{found.get('namespace', '')}/{found.get('name', '')}" if found else ""


def _quota(kind: str) -> Cell:
    def read(obj: Object, _now: datetime) -> str:
        hard, used = (paths.get(obj, ("status", name)) or {} for name in ("hard", "used"))
        names = [name for name in sorted(hard) if name.startswith("limits.") == (kind == "limits")]
        return ", ".join(f"{name}: {used.get(name, '0')}/{hard[name]}" for name in names)

    return read


def _scaled(obj: Object, _now: datetime) -> str:
    return _named(obj["spec"].get("scaleTargetRef") or {})


def _targets(obj: Object, _now: datetime) -> str:
    metrics, seen = obj["spec"].get("metrics") or (), paths.get(obj, ("status", "currentMetrics")) or ()
    rows = [_target(row, seen[number] if number < len(seen) else {}) for number, row in enumerate(metrics)]
    if len(rows) > _TARGETS_SHOWN:
        return f"{', '.join(rows[:_TARGETS_SHOWN])} + {len(rows) - _TARGETS_SHOWN} more..."
    return ", ".join(rows) or "<none>"


_TARGETS_SHOWN = 2


def _target(row: Object, seen: Object) -> str:
    """`cpu: 30%/50%`: what a metric is and what it should be."""
    key = row["type"][:1].lower() + row["type"][1:]
    found, now = row.get(key) or {}, (seen.get(key) or {}).get("current") or {}
    target = found.get("target") or {}
    average = "averageValue" in target
    if "name" in found:
        field, unit = ("averageValue", "") if average else ("averageUtilization", "%")
        have = f"{now[field]}{unit}" if field in now else "<unknown>"
        return f"{found['name']}: {have}/{target.get(field, '<auto>')}{unit if field in target else ''}"
    field = "averageValue" if average else "value"
    shown = f"{now.get(field, '<unknown>')}/{target.get(field, '')}"
    return f"{shown} (avg)" if average and row["type"] in ("External", "Object") else shown


def _event_object(obj: Object, _now: datetime) -> str:
    involved = obj.get("involvedObject") or obj.get("regarding") or {}
    kind, name = involved.get("kind", "").lower(), involved.get("name", "")
    return f"{kind}/{name}" if name else kind


def _event_source(obj: Object, _now: datetime) -> str:
    found = obj.get("source") or {}
    component = found.get("component") or obj.get("reportingComponent")
    return ", ".join(part for part in (component, found.get("host") or obj.get("reportingInstance")) if part)


def _event_seen(obj: Object, now: datetime) -> str:
    if series := obj.get("series"):
        return age(series.get("lastObservedTime"), now)
    return age(obj.get("lastTimestamp") or obj.get("eventTime") or obj.get("deprecatedLastTimestamp"), now)


def _event_first(obj: Object, now: datetime) -> str:
    return age(obj.get("firstTimestamp") or obj.get("eventTime") or obj.get("deprecatedFirstTimestamp"), now)


def _node_status(obj: Object, _now: datetime) -> str:
    ready = next((row["status"] for row in _conditions(obj) if row["type"] == "Ready"), None)
    shown = {"True": "Ready", None: "Unknown"}.get(ready, "NotReady")
    return shown + (",SchedulingDisabled" if obj["spec"].get("unschedulable") else "")


def _roles(obj: Object, _now: datetime) -> str:
    prefix = "node-role.kubernetes.io/"
    found = [key.removeprefix(prefix) for key in obj["metadata"].get("labels") or () if key.startswith(prefix)]
    return ",".join(sorted(found)) or "<none>"


def _node_address(kind: str) -> Cell:
    def read(obj: Object, _now: datetime) -> str:
        rows = paths.get(obj, ("status", "addresses")) or ()
        return next((row["address"] for row in rows if row["type"] == kind), "<none>")

    return read


def _established(obj: Object, _now: datetime) -> bool:
    return any(row["type"] == "Established" and row["status"] == "True" for row in _conditions(obj))


def _version_names(obj: Object, _now: datetime) -> str:
    rows = [row for row in obj["spec"].get("versions") or () if row.get("served")]
    return ",".join(row["name"] + ("(storage)" if row.get("storage") else "") for row in rows)


def _short_names(obj: Object, _now: datetime) -> str:
    return ",".join(paths.get(obj, ("spec", "names", "shortNames")) or ())


def _joined(path: str, key: str = "", missing: str = "") -> Cell:
    """The texts of a list, or those under a key of its elements."""
    steps = tuple(path.split("."))
    return lambda obj, _now: ",".join(row[key] if key else row for row in paths.get(obj, steps) or ()) or missing


def _param_kind(obj: Object, _now: datetime) -> str:
    found = obj["spec"].get("paramKind")
    return f"{found['apiVersion']}/{found['kind']}" if found else "<unset>"


def _param(obj: Object, _now: datetime) -> str:
    found = obj["spec"].get("paramRef")
    if not found:
        return "<unset>"
    name: str = found.get("name", "*")
    return f"{found['namespace']}/{name}" if found.get("namespace") else name


def _duration(obj: Object, _now: datetime) -> str:
    seconds = obj["spec"].get("expirationSeconds")
    return human(seconds) if seconds else "<none>"


def _decided(obj: Object, _now: datetime) -> str:
    """`Approved,Issued`: what became of a certificate signing request."""
    given = {row["type"] for row in _conditions(obj)}
    shown = [kind for kind in ("Approved", "Denied") if kind in given][-1:] or ["Pending"]
    shown += [kind for kind in ("Failed",) if kind in given]
    return ",".join(shown + (["Issued"] if paths.get(obj, ("status", "certificate")) else []))


_WIDE = (_containers("name"), _containers("image"), _selector())
_CRON = ("spec", "jobTemplate", "spec", "template", "spec")
_REPLICAS = (count("spec.replicas"), count("status.replicas"), count("status.readyReplicas"), created, *_WIDE)
_BINDING = (_role, created, _subjects("User"), _subjects("Group"), _subjects("ServiceAccount"))
_EVENT = (
    _event_seen,
    at("type", ""),
    at("reason", ""),
    _event_object,
    at("involvedObject.fieldPath", ""),
    _event_source,
    lambda obj, _now: (obj.get("message") or obj.get("note") or "").strip(),
    _event_first,
    lambda obj, _now: (obj.get("series") or obj).get("count") or 1,
    lambda obj, _now: obj["metadata"].get("name", ""),
)

CELLS: Mapping[str, tuple[Cell, ...]] = {
    "configmaps": (size("data", "binaryData"), created),
    "secrets": (at("type", ""), size("data"), created),
    "serviceaccounts": (created,),
    "namespaces": (at("status.phase", ""), created),
    "pods": (
        *(pods.ready, pods.status, pods.restarts, created, at("status.podIP"), at("spec.nodeName")),
        *(at("status.nominatedNodeName"), pods.gates),
    ),
    "podtemplates": (
        *(_containers("name", ("template", "spec")), _containers("image", ("template", "spec"))),
        _labels("template.metadata.labels"),
    ),
    "services": (
        *(at("spec.type", ""), at("spec.clusterIP"), _external_address, _ports, created),
        _labels("spec.selector"),
    ),
    "endpoints": (_endpoints, created),
    "endpointslices.discovery.k8s.io": (at("addressType", ""), _slice_ports, _slice_endpoints, created),
    "events": _EVENT,
    "nodes": (
        *(_node_status, _roles, created, at("status.nodeInfo.kubeletVersion", "")),
        *(_node_address("InternalIP"), _node_address("ExternalIP"), at("status.nodeInfo.osImage", "<unknown>")),
        *(
            at("status.nodeInfo.kernelVersion", "<unknown>"),
            at("status.nodeInfo.containerRuntimeVersion", "<unknown>"),
        ),
    ),
    "persistentvolumes": (
        *(at("spec.capacity.storage", "0"), _modes("spec.accessModes"), at("spec.persistentVolumeReclaimPolicy", "")),
        *(_phase, _claim, at("spec.storageClassName", ""), at("spec.volumeAttributesClassName", "<unset>")),
        *(at("status.reason", ""), created, at("spec.volumeMode", "<unset>")),
    ),
    "persistentvolumeclaims": (
        *(_phase, at("spec.volumeName", ""), _bound(at("status.capacity.storage", "0"))),
        _bound(_modes("status.accessModes")),
        *(at("spec.storageClassName", ""), at("spec.volumeAttributesClassName", "<unset>")),
        *(created, at("spec.volumeMode", "<unset>")),
    ),
    "resourcequotas": (_quota("requests"), _quota("limits"), created),
    "limitranges": (created_at,),
    "replicationcontrollers": (*_REPLICAS[:-1], _labels("spec.selector")),
    "deployments.apps": (
        *(_ready_of("status.readyReplicas", "spec.replicas"), count("status.updatedReplicas")),
        *(count("status.availableReplicas"), created, *_WIDE[:2], _requirements),
    ),
    "replicasets.apps": _REPLICAS,
    "statefulsets.apps": (_ready_of("status.readyReplicas", "spec.replicas"), created, *_WIDE[:2]),
    "daemonsets.apps": (
        *(count("status.desiredNumberScheduled"), count("status.currentNumberScheduled")),
        *(count("status.numberReady"), count("status.updatedNumberScheduled"), count("status.numberAvailable")),
        *(_labels("spec.template.spec.nodeSelector"), created, *_WIDE),
    ),
    "controllerrevisions.apps": (
        lambda obj, _now: next(
            (
                f"{row['kind']}/{row['name']}"
                for row in obj["metadata"].get("ownerReferences") or ()
                if row.get("controller")
            ),
            "<none>",
        ),
        at("revision", 0),
        created,
    ),
    "jobs.batch": (_job_status, _job_completions, _job_duration, created, *_WIDE),
    "cronjobs.batch": (
        *(at("spec.schedule", ""), at("spec.timeZone"), _text_at("spec.suspend", "<unset>")),
        *(length("status.active"), since("status.lastScheduleTime"), created),
        *(_containers("name", _CRON), _containers("image", _CRON), _selector("spec.jobTemplate.spec.selector")),
    ),
    "ingresses.networking.k8s.io": (at("spec.ingressClassName"), _hosts, _ingress_address, _ingress_ports, created),
    "runtimeclasses.node.k8s.io": (at("handler", ""), created),
    "csinodes.storage.k8s.io": (length("spec.drivers"), created),
    "csistoragecapacities.storage.k8s.io": (created_at,),
    "volumeattributesclasses.storage.k8s.io": (at("driverName", ""), created),
    "mutatingwebhookconfigurations.admissionregistration.k8s.io": (length("webhooks"), created),
    "validatingwebhookconfigurations.admissionregistration.k8s.io": (length("webhooks"), created),
    "mutatingadmissionpolicies.admissionregistration.k8s.io": (length("spec.mutations"), _param_kind, created),
    "mutatingadmissionpolicybindings.admissionregistration.k8s.io": (at("spec.policyName", ""), _param, created),
    "servicecidrs.networking.k8s.io": (_joined("spec.cidrs"), created),
    "volumeattachments.storage.k8s.io": (
        *(at("spec.attacher", ""), at("spec.source.persistentVolumeName", ""), at("spec.nodeName", "")),
        *(at("status.attached", False), created),
    ),
    "csidrivers.storage.k8s.io": (
        *(at("spec.attachRequired", True), at("spec.podInfoOnMount", False), at("spec.storageCapacity", False)),
        *(_joined("spec.tokenRequests", "audience", "<unset>"), at("spec.requiresRepublish", False)),
        *(_joined("spec.volumeLifecycleModes", missing="<none>"), created),
    ),
    "validatingadmissionpolicies.admissionregistration.k8s.io": (length("spec.validations"), _param_kind, created),
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": (at("spec.policyName", ""), _param, created),
    "certificatesigningrequests.certificates.k8s.io": (
        *(created, at("spec.signerName", ""), at("spec.username", ""), _duration, _decided),
    ),
    "ingressclasses.networking.k8s.io": (at("spec.controller", ""), at("spec.parameters.name"), created),
    "networkpolicies.networking.k8s.io": (_selector("spec.podSelector"), created),
    "horizontalpodautoscalers.autoscaling": (
        *(_scaled, _targets, _text_at("spec.minReplicas", "<unset>"), at("spec.maxReplicas", 0)),
        *(count("status.currentReplicas"), created),
    ),
    "poddisruptionbudgets.policy": (
        *(_text_at("spec.minAvailable", "N/A"), _text_at("spec.maxUnavailable", "N/A")),
        *(count("status.disruptionsAllowed"), created),
    ),
    "roles.rbac.authorization.k8s.io": (created_at,),
    "clusterroles.rbac.authorization.k8s.io": (created_at,),
    "rolebindings.rbac.authorization.k8s.io": _BINDING,
    "clusterrolebindings.rbac.authorization.k8s.io": _BINDING,
    "leases.coordination.k8s.io": (at("spec.holderIdentity", ""), created),
    "storageclasses.storage.k8s.io": (
        *(at("provisioner", ""), at("reclaimPolicy", "Delete"), at("volumeBindingMode", "Immediate")),
        *(at("allowVolumeExpansion", False), created),
    ),
    "priorityclasses.scheduling.k8s.io": (
        *(at("value", 0), at("globalDefault", False), created, at("preemptionPolicy", "")),
    ),
    "customresourcedefinitions.apiextensions.k8s.io": (
        *(at("spec.scope", ""), _version_names, created_at, at("spec.group", ""), at("spec.names.kind", "")),
        *(_short_names, _established),
    ),
}
"""The cells behind the name, in the order of the columns; a kind that is not here shows its age."""

NAMELESS = frozenset({"events"})
"""Tables whose first column is not the name."""
