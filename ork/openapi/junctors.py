"""`anyOf`, `oneOf`, `allOf` and `not`: which alternatives hold, and whose causes are shown where none does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.openapi import formats
from ork.openapi.causes import NOWHERE, Cause, Judge, invalid, quoted
from ork.openapi.kinds import effective_format, kind_of, type_names

Causes = Callable[[Any, str], list[Cause]]
"""Takes a value and its path; gives why a schema refuses it."""

Branch = tuple[Object, Causes]


def compile_junctors(schema: Object, causes: Callable[[Object], Causes]) -> Judge | None:
    """Return the closure of a schema's junctors, whose alternatives `causes` compiles; None where it has none."""
    parts = [
        build([(sub, causes(sub)) for sub in schema[key]])
        for key, build in (("anyOf", _any_of), ("oneOf", _one_of), ("allOf", _all_of))
        if schema.get(key)
    ]
    if isinstance(schema.get("not"), dict):
        parts.append(_not(causes(schema["not"])))
    if not parts:
        return None

    def check(value: Any, path: str, out: list[Cause]) -> None:
        for part in parts:
            part(value, path, out)

    return check


def _nowhere(text: str) -> Cause:
    return invalid(NOWHERE, "", text)


def _best(branches: list[Branch], failures: list[list[Cause]], value: Any) -> list[Cause]:
    """Return the causes of the alternative that looks at most of the value, the first of equals."""
    scores = [_score(schema, value) for schema, _ in branches]
    return failures[scores.index(max(scores))]


def _any_of(branches: list[Branch]) -> Judge:
    def check(value: Any, path: str, out: list[Cause]) -> None:
        failures = []
        for _, branch in branches:
            failures.append(branch(value, path))
            if not failures[-1]:
                return
        out.append(_nowhere(f"{quoted(path)} must validate at least one schema (anyOf)"))
        out += _best(branches, failures, value)

    return check


def _one_of(branches: list[Branch]) -> Judge:
    def check(value: Any, path: str, out: list[Cause]) -> None:
        failures = [branch(value, path) for _, branch in branches]
        valid = failures.count([])
        if valid == 1:
            return
        found = f"Found {valid} valid alternatives" if valid else "Found none valid"
        out.append(_nowhere(f"{quoted(path)} must validate one and only one schema (oneOf). {found}"))
        if not valid:
            out += _best(branches, failures, value)

    return check


def _all_of(branches: list[Branch]) -> Judge:
    def check(value: Any, path: str, out: list[Cause]) -> None:
        failures = [branch(value, path) for _, branch in branches]
        if not any(failures):
            return
        for causes in failures:
            out += causes
        none = "" if [] in failures else ". None validated"
        out.append(_nowhere(f"{quoted(path)} must validate all the schemas (allOf){none}"))

    return check


def _not(branch: Causes) -> Judge:
    def check(value: Any, path: str, out: list[Cause]) -> None:
        if not branch(value, path):
            out.append(_nowhere(f"{quoted(path)} must not validate the schema (not)"))

    return check


def _score(schema: Object, value: Any) -> int:
    """Count the checks that look at a value; the API server shows the alternative with the highest count."""
    types, style = type_names(schema), effective_format(schema)
    if value is None:
        return int(not types or bool(schema.get("nullable")))
    kind, _ = kind_of(value)
    score = 4 + (0 if not (types or style) else 1 + (not types or kind in types))
    if kind == "string":
        return score + 1 + formats.is_known(style)
    if kind in ("integer", "number"):
        return score + 2
    if kind == "array":
        items = schema.get("items")
        return score + 2 + (sum(_score(items, item) for item in value) if isinstance(items, dict) else 0)
    return score + (1 + _fields_score(schema, value) if kind == "object" else 0)


def _fields_score(schema: Object, value: dict[str, Any]) -> int:
    properties, extra = schema.get("properties") or {}, schema.get("additionalProperties")
    subs = [(properties.get(key, extra), item) for key, item in value.items()]
    return sum(_score(sub, item) for sub, item in subs if isinstance(sub, dict))
