"""CustomResourceDefinitions: how they are accepted, established, and taken away with their objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ork.base.objects import Object, deleting, finalizers_of
from ork.base.records import NamedTuple
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.metadata import amended, check_update
from ork.cluster.memory.resource import Decoded
from ork.openapi import formats
from ork.openapi.causes import Cause
from ork.openapi.problems import subschemas

DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
CLEANUP = "customresourcecleanup.apiextensions.k8s.io"


class Definitions(BuiltIn):
    """The resource of CRDs."""

    cleanup_finalizer = CLEANUP

    def decode(self, body: Object) -> Decoded:
        """Return the definition with defaults; one that says of no version that it was stored has stored its newest."""
        decoded = super().decode(body)
        status, stored = decoded.obj.get("status") or {}, _storage(decoded.obj)
        if status.get("storedVersions") or not stored:
            return decoded
        return decoded._replace(obj={**decoded.obj, "status": {**status, "storedVersions": stored}})

    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the CRD with the version that it stores noted in its status."""
        out = super().prepared(new, old, subresource)
        if subresource:
            return out
        stored = _storage(out)
        known = out["status"].get("storedVersions") or []
        missing = [name for name in stored if name not in known]
        return {**out, "status": {**out["status"], "storedVersions": [*known, *missing]}} if missing else out

    def faults(self, new: Object, old: Object | None, subresource: str) -> list[Cause]:
        """Return why the definition may not be stored; changes of metadata are looked at twice."""
        found = super().faults(new, old, subresource)
        return found if old is None else found + check_update(new, old)

    def warnings(self, new: Object, old: Object | None) -> list[str]:
        """Return complaints about what nobody looks at, in a new definition or changed schemas."""
        known = [*_complaints(old["spec"])] if old else []
        return [text for text in dict.fromkeys(_complaints(new["spec"])) if text not in known]

    def marked(self, obj: Object, now: str) -> Object:
        """Return the definition with the condition that its objects are being deleted."""
        text = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
        return _with_condition(obj, Condition("Terminating", "True", "InstanceDeletionPending", text), now)


def _storage(crd: Object) -> list[str]:
    """Return the name of the version that is stored."""
    versions = (crd.get("spec") or {}).get("versions") or ()
    return [version["name"] for version in versions if version.get("storage") and version.get("name")][:1]


def _complaints(spec: Object) -> Iterator[str]:
    """Yield what an API server says of a definition's schemas: formats and sets that mean nothing to it."""
    pending = [(version.get("schema") or {}).get("openAPIV3Schema") for version in spec.get("versions") or ()]
    while pending:
        if node := pending.pop(0):
            yield from _complaints_of(node)
            pending += [sub for key, value in node.items() for _, sub in subschemas(key, value)]


def _complaints_of(node: Object) -> Iterator[str]:
    name, items = node.get("format"), node.get("items")
    if name and not _is_known(name, node.get("type")):
        yield f'unrecognized format "{name}"'
    kind = items.get("type") if isinstance(items, dict) else None
    if node.get("x-kubernetes-list-type") == "set" and kind in ("array", "object"):
        rest = "is not supported by server-side apply or CEL validation rules"
        yield f'x-kubernetes-list-type: set for items of type "{kind}" {rest}'


def _is_known(name: str, kind: Any) -> bool:
    known = _NUMBERS.get(kind)
    return name in known if known else kind == "string" and formats.is_known(name)


_NUMBERS = {"integer": ("int32", "int64"), "number": ("float", "double")}


# ── what its controllers do, at once ────────────────────────────────────────────────────────────
def established(crd: Object) -> bool:
    """Tell whether the definition's resources are served."""
    return _condition(crd, "Established") == "True"


def _condition(crd: Object, name: str) -> str:
    rows = (crd.get("status") or {}).get("conditions") or ()
    return next((row["status"] for row in rows if row["type"] == name), "")


_NAMES = {
    "plural": "PluralConflict",
    "singular": "SingularConflict",
    "shortNames": "ShortNamesConflict",
    "kind": "KindConflict",
    "listKind": "ListKindConflict",
}
"""The names that only one definition of a group may have, with the reason that is given where another has one."""
_KINDS = ("kind", "listKind")


def with_names_accepted(crd: Object, group: Iterable[Object], now: str) -> Object:
    """Return the definition with the names accepted that are free, and established where all are.

    `group` are the definitions of its group, whose accepted names are taken. The very object is returned where it says
    so already.
    """
    names, conflict = _accepted(crd["spec"]["names"], crd["status"].get("acceptedNames") or {}, [*group])
    out = {**crd, "status": {**crd["status"], "acceptedNames": names}}
    met = Condition("NamesAccepted", "True", "NoConflicts", "no conflicts found")
    out = _with_condition(out, conflict or met, now)
    if conflict is None:
        text = "the initial names have been accepted"
        out = _with_condition(out, Condition("Established", "True", "InitialNamesAccepted", text), now)
    elif not _condition(out, "Established"):
        not_yet = Condition("Established", "False", "NotAccepted", "not all names are accepted")
        out = _with_condition(out, not_yet, now)
    return crd if out["status"] == crd["status"] else out


def _accepted(wanted: Object, accepted: Object, group: list[Object]) -> tuple[Object, Condition | None]:
    """Return the wanted names as far as they are free, and the last conflict."""
    names, conflict = dict(accepted), None
    for field, reason in _NAMES.items():
        taken = _taken(group, field in _KINDS)
        clashes = [name for name in _listed(wanted, field) if name in taken and name not in _listed(accepted, field)]
        if clashes:
            texts = [f'"{name}" is already in use' for name in clashes]
            text = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
            conflict = Condition("NamesAccepted", "False", reason, text)
        else:
            names[field] = wanted.get(field)
    names["categories"] = wanted.get("categories")
    return {key: value for key, value in names.items() if value is not None}, conflict


def _taken(group: list[Object], kinds: bool) -> set[str]:
    fields = [field for field in _NAMES if (field in _KINDS) == kinds]
    accepted = [(crd.get("status") or {}).get("acceptedNames") or {} for crd in group]
    return {name for names in accepted for field in fields for name in _listed(names, field)}


def _listed(names: Object, field: str) -> list[str]:
    found = names.get(field) or []
    return found if isinstance(found, list) else [found]


def being_cleared(crd: Object, now: str) -> Object:
    """Return the definition with the condition that its objects are going; the very object where it says so already."""
    text = "CustomResource deletion is in progress"
    out = _with_condition(crd, Condition("Terminating", "True", "InstanceDeletionInProgress", text), now)
    return crd if out["status"] == crd["status"] else out


def without_cleanup(crd: Object, now: str) -> Object:
    """Return the definition without the finalizer that waits for its objects, and with the condition to say so."""
    done = Condition("Terminating", "False", "InstanceDeletionCompleted", "removed all instances")
    left = [name for name in finalizers_of(crd) if name != CLEANUP]
    return amended(_with_condition(crd, done, now), finalizers=left or None)


def waits_for_objects(crd: Object) -> bool:
    """Tell whether the definition is deleted and its objects have to go first."""
    return deleting(crd) and CLEANUP in finalizers_of(crd)


class Condition(NamedTuple):
    """A condition as its controller sees it."""

    type: str
    status: str
    reason: str
    message: str


def _with_condition(crd: Object, found: Condition, now: str) -> Object:
    row = {"type": found.type, "status": found.status, "lastTransitionTime": now}
    row |= {"reason": found.reason, "message": found.message}
    rows = [*(crd["status"].get("conditions") or ())]
    at = next((number for number, there in enumerate(rows) if there["type"] == found.type), len(rows))
    if at < len(rows) and rows[at]["status"] == found.status:
        row["lastTransitionTime"] = rows[at]["lastTransitionTime"]
    return {**crd, "status": {**crd["status"], "conditions": [*rows[:at], row, *rows[at + 1 :]]}}
