"""What the store holds: tables of objects, the log of changes, indexes, and the one way to change them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ork.base.clock import Clock, rfc3339
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.cluster.memory.history import Change, History
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.table import Index, Place, Table, key_of, label_value, owner_uids

FIRST_VERSION = 100
"""No object has a lower resourceVersion: an apply that must create says "1", which then no object can match."""

_SUFFIX = "bcdfghjklmnpqrstvwxz2456789"


class Options(NamedTuple):
    """How a write is meant."""

    manager: str = "ork"
    """The field manager."""
    dry_run: bool = False
    """Answer as if, and change nothing."""
    validation: str = "Warn"
    """What becomes of unknown fields: `Ignore`, `Warn` or `Strict`."""
    force: bool = False
    """Of an apply: take fields from their other owners."""


class Written(NamedTuple):
    """What came of a write."""

    obj: Object
    """The object as it is stored now; after a delete, as it was last."""
    created: bool = False
    changed: bool = True
    """False where nothing had to be stored."""
    gone: bool = False
    """The object is not there any more."""
    warnings: tuple[str, ...] = ()


class State:
    """Tables, log and indexes. Rows are stored objects in their storage version, with their resourceVersion."""

    def __init__(self, clock: Clock, new_uid: Callable[[], str], remembered: int) -> None:
        self._clock = clock
        self.new_uid = new_uid
        self.history = History(remembered, FIRST_VERSION)
        self._tables: dict[str, Table] = {}
        self._owners = Index()
        self._labels: dict[str, Index] = {}
        self.observers: list[Callable[[Change], None]] = []
        """Called with every change, after it was made."""

    def now(self) -> str:
        """Return the time as metadata carries it."""
        return rfc3339(self._clock.now())

    def time(self) -> datetime:
        """Return the time."""
        return self._clock.now()

    def suffix(self) -> str:
        """Return five characters for the name of an object that has only a `generateName`."""
        import hashlib

        digest = hashlib.sha256(self.new_uid().encode()).digest()
        return "".join(_SUFFIX[byte % len(_SUFFIX)] for byte in digest[:5])

    def table(self, resource: Resource) -> Table:
        """Return the table of a resource, whatever its version."""
        return self.named_table(resource.table)

    def named_table(self, name: str) -> Table:
        """Return a table by name, such as `deployments.apps`."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = Table()
        return found

    def table_names(self) -> list[str]:
        """Return the names of all tables that have rows, ordered."""
        return sorted(name for name, table in self._tables.items() if table.rows)

    def row(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """Return a stored object."""
        return self.table(resource).rows.get(key_of(namespace, name))

    def commit(self, table: str, key: str, new: Object | None) -> Object | None:
        """Store an object under the next resourceVersion, or take it out; returns it as stored."""
        rows = self.named_table(table)
        old = rows.rows.get(key)
        if new is not None:
            version = str(self.history.version + 1)
            new = {**new, "metadata": {**new["metadata"], "resourceVersion": version}}
        rows.put(key, new)
        self._move((table, key), old, new)
        change = self.history.add(table, key, old, new)
        for observer in self.observers:
            observer(change)
        return new

    def load(self, table: str, key: str, obj: Object) -> None:
        """Put an object in as it is, resourceVersion included, without a trace in the log."""
        rows = self.named_table(table)
        self._move((table, key), rows.rows.get(key), obj)
        rows.put(key, obj)

    def _move(self, place: Place, old: Object | None, new: Object | None) -> None:
        was, now = owner_uids(old), owner_uids(new)
        if was != now:
            self._owners.move(place, was, now)
        for label, index in self._labels.items():
            before, after = label_value(old, label), label_value(new, label)
            if before != after:
                index.move(place, before, after)

    def dependents(self, uid: str) -> list[Place]:
        """Return where the objects are that name this uid as an owner."""
        return self._owners.places(uid)

    def at(self, place: Place) -> Object:
        """Return the stored object at a place."""
        table, key = place
        return self._tables[table].rows[key]

    def labelled(self, label: str, value: str) -> list[Place]:
        """Return where the objects with that label are. The first question for a label builds its index."""
        index = self._labels.get(label)
        if index is None:
            index = self._labels[label] = Index()
            for name, table in self._tables.items():
                for key, obj in table.rows.items():
                    index.move((name, key), set(), label_value(obj, label))
        return index.places(value)
