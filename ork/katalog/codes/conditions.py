"""Conditions: the codes of this range."""

from __future__ import annotations

from ork.katalog.codes.entry import Code, error, warning

CODES: tuple[Code, ...] = (
    error(
        "ORK0401",
        "not exactly one operator",
        "A condition compares one field by one operator. Here is none, or there are several.",
        "when:\n  - field: spec.tier\n    equals: gold\n    notEquals: silver",
        "when:\n  - field: spec.tier\n    equals: gold\n  - field: spec.tier\n    notEquals: silver",
    ),
    error(
        "ORK0402",
        "a condition without a field",
        "The field says what is looked at: a dot path, or a template.",
        "when:\n  - equals: gold",
        "when:\n  - field: spec.tier\n    equals: gold",
    ),
    error(
        "ORK0403",
        "an operand that cannot be compared",
        "The operand is not of the declared `valueType`, is no regular expression of RE2, no range of versions, or "
        "the like.",
        'when:\n  - field: spec.image\n    regex: "("',
        'when:\n  - field: spec.image\n    regex: "^nginx"',
    ),
    warning(
        "ORK0404",
        "a comparison that is never as meant",
        "By the CRD's schema the field is a boolean, a number or one of a few values, and never equals this; or it "
        "is a text, which is compared as a number.",
        'when:\n  - field: spec.enabled\n    equals: "yes"',
        'when:\n  - field: spec.enabled\n    equals: "true"',
    ),
    error(
        "ORK0405",
        "`unique` outside of validation",
        "Whether another CR has the same value is known to rules of `validation.rules` only.",
        "when:\n  - field: spec.host\n    unique: true",
        "validation:\n  rules:\n    - field: spec.host\n      unique: true",
    ),
)
