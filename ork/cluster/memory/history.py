"""What happened, in order: one bounded log of changes to all objects, into which every watch is an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ork.base.objects import Object
from ork.base.records import NamedTuple


class Change(NamedTuple):
    """One write: the object before (None on create) and after (None on delete)."""

    version: int
    """The resourceVersion that this write made."""
    table: str
    """`deployments.apps`: the resource, whatever version of it was written."""
    key: str
    """`namespace/name`, or `name` of a cluster-scoped object."""
    old: Object | None
    new: Object | None


class ExpiredError(Exception):
    """A version older than the log remembers."""


class History:
    """The changes since a version, oldest first; the oldest are forgotten when there are more than `limit`."""

    def __init__(self, limit: int, start: int) -> None:
        self._limit = limit
        self._changes: list[Change] = []
        self._dropped = 0
        self._start = self._floor = start
        self.version = start
        """The version of the last change: the store's own."""

    def add(self, table: str, key: str, old: Object | None, new: Object | None) -> Change:
        """Record a change under the next version."""
        self.version += 1
        change = Change(self.version, table, key, old, new)
        self._changes.append(change)
        if len(self._changes) > 2 * self._limit:
            self._forget(len(self._changes) - self._limit)
        return change

    def _forget(self, count: int) -> None:
        self._floor = self._changes[count - 1].version
        self._dropped += count
        del self._changes[:count]

    def compact(self) -> None:
        """Forget everything, as an API server does after some minutes: whoever watches from an old version gets 410."""
        self._forget(len(self._changes))

    @property
    def end(self) -> int:
        """The index behind the last change."""
        return self._dropped + len(self._changes)

    def index_after(self, version: int) -> int:
        """Return the index of the first change after a version. Raises ExpiredError."""
        if version < self._floor:
            raise ExpiredError(version, self._floor)
        return self._dropped + version - self._floor

    def from_index(self, index: int) -> Iterator[Change]:
        """Yield the changes from an index on. Raises ExpiredError where some of them are forgotten."""
        if index < self._dropped:
            raise ExpiredError(index, self._dropped)
        yield from self._changes[index - self._dropped :]

    def rewound(self, table: str, rows: Mapping[str, Object], version: int) -> dict[str, Object]:
        """Return the rows of a table as they were at a version. Raises ExpiredError."""
        if version < self._start and not self._dropped:
            return {}
        out = dict(rows)
        for change in reversed(self._changes[self.index_after(version) - self._dropped :]):
            if change.table != table:
                continue
            if change.old is None:
                del out[change.key]
            else:
                out[change.key] = change.old
        return out
