"""Paths into JSON data, and writes that share what they do not change."""

from __future__ import annotations

from typing import Any

from ork.base.patterns import pattern

Path = tuple[str, ...]

_SEGMENT = pattern(r"[A-Za-z_][A-Za-z0-9_-]*\Z")


def get(data: Any, path: Path) -> Any:
    """Return the value at `path`, or None where a step is missing or leads into something that is no map."""
    for step in path:
        if not isinstance(data, dict):
            return None
        data = data.get(step)
    return data


def put(data: Any, path: Path, value: Any) -> Any:
    """Return a copy of `data` with `value` at `path`; maps on the way are made, everything else is shared."""
    if not path:
        return value
    here = data if isinstance(data, dict) else {}
    return {**here, path[0]: put(here.get(path[0]), path[1:], value)}


def without(data: Any, path: Path) -> Any:
    """Return a copy of `data` that has nothing at `path`; `data` itself where there was nothing."""
    if not isinstance(data, dict) or not path or path[0] not in data:
        return data
    if len(path) == 1:
        return {key: value for key, value in data.items() if key != path[0]}
    inner = without(data[path[0]], path[1:])
    return data if inner is data[path[0]] else {**data, path[0]: inner}


def text(path: Path) -> str:
    """Return `spec.regions`, quoting steps that are no identifiers: `metadata.labels["app.kubernetes.io/name"]`."""
    out = ""
    for step in path:
        out += f".{step}" if _SEGMENT.match(step) else f'["{step}"]'
    return out.removeprefix(".")
