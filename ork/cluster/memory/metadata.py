"""The rules of `metadata` that hold for every kind of object (`ValidateObjectMeta` and its fellows)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ork.base.objects import Object, annotations_of, finalizers_of, labels_of
from ork.cluster.memory.names import prefix
from ork.openapi import causes, names
from ork.openapi.causes import Cause

ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"
_ANNOTATIONS_LIMIT = 256 * 1024
_IMMUTABLE = "field is immutable"


def amended(obj: Object, **fields: Any) -> Object:
    """Return the object with these fields of its metadata set; None takes one away."""
    meta = {**obj["metadata"], **fields}
    return {**obj, "metadata": {key: value for key, value in meta.items() if value is not None}}


def check(obj: Object, namespaced: bool, rule: names.NameRule) -> list[Cause]:
    """Return what is wrong with the metadata of an object by itself."""
    meta = obj["metadata"]
    return [*dict.fromkeys((*_names(meta, namespaced, rule), *_content(obj)))]


def _names(meta: Mapping[str, Any], namespaced: bool, rule: names.NameRule) -> Iterator[Cause]:
    if generate := meta.get("generateName"):
        for text in prefix(rule)(generate):
            yield causes.invalid("metadata.generateName", generate, text)
    if not (name := meta.get("name")):
        yield causes.required("metadata.name", "name or generateName is required")
    else:
        for text in rule(name):
            yield causes.invalid("metadata.name", name, text)
    if not namespaced and meta.get("namespace"):
        yield causes.forbidden("metadata.namespace", "not allowed on this type")


def _content(obj: Object) -> Iterator[Cause]:
    yield from marks(obj)
    found = finalizers_of(obj)
    for name in found:
        yield from (causes.invalid("metadata.finalizers", name, text) for text in names.qualified(name))
    if ORPHAN in found and FOREGROUND in found:
        text = f"finalizer {ORPHAN} and {FOREGROUND} cannot be both set"
        yield causes.invalid("metadata.finalizers", found, text)


def marks(obj: Object) -> Iterator[Cause]:
    """Yield what is wrong with labels, annotations and owners."""
    for key, value in labels_of(obj).items():
        yield from (causes.invalid("metadata.labels", key, text) for text in names.qualified(key))
        yield from (causes.invalid("metadata.labels", value, text) for text in names.label_value(value))
    notes = annotations_of(obj)
    for key in notes:
        yield from (causes.invalid("metadata.annotations", key, text) for text in names.annotation_key(key))
    if notes and sum(len(key.encode()) + len(value.encode()) for key, value in notes.items()) > _ANNOTATIONS_LIMIT:
        yield causes.too_long("metadata.annotations", _ANNOTATIONS_LIMIT)
    yield from _owners(obj["metadata"].get("ownerReferences") or [])


def _owners(references: list[Object]) -> Iterator[Cause]:
    controller = ""
    for number, reference in enumerate(references):
        at = f"metadata.ownerReferences[{number}]"
        for field in ("apiVersion", "kind", "name", "uid"):
            if not reference.get(field):
                yield causes.required(f"{at}.{field}", "must not be empty")
        version = reference.get("apiVersion") or "v1"
        if version.count("/") > 1 or version.endswith("/"):
            yield causes.invalid(f"{at}.apiVersion", version, "must be <group>/<version> or <version>")
        if (reference.get("apiVersion"), reference.get("kind")) == ("v1", "Event"):
            yield causes.invalid(at, reference, "/v1, Kind=Event is disallowed from being an owner")
        if reference.get("controller"):
            name = f"{reference.get('kind')}/{reference.get('name')}"
            if controller:
                text = 'Only one reference can have Controller set to true. Found "true" in references for '
                yield causes.invalid("metadata.ownerReferences", references, f"{text}{controller} and {name}")
            controller = controller or name


def check_update(new: Object, old: Object) -> list[Cause]:
    """Return what is wrong with a change of metadata."""
    out = []
    before, after = old["metadata"], new["metadata"]
    extra = sorted(set(finalizers_of(new)) - set(finalizers_of(old)))
    if before.get("deletionTimestamp") and extra:
        listed = ", ".join(causes.quoted(name) for name in extra)
        text = "no new finalizers can be added if the object is being deleted, found new finalizers"
        out.append(causes.forbidden("metadata.finalizers", f"{text} []string{{{listed}}}"))
    for field in ("name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if after.get(field) != before.get(field):
            out.append(causes.invalid(f"metadata.{field}", after.get(field), _IMMUTABLE))
    return out


_STANDARD_FINALIZERS = {ORPHAN, FOREGROUND, "kubernetes"}


def finalizer_faults(finalizers: list[str], path: str) -> list[Cause]:
    """Return what is wrong with the finalizers of an object of Kubernetes' own kinds: each needs a domain."""
    text = "name is neither a standard finalizer name nor is it fully qualified"
    rows = [(n, name) for n, name in enumerate(finalizers) if "/" not in name and name not in _STANDARD_FINALIZERS]
    return [causes.invalid(f"{path}[{number}]", name, text) for number, name in rows]


def finalizer_warnings(new: Object, old: Object | None) -> list[str]:
    """Return the warnings about new finalizers of a custom resource that have no domain in their names."""
    out = []
    for name in sorted(set(finalizers_of(new)) - set(finalizers_of(old) if old else ())):
        at = f"metadata.finalizers: {causes.quoted(name)}"
        out += [f"{at}: {text}" for text in names.qualified(name)]
        if "/" not in name and name not in _STANDARD_FINALIZERS:
            path = " including a path (/)" if "." in name else ""
            text = "prefer a domain-qualified finalizer name"
            out.append(f"{at}: {text}{path} to avoid accidental conflicts with other finalizer writers")
    return out
