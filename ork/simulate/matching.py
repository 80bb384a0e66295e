"""Does what was written match what was expected? Values, dotted paths, and writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.patterns import pattern
from ork.katalog.scenario import OpClaim
from ork.simulate.report import Op

_STEP = pattern(r'\[(\d+|"[^"]*")\]|([^.\[\]]+)')

MISSING = object()
"""What `lookup` finds where a path leads nowhere."""


def lookup(data: Any, path: str) -> Any:
    """Return the value at `spec.containers[0].image`, `spec.containers.0.image` or `metadata.labels["a.b/c"]`."""
    for found in _STEP.finditer(path):
        data = _step(data, (found[1] or found[2]).strip('"'))
    return data


def _step(data: Any, step: str) -> Any:
    if isinstance(data, dict):
        return data.get(step, MISSING)
    if isinstance(data, list) and step.isdigit() and int(step) < len(data):
        return data[int(step)]
    return MISSING


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[str]:
    """Say where `actual` does not hold what is expected. Of a map only the expected keys count; a list must have the
    expected length, and numbers are compared as numbers."""
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key, value in expected.items():
            yield from differences(value, actual.get(key, MISSING), f"{path}.{key}" if path else key)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, value in enumerate(expected):
            yield from differences(value, actual[index], f"{path}[{index}]")
    elif not _equal(expected, actual):
        yield f"{path} is {shown(actual)}, expected {shown(expected)}{_type_hint(expected, actual)}"


def _equal(expected: Any, actual: Any) -> bool:
    """Compare leaves: `true` is not 1, and nothing is as good as null."""
    if expected is None or actual is MISSING:
        return expected is None and (actual is None or actual is MISSING)
    return isinstance(expected, bool) is isinstance(actual, bool) and bool(expected == actual)


def _type_hint(expected: Any, actual: Any) -> str:
    if actual is MISSING or isinstance(expected, str) is isinstance(actual, str):
        return ""
    return " (a text: quote it)" if isinstance(actual, str) else " (not a text: write it without quotes)"


def shown(value: Any) -> str:
    """Return a value as JSON, and `not set` for a missing one."""
    return "not set" if value is MISSING else json.dumps(value, ensure_ascii=False, default=str)


def names_same(claim: OpClaim, op: Op) -> bool:
    """Tell whether an op is of the expected form, resource, name and namespace; fields and cycle aside."""
    return (
        (not claim.verb or claim.verb in (op.verb, op.via))
        and (not claim.resource or claim.resource == op.resource.lower())
        and (not claim.name or claim.name == op.name)
        and (claim.namespace is None or claim.namespace == op.namespace)
    )


def field_differences(claim: OpClaim, op: Op) -> list[str]:
    """Say which expected fields the written object does not hold."""
    found: list[str] = []
    for path, value in claim.fields.items():
        found.extend(differences(value, lookup(op.written, path), path))
    return found
