"""The short fields of every resource group (resources.md). What each becomes in the native object is the compiler's
table; here is only how it is written."""

from __future__ import annotations

from collections.abc import Mapping

from ork.katalog.grammar.common import CALLS, FLAG, FREE_MAP, GUARD, LABELS, OLDER_GUARD, TEXT, TEXTS
from ork.katalog.grammar.shapes import Choice, Either, Field, Free, List, Map, Record, Text, Value

VALUE = Value()
TEXT_LIST = Either(scalar=TEXT, list=TEXTS)
NATIVE_LIST = List(Free("a native entry"))
TEXT_MAP = Map(TEXT, key_name="key")

EACH = Record(
    "forEach",
    "One object for each element of a list, key of a map, or number below an integer.",
    {
        "field": Field(TEXT, "The list, map or integer: a dot path or a template.", required=True),
        "as": Field(Text("an identifier", r"[A-Za-z_][A-Za-z0-9_]*"), "A second name for `.item`."),
    },
)

_NATIVE = "Native Kubernetes fields, merged over the short ones."

COMMON: Mapping[str, Field] = {
    "id": Field(TEXT, "The entry's identity; by default its group and name."),
    "name": Field(TEXT, "The object's name; a template."),
    "namespace": Field(TEXT, "The object's namespace; a template.", default="the CR's"),
    "labels": Field(LABELS, "Labels of the object; values are templates."),
    "annotations": Field(LABELS, "Annotations of the object; values are templates."),
    **GUARD,
    "forEach": Field(EACH, "Makes one object for each element."),
    "reconcile": Field(FLAG, "Under `onCreate`: also correct drift in each cycle.", default="false"),
    "forceConflict": Field(FLAG, "Take fields over from other managers.", default="true"),
    "ignore": Field(TEXTS, "Paths that are left to others after creation, such as `spec.replicas`."),
    "prune": Field(FLAG, "Whether an object that is declared no more is deleted."),
    "adopt": Field(FLAG, "Take ownership of an object that is there already.", default="false"),
    "metadata": Field(FREE_MAP, _NATIVE),
    "spec": Field(FREE_MAP, _NATIVE),
}
"""What every entry takes."""

_LATER = ("sleep", "profile", "autoscale", "rollBackOnError")

_REQUIREMENTS = Record(
    "resources",
    "What the container asks for and may use.",
    {
        "requests": Field(Map(VALUE), "What it asks for: `cpu`, `memory` and others."),
        "limits": Field(Map(VALUE), "What it may use."),
        "claims": Field(NATIVE_LIST, "Resource claims, natively."),
    },
    later=("profile",),
)
_SECURITY = Record("securityContext", "The native security context.", {}, later=("profile",), extra=Free())
_REF_ITEM = Either(
    scalar=TEXT,
    map=Record(
        "envFrom.source",
        "A Secret or ConfigMap whose keys become variables.",
        {
            "name": Field(TEXT, "Its name.", required=True),
            "prefix": Field(TEXT, "What is put before each key."),
            "optional": Field(FLAG, "Whether it may be absent."),
        },
    ),
)
_ENV_FROM = Record(
    "envFrom",
    "Where whole sets of variables come from.",
    {
        "secretRef": Field(List(_REF_ITEM), "Secrets."),
        "configMapRef": Field(List(_REF_ITEM), "ConfigMaps."),
    },
)
_ENV = Record(
    "env",
    "One environment variable.",
    {
        "name": Field(TEXT, "Its name.", required=True),
        "value": Field(TEXT, "Its value; a template."),
        "valueFrom": Field(FREE_MAP, "Where the value comes from, natively."),
    },
)
_PROBE = Record(
    "probe",
    "How the kubelet asks the container.",
    {
        "type": Field(Choice(("http", "tcp")), "What is asked.", default="http where `path` is set"),
        "path": Field(TEXT, "The path of an HTTP request."),
        "port": Field(VALUE, "The port that is asked.", default="the container's"),
        **{
            name: Field(VALUE, f"The native `{name}`.")
            for name in (
                "initialDelaySeconds",
                "periodSeconds",
                "failureThreshold",
                "successThreshold",
                "timeoutSeconds",
                "terminationGracePeriodSeconds",
            )
        },
    },
    later=("profile",),
)
_PROBES = Record(
    "probes",
    "The container's probes.",
    {
        "startup": Field(_PROBE, "Has it started?"),
        "liveness": Field(_PROBE, "Must it be restarted?"),
        "readiness": Field(_PROBE, "May it get requests?"),
    },
)
_ROLLING = Record(
    "rollingUpdate",
    "How pods are replaced; numbers, or percentages as text.",
    {
        "maxSurge": Field(VALUE, "How many pods there may be in excess."),
        "maxUnavailable": Field(VALUE, "How many pods may be missing."),
    },
    later=("profile",),
)

CONTAINER: Mapping[str, Field] = {
    "image": Field(TEXT, "The container's image; needed unless native fields name it."),
    "command": Field(TEXT_LIST, "The program to run."),
    "args": Field(TEXT_LIST, "Its arguments."),
    "workingDirectory": Field(TEXT, "The directory in which it runs."),
    "env": Field(List(_ENV), "Environment variables."),
    "envFrom": Field(Either(map=_ENV_FROM, list=NATIVE_LIST), "Whole sets of environment variables."),
    "volumeMounts": Field(NATIVE_LIST, "Where volumes are mounted, natively."),
    "resources": Field(_REQUIREMENTS, "What the container asks for and may use."),
    "securityContext": Field(_SECURITY, "The container's security context, natively."),
    "podSecurity": Field(_SECURITY, "The pod's security context, natively."),
    "volumes": Field(NATIVE_LIST, "The pod's volumes, natively."),
    "imagePullSecrets": Field(NATIVE_LIST, "Secrets for pulling images: `{name}`."),
    "nodeSelector": Field(TEXT_MAP, "Labels of the nodes on which it may run."),
    "serviceAccountName": Field(TEXT, "The ServiceAccount of the pod."),
}
"""What everything takes that runs a container."""

LISTENER: Mapping[str, Field] = {
    "port": Field(VALUE, "The port on which the container listens."),
    "protocol": Field(TEXT, "The port's protocol.", default="TCP"),
    "probes": Field(_PROBES, "The container's probes."),
}


def _copied(key: str, kind: str, content: str) -> Mapping[str, Field]:
    """Return the fields of what can be a copy of another object, and stand in several namespaces."""
    return {
        key: Field(TEXT, f"A {kind} to copy {content} from, in each cycle; a template. Own keys win."),
        "fromNamespace": Field(TEXT, f"The namespace of the {kind} that is copied; a template.", default="the CR's"),
        "toNamespaces": Field(TEXTS, "One object in each of these namespaces; an item may render to a list."),
    }


_SHORT: Mapping[str, tuple[str, Mapping[str, Field], tuple[str, ...]]] = {
    "deployments": (
        "A Deployment.",
        {
            **CONTAINER,
            **LISTENER,
            "replicas": Field(VALUE, "How many pods.", default="1"),
            "rollingUpdate": Field(_ROLLING, "How pods are replaced."),
        },
        (),
    ),
    "jobs": (
        "A Job: created once and run to its end.",
        {
            **CONTAINER,
            "backoffLimit": Field(VALUE, "How often it is tried again.", default="3"),
            "rerun": Field(Choice(("onChange",)), "Run a removed Job again when the CR's spec has changed."),
        },
        (),
    ),
    "services": (
        "A Service.",
        {
            "type": Field(TEXT, "ClusterIP, NodePort or LoadBalancer.", default="ClusterIP"),
            "headless": Field(Either(scalar=VALUE), "Without an address of its own.", default="false"),
            "port": Field(VALUE, "The port that it offers; needed unless native fields list ports."),
            "targetPort": Field(VALUE, "The port of the pods.", default="port"),
            "protocol": Field(TEXT, "The port's protocol.", default="TCP"),
            "selector": Field(TEXT_MAP, "Labels of the pods.", default="those of the box's workload"),
        },
        (),
    ),
    "configMaps": (
        "A ConfigMap.",
        {
            "data": Field(TEXT_MAP, "Its keys; values are templates."),
            **_copied("fromConfigMap", "ConfigMap", "`data`"),
        },
        (),
    ),
    "secrets": (
        "A Secret.",
        {
            "type": Field(TEXT, "Its type.", default="Opaque"),
            "data": Field(TEXT_MAP, "Its keys as plain text; values are templates, and are encoded."),
            **_copied("fromSecret", "Secret", "`data` and `type`"),
            "once": Field(FLAG, "Made where it is absent and then left alone, as `onCreate` has it anyway."),
        },
        ("rotateAfter", "tls"),
    ),
    "serviceAccounts": ("A ServiceAccount.", {}, ()),
    "namespaces": (
        "A Namespace.",
        {"finalizers": Field(TEXTS, "Finalizers of the Namespace.")},
        (),
    ),
}
"""By group: what it makes, its own short fields, and those that are not carried out yet."""


def _entry(name: str, doc: str, fields: Mapping[str, Field], later: tuple[str, ...]) -> Record:
    return Record(name, doc, {**COMMON, **fields}, older=OLDER_GUARD, later=(*_LATER, *later))


CUSTOM = Record(
    "custom",
    "Any object, written whole: its own fields, such as `data` or `rules`, stand beside these keys.",
    {
        **{name: field for name, field in COMMON.items() if name not in ("name", "namespace", "labels", "annotations")},
        "spec": Field(FREE_MAP, "The object's spec."),
        "apiVersion": Field(TEXT, "Its apiVersion, literally.", required=True),
        "kind": Field(TEXT, "Its kind, literally.", required=True),
        "metadata": Field(
            Record(
                "custom.metadata",
                "The object's metadata.",
                {
                    "name": Field(TEXT, "Its name; a template. It must be said."),
                    "namespace": Field(TEXT, "Its namespace; a template.", default="the CR's"),
                    "labels": Field(LABELS, "Its labels."),
                    "annotations": Field(LABELS, "Its annotations."),
                    "namespaced": Field(FLAG, "`false` says that the kind is cluster-scoped; no part of the object."),
                },
                extra=Free(),
            ),
            "The object's metadata.",
        ),
        "hasStatus": Field(FLAG, "Whether the kind has a status subresource."),
    },
    older=OLDER_GUARD,
    later=_LATER,
    extra=Free(),
)

GROUPS: Mapping[str, Record] = {
    **{name: _entry(name, doc, fields, later) for name, (doc, fields, later) in _SHORT.items()},
    "custom": CUSTOM,
}
"""Every group that is carried out, by its name."""

LATER_GROUPS = (
    "statefulSets",
    "daemonSets",
    "replicaSets",
    "pods",
    "cronJobs",
    "ingresses",
    "networkPolicies",
    "roles",
    "roleBindings",
    "clusterRoles",
    "clusterRoleBindings",
    "persistentVolumes",
    "persistentVolumeClaims",
    "podDisruptionBudgets",
    "pdb",
    "horizontalPodAutoscalers",
    "hpa",
    "resourceQuotas",
    "limitRanges",
)

_OTHERWISE = "any other kind is written whole, under `custom`"


def phase(name: str, doc: str) -> Record:
    """Return the record of `onCreate` or `onReconcile`: calls, and a list of entries for each group."""
    groups: dict[str, Field] = {
        group: Field(List(record), f"Each item is {record.doc[0].lower()}{record.doc[1:]}")
        for group, record in GROUPS.items()
    }
    calls = Field(CALLS, "HTTP calls before the resources, in order.")
    fields = {"external": calls, **groups}
    return Record(name, doc, fields, later=LATER_GROUPS, any_case=True, none=True, otherwise=_OTHERWISE)


ON_CREATE = phase("onCreate", "Resources that are created once and then left alone.")
ON_RECONCILE = phase("onReconcile", "Resources that are kept as declared, in every cycle.")
