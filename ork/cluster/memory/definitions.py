"""CustomResourceDefinitions: how they are accepted, established, and taken away with their objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ork.base.objects import Object, deleting, finalizers_of
from ork.base.records import NamedTuple
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.metadata import amended
from ork.cluster.memory.resource import Decoded
from ork.openapi import formats

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

    def warnings(self, new: Object, old: Object | None) -> list[str]:
        """Return complaints about formats that nobody looks at, in a new definition or changed schemas."""
        found = _formats(new["spec"])
        known = _formats(old["spec"]) if old else []
        return [f'unrecognized format "{name}"' for name in dict.fromkeys(found) if name not in known]

    def marked(self, obj: Object, now: str) -> Object:
        """Return the definition with the condition that its objects are being deleted."""
        text = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
        return _with_condition(obj, Condition("Terminating", "True", "InstanceDeletionPending", text), now)


def _storage(crd: Object) -> list[str]:
    """Return the name of the version that is stored."""
    versions = (crd.get("spec") or {}).get("versions") or ()
    return [version["name"] for version in versions if version.get("storage") and version.get("name")][:1]


def _formats(spec: Object) -> list[str]:
    """Return the formats in a definition's schemas that an API server does not know."""
    out: list[str] = []
    pending: list[Any] = [version.get("schema") for version in spec.get("versions") or ()]
    while pending:
        node = pending.pop(0)
        if isinstance(node, dict):
            name = node.get("format")
            if isinstance(name, str) and node.get("type") == "string" and not formats.is_known(name):
                out.append(name)
            pending += node.values()
        elif isinstance(node, list):
            pending += node
    return out


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


def without_cleanup(crd: Object) -> Object:
    """Return the definition without the finalizer that waits for its objects."""
    return amended(crd, finalizers=[name for name in finalizers_of(crd) if name != CLEANUP] or None)


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
