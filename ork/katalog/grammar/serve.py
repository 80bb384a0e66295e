"""`serve` and `gateway`: how people outside the cluster write CRs (language, sections 12 and 13)."""

from __future__ import annotations

from ork.katalog.grammar.box import OPERATOR_BOX
from ork.katalog.grammar.common import DNS_LABEL, FLAG, FREE_MAP, GUARD, OLDER_GUARD, SECRET_REF, TEXT, TEXTS
from ork.katalog.grammar.shapes import Either, Field, Free, List, Map, Number, Record, Value

# ── tokens ──────────────────────────────────────────────────────────────────────────────────────
_OIDC_KINDS = ("githubOIDC", "gitlabOIDC", "vaultOIDC", "oidc")
PERMISSIONS = Record(
    "permissions",
    "What a token may do.",
    {
        "global": Field(Free(), "Everything."),
        "schema": Field(Free(), "Reading schemas."),
        "resources": Field(Free(), "Reading and writing resources."),
        "namespaces": Field(TEXTS, "The only namespaces."),
    },
    extra=Free(),
)
TOKEN = Record(
    "tokens",
    "Who may call.",
    {
        "name": Field(TEXT, "The token's name.", required=True),
        "token": Field(TEXT, "Where the token comes from: `${VAR}`."),
        "secretRef": Field(SECRET_REF, "The Secret that holds it."),
        **{kind: Field(FREE_MAP, f"Tokens of `{kind}`.") for kind in _OIDC_KINDS},
        "permissions": Field(PERMISSIONS, "What it may do."),
        "namespaces": Field(TEXTS, "The only namespaces."),
    },
)
TOKENS = List(Either(scalar=TEXT, map=TOKEN), include="tokens")

# ── serve ───────────────────────────────────────────────────────────────────────────────────────
_VALUE = Free("a value or template")
SERVE_FIELD = Record(
    "serve.fields",
    "One field of the form, and the rules that come with it.",
    {
        "type": Field(TEXT, "How it is entered."),
        "label": Field(TEXT, "What it is called."),
        "hint": Field(TEXT, "What to say below it."),
        "placeholder": Field(TEXT, "What stands in the empty field."),
        "category": Field(TEXT, "The group in which it stands."),
        "order": Field(Number(), "Its place in the group."),
        "required": Field(FLAG, "Whether a value must be given.", default="false"),
        "disabled": Field(FLAG, "Whether it is shown only.", default="false"),
        "secret": Field(FLAG, "Whether its value is kept out of what is recorded.", default="false"),
        "path": Field(TEXT, "Where the value goes in the CR.", default="spec.<field>"),
        "value": Field(_VALUE, "What is written there; a template."),
        "values": Field(Free(), "What each choice means."),
        "default": Field(_VALUE, "What holds where nothing is given."),
        "override": Field(_VALUE, "What always holds."),
        "enum": Field(List(Value()), "The only values."),
        **GUARD,
    },
    older=OLDER_GUARD,
)
_FIELDS = Map(SERVE_FIELD, key_name="field")

_RESPONSE = Record(
    "response",
    "What the caller gets back.",
    {
        "default": Field(Free(), "Whether the usual answer is given."),
        "payload": Field(Free(), "What is in it; texts are templates."),
        "exclude": Field(TEXTS, "Paths that are left out."),
        "poll": Field(Free(), "How the caller waits for the result."),
    },
)
_CONFIG = Record("config", "Settings of the surface.", {"response": Field(_RESPONSE, "What the caller gets back.")})

_APPLY = Record(
    "apply",
    "How a CR is applied through this surface.",
    {
        "overrides": Field(
            Record(
                "overrides",
                "What differs from the usual.",
                {
                    "keepPreviousSurface": Field(
                        FLAG, "Keep the children of the surface that the CR leaves.", default="false"
                    )
                },
            ),
            "What differs from the usual.",
        )
    },
)

TARGET = Record(
    "target",
    "One surface: a name under which a CR can be written, with its own operatorBox.",
    {
        "enabled": Field(FLAG, "Whether it can be used.", default="true"),
        "primary": Field(FLAG, "The target that a request without one means; exactly one is.", default="false"),
        "description": Field(TEXT, "What it is for."),
        "tokens": Field(TOKENS, "Who may use it."),
        "config": Field(_CONFIG, "Settings of the surface."),
        "operatorBox": Field(OPERATOR_BOX, "What happens to its CRs; a block that it omits is the CRD level's."),
        "apply": Field(_APPLY, "How a CR is applied through it."),
    },
    include=True,
)

SERVE = Record(
    "serve",
    "How CRs of this CRD are written through the gateway.",
    {
        "enabled": Field(FLAG, "Whether it is served.", default="false"),
        "name": Field(TEXT, "Its name in the API."),
        "namespace": Field(TEXT, "Where its CRs are written."),
        "modes": Field(
            Record(
                "modes",
                "In which forms a CR can be written.",
                {
                    "target": Field(Free(), "As an intent for a target."),
                    "cr": Field(Free(), "As a whole CR."),
                },
            ),
            "In which forms a CR can be written.",
        ),
        "fields": Field(_FIELDS, "Fields of its form."),
        "labels": Field(_FIELDS, "Labels that the caller may set."),
        "annotations": Field(_FIELDS, "Annotations that the caller may set."),
        "ignore": Field(TEXTS, "Fields of the CRD that are not shown."),
        "config": Field(_CONFIG, "Settings of the surface."),
        "tokens": Field(TOKENS, "Who may use it."),
        "target": Field(
            Either(scalar=DNS_LABEL, map=Map(TARGET, DNS_LABEL, key_name="target")),
            "The target's name, or all targets, exactly one of them `primary`.",
        ),
        "apply": Field(_APPLY, "How a CR is applied through any of its surfaces."),
    },
    include=True,
)

# ── gateway ─────────────────────────────────────────────────────────────────────────────────────
_AUTH = Record(
    "auth",
    "Who may call the gateway.",
    {"tokens": Field(TOKENS, "The tokens.")},
    include=True,
)
GATEWAY = Record(
    "gateway",
    "The HTTP API through which CRs are written.",
    {
        "enabled": Field(FLAG, "Whether it runs.", default="false"),
        "api": Field(
            Record(
                "api",
                "The API.",
                {"enabled": Field(FLAG, "Whether it runs.", default="false"), "auth": Field(_AUTH, "Who may call.")},
                extra=Free(),
            ),
            "The API.",
        ),
    },
    later=("clusters",),
)
