"""Whether a schema is structural: every value that it constrains has a type, stated outside of `anyOf` and its fellows.

See "Specifying a structural schema" in Kubernetes' documentation of custom resources.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.objects import Object
from ork.openapi.causes import Cause, below, forbidden, invalid, required
from ork.openapi.schema import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, RULES

_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
_LEVELS = {
    "root": "must not be empty at the root",
    "item": "must not be empty for specified array items",
    "field": "must not be empty for specified object fields",
}
_FORBIDDEN_INSIDE = {
    "type": "must be empty to be structural",
    "additionalProperties": "must be undefined to be structural",
    "default": "must be undefined to be structural",
    "title": "must be empty to be structural",
    "description": "must be empty to be structural",
    "nullable": "must be false to be structural",
    PRESERVE: "must be false to be structural",
    EMBEDDED: "must be false to be structural",
    INT_OR_STRING: "must be false to be structural",
    LIST_MAP_KEYS: "must be empty to be structural",
    LIST_TYPE: "must be undefined to be structural",
    MAP_TYPE: "must be undefined to be structural",
    RULES: "must be empty to be structural",
}
"""What may not stand inside a junctor."""


def non_structural(schema: Object, field: str) -> Iterator[Cause]:
    """Yield what makes a schema not structural."""
    yield from _node(schema, field, "root")
    yield from _complete(schema, schema, field, field)


def _node(schema: Object, field: str, level: str) -> Iterator[Cause]:
    yield from _typed(schema, field, level)
    yield from _extensions(schema, field, level)
    yield from _metadata(schema, field, level)
    skip = [] if schema.get("anyOf") == _INT_OR_STRING else ["anyOf"]
    yield from _values(schema, field, junctors=["allOf", *skip, "oneOf", "not"])
    for name, sub in (schema.get("properties") or {}).items():
        yield from _node(sub, below(field, f"properties[{name}]"), "field")
    if schema.get("items") is not None:
        yield from _node(schema["items"], below(field, "items"), "item")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _node(schema["additionalProperties"], below(field, "additionalProperties"), "field")


def _typed(schema: Object, field: str, level: str) -> Iterator[Cause]:
    kind = schema.get("type") or ""
    if kind == "array" and schema.get("items") is None:
        yield required(below(field, "items"), "must be specified")
    if schema.get(EMBEDDED) and kind != "object":
        text = f"must be object if {EMBEDDED} is true"
        yield invalid(below(field, "type"), kind, text) if kind else required(below(field, "type"), text)
    elif not kind and not schema.get(INT_OR_STRING) and not schema.get(PRESERVE):
        yield required(below(field, "type"), _LEVELS[level])
    if level == "root" and kind and kind != "object":
        yield invalid(below(field, "type"), kind, "must be object at the root")


def _extensions(schema: Object, field: str, level: str) -> Iterator[Cause]:
    for key in (PRESERVE, EMBEDDED):
        if schema.get(INT_OR_STRING) and schema.get(key):
            yield invalid(below(field, key), True, f"must be false if {INT_OR_STRING} is true")
    if schema.get("additionalProperties") is not None:
        if level == "root":
            yield forbidden(below(field, "additionalProperties"), "must not be used at the root")
        if schema.get(EMBEDDED):
            yield forbidden(below(field, "additionalProperties"), f"must not be used if {EMBEDDED} is set")
    if schema.get(EMBEDDED) and not schema.get(PRESERVE) and not schema.get("properties"):
        text = f"must not be empty if {EMBEDDED} is true without {PRESERVE}"
        yield required(below(field, "properties"), text)


def _metadata(schema: Object, field: str, level: str) -> Iterator[Cause]:
    """Yield what is wrong with the schemas of `apiVersion`, `kind` and `metadata` of a whole object."""
    properties = schema.get("properties") or {}
    if level != "root" and not schema.get(EMBEDDED):
        return
    for name, kind in (("kind", "string"), ("apiVersion", "string"), ("metadata", "object")):
        found = properties.get(name)
        if found is not None and found.get("type") != kind:
            yield invalid(below(field, f"properties[{name}].type"), found.get("type", ""), f"must be {kind}")
    if level == "root" and _says_too_much(properties.get("metadata") or {}):
        text = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        yield forbidden(below(field, "properties[metadata]"), text)


def _says_too_much(metadata: Object) -> bool:
    silent = metadata.keys() <= {"type", "properties", "default"}
    return not silent or not (metadata.get("properties") or {}).keys() <= {"name", "generateName"}


def _values(schema: Object, field: str, junctors: list[str]) -> Iterator[Cause]:
    for key in junctors:
        for step, sub in _branches(schema, key):
            first = key == "allOf" and step == "allOf[0]" and sub.get("anyOf") == _INT_OR_STRING
            yield from _inside(sub, below(field, step), skip_any_of=first)
    if schema.get("pattern"):
        yield from _pattern(schema["pattern"], below(field, "pattern"))


def _branches(schema: Object, key: str) -> Iterator[tuple[str, Object]]:
    found: Any = schema.get(key)
    if isinstance(found, dict):
        yield key, found
    elif found:
        yield from ((f"{key}[{index}]", sub) for index, sub in enumerate(found))


def _pattern(pattern: str, field: str) -> Iterator[Cause]:
    from ork.openapi.validation import compile_pattern

    try:
        compile_pattern(pattern)
    except Exception as error:  # RE2's own error class is not importable without loading it
        what, _, part = str(error.args[0].decode() if isinstance(error.args[0], bytes) else error).partition(": ")
        text = f"{_IN_GO.get(what, what)}: `{part}`"
        yield invalid(field, pattern, f"must be a valid regular expression, but isn't: error parsing regexp: {text}")


_IN_GO = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "no argument for repetition operator": "missing argument to repetition operator",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid repetition size": "invalid repeat count",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid named capture group": "invalid named capture",
}
"""What RE2 says, as its sibling in Go words it."""


def _inside(schema: Object, field: str, *, skip_any_of: bool) -> Iterator[Cause]:
    """Yield what may not stand inside a junctor."""
    yield from _values(schema, field, ["allOf", "oneOf", "not"] if skip_any_of else ["allOf", "anyOf", "oneOf", "not"])
    for key, text in _FORBIDDEN_INSIDE.items():
        if schema.get(key) or (key == "default" and schema.get(key) is not None):
            yield forbidden(below(field, key), text)
    properties = schema.get("properties") or {}
    if "metadata" in properties:
        yield forbidden(below(field, "properties[metadata]"), "must not be specified in a nested context")
    for name, sub in properties.items():
        yield from _inside(sub, below(field, f"properties[{name}]"), skip_any_of=False)
    if schema.get("items") is not None:
        yield from _inside(schema["items"], below(field, "items"), skip_any_of=False)


# ── what a junctor constrains must be declared outside of it ────────────────────────────────────
def _complete(values: Object, schema: Object, here: str, there: str) -> Iterator[Cause]:
    for key in ("not", "allOf", "anyOf", "oneOf"):
        for step, sub in _branches(values, key):
            yield from _complete_inside(sub, schema, here, below(there, step))


def _complete_inside(values: Object, schema: Object | None, here: str, there: str) -> Iterator[Cause]:
    if schema is None:
        yield required(here, f"because it is defined in {there}")
        return
    yield from _complete(values, schema, here, there)
    if values.get("items") is not None:
        yield from _complete_inside(values["items"], schema.get("items"), below(here, "items"), below(there, "items"))
    for name, sub in (values.get("properties") or {}).items():
        step = f"properties[{name}]"
        declared = (schema.get("properties") or {}).get(name)
        yield from _complete_inside(sub, declared, below(here, step), below(there, step))


# ── defaults ────────────────────────────────────────────────────────────────────────────────────
def misfits(schema: Object, field: str) -> list[Cause]:
    """Return why the defaults of a structural schema do not fit it."""
    from ork.openapi.structural import compile_part

    causes: list[Cause] = []
    value = schema.get("default")
    if value is not None:
        compiled, here = compile_part(schema), below(field, "default")
        if compiled.unknown(value):
            causes.append(invalid(here, value, "must not have unknown fields"))
        if not schema.get(INT_OR_STRING):
            found = compiled.validate(value, field=here)
            causes += [cause for cause in found if cause.reason != "FieldValueDuplicate"]
    if schema.get("items"):
        causes += misfits(schema["items"], below(field, "items"))
    for name, sub in (schema.get("properties") or {}).items():
        causes += misfits(sub, below(field, f"properties[{name}]"))
    return causes
