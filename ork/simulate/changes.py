"""What others do to the cluster between cycles: `changes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.errors import OrkError
from ork.base.objects import Kind, Object, Ref
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.cluster.memory.status import ApiError
from ork.katalog.scenario import Advanced, Applied, Change, Deleted, Failing, Patched
from ork.simulate.clock import VirtualClock
from ork.simulate.refusals import Refusals
from ork.simulate.server import Server

MANAGER = "simulate"
"""The field manager of everybody else."""


_FEW = 5
"""So many objects are named in place of one that is not there."""


class ChangeError(OrkError):
    """A change cannot be carried out: which one, and why."""

    def __init__(self, message: str, change: Change) -> None:
        super().__init__(message)
        self.change = change


class _NotThereError(OrkError):
    """What a change speaks of is not there."""


class Surroundings(NamedTuple):
    """Everything that a change can reach."""

    server: Server
    clock: VirtualClock
    refusals: Refusals
    namespace: str
    """Of the CR under test: where an object is meant that says none."""


def carry_out(change: Change, around: Surroundings) -> None:
    """Carry out one change; `restart` is the runner's. Raises ChangeError."""
    do = _ACTIONS.get(type(change.action))
    if do is None:
        return
    try:
        do(change, change.action, around)
    except (ApiError, _NotThereError) as error:
        raise ChangeError(str(error), change) from error


def _patch(_: Change, action: Patched, around: Surroundings) -> None:
    kind, namespace, name = _named(action.resource, action.namespace, action.name, around)
    around.server.patch(kind, namespace, name, action.patch, MANAGER, action.subresource)


def _apply(_: Change, action: Applied, around: Surroundings) -> None:
    """Create the objects, or replace them as `kubectl replace` does, keeping what only the server writes."""
    for given in action.objects:
        kind = around.server.kind_for(given.obj.get("apiVersion", ""), given.obj.get("kind", ""))
        if kind is None:
            raise _NotThereError(f"nobody serves {given.obj.get('apiVersion')} {given.obj.get('kind')}")
        _put(kind, given.obj, around)


def _put(kind: Kind, obj: Object, around: Surroundings) -> None:
    meta = obj["metadata"]
    namespace = (meta.get("namespace") or around.namespace) if kind.namespaced else ""
    live = around.server.find(kind, namespace, meta["name"])
    if live is None:
        around.server.create(kind, namespace, obj, MANAGER)
        return
    version = {"resourceVersion": live["metadata"]["resourceVersion"]}
    around.server.update(kind, namespace, meta["name"], {**obj, "metadata": {**meta, **version}}, MANAGER)


def _delete(_: Change, action: Deleted, around: Surroundings) -> None:
    kind, namespace, name = _named(action.resource, action.namespace, action.name, around)
    around.server.delete(kind, namespace, name, propagation="Background")


def _advance(_: Change, action: Advanced, around: Surroundings) -> None:
    around.clock.advance(action.by)


def _fail(change: Change, action: Failing, around: Surroundings) -> None:
    around.refusals.add(change, action)


_ACTIONS: dict[type, Callable[[Change, Any, Surroundings], None]] = {
    Patched: _patch,
    Applied: _apply,
    Deleted: _delete,
    Advanced: _advance,
    Failing: _fail,
}


def _named(resource: str, namespace: str, name: str, around: Surroundings) -> Ref:
    kinds = {kind.plural: kind for kind in reversed(around.server.kinds())}
    kinds |= {kind.resource: kind for kind in kinds.values()}
    kind = kinds.get(resource)
    if kind is None:
        guess = did_you_mean(resource, kinds) or "write the plural, such as deployments"
        raise _NotThereError(f'nobody serves the resource "{resource}"; {guess}')
    ref = Ref(kind, (namespace or around.namespace) if kind.namespaced else "", name)
    if around.server.find(kind, ref.namespace, name) is None:
        others = [obj["metadata"]["name"] for obj in around.server.list(kind, ref.namespace)]
        place = f" in {ref.namespace}" if ref.namespace else ""
        guess = did_you_mean(name, others) or (f"there is {', '.join(others[:_FEW])}" if others else "there is none")
        raise _NotThereError(f'{kind.resource} "{name}" not found{place}; {guess}')
    return ref
