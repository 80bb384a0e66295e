"""Static questions to an OpenAPI v3 schema, as a CRD carries it: what stands at a path, its names, its type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.objects import Object
from ork.base.paths import Path

PRESERVE = "x-kubernetes-preserve-unknown-fields"
EMBEDDED = "x-kubernetes-embedded-resource"
INT_OR_STRING = "x-kubernetes-int-or-string"
LIST_TYPE = "x-kubernetes-list-type"
LIST_MAP_KEYS = "x-kubernetes-list-map-keys"
MAP_TYPE = "x-kubernetes-map-type"
RULES = "x-kubernetes-validations"

ANY: Object = {PRESERVE: True}
"""The schema of a value of which nothing is known; `type_of` calls it `any`, and every path leads on in it."""

EVERY = "*"
"""The path step that stands for each element of a list, or each value of a map."""


def at(schema: Object, path: Path) -> Object | None:
    """Return the schema of what stands at `path`, or None where the schema has no such field.

    A step is a property's name, a key of a map, or, in a list, `*` or digits. Under
    `x-kubernetes-preserve-unknown-fields` and in a schema that says nothing of its content, a field that is not
    declared is `ANY`. A step into a scalar leads nowhere.
    """
    for step in path:
        found = child(schema, step)
        if found is None:
            return None
        schema = found
    return schema


def child(schema: Object, step: str) -> Object | None:
    """Return the schema one step further, as `at` does."""
    properties: Object = schema.get("properties") or {}
    if step in properties:
        found: Object = properties[step]
        return found
    if isinstance(items := schema.get("items"), dict):
        return items if step == EVERY or step.isdigit() else None
    if (extra := schema.get("additionalProperties")) is not None and extra is not False:
        return extra if isinstance(extra, dict) else ANY
    if step == EVERY and properties:
        return ANY
    return ANY if is_open(schema) else None


def is_open(schema: Object) -> bool:
    """Tell whether fields that the schema does not declare are kept: it says so, or says nothing at all."""
    return bool(schema.get(PRESERVE)) or (type_of(schema) == "any" and not schema.get("properties"))


def type_of(schema: Object) -> str:
    """Return `string integer number boolean object array`, `int-or-string`, or `any` where every type fits."""
    if schema.get(INT_OR_STRING) or schema.get("format") == "int-or-string":
        return "int-or-string"
    found: str = schema.get("type") or ("object" if schema.get("properties") else "any")
    return found


def names(schema: Object) -> list[str]:
    """Return the declared fields of an object in alphabetical order, for a did-you-mean."""
    return sorted(schema.get("properties") or ())


def required(schema: Object) -> list[str]:
    """Return the fields that an object must have."""
    found: list[str] = schema.get("required") or []
    return found


def enum(schema: Object) -> list[Any] | None:
    """Return the only values that are allowed, or None where there is no such limit."""
    return schema.get("enum")


def list_keys(schema: Object) -> tuple[str, ...]:
    """Return the fields that tell the elements of a list apart; empty for a list that is a whole or a set."""
    return tuple(schema.get(LIST_MAP_KEYS) or ()) if schema.get(LIST_TYPE) == "map" else ()


def extra(schema: Object) -> Object | None:
    """Return the schema of a map's values, `ANY` for a map of anything, None for what is no map."""
    found = schema.get("additionalProperties")
    if isinstance(found, dict):
        return found
    return ANY if found else None


def parts(schema: Object) -> Iterator[Object]:
    """Yield the schemas of what may stand right below: of fields, elements and a map's values."""
    for part in (*(schema.get("properties") or {}).values(), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(part, dict):
            yield part


def complete(schema: Object) -> Object:
    """Return a CRD's schema with what every object has: `apiVersion`, `kind` and the fields of `metadata`."""
    from ork.openapi import objectmeta

    standard = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": objectmeta.SCHEMA}
    return {**schema, "properties": {**(schema.get("properties") or {}), **standard}}
