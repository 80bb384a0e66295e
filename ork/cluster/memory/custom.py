"""Resources that a CustomResourceDefinition defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from ork.base.objects import Kind, Object
from ork.cluster.memory import metadata
from ork.cluster.memory.codec import DecodeError, Read, compile_reader
from ork.cluster.memory.fieldset import EMPTY
from ork.cluster.memory.ownership import Ledger
from ork.cluster.memory.resource import Decoded, Resource, Traits
from ork.cluster.memory.scaling import ScaleLedger
from ork.cluster.memory.schemas import compile_type
from ork.cluster.memory.selectors import field
from ork.cluster.memory.typed import MismatchError, Type, same
from ork.openapi import causes, objectmeta, schema, structural
from ork.openapi.builtin.texts import seconds
from ork.openapi.causes import Cause

_OPEN: Object = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_read: Read = compile_reader(objectmeta.SCHEMA)
_KEPT_EMPTY = "deletionGracePeriodSeconds"


def _read_metadata(meta: Object, unknown: list[str]) -> Object:
    """Return metadata without unknown fields, nulls and what is empty."""
    inside: list[str] = []
    try:
        found: Object = _read(meta, inside)
    except DecodeError as error:
        raise error.below("metadata") from None
    unknown += [f"metadata.{path}" for path in inside]
    for key in ("creationTimestamp", "deletionTimestamp"):
        if found.get(key):
            seconds(found[key])
    if all(found.values()):
        return found
    return {key: value for key, value in found.items() if value or key == _KEPT_EMPTY}


class Custom(Resource):
    """One served version of a custom resource."""

    custom = True
    traits = Traits(unconditional_update=False)

    def __init__(self, crd: Object, version: Object, since: int, siblings: Mapping[str, Custom]) -> None:
        """`since` is the store's version when this schema came: what was stored before is read anew under it."""
        spec = crd["spec"]
        accepted = (crd.get("status") or {}).get("acceptedNames") or spec["names"]
        self.kind = Kind(
            spec["group"], version["name"], accepted["kind"], accepted["plural"], spec["scope"] == "Namespaced"
        )
        self.singular = accepted.get("singular") or accepted["kind"].lower()
        self.short_names = tuple(accepted.get("shortNames") or ())
        self.categories = tuple(accepted.get("categories") or ())
        self.definition = version
        """The entry of `spec.versions`."""
        self._list_kind: str = accepted.get("listKind") or f"{accepted['kind']}List"
        offered = version.get("subresources") or {}
        self.subresources = tuple(name for name in ("status", "scale") if offered.get(name) is not None)
        if version.get("deprecated"):
            text = f"{self.kind.api_version} {self.kind.kind} is deprecated"
            self.deprecation = version.get("deprecationWarning") or text
        self.schema: Object = (version.get("schema") or {}).get("openAPIV3Schema") or _OPEN
        self._since = since
        self._siblings = siblings
        self._views: dict[tuple[str, str], tuple[Object, Object]] = {}
        self.is_storage = bool(version.get("storage"))
        self.is_served = bool(version.get("served"))

    @property
    def list_kind(self) -> str:
        """As the definition names it."""
        return self._list_kind

    @cached_property
    def _structure(self) -> structural.Structural:
        return structural.compile(self.schema)

    @cached_property
    def _status_structure(self) -> structural.Structural:
        return structural.compile_part((self.schema.get("properties") or {}).get("status") or {})

    @cached_property
    def type(self) -> Type:
        """The type that server-side apply sees."""
        return compile_type(schema.complete(self.schema))

    def _type_of(self, version: str) -> Type | None:
        sibling = self._siblings.get(version)
        if sibling is None:
            raise MismatchError(f"request to convert CR to an invalid group/version: {version}")
        return sibling.type

    @cached_property
    def _ledgers(self) -> dict[str, Ledger]:
        version = self.kind.api_version
        empty = {"apiVersion": version, "kind": self.kind.kind, "metadata": {}}
        main = {"f:status": {}} if self.has_status else EMPTY
        resets = {"": main, "status": {"f:metadata": {}, "f:spec": {}}, "scale": EMPTY}
        doubtful = bool(self._since)
        made = {name: Ledger(version, self._type_of, name, reset, empty, doubtful) for name, reset in resets.items()}
        if "scale" in self.subresources:
            path = self.definition["subresources"]["scale"]["specReplicasPath"]
            made["scale"] = ScaleLedger(version, self._type_of, tuple(path.strip(".").split(".")))
        return made

    def ledger(self, subresource: str = "") -> Ledger:
        """Return the bookkeeping of field owners."""
        return self._ledgers[subresource]

    def decode(self, body: Object) -> Decoded:
        """Return the object with defaults, without unknown fields; metadata must be well-formed."""
        unknown: list[str] = []
        meta = _read_metadata({} if body.get("metadata") is None else body["metadata"], unknown)
        obj = body if meta is body.get("metadata") else {**body, "metadata": meta}
        filled = self._structure.default(obj)
        if malformed := self._structure.malformed(filled):
            raise ValueError(str(malformed[0]))
        pruned: Object = self._structure.prune(filled)
        if pruned is not filled:
            unknown += self._structure.unknown(filled)
        return Decoded(pruned, sorted(unknown))

    def settled(self, merged: Object) -> Object:
        """Return the object with defaults, without unknown fields and without nulls in its metadata."""
        return self.decode(merged).obj

    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the object with what the path does not write as it was, and its generation."""
        if old is None:
            kept = {key: value for key, value in new.items() if key != "status"} if self.has_status else new
            return metadata.amended(kept, generation=1)
        if subresource == "status":
            return self._status_only(new, old)
        if self.has_status:
            new = _with_status_of(new, old)
        changed = any(not _same_at(key, new, old) for key in {**new, **old} if key != "metadata")
        generation = old["metadata"].get("generation", 0) + changed
        return metadata.amended(new, generation=generation or None)

    def _status_only(self, new: Object, old: Object) -> Object:
        out = metadata.amended(
            old,
            managedFields=new["metadata"].get("managedFields"),
            resourceVersion=new["metadata"].get("resourceVersion"),
        )
        out.pop("status", None)
        return out if new.get("status") is None else {**out, "status": new["status"]}

    def faults(self, new: Object, old: Object | None, subresource: str) -> list[Cause]:
        """Return why the object may not be stored; what was wrong before and did not change is let through."""
        found = self.metadata_faults(new, old)
        if old is None:
            return [*found, *self._structure.validate(new), *self._scale_faults(new, "spec", "status")]
        found += [*metadata.check_update(new, old), *2 * [*metadata.marks(new)]]
        if subresource == "status":
            status = new.get("status")
            if status is not None:
                found += self._status_structure.validate(status, old.get("status"), "status")
            return found + self._scale_faults(new, "status")
        return [*found, *self._structure.validate(new, old), *self._scale_faults(new, "spec", "status")]

    def _scale_faults(self, obj: Object, *parts: str) -> list[Cause]:
        """Return what is wrong with what the scale subresource shows: replicas in these parts, and the selector."""
        if "scale" not in self.subresources:
            return []
        scale, out = self.definition["subresources"]["scale"], []
        for part, key, wanted in _SCALE_PATHS:
            if part in parts and key in scale:
                out += _scale_fault(obj, scale[key], wanted)
        return out

    def selectable(self) -> Mapping[str, Callable[[Object], str]]:
        """Return name, namespace and what the definition lists under `selectableFields`."""
        listed = (row["jsonPath"] for row in self.definition.get("selectableFields") or ())
        return {**super().selectable(), **{path.lstrip("."): field(path.strip(".")) for path in listed}}

    def warnings(self, new: Object, old: Object | None) -> list[str]:
        """Return complaints about new finalizers."""
        return metadata.finalizer_warnings(new, old)

    def stored(self, obj: Object) -> Object:
        """Return the object in the storage version, with its defaults and without what it does not know."""
        storage = next(sibling for sibling in self._siblings.values() if sibling.is_storage)
        if storage is self:
            return obj
        filled: Object = storage._structure.default(storage._converted(obj))
        return filled

    def shown(self, stored: Object) -> Object:
        """Return a stored object in this version: with the defaults of the one that it is stored in, and pruned."""
        meta = stored["metadata"]
        if self._is_as_stored(stored):
            return stored
        place = (meta.get("namespace", ""), meta["name"])
        known = self._views.get(place)
        if known is None or known[0] is not stored:
            written_in = self._siblings.get(stored["apiVersion"])
            filled = written_in._structure.default(stored) if written_in else stored
            known = self._views[place] = (stored, self._converted(filled))
        return known[1]

    def _is_as_stored(self, obj: Object) -> bool:
        if obj["apiVersion"] != self.kind.api_version or ("status" not in obj and self._status_appears):
            return False
        return not self._since or int(obj["metadata"]["resourceVersion"]) > self._since

    @cached_property
    def _status_appears(self) -> bool:
        """Tell whether a status that nobody wrote is there nevertheless, by its default."""
        status = (self.schema.get("properties") or {}).get("status") or {}
        return status.get("default") is not None

    def _converted(self, obj: Object) -> Object:
        converted: Object = self._structure.prune({**obj, "apiVersion": self.kind.api_version})
        return converted


_MOST = 2**31 - 1
_SCALE_PATHS: tuple[tuple[str, str, type], ...] = (
    ("spec", "specReplicasPath", int),
    ("status", "statusReplicasPath", int),
    ("status", "labelSelectorPath", str),
)


def _scale_fault(obj: Object, path: str, wanted: type) -> list[Cause]:
    value, problem = _found(obj, tuple(path.strip(".").split(".")), wanted)
    if problem:
        return [causes.invalid(path, "", problem)]
    if wanted is str or value is None or 0 <= value <= _MOST:
        return []
    text = "should be a non-negative integer" if value < 0 else f"should be less than or equal to {_MOST}"
    return [causes.invalid(path, value, text)]


def _found(obj: Any, path: tuple[str, ...], wanted: type) -> tuple[Any, str]:
    """Return the value at a path (None where there is none), or what stands in the way."""
    for step in path:
        if obj is None:
            return None, ""
        if not isinstance(obj, dict):
            return None, f"{obj} is of the type {type(obj).__name__}, expected map[string]interface{{}}"
        if step not in obj:
            return None, ""
        obj = obj[step]
    return (obj, "") if obj.__class__ is wanted else (None, f"{obj} is of the type {type(obj).__name__}")


def _same_at(key: str, new: Object, old: Object) -> bool:
    return key in new and key in old and same(new[key], old[key])


def _with_status_of(new: Object, old: Object) -> Object:
    if "status" in old:
        return new if new.get("status") is old["status"] else {**new, "status": old["status"]}
    return {key: value for key, value in new.items() if key != "status"} if "status" in new else new


def versions_of(crd: Object, since: int) -> dict[str, Custom]:
    """Return the versions that a definition serves or stores, by apiVersion."""
    out: dict[str, Custom] = {}
    for version in crd["spec"]["versions"]:
        if version.get("served") or version.get("storage"):
            made = Custom(crd, version, since, out)
            out[made.kind.api_version] = made
    return out
