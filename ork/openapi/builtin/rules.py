"""What the API server refuses in objects of its own kinds: the rules of every struct, walked over an object.

The rules themselves are data, by struct: `checks` has their vocabulary, the modules beside this one their tables. An
enumeration that the schema publishes holds without a rule, unless the field has one of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from ork.base.objects import Object
from ork.openapi.builtin.checks import FieldRule, Rules, StructRule, listed
from ork.openapi.causes import Cause, Judge, below, required
from ork.openapi.memo import Memo

_FAMILIES = {"apiextensions": ("definitions",), "meta": ("selectors",)}
"""Which modules have the rules of a family of structs, by the first word of their names. A check of CRDs alone, as most
of `ork validate` are, loads none of the others."""

_OTHERS = ("containers", "networking", "pods", "policy", "storage", "workloads")

_NOTHING = Rules()

_memo = Memo()


@cache
def _found(table: str, name: str) -> Any:
    """Return what the modules' tables of that name have for a struct; None where they have nothing."""
    for module in _FAMILIES.get(name.partition(".")[0], _OTHERS):
        found = getattr(import_module(f"ork.openapi.builtin.{module}"), table, {}).get(name)
        if found is not None:
            return found
    return None


def check(schema: Object, obj: Object, old: Object | None, subresource: str = "") -> list[Cause]:
    """Return why an object of that struct may not be stored, or its subresource not be written."""
    name = schema["x-type"]
    if subresource:
        rule: StructRule | None = _found("STATUS", name) if subresource == "status" else None
        return list(rule(obj.get("status") or {}, "status")) if rule else []
    causes: list[Cause] = []
    walk = _memo.compiled(schema, _compile)
    if walk:
        view = _found("VIEWS", name)
        walk(view(obj) if view else obj, "", causes)
    rules: Rules = _found("RULES", name) or _NOTHING
    if old is None:
        for creation in rules.creation:
            causes += creation(obj, "")
    else:
        for change in rules.changes:
            causes += change(obj, old)
    return list(dict.fromkeys(causes)) if len(causes) > 1 else causes


def _compile(schema: Object, memo: Memo) -> Judge | None:
    """Return the closure that checks a value of that schema; None where nothing below it has a rule."""
    if schema.get("x-type") in _UNCHECKED:
        return None
    if "properties" in schema:
        return _struct(schema, memo)
    inner = memo.compiled(schema["items"], _compile) if "items" in schema else None
    if inner is None:
        return None
    step = inner

    counted = schema["items"].get("x-type") not in _UNCOUNTED

    def walk(value: Any, path: str, out: list[Cause]) -> None:
        for index, item in enumerate(value or ()):
            step(item, f"{path}[{index}]" if counted else path.rpartition(".")[0], out)

    return walk


_UNCOUNTED = ("core.v1.DownwardAPIVolumeFile",)
"""Whose causes the server puts at the struct that has the list."""


_UNCHECKED = ("meta.v1.ObjectMeta", "apiextensions.v1.CustomResourceDefinitionSpec")
"""Whose rules stand elsewhere: metadata with the store, a definition with its kind."""


def _struct(schema: Object, memo: Memo) -> Judge | None:
    rules: Rules = _found("RULES", schema.get("x-type", "")) or _NOTHING
    fields = _field_rules(schema, rules)
    deeper = {
        name: walk
        for name, sub in schema["properties"].items()
        if name != "status" and (walk := memo.compiled(sub, _compile))
    }
    if not (fields or deeper or rules.whole or rules.needs):
        return None
    own = _own(rules._replace(fields=fields))

    def check_struct(value: Any, path: str, out: list[Cause]) -> None:
        if value.__class__ is dict:
            own(value, path, out)
            for name, step in deeper.items():
                if name in value:
                    step(value[name], below(path, name), out)

    return check_struct


def _own(rules: Rules) -> Judge:
    """Return the closure that checks a struct without what stands below it."""

    def check_own(value: Any, path: str, out: list[Cause]) -> None:
        for name, detail in rules.needs.items():
            if not value.get(name):
                out.append(required(below(path, name), detail))
        for name, rule in rules.fields.items():
            if (item := value.get(name)) is not None:
                out += rule(item, below(path, name))
        for whole in rules.whole:
            out += whole(value, path)

    return check_own


def _field_rules(schema: Object, rules: Rules) -> Mapping[str, FieldRule]:
    published = {
        name: _options(tuple(sub["enum"]))
        for name, sub in schema["properties"].items()
        if "enum" in sub and name not in rules.fields
    }
    return {**rules.fields, **published}


@cache
def _options(options: tuple[str, ...]) -> FieldRule:
    return listed(*options)


def table() -> Iterator[tuple[str, Rules]]:
    """Yield every struct that has rules, in order, for tests."""
    modules = (*_OTHERS, *(module for family in _FAMILIES.values() for module in family))
    tables: list[Mapping[str, Rules]] = [import_module(f"ork.openapi.builtin.{module}").RULES for module in modules]
    yield from sorted(item for found in tables for item in found.items())
