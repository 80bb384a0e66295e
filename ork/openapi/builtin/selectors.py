"""Label selectors: whether they are well-formed, and whether they match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.base.objects import Object
from ork.openapi import names
from ork.openapi.builtin.checks import Rules, labels
from ork.openapi.causes import Cause, below, forbidden, invalid, required


def _requirement(row: Object, path: str) -> Iterator[Cause]:
    operator, values = row.get("operator"), row.get("values") or []
    if operator in ("In", "NotIn"):
        if not values:
            yield required(below(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            text = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
            yield forbidden(below(path, "values"), text)
    else:
        yield invalid(below(path, "operator"), operator, "not a valid selector operator")
    yield from (invalid(below(path, "key"), row.get("key"), text) for text in names.qualified(row.get("key") or ""))
    for index, value in enumerate(values):
        yield from (invalid(below(path, f"values[{index}]"), value, text) for text in names.label_value(value))


def faults(selector: Object, path: str = "") -> Iterator[Cause]:
    """Yield what is wrong with a label selector."""
    yield from labels(selector.get("matchLabels"), below(path, "matchLabels"))
    for index, row in enumerate(selector.get("matchExpressions") or ()):
        yield from _requirement(row, below(path, f"matchExpressions[{index}]"))


def is_empty(selector: Object) -> bool:
    """Tell whether a selector selects everything."""
    return not selector.get("matchLabels") and not selector.get("matchExpressions")


def matches(selector: Object | None, found: dict[str, str]) -> bool:
    """Tell whether labels match a selector; none matches no labels."""
    if selector is None:
        return False
    wanted = (selector.get("matchLabels") or {}).items()
    rows = selector.get("matchExpressions") or ()
    return all(found.get(key) == value for key, value in wanted) and all(_holds(row, found) for row in rows)


def _holds(row: Object, found: dict[str, str]) -> bool:
    value: Any = found.get(row["key"])
    values = row.get("values") or []
    return bool(
        {
            "In": value is not None and value in values,
            "NotIn": value is None or value not in values,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }[row["operator"]]
    )


RULES = {"meta.v1.LabelSelector": Rules(whole=(faults,))}
