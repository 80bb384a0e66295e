"""The simulated controllers around a real API server.

They are those of the store in memory: a copy of the cluster is kept there, they work on it, and what they did to the
copy is done to the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ork.base.clock import Clock
from ork.base.objects import Object, Ref, deleting, finalizers_of, ref_of, uid
from ork.cluster.memory.controllers import Controllers
from ork.cluster.memory.history import Change
from ork.cluster.memory.metadata import FOREGROUND, ORPHAN
from ork.cluster.memory.status import ApiError
from ork.cluster.memory.store import Store
from ork.cluster.memory.table import key_of
from ork.cluster.memory.workloads import Policy
from ork.simulate.real.server import NAMESPACES, RealServer

MANAGER = "kube-controller-manager"
ROUNDS = 20
"""So many answers of controllers to each other are waited for; two are usual."""

Place = tuple[str, str]


class Mirrored:
    """Controllers that see the real cluster in a copy of it."""

    def __init__(self, server: RealServer, policy: Policy, clock: Clock) -> None:
        self._server, self._policy = server, policy
        self._copy = Store(clock, namespaces=())
        self._seen: dict[Place, tuple[str, str]] = {}
        """The uid and version of each object that was copied."""
        self._controllers: Controllers | None = None

    def define(self, manifest: Object) -> None:
        """Take in a CRD, so that the copy has its kind."""
        self._copy.restore([manifest])

    def begin(self) -> None:
        """Take in what is there before the first cycle: it is left as it is."""
        self._take_in()
        self._controllers = Controllers(self._copy, self._policy)

    def settle(self) -> None:
        """Let the controllers work until nothing is left to do. Raises ApiError."""
        assert self._controllers is not None
        history = self._copy.state.history
        for _ in range(ROUNDS):
            self._take_in()
            start = history.end
            self._controllers.step()
            if history.end == start:
                return
            for change in [*history.from_index(start)]:
                self._carry_out(change)

    # ── the copy ────────────────────────────────────────────────────────────────────────────────
    def _take_in(self) -> None:
        """Make the copy what the cluster is."""
        here: set[Place] = set()
        for place, obj in self._real():
            here.add(place)
            version = (uid(obj), obj["metadata"]["resourceVersion"])
            if self._seen.get(place) != version:
                self._copy.restore([obj])
                self._seen[place] = version
        for place in [place for place in self._seen if place not in here]:
            del self._seen[place]
            if place[1] in self._copy.state.named_table(place[0]).rows:
                self._copy.state.commit(*place, None)

    def _real(self) -> Iterator[tuple[Place, Object]]:
        for obj in self._server.objects():
            ref = self._server.ref(obj)
            if self._copy.kind_for(obj["apiVersion"], obj["kind"]) is not None:
                yield (ref.kind.resource, key_of(ref.namespace, ref.name)), obj

    # ── the server ──────────────────────────────────────────────────────────────────────────────
    def _carry_out(self, change: Change) -> None:
        """Do to the server what a controller did to the copy; what is gone there already is no fault."""
        ref = self._ref(change)
        try:
            for differs, do in _EFFECTS:
                if differs(change):
                    do(self._server, ref, change)
        except ApiError as error:
            if error.code != 404:
                raise

    def _ref(self, change: Change) -> Ref:
        obj = change.new or change.old
        assert obj is not None
        return ref_of(self._copy.catalogue.of_table(change.table).kind, obj)


# What a controller can have done, and how an API server is asked for it.
def _ended(change: Change) -> bool:
    return change.new is None


def _marked(change: Change) -> bool:
    return change.new is not None and deleting(change.new) and not (change.old and deleting(change.old))


def _relinked(change: Change) -> bool:
    return change.new is not None and not _marked(change) and _links(change.new) != _links(change.old)


def _reported(change: Change) -> bool:
    return change.new is not None and change.new.get("status") != (change.old or {}).get("status")


def _links(obj: Object | None) -> tuple[object, object]:
    meta = obj["metadata"] if obj else {}
    return meta.get("finalizers"), meta.get("ownerReferences")


def _end(server: RealServer, ref: Ref, change: Change) -> None:
    old = change.old
    assert old is not None
    if ref.kind == NAMESPACES:
        _finalize(server, ref, old)
    elif deleting(old):
        server.patch(*ref, {"metadata": {"uid": uid(old), "finalizers": None}}, MANAGER)
    else:
        server.delete(*ref, uid=uid(old), propagation="Background")


def _finalize(server: RealServer, ref: Ref, old: Object) -> None:
    emptied: Object = {**old, "spec": {**old["spec"], "finalizers": []}}
    meta = {key: value for key, value in old["metadata"].items() if key != "resourceVersion"}
    server.update(*ref, {**emptied, "metadata": meta}, MANAGER, "finalize")


def _mark(server: RealServer, ref: Ref, change: Change) -> None:
    new = change.new
    assert new is not None
    found = finalizers_of(new)
    policy = "Foreground" if FOREGROUND in found else "Orphan" if ORPHAN in found else "Background"
    server.delete(*ref, uid=uid(new), propagation=policy)


def _relink(server: RealServer, ref: Ref, change: Change) -> None:
    new = change.new
    assert new is not None
    finalizers, owners = _links(new)
    patch = {"uid": uid(new), "finalizers": finalizers, "ownerReferences": owners}
    server.patch(*ref, {"metadata": patch}, MANAGER)


def _report(server: RealServer, ref: Ref, change: Change) -> None:
    live = server.find(*ref)
    if live is not None and change.new is not None:
        server.update(*ref, {**live, "status": change.new["status"]}, MANAGER, "status")


_EFFECTS: tuple[tuple[Callable[[Change], bool], Callable[[RealServer, Ref, Change], None]], ...] = (
    (_ended, _end),
    (_marked, _mark),
    (_relinked, _relink),
    (_reported, _report),
)
