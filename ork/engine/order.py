"""In which order objects are written: what others need first, in waves; deletion goes the other way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ork.base.objects import Kind
from ork.base.requests import Write

Wave = tuple[Write, ...]

_RBAC = "rbac.authorization.k8s.io"
_WAVES: tuple[tuple[tuple[str, str], ...], ...] = (
    (("", "Namespace"),),
    (
        ("", "ServiceAccount"),
        (_RBAC, "Role"),
        (_RBAC, "RoleBinding"),
        (_RBAC, "ClusterRole"),
        (_RBAC, "ClusterRoleBinding"),
    ),
    (("", "ConfigMap"), ("", "Secret"), ("", "PersistentVolumeClaim")),
    (("", "Service"),),
    (
        ("apps", "Deployment"),
        ("apps", "StatefulSet"),
        ("apps", "DaemonSet"),
        ("apps", "ReplicaSet"),
        ("", "Pod"),
        ("batch", "Job"),
        ("batch", "CronJob"),
    ),
)
_PLACES: Mapping[tuple[str, str], int] = {kind: place for place, wave in enumerate(_WAVES) for kind in wave}
LAST = len(_WAVES)
"""The wave of every kind that is not named."""


def place(kind: Kind) -> int:
    """Return the number of the wave in which objects of a kind are written."""
    return _PLACES.get((kind.group, kind.kind), LAST)


def waves(writes: Iterable[Write]) -> tuple[Wave, ...]:
    """Return writes in waves, each keeping the order given."""
    found: dict[int, list[Write]] = {}
    for write in writes:
        found.setdefault(place(write.ref.kind), []).append(write)
    return tuple(tuple(found[number]) for number in sorted(found))


def backwards(writes: Iterable[Write]) -> tuple[Wave, ...]:
    """Return writes in waves of the opposite order, as deletion needs it."""
    return waves(writes)[::-1]
