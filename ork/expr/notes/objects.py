"""How notes look into Kubernetes objects: what is not there, or is not of the shape it should have, is missing."""

from __future__ import annotations

from typing import Any

from ork.base import paths
from ork.expr.compare import number, plain


def at(value: Any, path: str) -> Any:
    """Return what stands at a dotted path of an object, None where nothing does."""
    return paths.get(value, tuple(path.split(".")))


def map_at(value: Any, path: str) -> dict[str, Any]:
    """Return the map at a path, empty where there is none."""
    found = at(value, path)
    return found if isinstance(found, dict) else {}


def list_at(value: Any, path: str) -> list[Any]:
    """Return the list at a path, empty where there is none."""
    found = at(value, path)
    return found if isinstance(found, list) else []


def text_at(value: Any, path: str) -> str:
    """Return the text at a path, empty where there is none."""
    return plain(at(value, path))


def int_at(value: Any, path: str, absent: int = 0) -> int:
    """Return the whole number at a path."""
    found = number(at(value, path))
    return found if isinstance(found, int) else absent


def condition(value: Any, kind: Any) -> dict[str, Any]:
    """Return the status condition of that type, empty where there is none."""
    for each in list_at(value, "status.conditions"):
        if isinstance(each, dict) and each.get("type") == kind:
            return each
    return {}
