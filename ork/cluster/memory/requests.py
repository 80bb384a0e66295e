"""Reading a request's object: is it one of this resource, under this name, and what does the server keep of it?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ork.base.objects import Object, split_api_version
from ork.cluster.memory import metadata, status
from ork.cluster.memory.resource import Resource
from ork.cluster.memory.state import Options
from ork.cluster.memory.status import ApiError, Subject
from ork.openapi import causes
from ork.openapi.causes import Cause


def read(resource: Resource, body: Any, options: Options, verb: str = "") -> tuple[Object, list[str]]:
    """Return the object of a request as the server keeps it, with warnings about what it dropped."""
    body = identified(resource, body, verb)
    try:
        decoded = resource.decode(body)
    except ValueError as error:
        raise _undecodable(resource, str(error), verb) from None
    obj, warnings = _with_single_owners(decoded.obj)
    if "selfLink" in obj["metadata"]:
        obj = metadata.amended(obj, selfLink=None)
    if body["metadata"].get("managedFields") == [] and not resource.custom:
        obj = metadata.amended(obj, managedFields=[])
    if not decoded.unknown or options.validation == "Ignore":
        return obj, warnings
    complaints = [f'unknown field "{path}"' for path in decoded.unknown]
    if options.validation == "Strict":
        raise _undecodable(resource, f"strict decoding error: {', '.join(complaints)}", verb)
    return obj, [*complaints, *warnings]


def _with_single_owners(obj: Object) -> tuple[Object, list[str]]:
    """Return the object with each owner named once, and a warning where one was named twice."""
    references = obj["metadata"].get("ownerReferences") or ()
    if len(references) < 2:
        return obj, []
    single = {reference.get("uid"): reference for reference in reversed(references)}
    if len(single) == len(references):
        return obj, []
    uids = [reference.get("uid", "") for reference in references]
    twice = ", ".join(dict.fromkeys(uid for number, uid in enumerate(uids) if uid in uids[:number]))
    text = (
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may "
        f"reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {twice}"
    )
    return metadata.amended(obj, ownerReferences=[*reversed(single.values())]), [text]


def wiped(obj: Object) -> Object:
    """Return a new object without the metadata that only the server sets."""
    meta = obj["metadata"]
    given = {key: None for key in _SYSTEM_FIELDS if key in meta}
    return metadata.amended(obj, **given) if given else obj


_SYSTEM_FIELDS = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def _undecodable(resource: Resource, why: str, verb: str, given: str = "") -> ApiError:
    """400 for an object that cannot be read, or 422 where it is a patch that made it so."""
    if verb == "patch":
        return status.invalid(Subject("", ""), "", [causes.invalid("patch", "", why)])
    kind = resource.kind
    what = f'{given or kind.kind} in version "{kind.version}" cannot be handled as a {kind.kind}'
    return status.bad_request(f"{what}: {why}")


def identified(resource: Resource, body: Any, verb: str = "") -> Object:
    """Return the object with apiVersion, kind and metadata; those of another resource are refused.

    A custom resource that changes (`verb`) may go by another kind until the rest of it was looked at.
    """
    kind = resource.kind
    if body is None and not resource.custom:
        body = {}
    if not isinstance(body, dict):
        raise status.bad_request("the object provided is unrecognized: it must be a JSON object")
    given, version = body.get("kind"), body.get("apiVersion")
    if not (isinstance(given or "", str) and isinstance(version or "", str)):
        raise status.bad_request("couldn't get version/kind; json parse error: kind and apiVersion must be texts")
    if resource.custom and not (given and version):
        missing = "Kind" if not given else "apiVersion"
        if verb == "patch":
            raise _undecodable(resource, f"Object '{missing}' is missing in '{causes.json_text(body)}'", verb)
        raise status.bad_request(f"Object '{missing}' is missing in '{causes.json_text(body)}'")
    if not (resource.custom and verb and (verb == "patch" or version == kind.api_version)):
        _check_kind(resource, given, version, body, verb)
    if given and version and isinstance(body.get("metadata"), dict):
        return body
    meta = {} if body.get("metadata") is None else body["metadata"]
    return {"apiVersion": kind.api_version, "kind": kind.kind, **body, "metadata": meta}


def _check_kind(resource: Resource, given: Any, version: Any, body: Object, verb: str) -> None:
    kind = resource.kind
    if resource.custom and given != kind.kind and version == kind.api_version:
        raise other_kind(resource, body)
    if version and version != kind.api_version:
        if verb == "patch":
            raise _undecodable(resource, f'no kind "{given}" is registered for version "{version}"', verb)
        text = f"the API version in the data ({version}) does not match the expected API version ({kind.api_version})"
        raise status.bad_request(text)
    if given and given != kind.kind:
        text = f'no kind "{given}" is registered for version "{kind.api_version}"'
        raise _undecodable(resource, text, verb, given)


def other_kind(resource: Resource, obj: Object, more: Iterable[Cause] = ()) -> ApiError:
    """422: the object is of another kind or version than the resource; with what else is wrong."""
    kind, faults = resource.kind, [*more]
    if obj["kind"] != kind.kind:
        faults.append(causes.invalid("kind", obj["kind"], f"must be {kind.kind}"))
    if obj["apiVersion"] != kind.api_version:
        faults.append(causes.invalid("apiVersion", obj["apiVersion"], f"must be {kind.api_version}"))
    subject = Subject(split_api_version(obj["apiVersion"])[0], obj["kind"])
    return status.invalid(subject, (obj.get("metadata") or {}).get("name", ""), faults)


def is_other_kind(resource: Resource, obj: Object) -> bool:
    """Tell whether the object is of another kind or version than the resource."""
    return (obj["apiVersion"], obj["kind"]) != (resource.kind.api_version, resource.kind.kind)


def check_configuration(resource: Resource, config: Any) -> None:
    """Refuse an applied configuration that is no object of the resource or brings managedFields."""
    kind = resource.kind
    if not isinstance(config, dict) or not config.get("apiVersion") or not config.get("kind"):
        raise status.bad_request("the configuration must be an object with apiVersion and kind")
    if config["apiVersion"] != kind.api_version:
        given = config["apiVersion"]
        text = f"Incorrect version specified in apply patch. Specified patch version: {given}, expected: "
        raise status.bad_request(text + kind.api_version)
    if config["kind"] != kind.kind:
        raise status.bad_request(f"the configuration is a {config['kind']}, expected a {kind.kind}")
    if not isinstance(config.get("metadata"), dict):
        raise status.bad_request("the configuration must have metadata")
    if config["metadata"].get("managedFields") is not None:
        raise status.bad_request("metadata.managedFields must be nil")


def addressed(resource: Resource, obj: Object, namespace: str, name: str | None) -> Object:
    """Return the object with the namespace of the request; another one, or another name, is refused."""
    meta = obj["metadata"]
    given = meta.get("namespace") or ""
    if given not in ("", namespace) and resource.kind.namespaced:
        text = "the namespace of the provided object does not match the namespace sent on the request"
        raise status.bad_request(text)
    if name is not None and meta.get("name") != name:
        raise _misnamed(meta.get("name") or "", name)
    if given == namespace:
        return obj
    return metadata.amended(obj, namespace=namespace if resource.kind.namespaced else None)


def _misnamed(given: str, name: str) -> ApiError:
    if not given:
        text = f"the name of the object ({name} based on URL) was undeterminable: name must be provided"
        return status.bad_request(text)
    return status.bad_request(f"the name of the object ({given}) does not match the name on the URL ({name})")


def with_nulls(obj: Any, merged: Any) -> Any:
    """Return the object with the nulls that an apply left in it and that defaulting took for absent fields.

    Validation refuses those that may not be null; anywhere but under apply such a null is as good as absent.
    """
    if merged.__class__ is dict and obj.__class__ is dict:
        out = None
        for key, value in merged.items():
            below = None if value is None and key not in obj else with_nulls(obj.get(key), value)
            if below is not obj.get(key) or (value is None and key not in obj):
                out = dict(obj) if out is None else out
                out[key] = below
        return obj if out is None else out
    return obj
