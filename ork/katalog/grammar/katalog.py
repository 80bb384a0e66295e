"""The Katalog: a document and the CRD entries in it (language, section 2)."""

from __future__ import annotations

from ork.katalog.grammar.admission import MUTATION, VALIDATION
from ork.katalog.grammar.box import OPERATOR_BOX
from ork.katalog.grammar.common import API_VERSION, FLAG, LATER, METADATA, TEXT, TEXTS
from ork.katalog.grammar.serve import GATEWAY, SERVE
from ork.katalog.grammar.shapes import Choice, Either, Field, Free, List, Map, Record, Text

API_TYPES = Record(
    "apiTypes",
    "Which CRs the entry is for.",
    {
        "group": Field(TEXT, "The API group; empty for the core group.", default='""'),
        "version": Field(TEXT, "The version.", required=True),
        "kind": Field(TEXT, "The kind.", required=True),
        "plural": Field(TEXT, "The resource name in URLs.", default="the English plural of the kind, in lower case"),
        "singular": Field(TEXT, "The singular resource name."),
    },
    idle=("location", "object", "objectList", "alias"),
)

_STATE = Choice(("started", "healthy"))
_READY = Record("dependsOn.condition", "A state to wait for.", {"condition": Field(_STATE, "The state.", True)})
DEPENDS_ON = Either(
    scalar=TEXT,
    list=TEXTS,
    map=Map(Either(scalar=_STATE, map=_READY), key_name="crd"),
)

CRD_ENTRY = Record(
    "crds",
    "One kind of CR, and what happens to it.",
    {
        "enabled": Field(FLAG, "Whether it runs.", default="true"),
        "description": Field(TEXT, "What it is for."),
        "apiTypes": Field(API_TYPES, "Group, version and kind; read from `crdFile` where that is given."),
        "crdFile": Field(Text("a path or an https URL"), "The CustomResourceDefinition; its schema types expressions."),
        "crFiles": Field(TEXTS, "Files that `ork run --dev` applies once the CRD is established."),
        "setup": Field(TEXTS, "Files that `ork run --dev` applies before the workers start."),
        "namespaced": Field(FLAG, "Whether its CRs live in namespaces.", default="true"),
        "namespace": Field(TEXT, "The only namespace that is watched."),
        "allowedNamespaces": Field(TEXTS, "The only namespaces that are watched."),
        "restrictedNamespaces": Field(TEXTS, "Namespaces that are not watched."),
        "labelSelector": Field(TEXT, "Only CRs with these labels, such as `tier=gold`."),
        "fieldSelector": Field(TEXT, "Only CRs with these fields, such as `metadata.name=web`."),
        "dependsOn": Field(DEPENDS_ON, "Entries that must run first."),
        "validation": Field(VALIDATION, "What a CR must be."),
        "mutation": Field(MUTATION, "What is filled in."),
        "serve": Field(SERVE, "How CRs are written through the gateway."),
        "operatorBox": Field(OPERATOR_BOX, "What happens to one CR."),
        "endpoints": Field(
            Record(
                "endpoints",
                "What the live API shows of it.",
                {
                    "enabled": Field(FLAG, "Anything at all.", default="true"),
                    "health": Field(FLAG, "Its health.", default="true"),
                    "info": Field(FLAG, "Its settings.", default="true"),
                },
            ),
            "What the live API shows of it.",
        ),
        "forceConflict": Field(FLAG, "Take fields over from other managers.", default="true"),
    },
    older={
        "workers": ("operatorBox", "reconciler", "workers"),
        "resync": ("operatorBox", "reconciler", "resync"),
    },
    later=("labels", "normalize", "conversion", *LATER),
)

CRD_NAME = Text("an entry name (a lower-case letter, then letters, digits and `-`)", r"[a-z][a-zA-Z0-9-]*")

# ── what stands beside spec ─────────────────────────────────────────────────────────────────────
NOTE = Record(
    "notes",
    "A function of the author's own: a named expression.",
    {
        "name": Field(TEXT, "Its name.", required=True),
        "expression": Field(TEXT, "What it gives; a template, evaluated in the caller's scope.", required=True),
        "description": Field(TEXT, "What it is for."),
    },
)
NOTES = Either(
    list=List(NOTE),
    map=Record(
        "notes",
        "User-defined notes.",
        {"functions": Field(List(NOTE), "The notes.")},
        otherwise='write a list, such as `- {name: fullName, expression: "{{ … }}"}`',
    ),
)

_WEBHOOK = Record(
    "webhook",
    "A webhook of the API server.",
    {
        "enabled": Field(FLAG, "Whether it is asked.", default="false"),
        "failurePolicy": Field(Choice(("Fail", "Ignore"), any_case=True), "What holds while it does not answer."),
    },
    extra=Free(),
)
SECURITY = Record(
    "security",
    "Webhooks and what they protect.",
    {
        "webhooks": Field(
            Record("webhooks", "Webhooks.", {"admission": Field(_WEBHOOK, "For the rules.")}, later=("conversion",)),
            "Webhooks.",
        )
    },
    later=("deletionProtection", "conversion"),
)

_BESIDE = {
    "notes": Field(NOTES, "User-defined notes."),
    "gateway": Field(GATEWAY, "The HTTP API through which CRs are written."),
    "security": Field(SECURITY, "Webhooks and what they protect."),
}
_BESIDE_LATER = ("profiles", "imports", "with", "inputs", "providers", "notification", "sources")

SPEC = Record(
    "spec",
    "The operator.",
    {
        "finalizers": Field(TEXTS, "Finalizers that CRs get.", default="[orkestra.orkspace.io/finalizer]"),
        "crds": Field(
            Map(CRD_ENTRY, CRD_NAME, listed=("name", ""), key_name="name"), "The kinds of CR, by a name of yours.", True
        ),
        "external": Field(
            Record("spec.external", "What holds for all calls.", {"allowedHosts": Field(TEXTS, "The only hosts.")}),
            "What holds for all external calls.",
        ),
        **_BESIDE,
    },
    later=(*_BESIDE_LATER, "lifecycle", "publish", "runtime"),
)

KATALOG = Record(
    "Katalog",
    "An operator, declared.",
    {
        "apiVersion": Field(API_VERSION, "orkestra.orkspace.io/v1", required=True),
        "kind": Field(Choice(("Katalog",)), "Katalog", required=True),
        "metadata": Field(METADATA, "Names the document.", required=True),
        "spec": Field(SPEC, "The operator.", required=True),
        **_BESIDE,
    },
    later=_BESIDE_LATER,
    comments=True,
)
