"""Who owns the count of replicas that the `scale` subresource writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ork.base import paths
from ork.base.objects import Object
from ork.base.paths import Path
from ork.cluster.memory import fieldset
from ork.cluster.memory.fieldset import EMPTY, Fields
from ork.cluster.memory.ownership import Ledger, Owners, with_owners
from ork.cluster.memory.typed import Difference, Type


class ScaleLedger(Ledger):
    """The bookkeeping of `scale`: it knows no times, no count of 0, and no writer of a count that nobody owns."""

    def __init__(self, version: str, types: Callable[[str], Type | None], replicas: Path) -> None:
        """`replicas` is where the object itself has the count."""
        super().__init__(version, types, "scale")
        self._replicas = replicas
        self._place: Fields = EMPTY
        for step in reversed(replicas):
            self._place = {f"f:{step}": self._place}

    def updated(self, live: Object | None, new: Object, name: str, now: str) -> Object:
        """Return the new object with its managedFields; to write the count that is there parts it from its owners."""
        out = super().updated(live, new, name, now)
        if (paths.get(live, self._replicas) or 0) != (paths.get(new, self._replicas) or 0):
            return out
        return with_owners(out, self._parted(out["metadata"].get("managedFields") or []))

    def _parted(self, entries: list[Object]) -> list[Object]:
        """Return the entries with the count of each updater of the whole object in an entry of its own.

        The next write reads the two as one, of which the latter stays: nobody owns the count then.
        """
        counts, rest = list[Object](), list[Object]()
        for entry in entries:
            fields = entry["fieldsV1"]
            whole = entry["operation"] == "Update" and not entry.get("subresource")
            if not (whole and fieldset.intersection(fields, self._place)):
                rest.append(entry)
                continue
            counts.append({**{key: value for key, value in entry.items() if key != "time"}, "fieldsV1": self._place})
            if left := fieldset.difference(fields, self._place):
                rest.append({**entry, "fieldsV1": left})
        first = sum(entry["operation"] == "Apply" for entry in rest)
        return [*rest[:first], *counts, *rest[first:]]

    def _stamp(self, now: str) -> str | None:  # noqa: ARG002
        return None

    def _record(self, live: Mapping[str, Any], new: Object, owners: Owners, name: str, now: str | None) -> Owners:
        owned = any(fieldset.intersection(owned.fields, self._place) for owned in owners.values())
        return super()._record(live, new, owners, name, now) if owned else owners

    def _compare(self, version: str, live: Mapping[str, Any], new: Object) -> Difference:
        return super()._compare(version, self._counted(live), self._counted(new))

    def _counted(self, obj: Mapping[str, Any]) -> Object:
        return dict(obj) if paths.get(obj, self._replicas) else paths.without(obj, self._replicas)
