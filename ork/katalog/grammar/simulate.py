"""Simulate documents: what happens, and what is expected of it (language, section 14)."""

from __future__ import annotations

from ork.katalog.grammar.common import API_VERSION, FILE, FLAG, FREE_MAP, LENGTH, METADATA, TEXT
from ork.katalog.grammar.shapes import Choice, Either, Field, Free, List, Map, Number, Record, Text

CYCLE = Number(1)
FILES = List(FILE)
VERBS = ("create", "apply", "update", "patch", "delete")

RESPONSE = Record(
    "externalResponses",
    "What answers an external call; the first that matches does.",
    {
        "name": Field(TEXT, "Only calls of this name."),
        "url": Field(TEXT, "Only calls to this URL."),
        "method": Field(TEXT, "Only calls with this method."),
        "cycle": Field(CYCLE, "Only in this cycle."),
        "status": Field(Number(100, 599), "The status.", default="200"),
        "body": Field(Free("a text, or data that becomes JSON"), "The body: a text, or data that becomes JSON."),
        "headers": Field(Map(TEXT, key_name="header"), "Headers."),
        "delay": Field(LENGTH, "How long the answer takes, in virtual time.", default="0s"),
        "refused": Field(FLAG, "The connection is refused: there is no answer.", default="false"),
    },
)

_PATCH = Record(
    "patch",
    "A merge patch onto one object.",
    {
        "resource": Field(TEXT, "The plural.", required=True),
        "name": Field(TEXT, "The object's name.", required=True),
        "namespace": Field(TEXT, "Its namespace.", default="that of the CR under test"),
        "subresource": Field(Choice(("status",)), "Patch its status."),
        "patch": Field(FREE_MAP, "What changes.", required=True),
    },
)
_DELETE = Record(
    "delete",
    "Somebody deletes one object.",
    {
        "resource": Field(TEXT, "The plural.", required=True),
        "name": Field(TEXT, "The object's name.", required=True),
        "namespace": Field(TEXT, "Its namespace.", default="that of the CR under test"),
    },
)
_FAIL = Record(
    "fail",
    "The API server refuses the next requests of a form.",
    {
        "verb": Field(Choice(VERBS), "The requests' verb.", required=True),
        "resource": Field(TEXT, "Their resource.", required=True),
        "status": Field(Number(400, 599), "What it answers.", default="409"),
        "times": Field(Number(1), "How often.", default="1"),
    },
)
ACTIONS = ("patch", "apply", "delete", "advance", "restart", "fail")
CHANGE = Record(
    "changes",
    "What happens before a cycle; one of the actions.",
    {
        "cycle": Field(CYCLE, "The cycle before which it happens.", required=True),
        "patch": Field(_PATCH, "A merge patch onto one object."),
        "apply": Field(Either(scalar=FILE, map=FREE_MAP), "Somebody applies the objects of a file, or one object."),
        "delete": Field(_DELETE, "Somebody deletes one object."),
        "advance": Field(LENGTH, "Time passes."),
        "restart": Field(FLAG, "The operator starts anew."),
        "fail": Field(_FAIL, "The API server refuses the next requests of a form."),
    },
)

OP = Record(
    "ops",
    "A write that must happen; what it does not say matches anything.",
    {
        "cycle": Field(CYCLE, "In which cycle."),
        "verb": Field(Choice(VERBS), "The outcome, or the form of the request."),
        "resource": Field(TEXT, "The plural, or `status` or `finalizers`."),
        "name": Field(TEXT, "The object's name."),
        "namespace": Field(TEXT, "Its namespace."),
        "count": Field(Number(0), "How often, exactly."),
        "atLeast": Field(Number(1), "How often, at least."),
        "fields": Field(FREE_MAP, "By dotted path, what the written object must hold."),
        "absent": Field(FLAG, "It must not happen.", default="false"),
    },
)
ABSENT = Record(
    "absent",
    "A write that must not happen.",
    {
        "cycle": Field(CYCLE, "In which cycle; by default in none."),
        "verb": Field(Choice(VERBS), "The outcome, or the form of the request."),
        "resource": Field(TEXT, "The plural.", required=True),
        "name": Field(TEXT, "The object's name."),
    },
)
ERROR = Record(
    "errors",
    "An error that is meant to happen.",
    {
        "cycle": Field(CYCLE, "In which cycle."),
        "contains": Field(TEXT, "A piece of its text.", required=True),
    },
)
_EXPECTED = {
    "steady": Field(FLAG, "Whether the last cycle wrote nothing and had no error."),
    "steadyAt": Field(CYCLE, "The first of the final quiet cycles."),
    "noErrors": Field(FLAG, "`false` allows errors.", default="true"),
    "errors": Field(List(ERROR), "Errors that are meant to happen."),
    "ops": Field(List(OP, include="ops"), "Writes that must happen."),
    "absent": Field(List(ABSENT), "Writes that must not happen."),
    "status": Field(FREE_MAP, "What the CR's status must hold at the end."),
    "gated": Field(FLAG, "Whether a gate holds the CR in the last cycle."),
}
_OF_CRD = Record("expect.crds", "What is expected of one CRD's CRs.", _EXPECTED)
EXPECT = Record(
    "expect",
    "What must come out.",
    {**_EXPECTED, "crds": Field(Map(_OF_CRD, key_name="name"), "The same, for one CRD's CRs.")},
)

_CONTROLLED = Choice(("ready", "never", "fail"))
SIMULATE_SPEC = Record(
    "spec",
    "One simulation.",
    {
        "katalog": Field(FILE, "The Katalog.", default="./katalog.yaml"),
        "cr": Field(FILE, "The CR under test, and what else there is."),
        "crFiles": Field(FILES, "The same, in several files."),
        "crd": Field(FILE, "A further CustomResourceDefinition."),
        "crdFiles": Field(FILES, "Further CustomResourceDefinitions."),
        "cycles": Field(Number(1, 10_000), "How many cycles run.", default="10"),
        "skipExternal": Field(FLAG, "External calls are not made.", default="false"),
        "externalResponses": Field(List(RESPONSE), "What answers external calls."),
        "target": Field(TEXT, "The surface on which the CR is written."),
        "at": Field(
            Text("a time such as 2026-01-05T10:00:00Z", r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)"),
            "What the clock says in cycle 1.",
            default="2026-01-05T10:00:00Z",
        ),
        "workloads": Field(
            Either(scalar=Choice(("ready", "never")), map=Map(_CONTROLLED, key_name="resource")),
            "What becomes of workloads, or of each kind.",
            default="ready",
        ),
        "changes": Field(List(CHANGE), "What happens on the way."),
        "hooks": Field(Map(FILE, key_name="name"), "Files of hooks, by location."),
        "expect": Field(EXPECT, "What must come out."),
        "imports": Field(FILES, "Further Simulate files to run."),
    },
)

_HEAD = {
    "apiVersion": Field(API_VERSION, "orkestra.orkspace.io/v1"),
    "kind": Field(Choice(("Simulate",)), "Simulate"),
    "metadata": Field(METADATA, "Names the document."),
}
SIMULATE = Record(
    "Simulate",
    "A simulation, and what is expected of it.",
    {
        **_HEAD,
        "spec": Field(SIMULATE_SPEC, "One simulation.", required=True),
        "imports": Field(FILES, "Further Simulate files to run."),
    },
    comments=True,
)
_BARE = {**_HEAD, **SIMULATE_SPEC.fields}
BARE_SIMULATE = Record("Simulate", "A simulation whose keys stand at the top.", _BARE, comments=True)
