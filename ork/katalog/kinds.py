"""The kinds that a Katalog speaks of: Kubernetes' own, and those of its CRDs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ork.base.objects import Kind, Object, split_api_version
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.types import Types
from ork.openapi import kubernetes
from ork.openapi import schema as openapi


class Known(NamedTuple):
    """A kind and its schema, `ANY` where that is not known."""

    kind: Kind
    schema: Object


class Kinds:
    """Looks kinds up by apiVersion and kind; the Katalog's own come first."""

    def __init__(self, own: Mapping[Kind, Object | None]) -> None:
        self._own = {
            (kind.group, kind.version, kind.kind): Known(kind, openapi.complete(schema) if schema else ANY_OBJECT)
            for kind, schema in own.items()
        }
        self._types: dict[Kind, Types] = {}

    def find(self, api_version: str, kind: str) -> Known | None:
        """Return a kind; None where neither the Katalog nor Kubernetes has it."""
        key = (*split_api_version(api_version), kind)
        if key in self._own:
            return self._own[key]
        found = kubernetes.kinds().get(key)
        return None if found is None else native(found)

    def guess(self, api_version: str, kind: str, *, namespaced: bool) -> Known:
        """Return a kind that only a cluster knows."""
        return Known(Kind(*split_api_version(api_version), kind, plural(kind), namespaced), ANY_OBJECT)

    def types(self, known: Known) -> Types:
        """Return what a kind's schema says of paths; made once."""
        if known.kind not in self._types:
            self._types[known.kind] = Types(known.schema, known.kind.kind)
        return self._types[known.kind]

    def named(self, word: str) -> Known | None:
        """Return the kind with that name or plural, in any letter case; None where there is none."""
        low = word.lower()
        for known in self._own.values():
            if low in (known.kind.kind.lower(), known.kind.plural):
                return known
        for kind in kubernetes.kinds().values():
            if low in (kind.kind.lower(), kind.plural):
                return native(kind)
        return None


ANY_OBJECT = openapi.complete(openapi.ANY)
"""The schema of an object of which only the metadata is known."""


@cache
def native(kind: Kind) -> Known:
    """Return one of Kubernetes' own kinds."""
    return Known(kind, kubernetes.schema_of(kind) or ANY_OBJECT)


def not_kubernetes(api_version: str, kind: str) -> str | None:
    """Return what a kind that only Kubernetes itself could have was meant to be, empty where nothing is near; None
    where a CRD may declare it. A CRD's group has a dot, and beta versions of groups that have one come and go."""
    group, version = split_api_version(api_version)
    there = kubernetes.kinds()
    if "." in group and not any((group, version) == key[:2] for key in there):
        return None
    served = [f"{key[0]}/{key[1]}".lstrip("/") for key in there if key[2] == kind]
    if served:
        return f"{kind} is of {' and '.join(served)}"
    return did_you_mean(kind, [key[2] for key in there])


_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = "aeiou"


def plural(kind: str) -> str:
    """Return the English plural of a kind in lower case: `apps`, `policies`, `ingresses`."""
    word = kind.lower()
    if word.endswith(_SIBILANTS):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"
