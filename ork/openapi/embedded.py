"""Objects inside a custom resource (`x-kubernetes-embedded-resource`): they have version, kind and sound metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ork.base.objects import Object
from ork.openapi import names, objectmeta
from ork.openapi.causes import Cause, Judge, invalid, required
from ork.openapi.defaulting import Fill, compile_default
from ork.openapi.memo import Memo
from ork.openapi.schema import EMBEDDED, parts
from ork.openapi.validation import ABSENT, Check, compile_check

Look = Callable[[Object, str], Iterator[Cause]]
"""Judges one embedded object, at a path."""


def _compile(schema: Object, memo: Memo, build: Callable[[Object, Memo], Judge | None], judge: Look) -> Judge | None:
    """Return the closure that judges the objects embedded below a value; None where there can be none."""
    if not _embeds(schema):
        return None
    fields = {
        name: step for name, sub in (schema.get("properties") or {}).items() if (step := memo.compiled(sub, build))
    }
    extra, items = schema.get("additionalProperties"), schema.get("items")
    rest = memo.compiled(extra, build) if isinstance(extra, dict) else None
    each = memo.compiled(items, build) if isinstance(items, dict) else None
    whole = bool(schema.get(EMBEDDED))

    def look(value: Any, path: str, out: list[Cause]) -> None:
        if value.__class__ is dict:
            if whole:
                out += judge(value, path)
            for key, item in value.items():
                step, here = (fields[key], f"{path}.{key}") if key in fields else (rest, f"{path}[{key}]")
                if step:
                    step(item, here if path else key, out)
        elif value.__class__ is list and each:
            for index, item in enumerate(value):
                each(item, f"{path}[{index}]", out)

    return look


def compile_embedded(schema: Object, memo: Memo) -> Judge | None:
    """Return the closure that checks the objects embedded below a value; None where there can be none."""
    return _compile(schema, memo, compile_embedded, _object)


def compile_malformed(schema: Object, memo: Memo) -> Judge | None:
    """Return the closure that finds embedded objects whose metadata is none: its fields are of other types."""
    return _compile(schema, memo, compile_malformed, _malformed)


def _malformed(value: Object, path: str) -> Iterator[Cause]:
    meta = value.get("metadata")
    if meta is not None:
        found: list[Cause] = []
        fill, check = _of_metadata()
        check(fill(meta), ABSENT, "", found)
        wrong = [cause for cause in found if cause.reason == "FieldValueTypeInvalid"]
        yield from (invalid(f"{path}.metadata", meta, str(cause)) for cause in wrong)


@cache
def _of_metadata() -> tuple[Fill, Check]:
    memo = Memo()
    return memo.compiled(objectmeta.SCHEMA, compile_default), memo.compiled(objectmeta.SCHEMA, compile_check)


def _embeds(schema: Object) -> bool:
    return bool(schema.get(EMBEDDED)) or any(map(_embeds, parts(schema)))


def _object(value: Object, path: str) -> Iterator[Cause]:
    for field in ("apiVersion", "kind"):
        here, found = f"{path}.{field}", value.get(field)
        if field not in value:
            yield required(here)
        elif not isinstance(found, str):
            yield invalid(here, found, "must be a string")
        elif not found:
            yield invalid(here, found, "must not be empty")
        elif field == "kind" and (complaints := names.dns_label_1035(found.lower())):
            yield invalid(here, found, f"may have mixed case, but should otherwise match: {','.join(complaints)}")
        elif field == "apiVersion" and found.count("/") > 1:
            yield invalid(here, found, f"unexpected GroupVersion string: {found}")
    if "metadata" in value:
        yield from _metadata(value["metadata"], f"{path}.metadata")


def _metadata(meta: Any, path: str) -> Iterator[Cause]:
    if not isinstance(meta, dict):
        yield invalid(path, meta, "must be an object")
        return
    name = meta.get("name")
    if isinstance(name, str) and name:
        yield from (invalid(f"{path}.name", name, text) for text in names.path_segment(name))
    for field, of_key, of_value in (
        ("labels", names.qualified, names.label_value),
        ("annotations", names.annotation_key, None),
    ):
        for key, value in (meta.get(field) or {}).items():
            here = f"{path}.{field}"
            yield from (invalid(here, key, text) for text in of_key(key))
            if of_value and isinstance(value, str):
                yield from (invalid(here, value, text) for text in of_value(value))
