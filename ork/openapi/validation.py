"""Values against a structural schema, with the causes that an API server gives, in its words and its order.

Within one value: its type, `anyOf oneOf allOf not`, text, format, number, list, enumeration, fields. A cause's field is
the path without a leading dot. On an update, a value that did not change is not held against a schema that did
(Kubernetes calls it ratcheting).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from ork.base.objects import Object
from ork.openapi import formats
from ork.openapi.causes import (
    Cause,
    Judge,
    invalid,
    not_supported,
    quoted,
    required,
    too_long,
    too_many,
    type_invalid,
)
from ork.openapi.junctors import Causes, compile_junctors
from ork.openapi.kinds import effective_format, kind_of, type_names
from ork.openapi.memo import Memo
from ork.openapi.numbers import compile_number, is_whole
from ork.openapi.schema import INT_OR_STRING, LIST_TYPE, list_keys

Check = Callable[[Any, Any, str, list[Cause]], None]
"""Takes a value, its former value (`ABSENT`: none), its path; appends causes."""

ABSENT: Any = object()
"""The former value of what is new, or cannot be matched with what was there."""


def compile_check(schema: Object, memo: Memo) -> Check:
    """Return the closure that holds a value against a schema."""
    plain = _PLAIN.get(schema.get("type", ""))
    return _whole(schema, memo) if plain is None or schema.keys() & _LIMITING else _only_type(_type(schema), plain)


def _whole(schema: Object, memo: Memo) -> Check:
    of_type = _type(schema)
    junctors = compile_junctors(schema, lambda branch: _causes(branch, memo))
    of_text = _text(schema)
    of_number = compile_number(schema)
    of_list = _list(schema, memo)
    of_enum = _enum(schema)
    of_map = _map(schema, memo)

    def check(value: Any, old: Any, path: str, out: list[Cause]) -> None:
        if value is old:
            return
        first = len(out)
        of_type(value, path, out)
        kind = value.__class__
        if junctors and value is not None:
            junctors(value, path, out)
        if kind is str:
            of_text(value, path, out)
        elif kind is list:
            of_list(value, old, path, out)
        elif of_number and (kind is int or kind is float):
            out += of_number(value, path)
        if of_enum:
            of_enum(value, path, out)
        if kind is dict:
            of_map(value, old, path, out)
        if len(out) > first and old is not ABSENT and value == old:
            del out[first:]

    return check


def _causes(schema: Object, memo: Memo) -> Causes:
    """Return what gives the causes against a value by itself, whatever it was before."""
    check = memo.compiled(schema, compile_check)

    def causes(value: Any, path: str) -> list[Cause]:
        found: list[Cause] = []
        check(value, ABSENT, path, found)
        return found

    return causes


_PLAIN = {"string": str, "boolean": bool}
_LIMITING = frozenset(
    ("format", "pattern", "minLength", "maxLength", "enum", "nullable", "anyOf", "oneOf", "allOf", "not", INT_OR_STRING)
)


def _only_type(of_type: Judge, plain: type) -> Check:
    """Return the check of a text or truth value that nothing limits: most fields are one."""

    def check(value: Any, old: Any, path: str, out: list[Cause]) -> None:
        if value.__class__ is not plain and (old is ABSENT or value != old):
            of_type(value, path, out)

    return check


def _type(schema: Object) -> Judge:
    types, style, nullable = type_names(schema), effective_format(schema), bool(schema.get("nullable"))
    numeric = "integer" in types or "number" in types
    wanted = ",".join(types)

    def check(value: Any, path: str, out: list[Cause]) -> None:
        if value is None:
            if types and not nullable:
                out.append(_wrong_type(path, wanted, "null"))
            return
        kind, form = kind_of(value)
        if kind in types or not (types or style):
            return
        if (kind == "number" and "integer" in types and is_whole(value)) or (kind == "integer" and "number" in types):
            return
        if style and not numeric and kind in ("string", "array"):
            return
        if style and kind not in ("string", "array") and form != style:
            out.append(_wrong_type(path, style, form))
        else:
            out.append(_wrong_type(path, wanted, kind))

    return check


def _wrong_type(path: str, wanted: str, found: str) -> Cause:
    return type_invalid(path, found, f"{path} in body must be of type {wanted}: {quoted(found)}")


def _text(schema: Object) -> Judge:
    longest, shortest, pattern = schema.get("maxLength"), schema.get("minLength"), schema.get("pattern") or ""
    style = effective_format(schema) if type_names(schema) in ((), ("string",)) else ""
    matches = _pattern(pattern)

    def check(value: str, path: str, out: list[Cause]) -> None:
        if longest is not None and len(value) > longest:
            out.append(too_long(path, int(longest)))
        elif shortest is not None and len(value) < shortest:
            out.append(invalid(path, value, f"{path} in body should be at least {int(shortest)} chars long"))
        elif pattern and not matches(value):
            out.append(invalid(path, value, f"{path} in body should match '{pattern}'"))
        if style and not formats.is_valid(style, value):
            out.append(_bad_format(path, style, value))

    return check


def _bad_format(path: str, style: str, value: str) -> Cause:
    return type_invalid(path, value, f"{path} in body must be of type {style}: {quoted(value)}")


def _pattern(pattern: str) -> Callable[[str], bool]:
    """Return a test of the pattern, compiled at its first use: RE2 is loaded only where a schema needs it."""
    compiled = cache(lambda: compile_pattern(pattern))
    return lru_cache(256)(lambda value: compiled().search(value) is not None)


def compile_pattern(pattern: str) -> Any:
    """Return the compiled RE2 pattern; raises `re2.error` for one that is not RE2."""
    import re2  # type: ignore[import-untyped,unused-ignore]

    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options=options)


def _list(schema: Object, memo: Memo) -> Check:
    items = schema.get("items")
    each = memo.compiled(items, compile_check) if isinstance(items, dict) else None
    former = _former(schema)
    fewest, most, unique = schema.get("minItems"), schema.get("maxItems"), bool(schema.get("uniqueItems"))

    def check(value: list[Any], old: Any, path: str, out: list[Cause]) -> None:
        if each:
            old_of = former(old)
            for index, item in enumerate(value):
                each(item, old_of(item), f"{path}[{index}]", out)
        if fewest is not None and len(value) < fewest:
            out.append(invalid(path, len(value), f"{path} in body should have at least {int(fewest)} items"))
        if most is not None and len(value) > most:
            out.append(too_many(path, len(value), int(most)))
        if unique and any(item in value[:index] for index, item in enumerate(value)):
            out.append(invalid(path, "", f"{path} in body shouldn't contain duplicates"))

    return check


def _former(schema: Object) -> Callable[[Any], Callable[[Any], Any]]:
    """Return what finds the former value of a list's element: by its keys in a list map, else nothing does."""
    keys = list_keys(schema) if schema.get(LIST_TYPE) == "map" else ()

    def key_of(item: Any) -> tuple[str, ...]:
        return tuple(repr(item.get(key)) for key in keys) if isinstance(item, dict) else ()

    def finder(old: Any) -> Callable[[Any], Any]:
        if not keys or not isinstance(old, list):
            return lambda _item: ABSENT
        known = {key_of(item): item for item in reversed(old)}
        return lambda item: known.get(key_of(item), ABSENT)

    return finder


def _enum(schema: Object) -> Judge | None:
    options = schema.get("enum")
    if not options:
        return None

    def check(value: Any, path: str, out: list[Cause]) -> None:
        if not any(_same(value, option) for option in options):
            out.append(not_supported(path, value, options))

    return check


def _same(value: Any, option: Any) -> bool:
    """Compare with an enumeration's value as Go does, which first converts a number to the type of the other."""
    kinds = {value.__class__, option.__class__}
    return bool(option.__class__(value) == option if kinds == {int, float} else len(kinds) == 1 and value == option)


def _map(schema: Object, memo: Memo) -> Check:
    fields = {name: memo.compiled(sub, compile_check) for name, sub in (schema.get("properties") or {}).items()}
    extra = schema.get("additionalProperties")
    rest = memo.compiled(extra, compile_check) if isinstance(extra, dict) else None
    closed = extra is False
    fewest, most = schema.get("minProperties"), schema.get("maxProperties")
    needed: list[str] = schema.get("required") or []

    def check(value: dict[str, Any], old: Any, path: str, out: list[Cause]) -> None:
        if fewest is not None and len(value) < fewest:
            out.append(invalid(path, len(value), f"{path} in body should have at least {int(fewest)} properties"))
        if most is not None and len(value) > most:
            out.append(too_many(path, len(value), int(most)))
        before: dict[str, Any] = old if isinstance(old, dict) else {}
        for key, item in value.items():
            step = fields.get(key)
            if step:
                step(item, before.get(key, ABSENT), f"{path}.{key}" if path else key, out)
            elif rest:
                rest(item, before.get(key, ABSENT), f"{path}.{key}", out)
            elif closed:
                out.append(invalid(path, key, f"{path}.{key} in body is a forbidden property"))
        for key in needed:
            if key not in value:
                out.append(required(f"{path}.{key}".removeprefix(".")))

    return check
