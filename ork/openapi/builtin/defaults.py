"""Defaults that depend on other fields. What is always the same stands in `schemas/kubernetes`.

A rule gets a struct whose own constant defaults are filled in, and returns it, or a new one where it adds something.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object

Rule = Callable[[Object], Object]

_RBAC = "rbac.authorization.k8s.io"
_MOST = 2**31 - 1


def _filled(value: Object, **fields: Any) -> Object:
    """Return the struct with those fields where it has none."""
    missing = {key: item for key, item in fields.items() if item is not None and key not in value}
    return {**value, **missing} if missing else value


def _changed(value: Object, key: str, item: Any) -> Object:
    return value if value.get(key) is item else {**value, key: item}


def _each(items: Any, rule: Rule) -> Any:
    """Return a list with a rule applied to its elements; the same list where none changes."""
    if not items:
        return items
    done = [rule(item) for item in items]
    return items if all(new is old for new, old in zip(done, items, strict=True)) else done


# ── pods ──
def _image_pull_policy(container: Object) -> Object:
    return _filled(container, imagePullPolicy=_policy(container.get("image", "")))


def _policy(image: str) -> str:
    """Return `Always` for the tag `latest`, which is also the tag of an image that names none."""
    name, _, digest = image.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2]
    return "Always" if tag == "latest" or not (tag or digest) else "IfNotPresent"


def _pod_spec(spec: Object) -> Object:
    account = spec.get("serviceAccountName") or spec.get("serviceAccount")
    return _filled(spec, serviceAccountName=account, serviceAccount=account) if account else spec


def _volume(volume: Object) -> Object:
    return volume if len(volume) > 1 else {**volume, "emptyDir": {}}


_CONTAINERS = ("containers", "initContainers")


def _pod(pod: Object) -> Object:
    """Fill in what holds for a pod and not for the template of one."""
    spec = _filled(pod.get("spec") or {}, enableServiceLinks=True)
    for key in _CONTAINERS:
        rule = _on_the_host if spec.get("hostNetwork") else _requests
        if (done := _each(spec.get(key), rule)) is not spec.get(key):
            spec = {**spec, key: done}
    return _changed(pod, "spec", spec)


def _on_the_host(container: Object) -> Object:
    ports = _each(container.get("ports"), lambda port: _filled(port, hostPort=port.get("containerPort") or None))
    container = _requests(container)
    return _changed(container, "ports", ports) if ports else container


def _requests(container: Object) -> Object:
    """Request what a container is limited to, where it does not say what it requests."""
    resources = container.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    missing = {key: limits[key] for key in limits if key not in requests}
    return {**container, "resources": {**resources, "requests": {**requests, **missing}}} if missing else container


def _pod_status(status: Object) -> Object:
    """List a pod's one address: the first of several is that one."""
    out = status
    for one, many in (("podIP", "podIPs"), ("hostIP", "hostIPs")):
        if status.get(one) and (not status.get(many) or status[many][0].get("ip") != status[one]):
            out = {**out, many: [{"ip": status[one]}]}
    return out


def _image_volume(source: Object) -> Object:
    return _filled(source, pullPolicy=_policy(source.get("reference", "")))


def _balanced(ingress: Object) -> Object:
    return _filled(ingress, ipMode="VIP") if ingress.get("ip") else ingress


def _node_status(status: Object) -> Object:
    return _filled(status, allocatable=status.get("capacity") or None)


def _node_spec(spec: Object) -> Object:
    block = spec.get("podCIDR")
    return {**spec, "podCIDRs": [block]} if block and (spec.get("podCIDRs") or [""])[0] != block else spec


# ── workloads ──
def _rolling(**fields: Any) -> Rule:
    """Return the rule of an update strategy, whose details exist for the type `RollingUpdate` only."""

    def rule(strategy: Object) -> Object:
        if strategy.get("type") != "RollingUpdate":
            return strategy
        return _changed(strategy, "rollingUpdate", _filled(strategy.get("rollingUpdate") or {}, **fields))

    return rule


def _claim_templates(spec: Object) -> Object:
    claims = _each(
        spec.get("volumeClaimTemplates"), lambda claim: _filled(claim, apiVersion="v1", kind="PersistentVolumeClaim")
    )
    return _changed(spec, "volumeClaimTemplates", claims) if claims else spec


def _job(job: Object) -> Object:
    spec = job.get("spec") or {}
    if "completions" not in spec and "parallelism" not in spec:
        spec = {**spec, "completions": 1}
    spec = _filled(
        spec,
        parallelism=1,
        backoffLimit=_MOST if "backoffLimitPerIndex" in spec else 6,
        completionMode="NonIndexed",
        suspend=False,
        podReplacementPolicy="Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed",
        manualSelector=False,
    )
    return _labelled_as_template(_changed(job, "spec", spec))


def _replication_controller(controller: Object) -> Object:
    labels = _template_labels(controller)
    if labels:
        controller = _changed(controller, "spec", _filled(controller["spec"], selector=labels))
    return _labelled_as_template(controller)


def _template_labels(workload: Object) -> Object:
    spec: Object = workload.get("spec") or {}
    found: Object = ((spec.get("template") or {}).get("metadata") or {}).get("labels") or {}
    return found


def _labelled_as_template(workload: Object) -> Object:
    labels, meta = _template_labels(workload), workload.get("metadata") or {}
    return {**workload, "metadata": {**meta, "labels": labels}} if labels and not meta.get("labels") else workload


# ── networking ──
_ROUTED = ("ClusterIP", "NodePort", "LoadBalancer")
_REACHED_FROM_OUTSIDE = ("NodePort", "LoadBalancer")


def _service_spec(spec: Object) -> Object:
    kind, sticky = spec.get("type"), spec.get("sessionAffinity") == "ClientIP"
    spec = _filled(
        spec,
        internalTrafficPolicy="Cluster" if kind in _ROUTED else None,
        externalTrafficPolicy="Cluster" if kind in _REACHED_FROM_OUTSIDE else None,
        allocateLoadBalancerNodePorts=True if kind == "LoadBalancer" else None,
        sessionAffinityConfig={"clientIP": {"timeoutSeconds": 10800}} if sticky else None,
    )
    if not sticky and "sessionAffinityConfig" in spec:
        return {key: item for key, item in spec.items() if key != "sessionAffinityConfig"}
    return spec


def _service_port(port: Object) -> Object:
    return _changed(port, "targetPort", port.get("targetPort") or port.get("port", 0))


def _policy_types(spec: Object) -> Object:
    return _filled(spec, policyTypes=["Ingress", "Egress"] if spec.get("egress") else ["Ingress"])


# ── the rest ──
def _limit_range_item(item: Object) -> Object:
    if item.get("type") != "Container":
        return item
    default = {**(item.get("max") or {}), **(item.get("default") or {})}
    request = {**(item.get("min") or {}), **default, **(item.get("defaultRequest") or {})}
    for key, found in (("default", default), ("defaultRequest", request)):
        item = {**item, key: found} if found != item.get(key, {}) else item
    return item


_POLICIES = [{"type": "Percent", "value": 100, "periodSeconds": 15}]
_FAST = [{"type": "Pods", "value": 4, "periodSeconds": 15}, *_POLICIES]


def _scaling_behavior(behavior: Object) -> Object:
    up = _filled(behavior.get("scaleUp") or {}, selectPolicy="Max", policies=_FAST, stabilizationWindowSeconds=0)
    down = _filled(behavior.get("scaleDown") or {}, selectPolicy="Max", policies=_POLICIES)
    return _changed(_changed(behavior, "scaleUp", up), "scaleDown", down)


def _secret(secret: Object) -> Object:
    """Move the plain texts of `stringData` into `data`."""
    if "stringData" not in secret:
        return secret
    texts = {key: base64.b64encode(text.encode()).decode() for key, text in secret["stringData"].items()}
    rest = {key: item for key, item in secret.items() if key != "stringData"}
    return {**rest, "data": {**(secret.get("data") or {}), **texts}} if texts else rest


def _subject(subject: Object) -> Object:
    return _filled(subject, apiGroup=_RBAC) if subject.get("kind") in ("User", "Group") else subject


def _crd_names(names: Object) -> Object:
    kind = names.get("kind", "")
    return _filled(names, singular=kind.lower() or None, listKind=f"{kind}List" if kind else None)


RULES: Mapping[str, Rule] = {
    "apiextensions.v1.CustomResourceDefinitionNames": _crd_names,
    "apps.v1.DaemonSetUpdateStrategy": _rolling(maxUnavailable=1, maxSurge=0),
    "apps.v1.DeploymentStrategy": _rolling(maxUnavailable="25%", maxSurge="25%"),
    "apps.v1.StatefulSetSpec": _claim_templates,
    "apps.v1.StatefulSetUpdateStrategy": _rolling(partition=0, maxUnavailable=1),
    "autoscaling.v2.HorizontalPodAutoscalerBehavior": _scaling_behavior,
    "batch.v1.Job": _job,
    "core.v1.Container": _image_pull_policy,
    "core.v1.EphemeralContainer": _image_pull_policy,
    "core.v1.ImageVolumeSource": _image_volume,
    "core.v1.LimitRangeItem": _limit_range_item,
    "core.v1.LoadBalancerIngress": _balanced,
    "core.v1.NodeSpec": _node_spec,
    "core.v1.NodeStatus": _node_status,
    "core.v1.Pod": _pod,
    "core.v1.PodSpec": _pod_spec,
    "core.v1.PodStatus": _pod_status,
    "core.v1.ReplicationController": _replication_controller,
    "core.v1.Secret": _secret,
    "core.v1.ServicePort": _service_port,
    "core.v1.ServiceSpec": _service_spec,
    "core.v1.Volume": _volume,
    "networking.v1.NetworkPolicySpec": _policy_types,
    "rbac.v1.Subject": _subject,
}
"""By struct."""
