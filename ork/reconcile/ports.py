"""What reconcile needs of the world. The store, the informer caches and a real cluster satisfy it structurally."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from enum import Enum
from typing import Any, Protocol

from ork.base.findings import Fault
from ork.base.objects import Kind, Object, Ref
from ork.base.records import NamedTuple
from ork.base.requests import CallRequest, CallResult, Child, Done, Write
from ork.expr.env import Env, Scope
from ork.reconcile.memory import Memory

Annotations = Mapping[str, str | None]


class View(Protocol):
    """What is known of the cluster, without asking it: informer stores in `run`, the store's indexes in `simulate`."""

    def get(self, ref: Ref) -> Object | None:
        """Return a CR or an object that `ork` made; None where it is not there."""

    def owned(self, uid: str) -> Sequence[Child]:
        """Return the live children labelled with that owner uid, ordered by kind, namespace and name; a turn's own
        writes are among them in the next one."""

    def find(self, kind: Kind, namespace: str, labels: Mapping[str, str]) -> Sequence[Object]:
        """Return the objects of a kind with those labels; an empty namespace is all."""


class Cluster(Protocol):
    """Writes, and the one read that a refused create needs."""

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out writes side by side; what fails is in the answer, never raised."""

    async def read(self, ref: Ref) -> Object | None:
        """Read one object from the API server itself."""

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Server-side apply of the whole owned status; returns the CR. Raises WriteError."""

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        """Set the CR's finalizers and annotations (None removes one) in one patch, if it is still that object and
        its finalizers are still those of `cr`; returns it. Raises WriteError."""

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        """Record a Kubernetes Event on the CR of that uid; `kind` is `Warning` or `Normal`. Never fails."""


class Cause(Enum):
    """Why an object is looked at."""

    EVENT = "event"
    CHILD = "child"
    RETRY = "retry"
    RESYNC = "resync"


class Item(NamedTuple):
    """One turn's work: which CR, and what travels with it from its last admitted event."""

    ref: Ref
    sentinels: Mapping[str, bool]
    cause: Cause
    external: Mapping[str, Any] = {}
    """Records of the calls made at event time, by call: the shared `preReconcile.external` and the enqueueGate's."""
    failure: str = ""
    """Why one of the shared calls failed; it counts for the reconcileGate too."""
    notice: str = ""
    """What could not be evaluated when the event came, and did not keep it from passing."""


Caller = Callable[[CallRequest], Awaitable[CallResult]]
"""Sends one external call; delay, attempts and back-off are its business. Never raises."""


NO_BOOKS: Mapping[str, Any] = {"health": {"state": "healthy"}, "metrics": {}}
"""What `.health` and `.metrics` are where no runtime keeps books."""


class Ports(NamedTuple):
    """Everything outside that one turn may touch."""

    view: View
    cluster: Cluster
    call: Caller
    env: Callable[[Item], Env]
    operator: Callable[[], Mapping[str, Any]]
    """`health` and `metrics` of the runtime that reconciles this CRD."""
    may_write: Callable[[], bool]
    """The lease fence, asked before every wave."""
    memory: Memory
    """Shared by all turns of one process."""


class OutcomeKind(Enum):
    """How a turn ended."""

    GONE = "gone"
    SETTLED = "settled"
    GATED = "gated"
    DENIED = "denied"
    FAILED = "failed"
    FINISHING = "finishing"
    """Deletion goes on in a further turn."""


class Outcome(NamedTuple):
    """What the kordinator learns of a turn."""

    kind: OutcomeKind
    reason: str = ""
    """The gate's reason, or the first fault's message."""
    after: timedelta | None = None
    """When to look again; None leaves it to events, retries and resync. A failed turn is not retried sooner."""
    gate: str = ""
    """Which gate held it: `enqueueGate` or `reconcileGate`."""
    faults: tuple[Fault, ...] = ()
    """Everything that went wrong, the first first."""
    scope: Scope | None = None
    """What the turn's expressions read at its end, results of calls included: for those who explain it."""
    notices: tuple[str, ...] = ()
    """What is worth saying once, and is no fault."""
    rests: bool = False
    """Whether a further turn would be the same, until something of the CR or its children changes."""
