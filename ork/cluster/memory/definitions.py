"""CustomResourceDefinitions: how they are accepted, established, and taken away with their objects."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object, deleting, finalizers_of
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.metadata import amended
from ork.openapi import formats

DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
CLEANUP = "customresourcecleanup.apiextensions.k8s.io"


class Definitions(BuiltIn):
    """The resource of CRDs."""

    cleanup_finalizer = CLEANUP

    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the CRD with the version that it stores noted in its status."""
        out = super().prepared(new, old, subresource)
        if subresource:
            return out
        stored = [version["name"] for version in out["spec"].get("versions") or () if version.get("storage")][:1]
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
        return _with_condition(obj, "Terminating", "InstanceDeletionPending", text, now)


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


def with_names_accepted(crd: Object, now: str) -> Object:
    """Return the definition with its names accepted, and established; the very object where it says so already."""
    accepted = crd["spec"]["names"]
    if crd["status"].get("acceptedNames") == accepted and established(crd):
        return crd
    out = {**crd, "status": {**crd["status"], "acceptedNames": accepted}}
    out = _with_condition(out, "NamesAccepted", "NoConflicts", "no conflicts found", now)
    text = "the initial names have been accepted"
    return _with_condition(out, "Established", "InitialNamesAccepted", text, now)


def without_cleanup(crd: Object) -> Object:
    """Return the definition without the finalizer that waits for its objects."""
    return amended(crd, finalizers=[name for name in finalizers_of(crd) if name != CLEANUP] or None)


def waits_for_objects(crd: Object) -> bool:
    """Tell whether the definition is deleted and its objects have to go first."""
    return deleting(crd) and CLEANUP in finalizers_of(crd)


def _with_condition(crd: Object, name: str, reason: str, message: str, now: str) -> Object:
    row = {"type": name, "status": "True", "lastTransitionTime": now, "reason": reason, "message": message}
    rows = [*(crd["status"].get("conditions") or ())]
    at = next((number for number, there in enumerate(rows) if there["type"] == name), len(rows))
    if at < len(rows) and rows[at]["status"] == "True":
        row["lastTransitionTime"] = rows[at]["lastTransitionTime"]
    return {**crd, "status": {**crd["status"], "conditions": [*rows[:at], row, *rows[at + 1 :]]}}
