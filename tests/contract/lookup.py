"""Paths into JSON bodies, as scenarios write them: `a.b`, `a["x/y"]`, `a[0]`, `a[name=x]`, `a[*].b`."""

from __future__ import annotations

import re
from typing import Any

ABSENT: Any = object()
_STEP = re.compile(
    r"""\.?(?P<key>[^.\[\]]+)|\[(?P<index>\d+)\]|\[(?P<every>\*)\]|\["(?P<quoted>[^"]*)"\]"""
    r"""|\[(?P<field>[^=\]]+)=(?P<value>[^\]]*)\]"""
)


def look(data: Any, path: str, default: Any = None) -> Any:
    """Return what stands at a path, or the default."""
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        assert step is not None, f"bad path {path!r}"
        at = step.end()
        if step["every"]:
            rest = path[at:].lstrip(".")
            return [look(item, rest, default) for item in data] if isinstance(data, list) else default
        data = _one(data, step)
        if data is ABSENT:
            return default
    return data


def _one(data: Any, step: re.Match[str]) -> Any:
    name = step["key"] or step["quoted"]
    if name is not None:
        return data.get(name, ABSENT) if isinstance(data, dict) else ABSENT
    if not isinstance(data, list):
        return ABSENT
    if step["index"] is not None:
        index = int(step["index"])
        return data[index] if index < len(data) else ABSENT
    return next((item for item in data if look(item, step["field"]) == step["value"]), ABSENT)


def drop(data: Any, path: str) -> None:
    """Take out what a path names; its last step is a key."""
    cut = path.rfind('["') if path.endswith('"]') else max(path.rfind("."), path.rfind("["))
    head, last = (path[:cut], path[cut:]) if cut > 0 else ("", path)
    last = last.lstrip(".").removeprefix('["').removesuffix('"]')
    holders = look(data, head) if head else data
    for holder in holders if isinstance(holders, list) else [holders]:
        if isinstance(holder, dict):
            holder.pop(last, None)
