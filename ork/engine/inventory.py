"""What a CR remembers in an annotation: the kinds of children that only `ork` can delete, and the Jobs that ran."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ork.base.objects import Kind, Object, Ref, annotations_of
from ork.base.records import NamedTuple
from ork.labels import GENERATION, INVENTORY


class Inventory(NamedTuple):
    """The annotation, read."""

    kinds: tuple[str, ...] = ()
    """Group-kinds as Kubernetes writes them: `Namespace`, `Deployment.apps`; ordered."""
    ran: Mapping[str, int] = {}
    """The CR's generation at which a Job, by `namespace/name`, was made or seen finished."""


_EMPTY = Inventory()


def read(cr: Object) -> Inventory:
    """Return a CR's inventory; what is no inventory (somebody edited it) counts as none."""
    text = annotations_of(cr).get(INVENTORY)
    if text is None:
        return _EMPTY
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return _EMPTY
    if not isinstance(found, dict):
        return _EMPTY
    kinds, ran = found.get("kinds"), found.get("ran")
    return Inventory(
        tuple(sorted({kind for kind in kinds if isinstance(kind, str)})) if isinstance(kinds, list) else (),
        {name: at for name, at in sorted(ran.items()) if isinstance(at, int)} if isinstance(ran, dict) else {},
    )


def write(inventory: Inventory) -> str | None:
    """Return the annotation's text; None where there is nothing to remember."""
    found: dict[str, Any] = {}
    if inventory.kinds:
        found["kinds"] = list(inventory.kinds)
    if inventory.ran:
        found["ran"] = dict(inventory.ran)
    return json.dumps(found, sort_keys=True, separators=(",", ":")) if found else None


def group_kind(kind: Kind) -> str:
    """Return `Deployment.apps`, or `Namespace` in the core group."""
    return f"{kind.kind}.{kind.group}" if kind.group else kind.kind


def with_kinds(inventory: Inventory, kinds: Iterable[Kind]) -> Inventory:
    """Return the inventory with further kinds."""
    return inventory._replace(kinds=tuple(sorted({*inventory.kinds, *map(group_kind, kinds)})))


def is_job(kind: Kind) -> bool:
    """Tell whether objects of this kind run once and may remove themselves."""
    return (kind.group, kind.kind) == ("batch", "Job")


def job_name(ref: Ref) -> str:
    """Return how a Job is called in the inventory."""
    return f"{ref.namespace}/{ref.name}"


def made_at(job: Object) -> int | None:
    """Return the CR's generation for which a Job was made, where that was noted on it."""
    noted = annotations_of(job).get(GENERATION, "")
    return int(noted) if noted.isdecimal() else None


def spent(job: Object) -> bool:
    """Tell whether a Job, once it is gone, must not run again: it is finished, or will remove itself when it is."""
    if (job.get("spec") or {}).get("ttlSecondsAfterFinished") is not None:
        return True
    conditions = (job.get("status") or {}).get("conditions") or ()
    return any(each.get("type") in ("Complete", "Failed") and each.get("status") == "True" for each in conditions)
