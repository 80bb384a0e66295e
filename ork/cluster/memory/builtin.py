"""Kubernetes' own kinds: what the API server does to them on a write, as data where it is data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from ork.base.objects import Kind, Object, finalizers_of
from ork.cluster.memory import builtin_rules, builtin_status, builtin_writes, metadata
from ork.cluster.memory.codec import Read, compile_reader
from ork.cluster.memory.fieldset import EMPTY, Fields
from ork.cluster.memory.ownership import Ledger
from ork.cluster.memory.resource import Decoded, Resource
from ork.cluster.memory.scaling import ScaleLedger
from ork.cluster.memory.schemas import compile_type
from ork.cluster.memory.typed import Type
from ork.openapi import kubernetes
from ork.openapi.causes import Cause


class BuiltIn(Resource):
    """One version of one of Kubernetes' own resources."""

    def __init__(self, kind: Kind, allocate: Callable[[str], int]) -> None:
        """`allocate` gives the next number of a sort: service addresses, node ports."""
        found = kubernetes.resource(kind)
        assert found is not None
        self.kind = kind
        self.singular = found.singular
        self.short_names, self.categories = found.short_names, found.categories
        self.served = found
        self.subresources = tuple(found.subresources)
        self.traits = builtin_rules.traits(self.table)
        self.deprecation = builtin_rules.DEPRECATIONS.get(self.table, "")
        self._allocate = allocate

    @cached_property
    def schema(self) -> Object:
        """The OpenAPI schema, references resolved."""
        return _schema(self.kind)

    @property
    def empty(self) -> Object:
        """An object of which nothing is set, as it is written nevertheless."""
        blank, more = _empty(self.kind), builtin_rules.BLANK_SPECS.get(self.table)
        return {**blank, "spec": {**blank["spec"], **more}} if more else blank

    @property
    def _type(self) -> Type:
        return _type(self.kind)

    def ledger(self, subresource: str = "") -> Ledger:
        """Return the bookkeeping of field owners."""
        return _ledger(self.kind, subresource)

    def decode(self, body: Object) -> Decoded:
        """Return the object with defaults, without unknown fields, nulls and what a zero leaves out."""
        unknown: list[str] = []
        obj: Object = kubernetes.as_read(self.kind, _reader(self.kind)(body, unknown))
        rule = builtin_writes.ON_READ.get(self.table)
        return Decoded(rule(obj) if rule else obj, sorted(unknown))

    def settled(self, merged: Object) -> Object:
        """Return the object with defaults and without nulls."""
        return self.decode(merged).obj

    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the object with what the path does not write as it was, and its generation."""
        new = self.stored(new)
        if old is None:
            return self._prepared_new(new)
        if subresource not in ("", "scale"):
            return builtin_rules.of_subresource(self.table, subresource, new, old)
        if "status" in old and self.has_status:
            new = {**new, "status": old["status"]}
        for rule in builtin_writes.ON_UPDATE.get(self.table, ()):
            new = rule(new, old, self._allocate)
        moved = builtin_rules.GENERATIONS.get(self.table)
        if moved and moved(new, old):
            new = metadata.amended(new, generation=old["metadata"].get("generation", 0) + 1)
        return new

    def _prepared_new(self, new: Object) -> Object:
        if self.has_status and self.table not in builtin_rules.KEEP_STATUS:
            new = {key: value for key, value in new.items() if key != "status"}
            if (blank := _empty(self.kind).get("status")) is not None:
                new["status"] = blank
        for rule in builtin_writes.ON_CREATE.get(self.table, ()):
            new = rule(new, None, self._allocate)
        return metadata.amended(new, generation=1) if self.table in builtin_rules.GENERATIONS else new

    def faults(self, new: Object, old: Object | None, subresource: str) -> list[Cause]:
        """Return why the object may not be stored."""
        found = self.metadata_faults(new, old)
        found += metadata.finalizer_faults(finalizers_of(new), "metadata.finalizers")
        if subresource == "finalize":
            return found + metadata.finalizer_faults(new["spec"].get("finalizers") or [], "spec.finalizers")
        if subresource == "status":
            return found + builtin_status.check(self.table, new)
        found += kubernetes.validate_builtin(self.kind, new, old)
        return found or kubernetes.unallocatable(self.kind, new)

    def warnings(self, new: Object, old: Object | None) -> list[str]:
        """Return what the client should know about an object that is stored nevertheless."""
        return kubernetes.warnings(self.kind, new, old)

    def stored(self, obj: Object) -> Object:
        """Return the object without the empty lists and maps that a request may have."""
        return kubernetes.as_stored(self.kind, obj)

    def marked(self, obj: Object, now: str) -> Object:  # noqa: ARG002
        """Return the object as its deletion leaves it: a namespace says that it is going."""
        rule = builtin_writes.ON_DELETE.get(self.table)
        return rule(obj) if rule else obj

    def held(self, obj: Object) -> bool:
        """Tell whether a namespace has finalizers of its own."""
        return self.table == "namespaces" and bool((obj.get("spec") or {}).get("finalizers"))

    def selectable(self) -> Mapping[str, Callable[[Object], str]]:
        """Return the fields that a field selector may name."""
        fields = {**super().selectable(), **builtin_rules.SELECTABLE.get(self.table, {})}
        return fields if self.table in builtin_rules.WITHOUT_NAMESPACE else {**builtin_rules.BY_NAMESPACE, **fields}


@cache
def _schema(kind: Kind) -> Object:
    found = kubernetes.schema_of(kind)
    assert found is not None
    return found


@cache
def _type(kind: Kind) -> Type:
    return compile_type(_schema(kind))


@cache
def _reader(kind: Kind) -> Read:
    return compile_reader(_schema(kind))


@cache
def _empty(kind: Kind) -> Object:
    return {**_blank(_schema(kind)), "apiVersion": kind.api_version, "kind": kind.kind}


def _blank(schema: Mapping[str, Any]) -> Object:
    """Return the zero value of a struct as Go writes it: the fields that stand there although nobody set them."""
    out: Object = {}
    for name, zero in (schema.get("x-stay") or {}).items():
        out[name] = _blank(schema["properties"][name]) if zero == {} else zero
    return out


@cache
def _ledger(kind: Kind, subresource: str) -> Ledger:
    table = kind.resource
    reset: Fields = builtin_rules.RESETS.get((table, subresource), _RESETS.get(subresource, EMPTY))

    def types(version: str) -> Type | None:
        return _type(kind) if version == kind.api_version else None

    if subresource == "scale":
        return ScaleLedger(kind.api_version, types, ("spec", "replicas"))
    return Ledger(kind.api_version, types, subresource, reset, _empty(kind))


_RESETS: Mapping[str, Fields] = {"": {"f:status": {}}, "status": {"f:spec": {}}}
