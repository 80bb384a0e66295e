"""What the API server refuses in Deployments and their fellows, Jobs and CronJobs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object
from ork.openapi import names
from ork.openapi.builtin import cron, selectors
from ork.openapi.builtin.checks import (
    IMMUTABLE,
    Rules,
    StructRule,
    amount_or_percent,
    chosen,
    demand,
    domain_path,
    free,
    immutable,
    inside,
    listed,
    named,
    not_negative,
    percent_of,
    strictly,
)
from ork.openapi.causes import Cause, below, duplicate, forbidden, invalid, not_supported, required

_MISMATCH = "`selector` does not match template `labels`"


def _selects(kind: str, *, demanded: bool = True) -> StructRule:
    """Want a selector that is not empty and matches the template's labels."""

    def rule(spec: Object, path: str) -> Iterator[Cause]:
        selector = spec.get("selector")
        here = below(path, "selector")
        if selector is None and demanded:
            yield required(here)
        if selector is not None and selectors.is_empty(selector):
            yield invalid(here, selector, f"empty selector is invalid for {kind}")
        if selector is None or not any(selectors.faults(selector)):
            yield from _matching(spec, path)
        elif demanded:
            yield invalid(here, selector, "invalid label selector")

    return rule


def _matching(spec: Object, path: str) -> Iterator[Cause]:
    labels = inside(spec, "template", "metadata", "labels")
    if not selectors.matches(spec.get("selector"), labels or {}):
        yield invalid(below(path, "template.metadata.labels"), labels, _MISMATCH)


def _controls(spec: Object, path: str) -> Iterator[Cause]:
    selector, template = spec.get("selector") or {}, spec.get("template")
    if not selector:
        yield required(below(path, "selector"))
    if template is None:
        yield required(below(path, "template"))
        return
    labels = inside(template, "metadata", "labels") or {}
    if selector and any(labels.get(key) != value for key, value in selector.items()):
        yield invalid(below(path, "template.metadata.labels"), labels, _MISMATCH)


def _always_running(kind: str) -> StructRule:
    """Want pods that are restarted for ever."""

    def rule(spec: Object, path: str) -> Iterator[Cause]:
        pod, here = inside(spec, "template", "spec") or {}, below(path, "template.spec")
        if pod.get("restartPolicy") not in (None, "Always"):
            yield not_supported(below(here, "restartPolicy"), pod["restartPolicy"], ("Always",))
        if pod.get("activeDeadlineSeconds") is not None:
            text = f"activeDeadlineSeconds in {kind} is not Supported"
            yield forbidden(below(here, "activeDeadlineSeconds"), text)

    return rule


def _has_data(revision: Object, path: str) -> Iterator[Cause]:
    if revision.get("data") is None:
        yield required(below(path, "data"), "data is mandatory")


# ── update strategies ───────────────────────────────────────────────────────────────────────────
def _deadline(spec: Object, path: str) -> Iterator[Cause]:
    deadline = spec.get("progressDeadlineSeconds")
    if deadline is not None and deadline <= spec.get("minReadySeconds", 0):
        yield invalid(below(path, "progressDeadlineSeconds"), deadline, "must be greater than minReadySeconds")


def _deployment_strategy(spec: Object, path: str) -> Iterator[Cause]:
    strategy, here = spec.get("strategy") or {}, below(path, "strategy")
    kind, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if kind == "Recreate" and rolling is not None:
        text = "may not be specified when strategy `type` is 'Recreate'"
        yield forbidden(below(here, "rollingUpdate"), text)
    elif kind not in (None, "Recreate", "RollingUpdate"):
        yield not_supported(here, _as_go(strategy), ("Recreate", "RollingUpdate"))


def _as_go(strategy: Object) -> Object:
    return {"Type": strategy.get("type"), "RollingUpdate": strategy.get("rollingUpdate")}


def _is_nothing(value: Any) -> bool:
    return value == 0 or (isinstance(value, str) and names.percent(value) == () and percent_of(value) == 0)


def _deployment_rolling(value: Object, path: str) -> Iterator[Cause]:
    if _is_nothing(value.get("maxSurge")) and _is_nothing(value.get("maxUnavailable")):
        yield invalid(below(path, "maxUnavailable"), value["maxUnavailable"], "may not be 0 when `maxSurge` is 0")


def _stateful_strategy(spec: Object, path: str) -> Iterator[Cause]:
    strategy, here = spec.get("updateStrategy") or {}, below(path, "updateStrategy")
    kind, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if kind == "OnDelete" and rolling is not None:
        yield invalid(below(here, "rollingUpdate"), rolling, "only allowed for updateStrategy 'RollingUpdate'")
    elif kind not in (None, "OnDelete", "RollingUpdate"):
        yield invalid(here, _as_go(strategy), "must be 'RollingUpdate' or 'OnDelete'")


def _daemon_strategy(spec: Object, path: str) -> Iterator[Cause]:
    strategy = spec.get("updateStrategy") or {}
    if strategy.get("type") not in (None, "RollingUpdate", "OnDelete"):
        yield not_supported(below(path, "updateStrategy"), _as_go(strategy), ("RollingUpdate", "OnDelete"))


def _daemon_rolling(value: Object, path: str) -> Iterator[Cause]:
    surge, unavailable = value.get("maxSurge"), value.get("maxUnavailable")
    if _is_nothing(surge) and _is_nothing(unavailable):
        yield required(below(path, "maxUnavailable"), "cannot be 0 when maxSurge is 0")
    elif not _is_nothing(surge) and not _is_nothing(unavailable):
        yield invalid(below(path, "maxSurge"), surge, "may not be set when maxUnavailable is non-zero")


def _management(value: Any, path: str) -> Iterator[Cause]:
    if value not in ("OrderedReady", "Parallel"):
        yield invalid(path, value, "must be 'OrderedReady' or 'Parallel'")


# ── jobs ────────────────────────────────────────────────────────────────────────────────────────
def _job_pods(spec: Object, path: str) -> Iterator[Cause]:
    policy, here = inside(spec, "template", "spec", "restartPolicy"), below(path, "template.spec.restartPolicy")
    if policy in (None, "", "Always"):
        yield required(here, 'valid values: "OnFailure", "Never"')
    elif policy not in ("OnFailure", "Never"):
        yield not_supported(here, policy, ("OnFailure", "Never"))
    elif policy != "Never" and spec.get("podFailurePolicy") is not None:
        yield invalid(here, policy, 'only "Never" is supported when podFailurePolicy is specified')


def _indexed(spec: Object, path: str) -> Iterator[Cause]:
    if spec.get("completionMode") == "Indexed":
        if spec.get("completions") is None:
            yield required(below(path, "completions"), "when completion mode is Indexed")
        elif (most := spec.get("maxFailedIndexes")) is not None and most > spec["completions"]:
            yield invalid(below(path, "maxFailedIndexes"), most, "must be less than or equal to completions")
        return
    for field in ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"):
        if spec.get(field) is not None and spec.get("completionMode") in (None, "NonIndexed"):
            yield invalid(below(path, field), spec[field], "requires indexed completion mode")


_ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")


def _failure_rule(row: Object, path: str) -> Iterator[Cause]:
    codes, conditions = row.get("onExitCodes"), row.get("onPodConditions")
    if codes is None and not conditions:
        yield Cause(
            "FieldValueInvalid", path, "Invalid value: specifying one of OnExitCodes and OnPodConditions is required"
        )
    if codes is not None and conditions:
        text = "Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"
        yield Cause("FieldValueInvalid", path, text)


def _exit_codes(value: Object, path: str) -> Iterator[Cause]:
    codes, here = value.get("values") or [], below(path, "values")
    if not codes:
        yield invalid(here, value.get("values"), "at least one value is required")
    for index, code in enumerate(codes):
        if code in codes[:index]:
            yield duplicate(f"{here}[{index}]", code)
        elif code == 0 and value.get("operator") == "In":
            yield invalid(f"{here}[{index}]", code, "must not be 0 for the In operator")


def _job_selects(job: Object, _path: str) -> Iterator[Cause]:
    """Want a selector that the server made, unless the user says that he made it."""
    spec = job.get("spec") or {}
    selector, manual = spec.get("selector"), spec.get("manualSelector")
    if manual and selector is None:
        yield required("spec.selector")
    if selector is not None or manual:
        yield from _matching(spec, "spec")


def _job_generated(job: Object, _path: str) -> Iterator[Cause]:
    """Want of a job that leaves its selector to the server that nothing else stands there."""
    spec = job.get("spec") or {}
    selector = spec.get("selector")
    if selector is not None and not spec.get("manualSelector") and len(selector.get("matchLabels") or {}) != 1:
        yield invalid("spec.selector", selector, "`selector` not auto-generated")


def _job_selector_kept(new: Object, _old: Object) -> Iterator[Cause]:
    """Want a job's selector still there: only its creation makes one."""
    spec = new.get("spec") or {}
    if spec.get("selector") is None:
        yield required("spec.selector")
        yield from _matching(spec, "spec")


def _job_template(new: Object, old: Object) -> Iterator[Cause]:
    """Want the pods as they were; where they run may change while a job waits that never began."""
    after, before = inside(new, "spec", "template") or {}, inside(old, "spec", "template") or {}
    waits = inside(old, "spec", "suspend") and not inside(old, "status", "startTime")
    if (_placed(after) != _placed(before)) if waits else (after != before):
        yield invalid("spec.template", after, IMMUTABLE)


def _placed(template: Object) -> Object:
    """Return a template of pods without what says where they run."""
    spec = {key: value for key, value in (template.get("spec") or {}).items() if key not in _PLACING}
    affinity = {key: value for key, value in (spec.pop("affinity", None) or {}).items() if key != "nodeAffinity"}
    marks = ("labels", "annotations")
    meta = {key: value for key, value in (template.get("metadata") or {}).items() if key not in marks}
    return {"metadata": meta, "spec": {**spec, "affinity": affinity}}


_PLACING = ("nodeSelector", "tolerations", "schedulingGates")


def _completions(new: Object, old: Object) -> Iterator[Cause]:
    after, before = new.get("spec") or {}, old.get("spec") or {}
    value = after.get("completions")
    if value == before.get("completions"):
        return
    if after.get("completionMode") != "Indexed":
        yield invalid("spec.completions", value, IMMUTABLE)
    elif value is not None and value != after.get("parallelism"):
        yield invalid("spec.completions", value, "can only be modified in tandem with spec.parallelism")


def _not_selecting(template: Object, path: str) -> Iterator[Cause]:
    if inside(template, "spec", "manualSelector"):
        yield not_supported(below(path, "spec.manualSelector"), True, ("nil", "false"))


def _cron_job_name(job: Object, _path: str) -> Iterator[Cause]:
    name = inside(job, "metadata", "name") or ""
    if len(name) > 52:
        yield invalid("metadata.name", name, "must be no more than 52 characters")


# ── stateful sets ───────────────────────────────────────────────────────────────────────────────
def with_claims(workload: Object) -> Object:
    """Return a StatefulSet as its pods will be: with a volume for each claim template, and no host names of its own."""
    spec: Object = workload.get("spec") or {}
    pod = inside(spec, "template", "spec")
    if not pod or not (spec.get("volumeClaimTemplates") or pod.get("hostname") or pod.get("subdomain")):
        return workload
    claims = dict.fromkeys(inside(claim, "metadata", "name") or "" for claim in spec.get("volumeClaimTemplates") or ())
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims]
    volumes += [volume for volume in pod.get("volumes") or () if volume.get("name") not in claims]
    kept = {key: value for key, value in pod.items() if key not in ("hostname", "subdomain")}
    return {**workload, "spec": {**spec, "template": {**spec["template"], "spec": {**kept, "volumes": volumes}}}}


# ── status ──────────────────────────────────────────────────────────────────────────────────────
def _counts(*fields: str, ready: str = "readyReplicas", than: str = "readyReplicas") -> StructRule:
    """Want numbers that are not negative, and none of `fields` above `replicas`."""

    def rule(status: Object, path: str) -> Iterator[Cause]:
        total = status.get("replicas", 0)
        for field, value in status.items():
            if value.__class__ is int:
                yield from not_negative(value, below(path, field))
        for field in fields:
            if status.get(field, 0) > total:
                yield invalid(below(path, field), status.get(field, 0), "cannot be greater than status.replicas")
        available = status.get("availableReplicas", 0)
        if available > status.get(ready, 0):
            yield invalid(below(path, "availableReplicas"), available, f"cannot be greater than {than}")

    return rule


_ROLLING = {"maxSurge": amount_or_percent, "maxUnavailable": amount_or_percent}


def _surge(value: Any, path: str) -> Iterator[Cause]:
    """Want what `amount_or_percent` does, without an end of the percentage."""
    yield from strictly(names.percent)(value, path) if isinstance(value, str) else not_negative(value, path)


_DAEMONS = dict.fromkeys(("minReadySeconds", "revisionHistoryLimit"), not_negative)
_REPLICAS = dict.fromkeys(("replicas", "minReadySeconds"), not_negative)
_REVISIONS = {**_REPLICAS, **_DAEMONS}
_JOB_NUMBERS = (
    *("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished"),
    *("backoffLimitPerIndex", "maxFailedIndexes"),
)
_CRON_NUMBERS = ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")
_UNTYPED = Rules({"type": free})

RULES: Mapping[str, Rules] = {
    "apps.v1.ControllerRevision": Rules({"revision": not_negative}, (_has_data,), changes=(immutable("data"),)),
    "apps.v1.DaemonSet": Rules(changes=(immutable("spec.selector"),)),
    "apps.v1.DaemonSetSpec": Rules(
        _DAEMONS, (_selects("daemonset", demanded=False), _always_running("DaemonSet"), _daemon_strategy)
    ),
    "apps.v1.DaemonSetUpdateStrategy": _UNTYPED,
    "apps.v1.Deployment": Rules(changes=(immutable("spec.selector"),)),
    "apps.v1.DeploymentSpec": Rules(
        {**_REVISIONS, "progressDeadlineSeconds": not_negative},
        (_deadline, _selects("deployment"), _always_running("ReplicaSet"), _deployment_strategy),
    ),
    "apps.v1.DeploymentStrategy": _UNTYPED,
    "apps.v1.ReplicaSet": Rules(changes=(immutable("spec.selector"),)),
    "apps.v1.ReplicaSetSpec": Rules(_REPLICAS, (_selects("deployment"), _always_running("ReplicaSet"))),
    "apps.v1.RollingUpdateDaemonSet": Rules(_ROLLING, (_daemon_rolling,)),
    "apps.v1.RollingUpdateDeployment": Rules({**_ROLLING, "maxSurge": _surge}, (_deployment_rolling,)),
    "apps.v1.RollingUpdateStatefulSetStrategy": Rules({"partition": not_negative, "maxUnavailable": amount_or_percent}),
    "apps.v1.StatefulSet": Rules(
        changes=(
            immutable("spec.selector", "spec.volumeClaimTemplates", "spec.serviceName", "spec.podManagementPolicy"),
        )
    ),
    "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy": Rules(
        {"whenDeleted": listed("Retain", "Delete"), "whenScaled": listed("Retain", "Delete")}
    ),
    "apps.v1.StatefulSetSpec": Rules(
        {**_REPLICAS, "serviceName": named(names.dns_label), "podManagementPolicy": _management},
        (_selects("statefulset"), _always_running("StatefulSet"), _stateful_strategy),
    ),
    "apps.v1.StatefulSetOrdinals": Rules({"start": not_negative}),
    "apps.v1.StatefulSetUpdateStrategy": _UNTYPED,
    "batch.v1.CronJob": Rules(whole=(_cron_job_name,)),
    "batch.v1.CronJobSpec": Rules(
        {"schedule": cron.schedule, "timeZone": cron.time_zone, **dict.fromkeys(_CRON_NUMBERS, not_negative)},
        needs=demand("schedule"),
    ),
    "batch.v1.Job": Rules(
        whole=(_job_selects,),
        creation=(_job_generated,),
        changes=(
            _completions,
            _job_selector_kept,
            _job_template,
            immutable(
                *("spec.selector", "spec.completionMode", "spec.podFailurePolicy"),
                *("spec.backoffLimitPerIndex", "spec.managedBy", "spec.successPolicy"),
            ),
        ),
    ),
    "batch.v1.JobTemplateSpec": Rules(whole=(_not_selecting,)),
    "batch.v1.PodFailurePolicyOnExitCodesRequirement": Rules(
        {"operator": chosen("In", "NotIn", shown='valid values: ["In" "NotIn"]')}, (_exit_codes,)
    ),
    "batch.v1.PodFailurePolicyOnPodConditionsPattern": Rules({"type": strictly(names.qualified)}),
    "batch.v1.PodFailurePolicyRule": Rules(
        {"action": chosen(*_ACTIONS, shown='valid values: ["Count" "FailIndex" "FailJob" "Ignore"]')}, (_failure_rule,)
    ),
    "batch.v1.JobSpec": Rules(
        {
            **dict.fromkeys(_JOB_NUMBERS, not_negative),
            "completionMode": chosen("NonIndexed", "Indexed"),
            "managedBy": domain_path,
        },
        (_job_pods, _indexed),
    ),
    "core.v1.ReplicationControllerSpec": Rules(_REPLICAS, (_controls, _always_running("ReplicationController"))),
}

VIEWS = {"apps.v1.StatefulSet": with_claims}
"""As what an object is checked."""

STATUS: Mapping[str, StructRule] = {
    "apps.v1.DaemonSet": _counts(),
    "apps.v1.Deployment": _counts("updatedReplicas", "readyReplicas", "availableReplicas"),
    "apps.v1.ReplicaSet": _counts("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
    "apps.v1.StatefulSet": _counts(
        *("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"), than="status.readyReplicas"
    ),
}
"""What holds for the status of a kind, on writes to its path."""
