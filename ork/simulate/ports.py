"""What reconcile sees of the cluster, on a simulation's API server: every write goes through here and is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ork.base.objects import Kind, Object, Ref, finalizers_of, uid
from ork.base.records import NamedTuple
from ork.base.requests import Child, Done, Expect, Failure, Verb, Write, WriteError
from ork.cluster.memory.state import Written
from ork.cluster.memory.status import ApiError
from ork.cluster.wire import body_of, fault_of, status_configuration
from ork.labels import FIELD_MANAGER, OWNER_UID_LABEL
from ork.reconcile.ports import Annotations
from ork.simulate.refusals import Refusals
from ork.simulate.report import Op
from ork.simulate.server import Server

_OUTCOMES = {Expect.ABSENT: "create"}
"""What a write is going to be, as far as its precondition says."""


class ServerView:
    """What is known of the cluster: whatever the server says."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def get(self, ref: Ref) -> Object | None:
        """Return an object, None where it is not there."""
        return self._server.find(ref.kind, ref.namespace, ref.name)

    def owned(self, uid: str) -> Sequence[Child]:
        """Return the objects labelled with that owner uid, ordered by kind, namespace and name."""
        return [Child(self._server.ref(obj), obj) for obj in self._server.by_label(OWNER_UID_LABEL, uid)]

    def find(self, kind: Kind, namespace: str, labels: Mapping[str, str]) -> Sequence[Object]:
        """Return the objects of a kind with those labels; an empty namespace is all."""
        return self._server.list(kind, namespace, labels)


class Event(NamedTuple):
    """An Event on a CR."""

    ref: Ref
    kind: str
    reason: str
    message: str


class Recorder:
    """The writes of the operator, in order, each with the object on whose behalf it was made."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.applied: list[Object] = []
        """What was sent to be applied to children, in order."""
        self.events: list[Event] = []
        self._crd = self._owner = ""

    def working_on(self, crd: str, owner: str) -> None:
        """Say whose turn it is."""
        self._crd, self._owner = crd, owner

    def wrote(self, via: str, resource: str, ref: Ref, written: Written) -> None:
        """Take down a write, if it changed something."""
        if not written.changed:
            return
        verb = "delete" if via == "delete" else "create" if written.created else "update"
        kind = ref.kind
        place = (kind.api_version, kind.kind, ref.namespace, ref.name)
        self.ops.append(Op(verb, via, resource, *place, self._crd, self._owner, written.obj))


class ServerCluster:
    """Carries out the writes of reconcile, one after the other; `refusals` refuses what the scenario wants refused."""

    def __init__(self, server: Server, recorder: Recorder, refusals: Refusals) -> None:
        self._server, self._recorder, self._refusals = server, recorder, refusals

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out a wave; what fails is in the answer."""
        objects: dict[Ref, Object] = {}
        failures: list[Failure] = []
        for write in wave:
            try:
                objects[write.ref] = self._one(write)
            except ApiError as error:
                exists = write.expect is Expect.ABSENT and error.code == 409
                failures.append(Failure(write, fault_of(error.code, f"{write.ref}: {error}"), exists))
        return Done(objects, tuple(failures))

    def _one(self, write: Write) -> Object:
        """Carry out one write. To delete what is gone already is a success that wrote nothing."""
        try:
            outcome = _OUTCOMES.get(write.expect, "update") if write.verb is not Verb.DELETE else ""
            self._refusals.check((write.verb.value, outcome), write.ref.kind.plural)
            return self._recorded(write.verb.value, write.ref.kind.plural, write.ref, self._send(write))
        except ApiError as error:
            if write.verb is Verb.DELETE and error.code == 404:
                return {}
            raise

    def _send(self, write: Write) -> Written:
        kind, namespace, name = write.ref
        if write.verb is Verb.DELETE:
            return self._server.delete(kind, namespace, name, uid=write.uid, propagation="Background")
        body = body_of(write)
        if write.verb is Verb.PATCH:
            return self._server.patch(kind, namespace, name, body, FIELD_MANAGER)
        written = self._server.apply(kind, namespace, name, body, FIELD_MANAGER, write.force, write.subresource)
        self._recorder.applied.append(write.obj)
        return written

    async def read(self, ref: Ref) -> Object | None:
        """Read one object."""
        return self._server.find(ref.kind, ref.namespace, ref.name)

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Apply the whole owned status; returns the CR. Raises WriteError."""
        body = status_configuration(ref, status)
        body["metadata"]["uid"] = uid

        def apply() -> Written:
            return self._server.apply(ref.kind, ref.namespace, ref.name, body, FIELD_MANAGER, True, "status")

        return self._to_cr("apply", "status", ref, apply)

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        """Set finalizers and annotations, unless the CR changed meanwhile; returns it. Raises WriteError."""
        meta = cr["metadata"]
        patch: Object = {"uid": uid(cr), "resourceVersion": meta["resourceVersion"], "finalizers": list(finalizers)}
        if annotations:
            patch["annotations"] = dict(annotations)
        resource = ref.kind.plural if list(finalizers) == finalizers_of(cr) else "finalizers"

        def apply() -> Written:
            return self._server.patch(ref.kind, ref.namespace, ref.name, {"metadata": patch}, FIELD_MANAGER)

        return self._to_cr("patch", resource, ref, apply)

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:  # noqa: ARG002
        """Record an Event on the CR; it is shown, and not an op."""
        self._recorder.events.append(Event(ref, kind, reason, message))

    def _to_cr(self, via: str, resource: str, ref: Ref, send: Callable[[], Written]) -> Object:
        try:
            self._refusals.check((via, "update"), resource)
            return self._recorded(via, resource, ref, send())
        except ApiError as error:
            raise WriteError(fault_of(error.code, f"{ref}: {error}")) from error

    def _recorded(self, via: str, resource: str, ref: Ref, written: Written) -> Object:
        self._recorder.wrote(via, resource, ref, written)
        return written.obj
