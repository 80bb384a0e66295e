"""What the query of a request asks for, checked as an API server checks it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ork.base import durations
from ork.base.objects import Object
from ork.cluster.memory import status
from ork.cluster.memory.codec import DecodeError, compile_reader
from ork.cluster.memory.deletion import Delete
from ork.cluster.memory.reading import Query
from ork.cluster.memory.state import Options
from ork.cluster.server.messages import Request
from ork.openapi import causes
from ork.openapi.causes import Cause

_META = "meta.k8s.io"
_VALIDATIONS = ("Ignore", "Strict", "Warn")


_LONGEST_MANAGER = 128


def default_manager(user_agent: str) -> str:
    """Return the field manager of a client that names none: its user agent up to the version, as far as it fits."""
    name = "".join(filter(str.isprintable, user_agent.partition("/")[0])).encode()[:_LONGEST_MANAGER]
    return name.decode(errors="ignore") or "unknown"


def write_options(request: Request, kind: str, applying: bool = False) -> Options:
    """Return how a write is meant; `kind` is `CreateOptions`, `UpdateOptions` or `PatchOptions`. Raises ApiError."""
    faults = [*_write_faults(request), *(_patch_faults(request, applying) if kind == "PatchOptions" else ())]
    if faults:
        raise status.invalid(status.Subject(_META, kind), "", faults)
    return Options(
        request.param("fieldManager") or default_manager(request.headers.get("user-agent", "")),
        bool(request.params("dryRun")),
        request.param("fieldValidation") or "Warn",
        request.flag("force"),
    )


def _write_faults(request: Request) -> Iterator[Cause]:
    yield from _dry_run_faults(request.params("dryRun"))
    manager = request.param("fieldManager")
    if len(manager) > _LONGEST_MANAGER:
        yield causes.too_long("fieldManager", _LONGEST_MANAGER)
    if not manager.isprintable():
        yield causes.invalid("fieldManager", manager, "should only contain printable characters")
    validation = request.param("fieldValidation")
    if validation and validation not in _VALIDATIONS:
        yield causes.not_supported("fieldValidation", validation, ("", *_VALIDATIONS))


def _dry_run_faults(given: list[str]) -> Iterator[Cause]:
    if any(value != "All" for value in given):
        yield causes.not_supported("dryRun", given, ("All",))


def _patch_faults(request: Request, applying: bool) -> Iterator[Cause]:
    if applying and not request.param("fieldManager"):
        yield causes.required("fieldManager", "is required for apply patch")
    if not applying and request.params("force"):
        yield causes.forbidden("force", "may not be specified for non-apply patch")


# ── lists and watches ───────────────────────────────────────────────────────────────────────────
def list_query(request: Request, namespace: str, watching: bool = False) -> Query:
    """Return what a list or watch asks for. Raises ApiError."""
    faults = [*(_watch_faults(request) if watching else _list_faults(request))]
    if faults:
        raise status.invalid(status.Subject(_META, "ListOptions"), "", faults)
    token, version = request.param("continue"), request.param("resourceVersion")
    if token and version not in ("", "0"):
        raise status.bad_request("specifying resource version is not allowed when using continue")
    limit, match = _number(request, "limit"), request.param("resourceVersionMatch")
    if limit > 0 and version not in ("", "0") and not (match or watching):
        match = "Exact"
    from_cache = version == "0" and match != "Exact"
    labels, fields = request.param("labelSelector"), request.param("fieldSelector")
    return Query(namespace, labels, fields, 0 if from_cache else limit, token, version, match)


def _list_faults(request: Request) -> Iterator[Cause]:
    match, at = request.param("resourceVersionMatch"), "resourceVersionMatch"
    if match:
        if not request.param("resourceVersion"):
            yield causes.forbidden(at, f"{at} is forbidden unless resourceVersion is provided")
        if request.param("continue"):
            yield causes.forbidden(at, f"{at} is forbidden when continue is provided")
        if match not in ("Exact", "NotOlderThan"):
            yield causes.not_supported(at, match, ("Exact", "NotOlderThan", ""))
        if match == "Exact" and request.param("resourceVersion") == "0":
            yield causes.forbidden(at, f'{at} "exact" is forbidden for resourceVersion "0"')
    if request.params("sendInitialEvents"):
        yield causes.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")


def _watch_faults(request: Request) -> Iterator[Cause]:
    match, at = request.param("resourceVersionMatch"), "resourceVersionMatch"
    initial = bool(request.params("sendInitialEvents"))
    from_start = not (match or initial) and request.param("resourceVersion") in ("", "0")
    if request.param("continue") and (match or from_start):
        yield causes.forbidden(at, f"{at} is forbidden when continue is provided")
    if initial and match != "NotOlderThan":
        yield causes.forbidden(at, f"sendInitialEvents requires setting {at} to NotOlderThan")
    if match:
        if not initial:
            yield causes.forbidden(at, f"{at} is forbidden for watch unless sendInitialEvents is provided")
        if match != "NotOlderThan":
            yield causes.not_supported(at, match, ("NotOlderThan",))


def _number(request: Request, name: str) -> int:
    text = request.param(name, "0")
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        raise status.bad_request(f'strconv.ParseInt: parsing "{text}": invalid syntax')
    if not -(1 << 63) <= int(text) < 1 << 63:
        raise status.bad_request(f'strconv.ParseInt: parsing "{text}": value out of range')
    return int(text)


def timeout_seconds(request: Request) -> float | None:
    """Return how long a list or watch may take; None where the client does not say. Raises ApiError."""
    seconds = _number(request, "timeoutSeconds")
    return max(float(seconds), 0.0) if seconds else None


def check_export(request: Request) -> None:
    """Refuse to read an object as it was exported once. Raises ApiError."""
    if request.flag("export"):
        raise status.bad_request("the export parameter, deprecated since v1.14, is no longer supported")


def check_timeout(request: Request) -> None:
    """Refuse a `timeout` that is no duration. Raises ApiError."""
    text = request.param("timeout")
    if not text:
        return
    try:
        durations.parse(text)
    except ValueError:
        message = f'invalid timeout specified in the request URL - time: invalid duration "{text}"'
        raise status.bad_request(message) from None


# ── deletes ─────────────────────────────────────────────────────────────────────────────────────
def delete_options(request: Request, body: Object | None) -> Delete:
    """Return how a delete is meant: by its body where there is one, else by the query. Raises ApiError."""
    found = _from_query(request) if body is None else body
    dry_run = found.get("dryRun") or []
    if faults := [*_dry_run_faults(dry_run)]:
        raise status.invalid(status.Subject(_META, "DeleteOptions"), "", faults)
    conditions = found.get("preconditions") or {}
    return Delete(
        found.get("propagationPolicy") or "",
        conditions.get("uid"),
        conditions.get("resourceVersion"),
        found.get("gracePeriodSeconds"),
        bool(dry_run),
        found.get("orphanDependents"),
    )


DELETE_OPTIONS: Object = {
    "x-type": "meta.v1.DeleteOptions",
    "type": "object",
    "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "propagationPolicy": {"type": "string"},
        "orphanDependents": {"type": "boolean"},
        "gracePeriodSeconds": {"type": "integer"},
        "dryRun": {"type": "array", "items": {"type": "string"}},
        "preconditions": {
            "x-type": "meta.v1.Preconditions",
            "type": "object",
            "properties": {"uid": {"type": "string"}, "resourceVersion": {"type": "string"}},
        },
    },
}
"""The schema of a delete's body, as far as it says something here."""

_read_delete_options = compile_reader(DELETE_OPTIONS)


def read_delete_options(body: Object) -> Object:
    """Return the known fields of a delete's body. Raises ApiError where one has a wrong type."""
    try:
        found: Object = _read_delete_options(body, [])
    except DecodeError as error:
        raise status.bad_request(str(error)) from None
    return found


def _from_query(request: Request) -> dict[str, Any]:
    out: dict[str, Any] = {
        "propagationPolicy": request.param("propagationPolicy"),
        "dryRun": request.params("dryRun"),
    }
    if request.params("gracePeriodSeconds"):
        out["gracePeriodSeconds"] = _number(request, "gracePeriodSeconds")
    if request.params("orphanDependents"):
        out["orphanDependents"] = request.flag("orphanDependents")
    return out
