"""What differs between a recorded answer and another server's, texts for people left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.contract.lookup import ABSENT

_TEXTS = ("message", "causeMessages")
_MARKS = ("volatile", "volatileText")


def differences(wanted: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return the differences in substance, one line each."""
    before = {key: value for key, value in wanted.items() if key not in _MARKS}
    return [f"{path}: {_short(a)} became {_short(b)}" for path, a, b in _walk(before, got, "") if not _is_text(path)]


def text_differences(wanted: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return the differences in texts for people."""
    before = {key: value for key, value in wanted.items() if key not in _MARKS}
    return [f"{path}: {_short(a)} became {_short(b)}" for path, a, b in _walk(before, got, "") if _is_text(path)]


def _is_text(path: str) -> bool:
    return re.sub(r"\[\d+\]$", "", path).rsplit(".", 1)[-1] in _TEXTS


def _walk(wanted: Any, got: Any, at: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in sorted(wanted.keys() | got.keys()):
            yield from _walk(wanted.get(key, ABSENT), got.get(key, ABSENT), f"{at}.{key}" if at else key)
    elif isinstance(wanted, list) and isinstance(got, list):
        for number in range(max(len(wanted), len(got))):
            pair = [items[number] if number < len(items) else ABSENT for items in (wanted, got)]
            yield from _walk(pair[0], pair[1], f"{at}[{number}]")
    elif type(wanted) is not type(got) or wanted != got:
        yield at, wanted, got


def _short(value: Any) -> str:
    if value is ABSENT:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 160 else text[:159] + "…"
