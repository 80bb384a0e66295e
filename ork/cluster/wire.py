"""How `ork`'s writes look on the wire, the same for every API server, and what an answer's code means."""

from __future__ import annotations

from datetime import timedelta

from ork.base.findings import Fault, FaultKind
from ork.base.objects import Kind, Object, Ref
from ork.base.requests import Expect, Write
from ork.base.text import cut

_FAULTS = {
    400: FaultKind.INVALID,
    401: FaultKind.FORBIDDEN,
    403: FaultKind.FORBIDDEN,
    409: FaultKind.CONFLICT,
    413: FaultKind.INVALID,
    415: FaultKind.INVALID,
    422: FaultKind.INVALID,
}


CRDS = Kind("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", False)


def body_of(write: Write) -> Object:
    """Return the body of an apply or a merge patch, its precondition included.

    A resourceVersion in an apply that creates is accepted, and on an object that exists it must be the current one; no
    object that exists has version "1", so that body can only create (language, section 6).
    """
    if write.expect is Expect.ANY:
        return write.obj
    precondition = {"resourceVersion": "1"} if write.expect is Expect.ABSENT else {"uid": write.uid}
    return {**write.obj, "metadata": {**write.obj.get("metadata", {}), **precondition}}


def delete_options(uid: str) -> Object:
    """Return the body of a delete that takes only the object `uid`; its own children go after it."""
    options: Object = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Background"}
    return options | ({"preconditions": {"uid": uid}} if uid else {})


def status_configuration(ref: Ref, status: Object) -> Object:
    """Return the body of an apply to the status subresource."""
    metadata = {"name": ref.name} | ({"namespace": ref.namespace} if ref.namespace else {})
    return {"apiVersion": ref.kind.api_version, "kind": ref.kind.kind, "metadata": metadata, "status": status}


def fault_of(code: int, message: str, retry_after: float = 0.0) -> Fault:
    """Return what an error answer means for the turn. An unknown code is taken as a server that is not well;
    `retry_after` are the seconds for which it asks to be left in peace."""
    after = timedelta(seconds=retry_after) if retry_after else None
    return Fault(_FAULTS.get(code, FaultKind.UNAVAILABLE), cut(message), after=after)


def established(crd: Object) -> bool:
    """Tell whether the API server says of a CRD that its kinds are served."""
    conditions = (crd.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)
