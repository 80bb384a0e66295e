"""`operatorBox`: what happens to one CR (language, sections 3, 8, 9 and 11)."""

from __future__ import annotations

from ork.katalog.grammar.common import (
    CALLS,
    FLAG,
    GUARD,
    LATER,
    LENGTH,
    OLDER_GUARD,
    RETRY,
    TEXT,
    TEXTS,
    WHEN,
)
from ork.katalog.grammar.resources import ON_CREATE, ON_RECONCILE
from ork.katalog.grammar.shapes import Choice, Field, Free, List, Map, Number, Record
from ork.program import SENTINELS

# ── gates ───────────────────────────────────────────────────────────────────────────────────────
_FAIL_POLICY = Field(
    Choice(("open", "closed")), "Whether a gate that cannot be evaluated lets the object pass.", default="open"
)


def _gate(name: str, doc: str) -> Record:
    calls = Field(CALLS, "HTTP calls whose results its conditions read.")
    return Record(name, doc, {"failPolicy": _FAIL_POLICY, "external": calls, **GUARD}, older=OLDER_GUARD)


PRE_RECONCILE = Record(
    "preReconcile",
    "What is asked before an object is worked on.",
    {
        "external": Field(CALLS, "HTTP calls that both gates share."),
        "sentinels": Field(List(Choice(tuple(SENTINELS))), "What changed in the event; functions in the gates."),
        "enqueueGate": Field(_gate("enqueueGate", "Holds events back before they are queued."), "At event time."),
        "reconcileGate": Field(_gate("reconcileGate", "Holds objects back when they are due."), "At dequeue."),
    },
    none=True,
)

# ── reconciler ──────────────────────────────────────────────────────────────────────────────────
HOOKS = Record(
    "hooks",
    "A Python function that adds objects and status.",
    {
        "location": Field(TEXT, "A file relative to the katalog, a Python module, or a name bound at start."),
        "function": Field(TEXT, "The function's name."),
        "args": Field(Map(Free(), key_name="argument"), "What it is handed; texts are templates."),
        "external": Field(CALLS, "HTTP calls before it runs."),
        "managedResources": Field(TEXTS, "The kinds of objects that it makes."),
    },
    idle=("alias",),
    none=True,
)

_DROP = {"drop": Field(FLAG, "Drop the event.", default="true"), **GUARD}
QUEUE = Record(
    "queue",
    "How much may wait, and what happens then.",
    {
        "maxDepth": Field(Number(0), "How many objects may wait; 0 is no limit.", default="0"),
        "failureThreshold": Field(Number(1), "Failures in a row after which the CRD is degraded.", default="5"),
        "retryBackoff": Field(RETRY, "The waits after a failed turn."),
        "behaviour": Field(
            Record(
                "behaviour",
                "What happens to events while many wait.",
                {
                    "onLimit": Field(
                        Record("onLimit", "At `maxDepth`.", _DROP, older=OLDER_GUARD), "What happens at `maxDepth`."
                    ),
                    "onThreshold": Field(
                        Record(
                            "onThreshold",
                            "At a share of `maxDepth`.",
                            {"value": Field(Number(1, 100), "The share, in percent.", required=True), **_DROP},
                            older=OLDER_GUARD,
                        ),
                        "What happens at a share of `maxDepth`.",
                    ),
                },
            ),
            "What happens to events at the limit.",
        ),
    },
    later=("shared",),
)

RECONCILER = Record(
    "reconciler",
    "How turns of this CRD are run.",
    {
        "default": Field(FLAG, "Use ork's own reconciler.", default="true"),
        "workers": Field(Number(1), "Turns in progress at once.", default="16"),
        "resync": Field(LENGTH, "How often every CR is looked at again.", default="30s"),
        "queue": Field(QUEUE, "Its queue."),
        "hooks": Field(HOOKS, "A Python function that takes part."),
    },
    later=("profile", "constructor", "remote", "rollBackOnError", "eventAware"),
    include=True,
)

AUTOSCALE = Record(
    "autoscale",
    "Changes the number of workers while conditions hold.",
    {
        "interval": Field(LENGTH, "How often it is decided.", default="15s"),
        "cooldown": Field(LENGTH, "The least time between two changes.", default="2m"),
        "conditions": Field(WHEN, "When it acts."),
        "do": Field(
            Record(
                "do",
                "What it sets.",
                {
                    "workers": Field(Number(1), "Turns in progress at once."),
                    "queueDepth": Field(Number(0), "How many objects may wait."),
                    "resync": Field(LENGTH, "How often every CR is looked at again."),
                },
            ),
            "What it sets.",
        ),
    },
)

# ── status ──────────────────────────────────────────────────────────────────────────────────────
STATUS_FIELD = Record(
    "status.fields",
    "One field of the CR's status; of several for one path, the last whose conditions hold wins.",
    {
        "path": Field(TEXT, "Where it stands, below `status`.", required=True),
        "value": Field(Free("a value or template"), "What it says.", required=True),
        **GUARD,
        "clearOnFalse": Field(FLAG, 'Write `""` where no entry of that path holds.', default="false"),
    },
    older=OLDER_GUARD,
)

STATUS = Record(
    "status",
    "What is written to the CR's status.",
    {
        "conditions": Field(FLAG, "Keep the condition `Ready`.", default="true"),
        "fields": Field(List(STATUS_FIELD, include="fields"), "Further fields, in order."),
    },
    include=True,
    none=True,
)

OPERATOR_BOX = Record(
    "operatorBox",
    "What happens to one CR: gates, calls, resources, status.",
    {
        "preReconcile": Field(PRE_RECONCILE, "What is asked before an object is worked on."),
        "reconciler": Field(RECONCILER, "How turns are run."),
        "autoscale": Field(AUTOSCALE, "Changes the number of workers while conditions hold."),
        "finalizers": Field(TEXTS, "Finalizers that the CR gets.", default="orkestra.orkspace.io/finalizer"),
        "onCreate": Field(ON_CREATE, "Resources that are created once."),
        "onReconcile": Field(ON_RECONCILE, "Resources that are kept as declared."),
        "status": Field(STATUS, "What is written to the CR's status."),
    },
    older={"default": ("reconciler", "default")},
    later=("cross", "onDelete", "requeue", *LATER),
)
