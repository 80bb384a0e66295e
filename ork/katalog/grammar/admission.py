"""`validation` and `mutation`: what a CR must be, and what is filled in (language, section 10)."""

from __future__ import annotations

from ork.katalog.grammar.common import CALLS, COMPARISON, FIRES, GUARD, OLDER_GUARD, OPERAND, TEXT, VALUE_TYPE
from ork.katalog.grammar.shapes import Choice, Field, Free, List, Record

VALIDATION_RULE = Record(
    "validation.rules",
    "An assertion: where it does not hold, the action is taken.",
    {
        **COMPARISON,
        "unique": Field(OPERAND, "No other CR of this CRD has that value."),
        "message": Field(TEXT, "What the author of the CR is told; a template."),
        "action": Field(Choice(("deny", "warn")), "What happens where it does not hold.", default="deny"),
        **GUARD,
        "link": Field(TEXT, "Where to read more."),
        "fires": Field(FIRES, "Whether it is also asked at reconcile."),
    },
    older=OLDER_GUARD,
)

VALIDATION = Record(
    "validation",
    "What a CR must be.",
    {
        "external": Field(CALLS, "HTTP calls before the rules."),
        "rules": Field(List(VALIDATION_RULE, include="rules"), "The assertions."),
    },
    include=True,
)

MUTATION_RULE = Record(
    "mutation.rules",
    "Fills in or replaces one field of the CR.",
    {
        "field": Field(TEXT, "The field, as a dot path.", required=True),
        "default": Field(Free("a value or template"), "What stands there where the field is missing or empty."),
        "override": Field(Free("a value or template"), "What always stands there."),
        "valueType": Field(VALUE_TYPE, "The type that the value gets."),
        **GUARD,
        "fires": Field(FIRES, "Whether it is also applied at reconcile."),
    },
    older=OLDER_GUARD,
)

MUTATION = Record(
    "mutation",
    "What is filled in before the CR is validated.",
    {
        "external": Field(CALLS, "HTTP calls before the rules."),
        "rules": Field(List(MUTATION_RULE, include="rules"), "The changes, in order."),
    },
    include=True,
)
