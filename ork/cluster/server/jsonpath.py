"""The JSONPath of printer columns: `.spec.size`, `.status.conditions[?(@.type=="Ready")].status`, `.items[*].name`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Step = Callable[[Any], Iterable[Any]]

_STEP = re.compile(
    r"\.(?P<field>(?:[^.\[\\]|\\.)+)"
    r"|\[(?P<index>-?\d+)\]"
    r"|\[(?P<slice>-?\d*:-?\d*)\]"
    r"|\[(?P<every>\*)\]"
    r"|\['(?P<quoted>[^']*)'\]"
    r"|\[\?\(@(?P<path>[^=!<>)]*?)\s*(?:(?P<operator>==|!=)\s*(?P<value>[^)]*))?\)\]"
)


def compile_path(text: str) -> Callable[[Any], list[Any]] | None:
    """Return the finder of a path: the values that it leads to. None where the path cannot be read."""
    steps: list[Step] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            return None
        steps.append(_step(found))
        at = found.end()

    def find(data: Any) -> list[Any]:
        here = [data]
        for step in steps:
            here = [value for one in here for value in step(one)]
        return here

    return find


def _step(found: re.Match[str]) -> Step:
    if found["every"] is not None or found["field"] == "*":
        return _every
    if found["index"] is not None:
        return _index(int(found["index"]))
    if found["slice"] is not None:
        start, _, end = found["slice"].partition(":")
        part = slice(int(start) if start else None, int(end) if end else None)
        return lambda data: data[part] if isinstance(data, list) else []
    if found["path"] is not None:
        return _filter(found["path"], found["operator"], found["value"])
    name = found["quoted"] if found["quoted"] is not None else re.sub(r"\\(.)", r"\1", found["field"])
    return lambda data: [data[name]] if isinstance(data, dict) and name in data else []


def _every(data: Any) -> Iterable[Any]:
    if isinstance(data, dict):
        return [data[key] for key in sorted(data)]
    return data if isinstance(data, list) else []


def _index(at: int) -> Step:
    return lambda data: [data[at]] if isinstance(data, list) and -len(data) <= at < len(data) else []


def _filter(path: str, operator: str | None, text: str | None) -> Step:
    inner = compile_path(path) or (lambda data: [])  # noqa: ARG005
    wanted = _literal(text or "")

    def holds(item: Any) -> bool:
        found = inner(item)
        if operator is None:
            return bool(found)
        return bool(found) and (found[0] == wanted) == (operator == "==")

    return lambda data: [item for item in data if holds(item)] if isinstance(data, list) else []


def _literal(text: str) -> Any:
    text = text.strip()
    if text[:1] in "\"'" and text[:1] == text[-1:]:
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text
