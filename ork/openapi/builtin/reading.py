"""Objects of Kubernetes' own kinds as the API server reads them, and would write them again.

Nulls and zeros that Go's types do not write are left out, fields that they always write are there, texts that have one
form have it, defaults are filled in. The types of the values must be right. What is stored knows no empty lists and
maps: where one is always written, it becomes null.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.objects import Object
from ork.openapi.builtin.defaults import RULES
from ork.openapi.builtin.texts import BY_FORMAT
from ork.openapi.memo import Memo

Reader = Callable[[Any], Any]
"""Returns the value that it was handed where nothing changes; raises ValueError for a malformed text, in Go's words"""

_memo = Memo()
_GONE: Any = object()


def reader(schema: Object) -> Reader:
    """Return the closure that reads values of a struct; made once."""
    return _memo.compiled(schema, _compile)


def storer(schema: Object) -> Reader:
    """Return the closure that makes of a struct, as it was read, what is stored; made once."""
    return _memo.compiled(schema, _compile_storer)


def _compile(schema: Object, memo: Memo) -> Reader:
    if "properties" in schema:
        return _struct(schema, memo)
    if isinstance(schema.get("additionalProperties"), dict):
        return _map(schema["additionalProperties"], memo)
    if isinstance(schema.get("items"), dict):
        return _list(schema["items"], memo)
    return BY_FORMAT.get(schema.get("format", ""), _same)


def _compile_storer(schema: Object, memo: Memo) -> Reader:
    if "properties" in schema:
        return _stored_struct(schema, memo)
    if isinstance(schema.get("additionalProperties"), dict):
        return _of_each_value(memo.compiled(schema["additionalProperties"], _compile_storer))
    if isinstance(schema.get("items"), dict):
        return _of_each_item(memo.compiled(schema["items"], _compile_storer))
    return _same


def _of_each_value(step: Reader) -> Reader:
    def stored(value: Object | None) -> Object | None:
        done = {key: step(item) for key, item in (value or {}).items()}
        return value if value is None or all(done[key] is value[key] for key in done) else done

    return _same if step is _same else stored


def _of_each_item(step: Reader) -> Reader:
    def stored(value: list[Any] | None) -> list[Any] | None:
        done = [step(item) for item in value or ()]
        return value if value is None or all(new is old for new, old in zip(done, value, strict=True)) else done

    return _same if step is _same else stored


def _stored_struct(schema: Object, memo: Memo) -> Reader:
    steps = {
        name: step
        for name, sub in schema["properties"].items()
        if (step := memo.compiled(sub, _compile_storer)) is not _same
    }
    zeros = schema.get("x-stay", {}).items()
    nulls = frozenset(key for key, zero in zeros if zero is None and _is_filled(schema["properties"][key]))
    if not (steps or nulls):
        return _same

    def stored(value: Any) -> Any:
        if value.__class__ is not dict:
            return value
        done = {key: None for key in nulls if value.get(key, _GONE) in ([], {})}
        for key, step in steps.items():
            if key in value and key not in done and (new := step(value[key])) is not value[key]:
                done[key] = new
        return {**value, **done} if done else value

    return stored


def _same(value: Any) -> Any:
    return value


def _struct(schema: Object, memo: Memo) -> Reader:
    steps = {
        name: step for name, sub in schema["properties"].items() if (step := memo.compiled(sub, _compile)) is not _same
    }
    vanish = frozenset(schema.get("x-vanish", ()))
    fill = _fill(schema, steps)
    zeros = schema.get("x-stay", {}).items()
    unset = frozenset(key for key, zero in zeros if zero is not None and fill[key] != zero)
    rule = RULES.get(schema.get("x-type", ""))

    def read(value: Object) -> Object:
        changed: Object = {}
        for key, item in value.items():
            new = fill.get(key, _GONE) if item is None else steps[key](item) if key in steps else item
            if not new and key in vanish:
                new = _GONE
            elif not new and key in unset:
                new = fill[key]
            if new is not item:
                changed[key] = new
        for key in fill:
            if key not in value or changed.get(key) is _GONE:
                changed[key] = fill[key]
        result = _merged(value, changed) if changed else value
        return rule(result) if rule else result

    return read


def _is_filled(schema: Object) -> bool:
    """Tell whether an empty value is as good as none: that of a list or map, not that of anything at all."""
    return "items" in schema or "additionalProperties" in schema


def _fill(schema: Object, steps: dict[str, Reader]) -> Object:
    """Return what stands in a struct although nobody set it: its defaults, and the zeros that Go writes."""
    zeros = schema.get("x-stay", {}).items()
    stay = {key: steps[key](zero) if zero == {} and key in steps else zero for key, zero in zeros}
    given = {name: sub["default"] for name, sub in schema["properties"].items() if "default" in sub}
    return {**stay, **given}


def _merged(value: Object, changed: Object) -> Object:
    merged = {**value, **changed}
    for key, item in changed.items():
        if item is _GONE:
            del merged[key]
    return merged


def _map(inner: Object, memo: Memo) -> Reader:
    step = memo.compiled(inner, _compile)
    zeros = {"string": "", "integer": 0, "boolean": False, "quantity": "0"}
    zero = zeros.get(inner.get("format", ""), zeros.get(inner.get("type", "")))

    def read(value: Object) -> Object:
        done = {key: zero if item is None else step(item) for key, item in value.items()}
        return value if all(done[key] is value[key] for key in value) else done

    return read


def _list(items: Object, memo: Memo) -> Reader:
    step = memo.compiled(items, _compile)

    def read(value: list[Any]) -> list[Any]:
        done = [step({} if item is None and "properties" in items else item) for item in value]
        return value if all(new is old for new, old in zip(done, value, strict=True)) else done

    return read
