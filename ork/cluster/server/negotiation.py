"""Which form of an answer a client accepts: the object, its metadata alone, or a table; as JSON or YAML."""

from __future__ import annotations

from ork.base.records import NamedTuple
from ork.cluster.memory import status
from ork.cluster.memory.status import ApiError

_FORMATS = {
    "application/json": "json",
    "application/yaml": "yaml",
    "application/*": "json",
    "*/*": "json",
}
_OWN = frozenset({"application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "*/*"})
_AS = {"Table", "PartialObjectMetadata", "PartialObjectMetadataList"}
_VERSIONS = {"v1", "v1beta1"}
_ACCEPTED = (
    "application/json, application/yaml, application/vnd.kubernetes.protobuf",
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
)


class Form(NamedTuple):
    """How an answer looks."""

    format: str = "json"
    """`json` or `yaml`."""
    kind: str = ""
    """`Table`, `PartialObjectMetadata` or `PartialObjectMetadataList` in place of the object; else empty."""
    version: str = "v1"
    aggregated: bool = False
    """Discovery of everything in one document."""


def accepted(header: str, watching: bool = False, own: bool = False) -> Form:
    """Return the first form of an Accept header that can be served. Raises ApiError (406).

    Kubernetes' `own` resources take fewer wildcards than custom ones, and refuse in other words.
    """
    clauses = (header or "*/*").split(",")
    if own and not any(clause.partition(";")[0].strip().lower() in _OWN for clause in clauses):
        raise status.failure(406, "NotAcceptable", "406: Not Acceptable", {})
    for clause in clauses:
        form = _form(clause, watching)
        if form is not None:
            return form
    raise not_acceptable(f"only the following media types are accepted: {_ACCEPTED[watching]}")


def not_acceptable(message: str) -> ApiError:
    """406: no form that the client accepts."""
    return status.failure(406, "NotAcceptable", message)


def _form(clause: str, watching: bool) -> Form | None:
    media, *parameters = [part.strip() for part in clause.split(";")]
    given = dict(part.partition("=")[::2] for part in parameters)
    found = _FORMATS.get(media.lower())
    if found is None or (watching and found == "yaml"):
        return None
    wanted = given.get("as", "")
    if wanted == "APIGroupDiscoveryList":
        return Form(found, aggregated=True, version=given.get("v", "v2"))
    if not wanted:
        return Form(found)
    if wanted not in _AS or given.get("g") != "meta.k8s.io" or given.get("v") not in _VERSIONS:
        return None
    return Form(found, wanted, given["v"])
