"""E2E documents: steps against a real cluster (language, section 14). They are checked, and run by a later command."""

from __future__ import annotations

from ork.katalog.grammar.common import (
    API_VERSION,
    FILE,
    FREE_MAP,
    GUARD,
    LENGTH,
    METADATA,
    OLDER_GUARD,
    OPERATOR_KEYS,
    TEXT,
)
from ork.katalog.grammar.shapes import Choice, Either, Field, Free, List, Number, Record, Value

_ASSERTED = {
    "path": Field(TEXT, "The path that is asked."),
    "jq": Field(TEXT, "Where to look in the answer; a bare word is a path."),
    "status": Field(Number(100, 599), "The status of the answer."),
    **OPERATOR_KEYS,
}
ASSERT = Record("assert", "What an answer must hold.", _ASSERTED)

_VERBS = ("apply", "create", "patch", "delete", "get", "label", "annotate", "wait", "logs", "exec", "port-forward")

KUBECTL = Record(
    "kubectl",
    "One call of kubectl, and what its answer must hold.",
    {
        **{verb: Field(Either(scalar=TEXT, map=FREE_MAP, list=List(Free())), f"`kubectl {verb}`.") for verb in _VERBS},
        "assert": Field(Either(map=ASSERT, list=List(ASSERT)), "What the answer must hold."),
    },
    extra=Free(),
)

RESOURCE = Record(
    "resources",
    "Objects that must be there.",
    {
        "kind": Field(TEXT, "The kind.", required=True),
        "apiVersion": Field(TEXT, "The apiVersion."),
        "name": Field(TEXT, "The object's name."),
        "namespace": Field(TEXT, "Its namespace."),
        "ready": Field(Free(), "Whether it is ready."),
        "count": Field(Number(0), "How many there are."),
        "absent": Field(Free(), "Whether there must be none."),
        "fields": Field(FREE_MAP, "By dotted path, what it must hold."),
    },
)

_CHECKED = {
    "name": Field(TEXT, "What the step does."),
    "after": Field(Value("a duration, or the name of a step"), "What it waits for."),
    "timeout": Field(LENGTH, "How long its assertions may take to hold."),
    **GUARD,
    "kubectl": Field(Either(map=KUBECTL, list=List(KUBECTL)), "Calls of kubectl."),
    "resources": Field(List(RESOURCE), "Objects that must be there."),
    "http": Field(List(ASSERT), "HTTP requests, and what their answers must hold."),
    "assert": Field(Either(map=ASSERT, list=List(ASSERT)), "What the answer must hold."),
}
STEP = Record(
    "steps",
    "One step or checkpoint; its assertions are asked until they hold.",
    {**_ASSERTED, **_CHECKED},
    older=OLDER_GUARD,
)
STEPS = List(STEP)
_SETUP = Either(scalar=TEXT, map=FREE_MAP, list=List(Either(scalar=TEXT, map=STEP)))

E2E_SPEC = Record(
    "spec",
    "One run against a cluster.",
    {
        "katalog": Field(FILE, "The Katalog.", default="./katalog.yaml"),
        "cr": Field(FILE, "A file of CRs."),
        "crFiles": Field(List(FILE), "Files of CRs."),
        "crd": Field(FILE, "A CustomResourceDefinition."),
        "crdFiles": Field(List(FILE), "CustomResourceDefinitions."),
        "cluster": Field(Free(), "The cluster on which it runs."),
        "setup": Field(_SETUP, "What is done before."),
        "steps": Field(STEPS, "What is done, in order."),
        "expect": Field(Either(map=STEP, list=STEPS), "What must hold in the end."),
        "onFailure": Field(Free(), "What is collected when a step fails."),
    },
)

_HEAD = {
    "apiVersion": Field(API_VERSION, "orkestra.orkspace.io/v1"),
    "kind": Field(Choice(("E2E",)), "E2E"),
    "metadata": Field(METADATA, "Names the document."),
}
_SPEC = Field(E2E_SPEC, "One run against a cluster.", required=True)
E2E = Record("E2E", "A test on a real cluster.", {**_HEAD, "spec": _SPEC}, comments=True)
BARE_E2E = Record("E2E", "A test whose keys stand at the top.", {**_HEAD, **E2E_SPEC.fields}, comments=True)
