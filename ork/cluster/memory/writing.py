"""Creating and changing objects: what every create, update, patch and apply goes through, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ork.base.objects import Object, deleting, finalizers_of
from ork.cluster.memory import metadata, ownership, status
from ork.cluster.memory.requests import (
    addressed,
    check_configuration,
    is_other_kind,
    other_kind,
    read,
    wiped,
    with_nulls,
)
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options, State, Written
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.table import key_of
from ork.cluster.memory.typed import MismatchError, same
from ork.openapi import causes

NAMESPACES = "namespaces"
Transform = Callable[[Object | None], Object]
"""Makes the new object from the live one (None where there is none), with managedFields."""


class Writer:
    """The writes of one store."""

    def __init__(self, state: State) -> None:
        self._state = state

    # ── the verbs ───────────────────────────────────────────────────────────────────────────────
    def create(self, resource: Resource, namespace: str, body: Object, options: Options) -> Written:
        """Store a new object. Raises ApiError."""
        obj, warnings = read(resource, body, options)
        with _warned(warnings):
            obj = wiped(addressed(resource, obj, namespace, None))
            self._check_namespace(resource, namespace, obj["metadata"].get("name", ""))
            obj = resource.ledger().updated(None, obj, options.manager, self._state.now())
            return self._insert(resource, obj, options, warnings)

    def update(
        self, resource: Resource, namespace: str, name: str, body: Object, options: Options, subresource: str = ""
    ) -> Written:
        """Replace an object, or what one of its subresources holds of it. Raises ApiError."""
        obj, warnings = read(resource, body, options, "update")
        with _warned(warnings):
            return self._replaced(resource, obj, (namespace, name), options, subresource, warnings)

    def _replaced(
        self,
        resource: Resource,
        obj: Object,
        where: tuple[str, str],
        options: Options,
        subresource: str,
        warnings: list[str],
    ) -> Written:
        namespace, name = where
        obj = addressed(resource, obj, namespace, name)
        live = self._state.row(resource, namespace, name)
        if live is None and (subresource or not resource.traits.create_on_update):
            raise status.not_found(resource.by_name, name)
        sent = obj["metadata"].get("uid", "")
        found = live["metadata"]["uid"] if live else ""
        if sent and sent != found:
            raise wrong_uid(resource, namespace, name, sent, found)
        if live is None:
            self._check_namespace(resource, namespace, name)
            obj = metadata.amended(obj, resourceVersion=None)
            obj = resource.ledger().updated(None, obj, options.manager, self._state.now())
            return self._insert(resource, obj, options, warnings)

        def replaced(shown: Object | None) -> Object:
            return resource.ledger(subresource).updated(shown, obj, options.manager, self._state.now())

        return self._change(resource, live, replaced, options, subresource, warnings)

    def patch(
        self,
        resource: Resource,
        namespace: str,
        name: str,
        patched: Callable[[Object], Any],
        options: Options,
        subresource: str = "",
    ) -> Written:
        """Change an object by a patch, given as a function of it. Raises ApiError."""
        live = self._state.row(resource, namespace, name)
        if live is None:
            raise status.not_found(resource.by_name, name)
        warnings: list[str] = []

        def changed(shown: Object | None) -> Object:
            assert shown is not None
            obj, more = read(resource, patched(shown), options, "patch")
            warnings.extend(more)
            obj = addressed(resource, obj, namespace, name)
            return resource.ledger(subresource).updated(shown, obj, options.manager, self._state.now())

        with _warned(warnings):
            return self._change(resource, live, changed, options, subresource, warnings)

    def apply(
        self, resource: Resource, namespace: str, name: str, config: Object, options: Options, subresource: str = ""
    ) -> Written:
        """Server-side apply: create the object or merge the configuration into it. Raises ApiError."""
        live = self._state.row(resource, namespace, name)
        if live is None and subresource:
            raise status.not_found(resource.by_name, name)
        check_configuration(resource, config)
        addressed(resource, config, namespace, name)

        def applied(shown: Object | None) -> Object:
            obj = self._applied(resource, shown, config, options, subresource)
            return obj if obj is shown else addressed(resource, obj, namespace, name)

        if live is not None:
            return self._change(resource, live, applied, options, subresource, [])
        self._check_namespace(resource, namespace, name)
        obj = applied(None)
        if uid := obj["metadata"].get("uid"):
            why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
            raise status.conflict(resource.by_name, name, why)
        obj = metadata.amended(obj, resourceVersion=None)
        return self._insert(resource, obj, options, [])

    def _applied(
        self, resource: Resource, shown: Object | None, config: Object, options: Options, subresource: str
    ) -> Object:
        ledger, now = resource.ledger(subresource), self._state.now()
        try:
            merged = ledger.applied(shown, config, options.manager, options.force, now)
            if merged is shown:
                return merged
            return with_nulls(resource.settled(merged), merged) if resource.custom else _read_back(resource, merged)
        except ownership.ConflictsError as error:
            raise status.apply_conflict(*ownership.conflict_status(error.conflicts)) from None
        except MismatchError as error:
            meta, kind = config["metadata"], resource.kind
            what = f"{meta.get('namespace', '')}/{meta.get('name', '')}; {kind.api_version}, Kind={kind.kind}"
            raise status.internal(f"failed to create typed patch object ({what}): {error}") from None
        except ValueError as error:
            raise status.bad_request(str(error)) from None

    def completed(self, resource: Resource, obj: Object) -> Object:
        """Return a given object with what an API server would have set, everything else kept as it is."""
        obj, _ = read(resource, obj, Options(validation="Ignore"))
        meta = obj["metadata"]
        missing: dict[str, Any] = {}
        if not meta.get("uid"):
            missing["uid"] = self._state.new_uid()
        if not meta.get("creationTimestamp"):
            missing["creationTimestamp"] = self._state.now()
        obj = metadata.amended(obj, **missing) if missing else obj
        if "generation" in meta:
            return obj
        prepared = resource.prepared(obj, None, "")
        kept = {"status": obj["status"]} if obj.get("status") else {}
        return {**prepared, **kept}

    # ── what they share ─────────────────────────────────────────────────────────────────────────
    def _insert(self, resource: Resource, obj: Object, options: Options, warnings: list[str]) -> Written:
        meta = obj["metadata"]
        if meta.get("generateName") and not meta.get("name"):
            obj = metadata.amended(obj, name=meta["generateName"][:58] + self._state.suffix())
        obj = self._with_system_fields(obj)
        obj = resource.prepared(obj, None, "")
        meta = obj["metadata"]
        name, namespace = meta.get("name", ""), meta.get("namespace", "")
        if faults := resource.faults(obj, None, ""):
            raise status.invalid(resource.by_kind, name, faults)
        if str(meta.get("resourceVersion") or "0").strip("0").isdigit():
            raise status.internal("resourceVersion should not be set on objects to be created")
        warnings += resource.warnings(obj, None)
        if self._state.row(resource, namespace, name) is not None:
            raise status.already_exists(resource.by_name, name)
        stored = self._commit(resource, namespace, name, resource.stored(obj), options)
        return Written(resource.shown(stored), created=True, warnings=tuple(warnings))

    def _with_system_fields(self, obj: Object) -> Object:
        return metadata.amended(
            obj,
            uid=self._state.new_uid(),
            creationTimestamp=self._state.now(),
            deletionTimestamp=None,
            deletionGracePeriodSeconds=None,
        )

    def _change(
        self,
        resource: Resource,
        live: Object,
        transform: Transform,
        options: Options,
        subresource: str,
        warnings: list[str],
    ) -> Written:
        shown = resource.shown(live)
        new = transform(shown)
        if new is shown:
            return Written(shown, changed=False)
        new = _versioned(resource, new, shown)
        new = _carried_over(resource.prepared(_same_generation(new, shown), shown, subresource), shown)
        meta = new["metadata"]
        faults = resource.faults(new, shown, subresource)
        if is_other_kind(resource, new):
            raise other_kind(resource, new, faults)
        if faults:
            raise status.invalid(resource.by_kind, meta["name"], faults)
        warnings += resource.warnings(new, shown) if subresource != "status" else ()
        stored = resource.stored(new)
        if unchanged(stored, live):
            return Written(shown, changed=False, warnings=tuple(warnings))
        namespace, name = meta.get("namespace", ""), meta["name"]
        if _may_go(resource, stored):
            return self._released(resource, stored, namespace, name, options, tuple(warnings))
        stored = self._commit(resource, namespace, name, stored, options)
        return Written(resource.shown(stored), warnings=tuple(warnings))

    def _released(
        self, resource: Resource, last: Object, namespace: str, name: str, options: Options, warnings: tuple[str, ...]
    ) -> Written:
        """Delete an object whose last finalizer went with this write; the answer keeps its old version."""
        if not options.dry_run:
            self._state.commit(resource.table, key_of(namespace, name), None)
        return Written(resource.shown(last), gone=True, warnings=warnings)

    def _commit(self, resource: Resource, namespace: str, name: str, obj: Object, options: Options) -> Object:
        if options.dry_run:
            return obj
        stored = self._state.commit(resource.table, key_of(namespace, name), obj)
        assert stored is not None
        return stored

    def _check_namespace(self, resource: Resource, namespace: str, name: str) -> None:
        """Refuse to create something where there is no namespace, or one that is going away."""
        if resource.terminating:
            why = "create not allowed while custom resource definition is terminating"
            raise status.forbidden(resource.by_name, name, why)
        if not resource.kind.namespaced:
            return
        found = self._state.named_table(NAMESPACES).rows.get(namespace)
        if found is None:
            raise status.not_found(status.Subject("", NAMESPACES), namespace)
        if found.get("status", {}).get("phase") == "Terminating":
            why = f"unable to create new content in namespace {namespace} because it is being terminated"
            cause = {
                "reason": "NamespaceTerminating",
                "message": f"namespace {namespace} is being terminated",
                "field": "metadata.namespace",
            }
            raise status.forbidden(resource.by_name, name, why, [cause])


@contextmanager
def _warned(warnings: list[str]) -> Iterator[None]:
    """Give a refusal the warnings that were found before it."""
    try:
        yield
    except ApiError as error:
        error.warnings = tuple(warnings)
        raise


# ── rules of an update ──────────────────────────────────────────────────────────────────────────
def _versioned(resource: Resource, new: Object, live: Object) -> Object:
    """Return the new object at the version that it replaces. Raises a conflict where that is another one."""
    given, current = new["metadata"].get("resourceVersion") or "", live["metadata"]["resourceVersion"]
    if given == current:
        return new
    name = live["metadata"]["name"]
    if given in ("", "0"):
        if resource.traits.unconditional_update:
            return metadata.amended(new, resourceVersion=current)
        wrong = causes.Cause(
            "FieldValueInvalid", "metadata.resourceVersion", "Invalid value: 0: must be specified for an update"
        )
        raise status.invalid(resource.by_name, name, [wrong])
    if not given.isdigit():
        raise status.internal(f'strconv.ParseUint: parsing "{given}": invalid syntax')
    raise status.modified(resource.by_name, name)


def _same_generation(new: Object, live: Object) -> Object:
    wanted = live["metadata"].get("generation")
    return new if new["metadata"].get("generation") == wanted else metadata.amended(new, generation=wanted)


def _carried_over(new: Object, live: Object) -> Object:
    """Return the new object with the metadata that no update can change."""
    before, after = live["metadata"], new["metadata"]
    kept = {key: before.get(key) for key in ("creationTimestamp", "deletionTimestamp") if before.get(key)}
    kept["uid"] = after.get("uid") or before.get("uid")
    if after.get("deletionGracePeriodSeconds") is None:
        kept["deletionGracePeriodSeconds"] = before.get("deletionGracePeriodSeconds")
    changed = {key: value for key, value in kept.items() if after.get(key) != value}
    return metadata.amended(new, **changed) if changed else new


def unchanged(new: Object, live: Object) -> bool:
    """Tell whether an update leaves everything as it was, the times in managedFields aside."""
    if same(new, live):
        return True
    before, after = live["metadata"], new["metadata"]
    if _without_times(after.get("managedFields")) != _without_times(before.get("managedFields")):
        return False
    return same(_plain(new), _plain(live))


def _without_times(entries: list[Object] | None) -> list[Object]:
    return [{key: value for key, value in entry.items() if key != "time"} for entry in entries or ()]


def _plain(obj: Object) -> Object:
    meta = {key: value for key, value in obj["metadata"].items() if key != "managedFields"}
    return {**obj, "metadata": meta}


def _read_back(resource: Resource, merged: Object) -> Object:
    """Return what an apply made of an object, read as the kind that it is. Raises ApiError (500) where it is none."""
    try:
        return resource.settled(merged)
    except ValueError as error:
        meta, kind = merged["metadata"], resource.kind
        what = f"{meta.get('namespace', '')}/{meta.get('name', '')}; {kind.api_version}, Kind={kind.kind}"
        raise status.internal(f"failed to convert new object ({what}) to proper version: {error}") from None


def _may_go(resource: Resource, obj: Object) -> bool:
    """Tell whether nothing holds a deleted object any more."""
    if not deleting(obj) or finalizers_of(obj) or resource.held(obj):
        return False
    return not obj["metadata"].get("deletionGracePeriodSeconds")


def wrong_uid(resource: Resource, namespace: str, name: str, given: str, found: str) -> ApiError:
    """409: a write means another object of that name."""
    parts = ("/registry", resource.kind.group, resource.kind.plural, namespace, name)
    path = "/".join(part for part in parts if part)
    why = (
        f"StorageError: invalid object, Code: 4, Key: {path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition "
        f"failed: UID in precondition: {given}, UID in object meta: {found}"
    )
    return status.conflict(resource.by_name, name, why)
