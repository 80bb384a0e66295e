"""What a namespace that is being emptied says of it: the conditions in its status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ork.base.objects import Object, finalizers_of


def conditions(before: Sequence[Object], remaining: Mapping[str, Sequence[Object]], now: str) -> list[Object]:
    """Return the conditions of a namespace in which these objects remain, by resource (`deployments.apps`).

    `before` are those that it has: what others say of it stays.
    """
    held = Counter(name for found in remaining.values() for obj in found for name in finalizers_of(obj))
    rows = [_condition(*row, now) for row in (*_DONE, _content(remaining), _finalizers(held))]
    own = {row["type"] for row in rows}
    return [*(row for row in before if row["type"] not in own), *rows]


_Row = tuple[str, bool, str, str]

_DONE: tuple[_Row, ...] = (
    (
        "NamespaceDeletionDiscoveryFailure",
        False,
        "ResourcesDiscovered",
        "All resources successfully discovered",
    ),
    (
        "NamespaceDeletionGroupVersionParsingFailure",
        False,
        "ParsedGroupVersions",
        "All legacy kube types successfully parsed",
    ),
    (
        "NamespaceDeletionContentFailure",
        False,
        "ContentDeleted",
        "All content successfully deleted, may be waiting on finalization",
    ),
)


def _content(remaining: Mapping[str, Sequence[Object]]) -> _Row:
    name = "NamespaceContentRemaining"
    if not remaining:
        return name, False, "ContentRemoved", "All content successfully removed"
    rows = [
        f"{table if '.' in table else table + '.'} has {len(found)} resource instances"
        for table, found in remaining.items()
    ]
    return name, True, "SomeResourcesRemain", f"Some resources are remaining: {', '.join(rows)}"


def _finalizers(held: Mapping[str, int]) -> _Row:
    name = "NamespaceFinalizersRemaining"
    if not held:
        return name, False, "ContentHasNoFinalizers", "All content-preserving finalizers finished"
    rows = [f"{finalizer} in {count} resource instances" for finalizer, count in sorted(held.items())]
    text = f"Some content in the namespace has finalizers remaining: {', '.join(rows)}"
    return name, True, "SomeFinalizersRemain", text


def _condition(name: str, holds: bool, reason: str, message: str, now: str) -> Object:
    return {
        "type": name,
        "status": str(holds),
        "lastTransitionTime": now,
        "reason": reason,
        "message": message,
    }
