"""Objects as people compare them: without what only the server sets, and without the values of Secrets."""

from __future__ import annotations

from ork.base.objects import Object
from ork.base.requests import REDACTED

_OF_THE_SERVER = frozenset(("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink"))
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""A copy of the whole object, a Secret's values included."""
_SECRET_FIELDS = ("data", "stringData")


def shown(obj: Object | None) -> Object | None:
    """Return an object without what only the server sets; None of None."""
    if obj is None:
        return None
    meta = {key: value for key, value in obj["metadata"].items() if key not in _OF_THE_SERVER}
    if _LAST_APPLIED in (meta.get("annotations") or {}):
        meta["annotations"] = {key: value for key, value in meta["annotations"].items() if key != _LAST_APPLIED}
    return {**obj, "metadata": meta}


def hidden(mine: Object | None, other: Object | None, when: str) -> Object | None:
    """Return a Secret without its values; one that the other state of it has not is marked with `when`."""
    if mine is None:
        return None
    fields = [field for field in _SECRET_FIELDS if mine.get(field)]
    return {**mine, **{field: _hidden(mine[field], (other or {}).get(field), when) for field in fields}}


def _hidden(values: dict[str, str], others: dict[str, str] | None, when: str) -> dict[str, str]:
    if others is None:
        return dict.fromkeys(values, REDACTED)
    return {key: REDACTED if others.get(key) == value else f"{REDACTED} ({when})" for key, value in values.items()}
