"""The `scale` subresource of a custom resource: what stands at the paths that its definition names."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object
from ork.openapi.causes import Cause, invalid, json_text
from ork.openapi.numbers import is_int64

_GO_TYPES = {str: "string", bool: "bool", float: "float64", int: "float64", list: "[]interface {}"}


def spec_causes(obj: Object, scale: Object) -> list[Cause]:
    """Return what is wrong with the number of replicas that is asked for."""
    return _replicas(obj, scale["specReplicasPath"])


def status_causes(obj: Object, scale: Object) -> list[Cause]:
    """Return what is wrong with the number of replicas that there are, and with the selector."""
    causes = _replicas(obj, scale["statusReplicasPath"])
    path = scale.get("labelSelectorPath")
    if path:
        value, error = _find(obj, path)
        if not error and value is not None and not isinstance(value, str):
            error = _accessor(path, value, "string")
        if error:
            causes.append(invalid(path, "", error))
    return causes


def _replicas(obj: Object, path: str) -> list[Cause]:
    value, error = _find(obj, path)
    if not error and value is not None and not is_int64(value):
        error = _accessor(path, value, "int64")
    if error:
        return [invalid(path, 0, error)]
    if value is not None and value < 0:
        return [invalid(path, value, "should be a non-negative integer")]
    if value is not None and value >= 2**31:
        return [invalid(path, value, f"should be less than or equal to {2**31 - 1}")]
    return []


def _find(obj: Object, path: str) -> tuple[Any, str]:
    """Return what stands at a dotted path, or why there is no way to it; None where it is missing."""
    found: Any = obj
    way = ""
    for step in path.removeprefix(".").split("."):
        way += f".{step}"
        if found is None:
            return None, ""
        if not isinstance(found, dict):
            return None, _accessor(way, found, "map[string]interface{}")
        found = found.get(step)
    return found, ""


def _accessor(path: str, value: Any, wanted: str) -> str:
    shown = f"[{' '.join(map(str, value))}]" if isinstance(value, list) else value
    shown = shown if isinstance(shown, str) else json_text(shown)
    kind = _GO_TYPES.get(value.__class__, "map[string]interface {}")
    return f"{path} accessor error: {shown} is of the type {kind}, expected {wanted}"
