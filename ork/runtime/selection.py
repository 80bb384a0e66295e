"""Which objects of a CRD's kind it looks after: namespaces and selectors (language, section 2).

The API server filters too, but not where the same kind is watched whole because its objects are also children.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ork.base.objects import Object, labels_of
from ork.cluster.memory import selectors
from ork.program import Crd
from ork.runtime.watches import namespaces_of

Selection = Callable[[Object], bool]


def selective(crd: Crd) -> bool:
    """Tell whether a CRD looks after some objects of its kind only, by what they are."""
    return bool(crd.label_selector or crd.field_selector)


def selection(crd: Crd, namespaces: Sequence[str]) -> Selection | None:
    """Return the test of a CRD's objects; None where all of them are meant."""
    places = namespaces_of(crd, namespaces)
    if "" in places and not (crd.excluded_namespaces or selective(crd)):
        return None
    labels = selectors.parse_labels(crd.label_selector)
    parsed = selectors.parse_fields(crd.field_selector)
    fields = [(selectors.field(path), value, equal) for path, value, equal in parsed]

    def selected(obj: Object) -> bool:
        namespace = obj["metadata"].get("namespace", "")
        here = ("" in places or namespace in places) and namespace not in crd.excluded_namespaces
        return here and labels(labels_of(obj)) and all((read(obj) == value) is equal for read, value, equal in fields)

    return selected
