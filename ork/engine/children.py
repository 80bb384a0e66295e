"""`.children`: what the box has made so far, by kind and by plural."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ork.base.objects import Object, labels_of
from ork.base.requests import Child
from ork.engine.turn import entry_mark
from ork.labels import ENTRY_LABEL
from ork.program import Box, Crd


class Children(dict[str, Any]):
    """A map whose keys are found in any letter case: `cronJob`, `cronjob`, `CronJob`."""

    def __missing__(self, key: str) -> Any:
        lower = key.lower() if isinstance(key, str) else key
        if lower == key:
            raise KeyError(key)
        return self[lower]

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value, or `default` where there is none in any letter case."""
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and dict.__contains__(self, key.lower())


def children(crd: Crd, box: Box, live: Iterable[Child]) -> Children:
    """Return the children of a box: under the kind the one of the entry declared first, under the plural all by name.

    Of two with one name in two namespaces, the plural has the entry's that is declared first.
    """
    places = {entry_mark(crd.name, entry.id): place for place, entry in enumerate(box.entries)}
    mine = [(places[mark], child) for child in live if (mark := labels_of(child.obj).get(ENTRY_LABEL, "")) in places]
    mine.sort(key=_place)
    singular: dict[str, Object] = {}
    plural: dict[str, dict[str, Object]] = {}
    for _, child in mine:
        kind = child.ref.kind
        singular.setdefault(kind.kind.lower(), child.obj)
        plural.setdefault(kind.plural.lower(), {}).setdefault(child.ref.name, child.obj)
    # A kind that is its own plural (Endpoints) is read as the one object.
    return Children({**plural, **singular})


def _place(found: tuple[int, Child]) -> int:
    return found[0]
