"""Kubernetes' own kinds, as a real API server serves them: names, schemas, defaults and rules.

The data are the files of `schemas/kubernetes`, one for each package of Kubernetes' types; each is read when the first
schema that needs it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ork.base.objects import Kind, Object, split_api_version
from ork.base.records import NamedTuple
from ork.openapi.causes import Cause
from ork.openapi.schema import list_keys

__all__ = [
    "Resource",
    "Subresource",
    "as_read",
    "as_stored",
    "defaults",
    "kinds",
    "list_keys",
    "resource",
    "schema_of",
    "validate_builtin",
]

VERSION = "1.37"
"""The version of Kubernetes whose kinds these are."""

TYPE = "x-type"
"""The key under which a struct's schema holds its name: `core.v1.Container`."""

_ALL_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


class Subresource(NamedTuple):
    """A path below an object."""

    api_version: str
    """Of what is sent and answered; empty where it is that of the object."""
    kind: str
    verbs: tuple[str, ...]


class Resource(NamedTuple):
    """How a kind is served."""

    kind: Kind
    singular: str
    short_names: tuple[str, ...]
    categories: tuple[str, ...]
    verbs: tuple[str, ...]
    subresources: Mapping[str, Subresource]
    """`status`, `scale`, …"""
    type: str
    """The name of its struct, `apps.v1.Deployment`."""


@cache
def kinds() -> Mapping[tuple[str, str, str], Kind]:
    """Return every kind by group, version and kind; the core group is the empty string."""
    return {(kind.group, kind.version, kind.kind): kind for kind in _resources()}


def resource(kind: Kind) -> Resource | None:
    """Return how one of Kubernetes' own kinds is served, or None where it is not one of them."""
    return _resources().get(kind)


def schema_of(kind: Kind) -> Object | None:
    """Return a kind's schema, or None where it is not one of Kubernetes' own.

    It is one value with many references to the same parts, and in a CustomResourceDefinition it contains itself.
    Besides what OpenAPI has, a text of format `quantity`, `micro-time` or `int-or-string` says so, `default` is what
    the server always fills in, and every struct tells its name (`x-type`), which of its fields are left out when they
    are zero (`x-vanish`) and which are written although nobody set them (`x-stay`).
    """
    found = _resources().get(kind)
    return _struct(found.type) if found else None


def defaults(kind: Kind, obj: Object) -> Object:
    """Return an object as the API server reads it: defaults filled in, quantities in one form, zeros left out.

    The object's types must be right. The same object is returned where nothing changes; nothing is filled in that only
    a creation brings (a Service's address, a Job's selector).
    """
    return as_stored(kind, as_read(kind, obj))


def as_read(kind: Kind, obj: Object) -> Object:
    """Return what `defaults` does, with the empty lists and maps that storing makes null still there."""
    from ork.openapi.builtin.reading import reader

    found = _resources().get(kind)
    return obj if found is None else reader(_struct(found.type))(obj)


def as_stored(kind: Kind, obj: Object) -> Object:
    """Return an object that was read in the form in which it is stored."""
    from ork.openapi.builtin.reading import storer

    found = _resources().get(kind)
    return obj if found is None else storer(_struct(found.type))(obj)


def validate_builtin(kind: Kind, obj: Object, old: Object | None = None, subresource: str = "") -> list[Cause]:
    """Return why the API server refuses an object of one of its own kinds, or a write to its subresource.

    `old` is the stored object on an update. Defaults must be filled in. What holds for the metadata of every kind is
    not looked at.
    """
    from ork.openapi.builtin.rules import check

    found = _resources().get(kind)
    return [] if found is None else check(_struct(found.type), obj, old, subresource)


def unallocatable(kind: Kind, obj: Object) -> list[Cause]:
    """Return what an object asks for that a cluster's allocators do not have; they are asked once nothing else is
    wrong."""
    if (kind.group, kind.kind) != ("", "Service"):
        return []
    from ork.openapi.builtin import networking

    return list(networking.unallocatable(obj))


def warnings(kind: Kind, obj: Object, old: Object | None = None) -> list[str]:
    """Return what the API server warns of in an object that it stores nevertheless; `old` is what was stored before."""
    from ork.openapi.builtin.warnings import warnings as of_struct

    found = _resources().get(kind)
    return [] if found is None else of_struct(found.type, obj, old)


@cache
def _resources() -> Mapping[Kind, Resource]:
    found: dict[Kind, Resource] = {}
    for key, entry in _read("kinds").items():
        api_version, _, name = key.rpartition("/")
        kind = Kind(*split_api_version(api_version), name, entry["plural"], entry["namespaced"])
        found[kind] = Resource(
            kind,
            entry["singular"],
            tuple(entry.get("shortNames", ())),
            tuple(entry.get("categories", ())),
            tuple(entry.get("verbs", _ALL_VERBS)),
            {
                name: Subresource(sub["apiVersion"], sub["kind"], tuple(sub["verbs"]))
                for name, sub in entry.get("subresources", {}).items()
            },
            entry["type"],
        )
    return found


def _read(name: str) -> dict[str, Any]:
    import json

    from ork.base import shipped

    found: dict[str, Any] = json.loads((shipped.folder("schemas") / "kubernetes" / f"{name}.json").read_bytes())
    return found


@cache
def _package(name: str) -> dict[str, Any]:
    return _read(name)


_structs: dict[str, Object] = {}


def _struct(name: str) -> Object:
    """Return a struct with its references resolved. It may contain itself, so it is known before it is complete."""
    if name not in _structs:
        package, _, short = name.rpartition(".")
        raw = _package(package)[short]
        properties: Object = {}
        _structs[name] = {**raw, "properties": properties, TYPE: name}
        properties |= {key: _resolved(sub) for key, sub in raw["properties"].items()}
    return _structs[name]


def _resolved(schema: Object) -> Object:
    if "$ref" in schema:
        struct = _struct(schema["$ref"])
        return struct if len(schema) == 1 else {**struct, **{key: schema[key] for key in schema if key != "$ref"}}
    inner: Object = {key: _resolved(schema[key]) for key in ("items", "additionalProperties") if key in schema}
    return {**schema, **inner} if inner else schema
