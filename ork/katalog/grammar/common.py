"""Blocks that stand in many places: metadata, conditions, external calls, labels, durations."""

from __future__ import annotations

from ork.expr.operators import OPERATORS, SHORT, Operator
from ork.expr.operators import Operand as Operands
from ork.katalog.grammar.shapes import (
    Choice,
    Either,
    Field,
    Flag,
    Free,
    Length,
    List,
    Map,
    Number,
    Operand,
    Record,
    Text,
)

TEXT = Text()
FLAG = Flag()
LENGTH = Length()
TEXTS = List(TEXT)
FILE = Text("the path of a file")
FREE_MAP = Record("map", "A map of any keys.", {}, extra=Free())
DNS_LABEL = Text("a DNS label (lower-case letters, digits and `-`)", r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")
IDENTIFIER = Text("an identifier (letters, digits and `_`, as in `healthCheck`)", r"[A-Za-z_][A-Za-z0-9_]*")

LATER = (
    *("sources", "enrich", "rollBackOnError", "eventAware", "observe", "watch", "emit", "runtime", "reconcile"),
    *("admission", "lifecycle", "publish", "providers", "notification", "imports", "with", "inputs"),
)
"""Keys of an entry, and of its box, that are known and not supported yet."""

LABELS = Map(TEXT, listed=("key", "value"), key_name="label")
"""Labels or annotations, whose values are templates."""

API_VERSION = Choice(("orkestra.orkspace.io/v1",), {"orkestra.konductor.io/v1Alpha": "orkestra.orkspace.io/v1"})

METADATA = Record(
    "metadata",
    "Names the document.",
    {
        "name": Field(TEXT, "The name of the document.", required=True),
        "namespace": Field(TEXT, "The namespace in which the operator runs."),
        "description": Field(TEXT, "What the document is for."),
        "version": Field(TEXT, "Its version."),
        "author": Field(TEXT, "Who wrote it."),
        "tags": Field(TEXTS, "Words to find it by."),
        "labels": Field(LABELS, "Labels of the document."),
        "annotations": Field(LABELS, "Annotations of the document."),
    },
)

# ── conditions (language, section 5) ────────────────────────────────────────────────────────────
OPERAND = Either(scalar=Operand(), list=List(Operand()))

VALUE_TYPE = Choice(
    ("string", "int", "float", "bool", "quantity", "duration"),
    {"integer": "int", "str": "string", "boolean": "bool"},
)


def _holds(operator: Operator) -> str:
    return f"Holds where the field {operator.words}{'' if operator.operand is Operands.FLAG else ' this'}."


OPERATOR_KEYS = {short: Field(OPERAND, _holds(OPERATORS[name])) for short, name in SHORT.items()}
"""A condition's short forms, `equals: x`; the operators themselves are the expression room's."""

COMPARISON = {
    "field": Field(TEXT, "What is looked at: a dot path such as `spec.enabled`, or a template."),
    **OPERATOR_KEYS,
    "operator": Field(TEXT, "The operator's name, with `value` as its operand."),
    "value": Field(OPERAND, "The operand of `operator`."),
    "valueType": Field(VALUE_TYPE, "Compare both sides as this type."),
    "negate": Field(FLAG, "Turn the answer round.", default="false"),
}

CONDITION = Record("condition", "One field and one operator, written short or long.", COMPARISON)
CONDITIONS = List(CONDITION)

GUARD = {
    "when": Field(CONDITIONS, "Conditions that must all hold."),
    "or": Field(CONDITIONS, "Conditions of which at least one must hold, besides those of `when`."),
}
OLDER_GUARD = {"anyOf": ("or",)}

WHEN = Record("conditions", "Conditions: all of `when`, and one of `or`.", GUARD, older=OLDER_GUARD)

# ── external calls (seed external.md; language, section 7) ──────────────────────────────────────
BACKOFF = Record(
    "retryBackoff",
    "How often, and after which waits, a failed attempt is repeated.",
    {
        "initial": Field(LENGTH, "The wait before the second attempt.", required=True),
        "max": Field(LENGTH, "The longest wait.", default="30s"),
        "multiplier": Field(Number(1, whole=False), "By how much each wait exceeds the last.", default="2"),
        "maxAttempts": Field(Number(1), "Attempts in all.", default="3"),
    },
)
RETRY = Either(scalar=LENGTH, map=BACKOFF)

FIRES = Record(
    "fires",
    "When a call or rule is carried out besides admission.",
    {"reconcile": Field(FLAG, "Also when the object is reconciled.", default="true")},
)

SECRET_REF = Record(
    "secretRef",
    "A key of a Secret.",
    {
        "namespace": Field(TEXT, "The Secret's namespace.", default="the CR's"),
        "name": Field(TEXT, "The Secret's name.", required=True),
        "key": Field(TEXT, "The key in its data.", default="token"),
    },
)

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

CALL = Record(
    "external",
    "One HTTP call; its result is `.external.<name>`.",
    {
        "name": Field(IDENTIFIER, "The name of the result, unique in its operatorBox.", required=True),
        "url": Field(TEXT, "Where to send it; a template.", required=True),
        "method": Field(Choice(METHODS, any_case=True), "The HTTP method.", default="GET"),
        "body": Field(TEXT, "The request's body, sent as JSON; a template.", default='""'),
        "token": Field(TEXT, "A bearer token; `$VAR` reads the operator's environment.", default='""'),
        "auth": Field(
            Record("auth", "A token out of the cluster.", {"secretRef": Field(SECRET_REF, "Where it stands.", True)}),
            "Reads the bearer token from a Secret.",
        ),
        "headers": Field(Map(TEXT, key_name="header"), "Further headers; values are templates, `${VAR}` is expanded."),
        "timeout": Field(LENGTH, "The time for one attempt.", default="10s"),
        "expectedStatus": Field(Number(0, 599), "The only status that is a success; 0: any below 400.", default="0"),
        "continueOnError": Field(FLAG, "A failure is logged, and work goes on.", default="false"),
        **GUARD,
        "sleep": Field(Length(blank=True), "The wait before the call.", default="0s"),
        "fires": Field(FIRES, "Whether a call of an admission rule also runs at reconcile."),
        "retryBackoff": Field(RETRY, "Repeat a failed attempt: the first wait, or all settings."),
        "allowedHosts": Field(TEXTS, "The only hosts that it may reach: names, or `*.suffix`."),
        "protocol": Field(Choice(("http",), later=True), "The protocol.", default="http"),
    },
    older=OLDER_GUARD,
)
CALLS = List(CALL, include="calls")
