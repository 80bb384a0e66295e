"""What the API server refuses in roles, bindings, autoscalers, budgets, quotas, limits, leases and the small rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import addresses, names
from ork.openapi.builtin import selectors
from ork.openapi.builtin.checks import (
    Rules,
    amount,
    amount_or_percent,
    chosen,
    demand,
    each,
    free,
    immutable,
    inside,
    labels,
    listed,
    minimum,
    named,
    not_negative,
    strictly,
)
from ork.openapi.builtin.containers import QUOTA_RESOURCES, container_resource, resource_amount, resource_name
from ork.openapi.causes import Cause, below, duplicate, forbidden, invalid, not_supported, required

_RBAC = "rbac.authorization.k8s.io"


# ── roles and bindings ──────────────────────────────────────────────────────────────────────────
def _rules_of(*, namespaced: bool) -> Any:
    def rule(role: Object, path: str) -> Iterator[Cause]:
        for index, row in enumerate(role.get("rules") or ()):
            yield from _policy_rule(row, below(path, f"rules[{index}]"), namespaced)

    return rule


def _policy_rule(row: Object, path: str, namespaced: bool) -> Iterator[Cause]:
    if not row.get("verbs"):
        yield required(below(path, "verbs"))
    urls, here = row.get("nonResourceURLs"), below(path, "nonResourceURLs")
    if urls:
        if namespaced:
            yield invalid(here, urls, "namespaced rules cannot apply to non-resource URLs")
        if row.get("apiGroups") or row.get("resources") or row.get("resourceNames"):
            yield invalid(here, urls, "rules cannot apply to both regular resources and non-resource URLs")
        return
    if not row.get("apiGroups"):
        yield required(below(path, "apiGroups"), "resource rules must supply at least one api group")
    if not row.get("resources"):
        yield required(below(path, "resources"), "resource rules must supply at least one resource")


def _aggregation(role: Object, path: str) -> Iterator[Cause]:
    rule = role.get("aggregationRule")
    if rule is not None and not rule.get("clusterRoleSelectors"):
        text = "at least one clusterRoleSelector required if aggregationRule is non-nil"
        yield required(below(path, "aggregationRule.clusterRoleSelectors"), text)
    for index, selector in enumerate((rule or {}).get("clusterRoleSelectors") or ()):
        if any(selectors.faults(selector)):
            here = below(path, f"aggregationRule.clusterRoleSelectors[{index}]")
            yield invalid(here, None, "invalid label selector.")


def _role_ref(*kinds: str) -> Any:
    def rule(binding: Object, path: str) -> Iterator[Cause]:
        ref, here = binding.get("roleRef") or {}, below(path, "roleRef")
        if ref.get("apiGroup") != _RBAC:
            yield not_supported(below(here, "apiGroup"), ref.get("apiGroup", ""), (_RBAC,))
        if ref.get("kind") not in kinds:
            yield not_supported(below(here, "kind"), ref.get("kind", ""), kinds)
        if not ref.get("name"):
            yield required(below(here, "name"))
        yield from named(names.path_segment)(ref.get("name"), below(here, "name"))

    return rule


def _subject(row: Object, path: str) -> Iterator[Cause]:
    kind, name, group = row.get("kind"), row.get("name"), row.get("apiGroup") or ""
    if not name:
        yield required(below(path, "name"))
    if kind == "ServiceAccount":
        yield from named(names.subdomain)(name, below(path, "name"))
        if group:
            yield not_supported(below(path, "apiGroup"), group, ("",))
    elif kind in ("User", "Group"):
        if group != _RBAC:
            yield not_supported(below(path, "apiGroup"), group, (_RBAC,))
    else:
        yield not_supported(below(path, "kind"), kind or "", ("ServiceAccount", "User", "Group"))


# ── autoscalers ─────────────────────────────────────────────────────────────────────────────────
_METRICS = {
    "ContainerResource": "containerResource",
    "External": "external",
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
}


def _replica_range(spec: Object, path: str) -> Iterator[Cause]:
    fewest, most = spec.get("minReplicas"), spec.get("maxReplicas") or 0
    if fewest == 0 and not any(row.get("type") in ("Object", "External") for row in spec.get("metrics") or ()):
        text = "must specify at least one Object or External metric to support scaling to zero replicas"
        yield forbidden(below(path, "metrics"), text)
    if fewest is not None and fewest < 0:
        yield from not_negative(fewest, below(path, "minReplicas"))
    if most == 0:
        yield required(below(path, "maxReplicas"))
    else:
        yield from minimum(1)(most, below(path, "maxReplicas"))
    if fewest is not None and most < fewest:
        yield invalid(below(path, "maxReplicas"), most, "must be greater than or equal to `minReplicas`")


def _scale_target(ref: Object, path: str) -> Iterator[Cause]:
    for field in ("kind", "name"):
        if not ref.get(field):
            yield required(below(path, field))
        yield from named(names.path_segment)(ref.get(field), below(path, field))


def _scaled(spec: Object, path: str) -> Iterator[Cause]:
    ref = spec.get("scaleTargetRef") or {}
    version = ref.get("apiVersion") or ""
    if not version.rpartition("/")[0] and ref.get("kind") != "ReplicationController":
        here = below(path, "scaleTargetRef.apiVersion")
        yield invalid(here, version, "apiVersion must specify API group")


def _metric(row: Object, path: str) -> Iterator[Cause]:
    kind = row.get("type")
    if kind in _METRICS and row.get(_METRICS[kind]) is None:
        yield required(below(path, _METRICS[kind]), "must populate information for the given metric source")


def _target_type(target: Object, path: str) -> Iterator[Cause]:
    kind, here = target.get("type") or "", below(path, "type")
    if not kind:
        yield required(here, "must specify a metric target type")
    if kind not in ("Utilization", "Value", "AverageValue"):
        yield invalid(here, kind, "must be either Utilization, Value, or AverageValue")


def _resource_target(source: Object, path: str) -> Iterator[Cause]:
    target, here = source.get("target") or {}, below(path, "target")
    used, average = target.get("averageUtilization"), target.get("averageValue")
    if used is None and average is None:
        text = "must set either a target raw value or a target utilization"
        yield required(below(here, "averageUtilization"), text)
    if average is not None and amount(average) <= 0:
        yield invalid(below(here, "averageValue"), average, "must be positive")
    if used is not None and used < 1:
        yield invalid(below(here, "averageUtilization"), used, "must be greater than 0")
    if used is not None and average is not None:
        text = "may not set both a target raw value and a target utilization"
        yield forbidden(below(here, "averageValue"), text)


def _window(value: Any, path: str) -> Iterator[Cause]:
    yield from minimum(0, "must be greater than or equal to zero")(value, path)
    if value is not None and value > 3600:
        yield invalid(path, value, "must be less than or equal to 3600")


def _period(value: Any, path: str) -> Iterator[Cause]:
    yield from minimum(1, "must be greater than zero")(value, path)
    if value is not None and value > 1800:
        yield invalid(path, value, "must be less than or equal to 1800")


# ── budgets, quotas, limits ─────────────────────────────────────────────────────────────────────
def _one_budget(spec: Object, path: str) -> Iterator[Cause]:
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield invalid(path, spec, "minAvailable and maxUnavailable cannot be both set")


_SCOPES = (
    *("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass", "VolumeAttributesClass"),
    "CrossNamespacePodAffinity",
)


_OF_PODS = ("pods", *(f"{part}{name}" for part in ("", "requests.", "limits.") for name in ("cpu", "memory")))
_SCOPED: Mapping[str, tuple[str, ...]] = {
    "BestEffort": ("pods",),
    "VolumeAttributesClass": ("persistentvolumeclaims", "requests.storage"),
}
"""To which resources a scope applies, where that is not what pods use."""


def _hard(value: Any, path: str) -> Iterator[Cause]:
    for name, text in (value or {}).items():
        here = f"{path}[{name}]"
        yield from resource_name(name, here, QUOTA_RESOURCES, "must be a standard resource for quota")
        yield from resource_amount(name, text, here)


def _scopes(spec: Object, path: str) -> Iterator[Cause]:
    scopes, bounded = spec.get("scopes") or [], set(spec.get("hard") or ())
    for scope in scopes:
        if scope not in _SCOPES:
            yield invalid(below(path, "scopes"), scopes, "unsupported scope")
        elif bounded.intersection(QUOTA_RESOURCES).difference(_SCOPED.get(scope, _OF_PODS)):
            yield invalid(below(path, "scopes"), scopes, "unsupported scope applied to resource")
    for pair in (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating")):
        if set(pair) <= set(scopes):
            yield invalid(below(path, "scopes"), scopes, "conflicting scopes")


def _scope_selector(spec: Object, path: str) -> Iterator[Cause]:
    here = below(path, "scopeSelector.matchExpressions")
    for row in inside(spec, "scopeSelector", "matchExpressions") or ():
        operator, values = row.get("operator", ""), row.get("values")
        if operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
            yield invalid(below(here, "operator"), operator, "not a valid selector operator")
        elif operator in ("In", "NotIn") and not values:
            text = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
            yield required(below(here, "values"), text)
        elif operator in ("Exists", "DoesNotExist") and values:
            text = "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector"
            yield invalid(below(here, "values"), values, text)


def _scopes_kept(new: Object, old: Object) -> Iterator[Cause]:
    after, before = inside(new, "spec", "scopes") or [], inside(old, "spec", "scopes") or []
    if set(after) != set(before):
        yield invalid("spec.scopes", after, "field is immutable")


_LIMIT_FIELDS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
_REQUEST = "defaultRequest"
_ORDERS = (
    ("min", "max", "min", "min", "min value {} is greater than max value {}"),
    ("min", _REQUEST, _REQUEST, _REQUEST, "min value {} is greater than default request value {}"),
    (_REQUEST, "max", _REQUEST, _REQUEST, "default request value {} is greater than max value {}"),
    (_REQUEST, "default", _REQUEST, _REQUEST, "default request value {} is greater than default limit value {}"),
    ("min", "default", "default", "min", "min value {} is greater than default value {}"),
    ("default", "max", "default", "max", "default value {} is greater than max value {}"),
)
"""The lower field, the higher field, where the cause stands, whose value it shows, and its text."""


def _limit_names(item: Object, path: str) -> Iterator[Cause]:
    kind = item.get("type")
    for field in _LIMIT_FIELDS:
        rows, here = item.get(field) or {}, below(path, field)
        if kind == "Pod" and rows and field.startswith("default"):
            yield forbidden(here, "may not be specified when `type` is 'Pod'")
            continue
        for name in rows:
            check = container_resource if kind in ("Pod", "Container") else resource_name
            yield from check(name, f"{here}[{name}]")
    if kind == "PersistentVolumeClaim" and not any("storage" in (item.get(field) or {}) for field in ("min", "max")):
        text = "either minimum or maximum storage value is required, but neither was provided"
        yield required(below(path, "limits"), text)


def _limit_order(item: Object, path: str) -> Iterator[Cause]:
    for lower, higher, place, shown, text in _ORDERS:
        least, most = item.get(lower) or {}, item.get(higher) or {}
        for name, lowest in least.items():
            if name in most and amount(lowest) > amount(most[name]):
                value = (item.get(shown) or {}).get(name)
                yield invalid(below(path, f"{place}[{name}]"), value, text.format(lowest, most[name]))


def _limit_ratio(item: Object, path: str) -> Iterator[Cause]:
    for name, value in (item.get("maxLimitRequestRatio") or {}).items():
        if amount(value) < 1:
            yield invalid(below(path, f"maxLimitRequestRatio[{name}]"), value, f"ratio {value} is less than 1")


def _limit_type(value: Any, path: str) -> Iterator[Cause]:
    complaints = names.qualified(value or "")
    yield from (invalid(path, value or "", text) for text in complaints)
    if not complaints and "/" not in value and value not in ("Pod", "Container", "PersistentVolumeClaim"):
        yield invalid(path, value, "must be a standard limit type or fully qualified")


def _limit_types(value: Any, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, item in enumerate(value or ()):
        if item.get("type") in seen:
            yield duplicate(f"{path}[{index}].type", item["type"])
        seen.add(item.get("type", ""))


# ── the rest ────────────────────────────────────────────────────────────────────────────────────
def _priority(value: Object, _path: str) -> Iterator[Cause]:
    name, number = inside(value, "metadata", "name") or "", value.get("value", 0)
    if name in ("system-node-critical", "system-cluster-critical"):
        return
    if name.startswith("system-"):
        text = "priority class names with 'system-' prefix are reserved for system use only."
        yield forbidden("metadata.name", f"{text} error: {name} is not a known system priority class")
    if number > 1_000_000_000:
        yield forbidden("value", "maximum allowed value of a user defined priority is 1000000000")


def _priority_kept(new: Object, old: Object) -> Iterator[Cause]:
    if new.get("value", 0) != old.get("value", 0):
        yield forbidden("value", "may not be changed in an update.")


def _event_namespace(event: Object, _path: str) -> Iterator[Cause]:
    there, here = inside(event, "involvedObject", "namespace"), inside(event, "metadata", "namespace")
    if there != here if there else here not in (None, "default"):
        yield invalid("involvedObject.namespace", there or "", "does not match event.namespace")


def _event_of_controller(event: Object, _path: str) -> Iterator[Cause]:
    """Want of an event with a time of its own that it says who reports what."""
    if not event.get("eventTime"):
        return
    reporter = event.get("reportingComponent") or ""
    if not reporter:
        yield required("reportingComponent")
    yield from (invalid("reportingComponent", reporter, text) for text in names.qualified(reporter))
    for field in ("reportingInstance", "action", "reason"):
        if not event.get(field):
            yield required(field)
        elif len(event[field]) > 128:
            yield invalid(field, "", "can have at most 128 characters")
    if len(event.get("message") or "") > 1024:
        yield invalid("message", "", "can have at most 1024 characters")


# ── nodes ───────────────────────────────────────────────────────────────────────────────────────
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def _taints(node: Object, _path: str) -> Iterator[Cause]:
    seen = set()
    for index, row in enumerate(inside(node, "spec", "taints") or ()):
        path, key, effect = f"metadata.taints[{index}]", row.get("key") or "", row.get("effect")
        yield from (invalid(f"{path}.key", key, text) for text in names.qualified(key))
        yield from (invalid(f"{path}.value", row["value"], text) for text in names.label_value(row.get("value") or ""))
        if not effect:
            yield required(f"{path}.effect")
        elif effect not in _EFFECTS:
            yield not_supported(f"{path}.effect", effect, _EFFECTS)
        if (key, effect) in seen:
            yield duplicate(path, row)
        seen.add((key, effect))


def _node_kept(new: Object, old: Object) -> Iterator[Cause]:
    blocks = inside(old, "spec", "podCIDRs")
    if blocks and inside(new, "spec", "podCIDRs") != blocks:
        yield forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid')
    provider = inside(old, "spec", "providerID")
    if provider and inside(new, "spec", "providerID") != provider:
        yield invalid("spec.providerID", None, "field cannot be modified once set")


def _finalizers(value: Any, path: str) -> Iterator[Cause]:
    for name in value or ():
        yield from named(names.finalizer)(name, path)


def _phase(status: Object, path: str) -> Iterator[Cause]:
    if status.get("phase") != "Active":
        yield invalid(
            below(path, "Phase"), status.get("phase", ""), "may only be 'Active' if `deletionTimestamp` is empty"
        )


RULES: Mapping[str, Rules] = {
    "autoscaling.v1.CrossVersionObjectReference": Rules(whole=(_scale_target,)),
    "autoscaling.v1.HorizontalPodAutoscalerSpec": Rules(whole=(_replica_range, _scaled)),
    "autoscaling.v2.CrossVersionObjectReference": Rules(whole=(_scale_target,)),
    "autoscaling.v2.HPAScalingPolicy": Rules(
        {"type": listed("Percent", "Pods"), "value": minimum(1, "must be greater than zero"), "periodSeconds": _period},
        needs=demand("type"),
    ),
    "autoscaling.v2.HPAScalingRules": Rules(
        {"selectPolicy": listed("Disabled", "Max", "Min"), "stabilizationWindowSeconds": _window},
        needs={"policies": "must specify at least one Policy"},
    ),
    "autoscaling.v2.HorizontalPodAutoscalerSpec": Rules(whole=(_replica_range, _scaled)),
    "autoscaling.v2.MetricSpec": Rules(
        {"type": chosen(*_METRICS)}, (_metric,), needs={"type": "must specify a metric source type"}
    ),
    "autoscaling.v2.MetricTarget": Rules(whole=(_target_type,)),
    "autoscaling.v2.ResourceMetricSource": Rules(
        whole=(_resource_target,), needs={"name": "must specify a resource name"}
    ),
    "coordination.v1.LeaseSpec": Rules(
        {"leaseDurationSeconds": minimum(1, "must be greater than 0"), "leaseTransitions": not_negative}
    ),
    "core.v1.Event": Rules(whole=(_event_namespace,), creation=(_event_of_controller,)),
    "core.v1.LimitRangeItem": Rules({"type": _limit_type}, (_limit_names, _limit_order, _limit_ratio)),
    "core.v1.LimitRangeSpec": Rules({"limits": _limit_types}),
    "core.v1.Node": Rules(whole=(_taints,), changes=(_node_kept,)),
    "core.v1.NodeSpec": Rules({"podCIDRs": each(strictly(addresses.cidr))}),
    "core.v1.NamespaceSpec": Rules({"finalizers": _finalizers}),
    "core.v1.ResourceQuota": Rules(changes=(_scopes_kept,)),
    "core.v1.ResourceQuotaSpec": Rules({"hard": _hard, "scopes": free}, (_scopes, _scope_selector)),
    "core.v1.ScopedResourceSelectorRequirement": Rules({"operator": free}),
    "core.v1.Taint": Rules({"effect": free}),
    "node.v1.RuntimeClass": Rules(
        {"handler": named(names.dns_label)}, needs=demand("handler"), changes=(immutable("handler", shown=False),)
    ),
    "node.v1.Scheduling": Rules({"nodeSelector": labels}),
    "policy.v1.PodDisruptionBudgetSpec": Rules(
        {"minAvailable": amount_or_percent, "maxUnavailable": amount_or_percent}, (_one_budget,)
    ),
    "rbac.v1.ClusterRole": Rules(whole=(_rules_of(namespaced=False), _aggregation)),
    "rbac.v1.ClusterRoleBinding": Rules(whole=(_role_ref("ClusterRole"),), changes=(immutable("roleRef"),)),
    "rbac.v1.Role": Rules(whole=(_rules_of(namespaced=True),)),
    "rbac.v1.RoleBinding": Rules(whole=(_role_ref("Role", "ClusterRole"),), changes=(immutable("roleRef"),)),
    "rbac.v1.Subject": Rules(whole=(_subject,)),
    "scheduling.v1.PriorityClass": Rules(
        {"preemptionPolicy": listed("PreemptLowerPriority", "Never")},
        (_priority,),
        changes=(_priority_kept, immutable("preemptionPolicy")),
    ),
}

STATUS = {"core.v1.Namespace": _phase}
