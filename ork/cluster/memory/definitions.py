"""CustomResourceDefinitions: how they are checked, accepted, established, and taken away with their objects."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ork.base.objects import Object, deleting, finalizers_of
from ork.cluster.memory import names
from ork.cluster.memory.builtin import BuiltIn
from ork.cluster.memory.metadata import amended
from ork.openapi import causes
from ork.openapi.causes import Cause

DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io"
CLEANUP = "customresourcecleanup.apiextensions.k8s.io"
_DNS_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?\Z")
_DNS_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')"
)
_IMMUTABLE = "field is immutable"


class Definitions(BuiltIn):
    """The resource of CRDs."""

    cleanup_finalizer = CLEANUP

    def prepared(self, new: Object, old: Object | None, subresource: str) -> Object:
        """Return the CRD with the version that it stores noted in its status."""
        out = super().prepared(new, old, subresource)
        if subresource:
            return out
        stored = [version["name"] for version in out["spec"]["versions"] if version.get("storage")][:1]
        known = out["status"].get("storedVersions") or []
        missing = [name for name in stored if name not in known]
        return {**out, "status": {**out["status"], "storedVersions": [*known, *missing]}} if missing else out

    def faults(self, new: Object, old: Object | None, subresource: str) -> list[Cause]:
        """Return why the definition may not be stored."""
        found = super().faults(new, old, subresource)
        if subresource:
            return found
        if old is None:
            return [*found, *_name(new), *_spec(new), *_stored(new)]
        fixed = _immutable(new["spec"], old["spec"]) if established(old) else ()
        return [*found, *_spec(new), *fixed, *_stored(new)]

    def marked(self, obj: Object, now: str) -> Object:
        """Return the definition with the condition that its objects are being deleted."""
        text = "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"
        return _with_condition(obj, "Terminating", "InstanceDeletionPending", text, now)


# ── checks ──────────────────────────────────────────────────────────────────────────────────────
def _name(crd: Object) -> Iterator[Cause]:
    name, spec = crd["metadata"]["name"], crd["spec"]
    if name != f"{spec['names'].get('plural', '')}.{spec.get('group', '')}":
        yield causes.invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')


def _spec(crd: Object) -> Iterator[Cause]:
    spec = crd["spec"]
    yield from _group(spec.get("group", ""))
    yield from _scope(spec.get("scope", ""))
    yield from _versions(spec)
    yield from _names(spec["names"])


def _group(group: str) -> Iterator[Cause]:
    if not group:
        yield causes.required("spec.group")
        return
    yield from (causes.invalid("spec.group", group, text) for text in names.subdomain(group))
    if "." not in group:
        yield causes.invalid("spec.group", group, "should be a domain with at least one dot")


def _scope(scope: str) -> Iterator[Cause]:
    if not scope:
        yield causes.required("spec.scope")
    elif scope not in ("Cluster", "Namespaced"):
        yield causes.not_supported("spec.scope", scope, ("Cluster", "Namespaced"))


def _versions(spec: Object) -> Iterator[Cause]:
    versions = spec.get("versions") or []
    shown = [_shown_version(version) for version in versions]
    if len({version["name"] for version in versions}) != len(versions):
        yield _as_go("spec.versions", shown, "must contain unique version names")
    if sum(bool(version.get("storage")) for version in versions) != 1:
        yield _as_go("spec.versions", shown, "must have exactly one version marked as storage version")
    for number, version in enumerate(versions):
        yield from _version(version, f"spec.versions[{number}]")
    if versions and not _DNS_1035.match(versions[0]["name"]):
        yield causes.invalid("spec.version", versions[0]["name"], _DNS_1035_TEXT)


def _shown_version(version: Object) -> str:
    flags = (version["name"], *(version.get(flag, False) for flag in ("served", "storage", "deprecated")))
    head = ",".join(
        f"{causes.quoted(key)}:{causes.json_text(value)}"
        for key, value in zip(("Name", "Served", "Storage", "Deprecated"), flags, strict=True)
    )
    rest = ("DeprecationWarning", "Schema", "Subresources", "AdditionalPrinterColumns", "SelectableFields")
    return "{" + head + "".join(f',"{key}":null' for key in rest) + "}"


def _as_go(field: str, shown: list[str], detail: str) -> Cause:
    return Cause("FieldValueInvalid", field, f"Invalid value: [{','.join(shown)}]: {detail}")


def _version(version: Object, at: str) -> Iterator[Cause]:
    if not _DNS_1035.match(version["name"]):
        yield causes.invalid(f"{at}.name", version["name"], _DNS_1035_TEXT)
    warning = version.get("deprecationWarning")
    if warning is not None and not version.get("deprecated"):
        yield causes.invalid(f"{at}.deprecationWarning", warning, "can only be set for deprecated versions")
    schema = (version.get("schema") or {}).get("openAPIV3Schema")
    if schema is None:
        yield causes.required(f"{at}.schema.openAPIV3Schema")


def _names(accepted: Object) -> Iterator[Cause]:
    for field in ("plural", "singular", "kind", "listKind"):
        value = accepted.get(field, "")
        if not value:
            yield causes.required(f"spec.names.{field}")
        elif not _DNS_1035.match(value.lower() if "ind" in field else value):
            yield causes.invalid(f"spec.names.{field}", value, _DNS_1035_TEXT)
    for field in ("shortNames", "categories"):
        for number, value in enumerate(accepted.get(field) or ()):
            if not _DNS_1035.match(value):
                yield causes.invalid(f"spec.names.{field}[{number}]", value, _DNS_1035_TEXT)
    if accepted.get("kind") and accepted.get("kind") == accepted.get("listKind"):
        yield causes.invalid("spec.names.listKind", accepted["listKind"], "kind and listKind may not be the same")


def _immutable(new: Object, old: Object) -> Iterator[Cause]:
    if new.get("group") != old.get("group"):
        yield causes.invalid("spec.group", new.get("group"), _IMMUTABLE)
    if new.get("scope") != old.get("scope"):
        yield causes.invalid("spec.scope", new.get("scope"), _IMMUTABLE)
    for field in ("plural", "kind"):
        if new["names"].get(field) != old["names"].get(field):
            yield causes.invalid(f"spec.names.{field}", new["names"].get(field), _IMMUTABLE)


def _stored(crd: Object) -> Iterator[Cause]:
    stored, at = crd["status"].get("storedVersions"), "status.storedVersions"
    if not stored:
        yield causes.invalid(at, stored or None, "must have at least one stored version")
        return
    there = {version["name"] for version in crd["spec"].get("versions") or ()}
    for version in crd["spec"].get("versions") or ():
        if version.get("storage") and version["name"] not in stored:
            yield causes.invalid(at, stored, f"must have the storage version {version['name']}")
    for number, name in enumerate(stored):
        if name not in there:
            text = (
                f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions"
                f" until a storage migration ensures no data remains persisted in {name} and removes {name} from "
                "status.storedVersions"
            )
            yield causes.invalid(f"{at}[{number}]", name, text)


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
