"""Which form of an answer a client accepts: the object, its metadata alone, or a table; as JSON or YAML."""

from __future__ import annotations

from collections.abc import Mapping

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
_AGGREGATED = {"g": "apidiscovery.k8s.io", "v": "v2", "as": "APIGroupDiscoveryList"}
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
    bare: bool = False
    """The head alone, without the content: the answer to HEAD."""


class _Clause(NamedTuple):
    """One of the forms in an Accept header."""

    media: str
    parameters: Mapping[str, str]
    rank: tuple[float, bool, bool]
    """Sorts the clauses: what the client likes best, and names most closely, comes first."""


def _clauses(header: str) -> list[_Clause]:
    found = (_clause(text) for text in (header or "*/*").split(","))
    return sorted(found, key=lambda clause: clause.rank)


def _clause(text: str) -> _Clause:
    media, *rest = [part.strip() for part in text.split(";")]
    pairs = (part.partition("=") for part in rest)
    given = {name.strip(): value.strip() for name, _, value in pairs}
    try:
        quality = float(given.get("q", 1))
    except ValueError:
        quality = 1.0
    return _Clause(media, given, (-quality, media.startswith("*/"), media.endswith("/*")))


def accepted(header: str, watching: bool = False, own: bool = False, plain: bool = False) -> Form:
    """Return the best form of an Accept header that can be served. Raises ApiError (406).

    Kubernetes' `own` resources take fewer wildcards than custom ones, and refuse in other words. What is `plain` has
    no other form than its own.
    """
    clauses = _clauses(header)
    if own and not any(clause.media in _OWN for clause in clauses):
        raise status.failure(406, "NotAcceptable", "406: Not Acceptable", {})
    for clause in clauses:
        form = _form(clause, watching)
        if form is not None and not (plain and form.kind):
            return form
    raise not_acceptable(f"only the following media types are accepted: {_ACCEPTED[watching]}")


def aggregated(header: str) -> Form | None:
    """Return the form of a client that takes discovery of everything in one document; else None."""
    for clause in _clauses(header):
        found = _FORMATS.get(clause.media)
        if found and {**clause.parameters, **_AGGREGATED} == clause.parameters:
            return Form(found, version=_AGGREGATED["v"], aggregated=True)
    return None


def not_acceptable(message: str) -> ApiError:
    """406: no form that the client accepts."""
    return status.failure(406, "NotAcceptable", message)


def _form(clause: _Clause, watching: bool) -> Form | None:
    found, given = _FORMATS.get(clause.media), clause.parameters
    if found is None or (watching and found == "yaml"):
        return None
    wanted = given.get("as", "")
    if not wanted:
        return Form(found)
    if wanted not in _AS or given.get("g") != "meta.k8s.io" or given.get("v") not in _VERSIONS:
        return None
    return Form(found, wanted, given["v"])
