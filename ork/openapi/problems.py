"""Why an API server refuses a CRD's schema: it is not structural, contradicts itself, or has defaults that do not fit.

CEL rules are looked at as texts only: whether they compile is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.openapi.causes import Cause, below, forbidden, invalid, not_supported, required
from ork.openapi.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, PRESERVE, RULES
from ork.openapi.structurality import misfits, non_structural

TYPES = ("array", "boolean", "integer", "number", "object", "string")
META_FIELDS = ("apiVersion", "kind", "metadata")

_CLASSES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("type", "format", "pattern", "title", "description", LIST_TYPE, MAP_TYPE), (str,)),
    **dict.fromkeys(("properties", "not", "patternProperties", "definitions", "dependencies"), (dict,)),
    **dict.fromkeys(("required", "enum", "allOf", "anyOf", "oneOf", LIST_MAP_KEYS, RULES), (list,)),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), (int, float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), (int,)),
    **dict.fromkeys(("nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum", PRESERVE, EMBEDDED), (bool,)),
    "additionalProperties": (dict, bool),
    "items": (dict, list),
}
_NOUNS: dict[type, str] = {dict: "map", list: "list", str: "text", bool: "boolean", int: "number", float: "number"}
_UNSUPPORTED = ("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")
_REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def problems(schema: Object) -> list[str]:
    """Return what is wrong with a CRD's `openAPIV3Schema`: `properties[spec].type: Required value: …`, a line each."""
    return [str(cause).removeprefix(": ") for cause in causes_of(schema, "")]


def causes_of(schema: Object, field: str, *, status: bool = False) -> list[Cause]:
    """Return the causes for which an API server refuses a CRD with that schema at that field.

    `status`: the version has the status subresource, which limits what may stand at the root.
    """
    malformed = list(_malformed(schema, field))
    if malformed:
        return malformed
    found = list(_root(schema, field, status))
    if not _beyond_structure(schema):
        found += sorted(non_structural(schema, field), key=str) or misfits(schema, field)
    if _has(schema, "$schema"):
        found.append(invalid(field, "", "OpenAPIV3Schema 'schema' is not supported"))
    found += _standard(schema, field, _Where(root=True))
    return list(dict.fromkeys(found))


# ── is it a schema at all ───────────────────────────────────────────────────────────────────────
def _malformed(schema: Any, field: str) -> Iterator[Cause]:
    if isinstance(schema, list) and field.endswith(".items"):
        yield forbidden(field, "items must be a schema object and not an array")
        return
    if not isinstance(schema, dict):
        yield invalid(field, _NOUNS.get(schema.__class__, "null"), "must be a map")
        return
    for key, value in schema.items():
        wanted = _CLASSES.get(key)
        if wanted and value is not None and value.__class__ not in wanted:
            nouns = " or ".join(dict.fromkeys(_NOUNS[kind] for kind in wanted))
            yield invalid(below(field, key), _NOUNS.get(value.__class__, "null"), f"must be a {nouns}")
        else:
            for step, sub in subschemas(key, value):
                yield from _malformed(sub, below(field, step))


def subschemas(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the schemas in the value of a schema's keyword, each with the step to it."""
    if key == "properties" and value:
        yield from ((f"properties[{name}]", sub) for name, sub in value.items())
    elif key in ("allOf", "anyOf", "oneOf") and value:
        yield from ((f"{key}[{index}]", sub) for index, sub in enumerate(value))
    elif key in ("items", "not", "additionalProperties") and value is not None and value.__class__ is not bool:
        yield key, value


def _beyond_structure(schema: Object) -> bool:
    """Tell whether a node has a keyword of which an API server makes no structural schema at all."""
    if schema.get(PRESERVE) is False or any(schema.get(key) for key in (*_UNSUPPORTED, "$schema")):
        return True
    return any(_beyond_structure(sub) for key, value in schema.items() for _, sub in subschemas(key, value))


def _has(schema: Object, keyword: str) -> bool:
    if schema.get(keyword):
        return True
    return any(_has(sub, keyword) for key, value in schema.items() for _, sub in subschemas(key, value))


# ── the root ────────────────────────────────────────────────────────────────────────────────────
_AT_ROOT = (
    *("Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum"),
    *("MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items"),
    *("Properties", "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations"),
)
_ROOT_KEYS = {name[0].lower() + name[1:] for name in _AT_ROOT} | {PRESERVE, RULES}


def _root(schema: Object, field: str, status: bool) -> Iterator[Cause]:
    if status and schema.get("type") not in (None, "", "object"):
        text = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
        yield invalid(below(field, "type"), schema["type"], text)
    elif status and not schema.keys() <= _ROOT_KEYS:
        allowed = f"only [{' '.join(_AT_ROOT)}] fields are allowed"
        yield invalid(field, schema, f"{allowed} at the root of the schema if the status subresource is enabled")
    if schema.get("nullable"):
        yield forbidden(below(field, "nullable"), "nullable cannot be true at the root")


# ── each node by itself ─────────────────────────────────────────────────────────────────────────
class _Where(NamedTuple):
    """What the nodes above say of a node."""

    root: bool = False
    in_metadata: bool = False
    no_defaults: str = ""
    """Why a default may not stand here."""


def _standard(schema: Object, field: str, where: _Where) -> list[Cause]:
    """Return what is wrong with a node and the nodes below it, whatever its place."""
    causes = [
        *_keywords(schema, field, where),
        *_additional(schema, field),
        *_maps(schema, field),
        *_lists(schema, field),
        *_rules(schema, field),
    ]
    for key, value in schema.items():
        for step, sub in subschemas(key, value):
            causes += _standard(sub, below(field, step), _inside(schema, key, step, where))
    return causes


def _inside(schema: Object, key: str, step: str, where: _Where) -> _Where:
    name = step[len("properties[") : -1] if key == "properties" else ""
    if name in META_FIELDS and (where.root or schema.get(EMBEDDED)):
        return _Where(in_metadata=True, no_defaults=f"in top-level {name}" if where.root else where.no_defaults)
    if key == "additionalProperties" and where.in_metadata:
        return where._replace(root=False, no_defaults="inside additionalProperties applying to object metadata")
    return where._replace(root=False)


def _keywords(schema: Object, field: str, where: _Where) -> Iterator[Cause]:
    kind = schema.get("type", "")
    if kind and kind not in TYPES:
        yield not_supported(below(field, "type"), kind, TYPES)
    if schema.get("default") is not None and where.no_defaults:
        yield forbidden(below(field, "default"), f"must not be set {where.no_defaults}")
    for key in _UNSUPPORTED:
        if schema.get(key):
            yield forbidden(below(field, key), f"{key} is not supported")
    if kind == "null":
        yield forbidden(below(field, "type"), "type cannot be set to null, use nullable as an alternative")
    if where.in_metadata and schema.get(EMBEDDED):
        yield forbidden(below(field, EMBEDDED), "must not be used inside of resource meta")
    if schema.get("uniqueItems"):
        text = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield forbidden(below(field, "uniqueItems"), text)
    if schema.get(PRESERVE) is False:
        yield invalid(below(field, PRESERVE), False, "must be true or undefined")


def _additional(schema: Object, field: str) -> Iterator[Cause]:
    if schema.get("properties") and schema.get("additionalProperties") not in (None, True):
        text = "additionalProperties and properties are mutual exclusive"
        yield forbidden(below(field, "additionalProperties"), text)


def _maps(schema: Object, field: str) -> Iterator[Cause]:
    found = schema.get(MAP_TYPE)
    if found is None:
        return
    yield from _typed(schema, field, "object", MAP_TYPE)
    if found not in ("atomic", "granular"):
        yield not_supported(below(field, MAP_TYPE), found, ("atomic", "granular"))


def _typed(schema: Object, field: str, kind: str, keyword: str) -> Iterator[Cause]:
    found, text = schema.get("type") or "", f"must be {kind} if {keyword} is specified"
    if found != kind:
        yield invalid(below(field, "type"), found, text) if found else required(below(field, "type"), text)


def _lists(schema: Object, field: str) -> Iterator[Cause]:
    found, keys, items = schema.get(LIST_TYPE), schema.get(LIST_MAP_KEYS) or [], schema.get("items")
    if found is not None:
        if schema.get("type") != "array":
            yield from _typed(schema, field, "array", LIST_TYPE)
        elif found == "set" and items:
            yield from _set_items(items, below(field, "items"))
        if found not in ("atomic", "set", "map"):
            yield not_supported(below(field, LIST_TYPE), found, ("atomic", "set", "map"))
    if keys and found != "map":
        text = f"must be map if {LIST_MAP_KEYS} is non-empty"
        yield (
            required(below(field, LIST_TYPE), text) if found is None else invalid(below(field, LIST_TYPE), found, text)
        )
    if found == "map":
        yield from _map_list(keys, items, field)
    if found in ("set", "map") and items:
        yield from _keyed_items(found, keys, items, below(field, "items"))


def _set_items(items: Object, field: str) -> Iterator[Cause]:
    text = f"must be atomic as item of a list with {LIST_TYPE}=set"
    if items.get("type") == "array" and items.get(LIST_TYPE) not in (None, "atomic"):
        yield invalid(below(field, LIST_TYPE), items[LIST_TYPE], text)
    if items.get("type") == "object" and items.get(MAP_TYPE) != "atomic":
        yield invalid(below(field, MAP_TYPE), items.get(LIST_TYPE), text)


def _map_list(keys: list[str], items: Object | None, field: str) -> Iterator[Cause]:
    if not keys:
        yield required(below(field, LIST_MAP_KEYS), f"must not be empty if {LIST_TYPE} is map")
    if items is None:
        yield required(below(field, "items"), f"must have a schema if {LIST_TYPE} is map")
    elif items.get("type") != "object":
        text = f"must be object if parent array's {LIST_TYPE} is map"
        yield invalid(below(field, "items.type"), items.get("type", ""), text)
    else:
        yield from _map_keys(keys, items, field)


def _map_keys(keys: list[str], items: Object, field: str) -> Iterator[Cause]:
    properties = items.get("properties") or {}
    for index, key in enumerate(keys):
        if key not in properties:
            yield invalid(below(field, LIST_MAP_KEYS), keys, "entries must all be names of item properties")
        elif properties[key].get("type") in ("array", "object"):
            text = f"must be a scalar type if parent array's {LIST_TYPE} is map"
            yield invalid(below(field, f"items.properties[{key}].type"), items["type"], text)
        if key in keys[:index]:
            yield invalid(below(field, LIST_MAP_KEYS), keys, "must not contain duplicate entries")


def _keyed_items(kind: str, keys: list[str], items: Object, field: str) -> Iterator[Cause]:
    if items.get("nullable"):
        yield forbidden(below(field, "nullable"), f"cannot be nullable when {LIST_TYPE} is {kind}")
    properties = items.get("properties") or {}
    for key in keys if kind == "map" else ():
        sub, where = properties.get(key), below(field, f"properties[{key}]")
        if sub is None:
            continue
        this = f"this property is in {LIST_MAP_KEYS}, so it"
        if key not in (items.get("required") or ()) and sub.get("default") is None:
            yield required(below(where, "default"), f"{this} must have a default or be a required property")
        if sub.get("nullable"):
            yield forbidden(below(where, "nullable"), f"{this} cannot be nullable")


def _rules(schema: Object, field: str) -> Iterator[Cause]:
    for index, rule in enumerate(schema.get(RULES) or ()):
        here = below(field, f"{RULES}[{index}]")
        if not isinstance(rule, dict):
            yield invalid(here, _NOUNS.get(rule.__class__, "null"), "must be a map")
        else:
            yield from _rule(rule, here)


def _rule(rule: Object, field: str) -> Iterator[Cause]:
    text, message = str(rule.get("rule") or ""), str(rule.get("message") or "")
    if not text.strip():
        yield required(below(field, "rule"), "rule is not specified")
    elif message and not message.strip():
        yield invalid(below(field, "message"), message, "must be non-empty if specified")
    elif "\n" in message.strip():
        yield invalid(below(field, "message"), message, "must not contain line breaks")
    elif "\n" in text.strip() and not message.strip():
        yield required(below(field, "message"), "message must be specified if rule contains line breaks")
    if rule.get("messageExpression") and not str(rule["messageExpression"]).strip():
        yield required(below(field, "messageExpression"), "messageExpression must be non-empty if specified")
    if rule.get("reason") is not None and rule["reason"] not in _REASONS:
        yield not_supported(below(field, "reason"), rule["reason"], _REASONS)
