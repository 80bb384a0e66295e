"""Who owns which field of an object: `metadata.managedFields` under updates and server-side apply.

The rules are Kubernetes': an apply owns what its configuration names, takes away what it named before and nobody else
owns, and conflicts with another owner of a value that it would change; an update owns what it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ork.base.objects import Object, annotations_of
from ork.base.records import NamedTuple
from ork.cluster.memory import fieldset
from ork.cluster.memory.fieldset import EMPTY, Fields
from ork.cluster.memory.typed import Difference, MismatchError, Type

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_BEFORE_APPLY = "before-first-apply"
_MANY_UPDATERS = 10
_ANCIENT = "ancient-changes"
_NO_CHANGE = Difference()

_SYSTEM: Fields = {
    "f:apiVersion": {},
    "f:kind": {},
    "f:metadata": {
        ".": {},
        "f:name": {},
        "f:namespace": {},
        "f:creationTimestamp": {},
        "f:selfLink": {},
        "f:uid": {},
        "f:clusterName": {},
        "f:generation": {},
        "f:managedFields": {},
        "f:resourceVersion": {},
    },
}
"""What nobody owns."""


class Manager(NamedTuple):
    """One owner: entries of the same manager, operation and subresource are one (and version, for updates)."""

    name: str
    operation: str
    """`Apply` or `Update`."""
    subresource: str
    version: str
    """The apiVersion of an update; empty for an apply, which stays one entry whatever version it uses."""


class Owned(NamedTuple):
    """What a manager owns, in the terms of one API version."""

    fields: Fields
    version: str
    time: str | None


Owners = dict[Manager, Owned]


class Conflict(NamedTuple):
    """A field that an apply would change although another manager owns it."""

    manager: Manager
    version: str
    field: str
    """`.spec.replicas`."""


class ConflictsError(Exception):
    """An apply without force met other owners."""

    def __init__(self, conflicts: list[Conflict]) -> None:
        super().__init__(f"{len(conflicts)} conflicts")
        self.conflicts = conflicts


def decode(entries: Any) -> Owners:
    """Return the owners of `metadata.managedFields`. Raises ValueError where an entry is malformed."""
    out: Owners = {}
    for entry in entries or ():
        operation, version = entry.get("operation"), entry.get("apiVersion") or ""
        if operation not in ("Apply", "Update") or not version or entry.get("fieldsType") != "FieldsV1":
            raise ValueError("an entry of managedFields needs operation Apply or Update, apiVersion and fieldsType")
        manager = _manager(entry.get("manager", ""), operation, version, entry.get("subresource", ""))
        out[manager] = Owned(entry.get("fieldsV1") or EMPTY, version, entry.get("time"))
    return out


def _manager(name: str, operation: str, version: str, subresource: str) -> Manager:
    return Manager(name, operation, subresource, "" if operation == "Apply" else version)


def encode(owners: Owners) -> list[Object]:
    """Return `metadata.managedFields`: applies before updates, each oldest first, then by name."""
    rows = sorted(owners.items(), key=lambda row: (row[0].operation, row[1].time or "", row[0], row[1].version))
    return [_entry(manager, owned) for manager, owned in rows]


def _entry(manager: Manager, owned: Owned) -> Object:
    entry: Object = {"manager": manager.name, "operation": manager.operation, "apiVersion": owned.version}
    if owned.time is not None:
        entry["time"] = owned.time
    entry |= {"fieldsType": "FieldsV1", "fieldsV1": owned.fields}
    if manager.subresource:
        entry["subresource"] = manager.subresource
    return entry


def with_owners(obj: Object, owners: Owners | list[Object]) -> Object:
    """Return the object with these managedFields, or without any."""
    entries = encode(owners) if isinstance(owners, dict) else owners
    meta = obj["metadata"]
    if not entries:
        if "managedFields" not in meta:
            return obj
        return {**obj, "metadata": {key: value for key, value in meta.items() if key != "managedFields"}}
    return {**obj, "metadata": {**meta, "managedFields": entries}}


class Ledger:
    """The bookkeeping of one (sub)resource in one API version."""

    def __init__(
        self,
        version: str,
        types: Callable[[str], Type | None],
        subresource: str = "",
        reset: Fields = EMPTY,
        empty: Mapping[str, Any] = EMPTY,
        doubtful: bool = False,
    ) -> None:
        """`types` gives the type of each API version (None: no longer served); `reset` is what a write to this
        (sub)resource never changes; `empty` is the object that a create is compared with; `doubtful`: stored objects
        may not fit the type, and then their owners stay as they are."""
        self.version = version
        self._types = types
        self._subresource = subresource
        self._reset = reset
        self._empty = empty
        self._doubtful = doubtful

    def updated(self, live: Object | None, new: Object, name: str, now: str) -> Object:
        """Return the new object of a create, update or patch with its managedFields."""
        before = live["metadata"].get("managedFields") if live else None
        if self._empty.get("kind", new["kind"]) != new["kind"]:
            return with_owners(new, before or [])
        try:
            if self._doubtful:
                self._check(self.version, live or {}, new)
            owners = self._owners_for_update(before, new)
            if live and not owners:
                return with_owners(new, [])
            return with_owners(new, _capped(self._record(live or self._empty, new, owners, name, self._stamp(now))))
        except MismatchError:
            return with_owners(new, before or [])

    def _stamp(self, now: str) -> str | None:
        """Return the time that a write notes."""
        return now

    def _owners_for_update(self, before: Any, new: Object) -> Owners:
        """Return the owners that the request sent, else those of the live object (a subresource cannot send any)."""
        sent = new["metadata"].get("managedFields")
        if not self._subresource:
            if sent == [] or sent == [{}]:
                return {}
            if sent and (found := _decoded(sent)):
                return found
        return _decoded(before) or {}

    def _record(self, live: Mapping[str, Any], new: Object, owners: Owners, name: str, now: str | None) -> Owners:
        found = self._compare(self.version, live, new)
        owners = self._released(owners, live, new, found, None)
        taken = fieldset.union(found.modified or EMPTY, found.added or EMPTY)
        mine = fieldset.difference(fieldset.without(taken, self._reset), _SYSTEM)
        if mine:
            manager = _manager(name, "Update", self.version, self._subresource)
            before = owners.get(manager)
            owners[manager] = Owned(fieldset.union(mine, before.fields) if before else mine, self.version, now)
        return owners

    def applied(self, live: Object | None, config: Object, name: str, force: bool, now: str) -> Object:
        """Return the live object with the configuration merged in, and managedFields to match.

        The very live object is returned where the apply changes nothing. Raises MismatchError where the configuration
        does not fit the type, ConflictsError without `force`.
        """
        if self._doubtful and live:
            self._check(self.version, live)
        before, stamp = decode(live["metadata"].get("managedFields")) if live else {}, self._stamp(now)
        if live and not before:
            before = self._record(self._empty, live, {}, _BEFORE_APPLY, stamp)
        try:
            new, owners = self._apply(live, config, before, name, force, stamp)
        except ConflictsError as error:
            if live is None or not self._replaces_client_side(live, name, error):
                raise
            new, owners = self._apply(live, config, before, name, True, stamp)
        if new is live and owners is before:
            return new
        if name == "kubectl" and annotations_of(new).get(LAST_APPLIED):
            new = _with_last_applied(new, config)
        return with_owners(new, owners)

    def _apply(
        self, live: Object | None, config: Object, owners: Owners, name: str, force: bool, now: str | None
    ) -> tuple[Object, Owners]:
        this, manager = self.type_of(self.version), _manager(name, "Apply", self.version, self._subresource)
        named = fieldset.without(this.fields(config) or EMPTY, self._reset)
        mine, last = fieldset.difference(named, _SYSTEM), owners.get(manager)
        new: Object = this.merge(live, config) if live else config
        if last and mine == last.fields and last.version == self.version and new is live:
            return new, owners
        owners = {**owners, manager: Owned(named, self.version, last.time if last else None)}
        if last and (gone := self._abandoned(last, owners)):
            new = this.remove(new, gone) or {}
        if live and new is not live and len(owners) > 1:
            owners = self._released(owners, live, new, self._compare(self.version, live, new), manager, force)
        if mine:
            owners[manager] = Owned(mine, self.version, owners[manager].time if new is live else now)
        else:
            del owners[manager]
        return new, owners

    def _abandoned(self, last: Owned, owners: Owners) -> Fields:
        """Return what the last configuration named and nobody owns any more."""
        this = self._types(last.version)
        if this is None:
            return EMPTY
        kept: Fields = EMPTY
        for owned in owners.values():
            kept = fieldset.union(kept, this.named(owned.fields))
        return fieldset.difference(this.named(last.fields), kept)

    def _released(
        self,
        owners: Owners,
        live: Mapping[str, Any],
        new: Object,
        found: Difference,
        applier: Manager | None,
        force: bool = True,
    ) -> Owners:
        """Return the owners without what the write takes from them. Raises ConflictsError without `force`."""
        differences = {self.version: found}
        out: Owners = {}
        conflicts: list[Conflict] = []
        for manager, owned in owners.items():
            if self._types(owned.version) is None:
                continue
            if manager == applier:
                out[manager] = owned
                continue
            if owned.version not in differences:
                differences[owned.version] = self._converted(owned.version, live, new)
            change = differences[owned.version]
            touched = fieldset.union(change.modified or EMPTY, change.added or EMPTY)
            lost = fieldset.intersection(owned.fields, touched)
            conflicts += [Conflict(manager, owned.version, path) for path in fieldset.paths(lost)]
            left = fieldset.difference(fieldset.difference(owned.fields, lost), change.removed or EMPTY)
            if left:
                out[manager] = owned._replace(fields=left)
        if conflicts and not force:
            raise ConflictsError(sorted(conflicts))
        return out

    def _converted(self, version: str, live: Mapping[str, Any], new: Object) -> Difference:
        """Return the difference in another version. Raises MismatchError where an object has more than that knows."""
        self._check(version, live, new)
        return self._compare(version, live, new)

    def _check(self, version: str, *objects: Mapping[str, Any]) -> None:
        """Raise MismatchError where an object does not fit the type."""
        for obj in objects:
            if obj and obj is not self._empty:
                self.type_of(version).fields(with_owners(dict(obj), []))

    def _compare(self, version: str, live: Mapping[str, Any], new: Object) -> Difference:
        this = self._types(version)
        found = this.compare(live, new) if this else None
        if found is None or not self._reset:
            return found or _NO_CHANGE
        return Difference(*(part and (fieldset.without(part, self._reset) or None) for part in found))

    def _replaces_client_side(self, live: Object, name: str, error: ConflictsError) -> bool:
        """Tell whether `kubectl apply --server-side` meets only what `kubectl apply` itself set before.

        Raises ConflictsError with the rest of the conflicts.
        """
        import json

        if name != "kubectl" or not (text := annotations_of(live).get(LAST_APPLIED)):
            return False
        this, last = self.type_of(self.version), json.loads(text)
        if last.get("apiVersion") != self.version:
            return False
        changed = this.compare(last, live) or _NO_CHANGE
        own = fieldset.difference(this.fields(last) or EMPTY, changed.modified or EMPTY)
        allowed = set(fieldset.paths(fieldset.difference(own, changed.removed or EMPTY)))
        if rest := [conflict for conflict in error.conflicts if conflict.field not in allowed]:
            raise ConflictsError(rest)
        return True

    def type_of(self, version: str) -> Type:
        """Return the type of an API version. Raises LookupError where it is no longer served."""
        this = self._types(version)
        if this is None:
            raise LookupError(version)
        return this


def _decoded(entries: Any) -> Owners | None:
    try:
        return decode(entries)
    except (ValueError, AttributeError):
        return None


def _capped(owners: Owners) -> Owners:
    """Return the owners with the oldest updaters past ten put together, one bucket for each version."""
    updaters = [row for row in owners.items() if row[0].operation == "Update"]
    surplus = len(updaters) - _MANY_UPDATERS
    if surplus <= 0:
        return owners
    out, first = dict(owners), dict[str, Manager]()
    for manager, owned in sorted(updaters, key=lambda row: (row[1].time or "", row[0])):
        if surplus <= 0:
            break
        if owned.version not in first:
            first[owned.version] = manager
            continue
        bucket = _manager(_ANCIENT, "Update", owned.version, "")
        if bucket not in out:
            out[bucket] = out.pop(first[owned.version])
        del out[manager]
        out[bucket] = Owned(fieldset.union(owned.fields, out[bucket].fields), owned.version, owned.time)
        surplus -= 1
    return out


def _with_last_applied(new: Object, config: Object) -> Object:
    import json

    meta = dict(config["metadata"])
    if "annotations" in meta:
        meta["annotations"] = {key: value for key, value in annotations_of(config).items() if key != LAST_APPLIED}
    text = json.dumps({**config, "metadata": meta}, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"
    return {**new, "metadata": {**new["metadata"], "annotations": {**annotations_of(new), LAST_APPLIED: text}}}


def conflict_status(conflicts: Iterable[Conflict]) -> tuple[str, list[Object]]:
    """Return message and causes of the answer to an apply that met other owners."""
    rows = list(conflicts)
    reason = "FieldManagerConflict"
    causes = [{"reason": reason, "message": f"conflict with {_shown(row)}", "field": row.field} for row in rows]
    if len(rows) == 1:
        return f"Apply failed with 1 conflict: conflict with {_shown(rows[0])}: {rows[0].field}", causes
    grouped: dict[str, list[str]] = {}
    for row in rows:
        grouped.setdefault(_shown(row), []).append(f"- {row.field}")
    lines = [line for shown, fields in grouped.items() for line in (f"conflicts with {shown}:", *fields)]
    return f"Apply failed with {len(rows)} conflicts: " + "\n".join(lines), causes


def _shown(conflict: Conflict) -> str:
    manager = conflict.manager
    text = f'"{manager.name}"' + (f' with subresource "{manager.subresource}"' if manager.subresource else "")
    return f"{text} using {conflict.version}" if manager.operation == "Update" else text
