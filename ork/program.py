"""What a Katalog means once compiled: frozen values, no clients, no back references.

`ork.katalog` makes a `Program`; `ork.engine` evaluates it. The effective box of every target is in here, computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from enum import Enum
from typing import Any, NewType

from ork.base.findings import Span
from ork.base.objects import Kind, Object, annotations_of
from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.expr.conditions import ALWAYS, Condition, Guard
from ork.expr.env import Env, Scope
from ork.expr.template import Reads, Template
from ork.labels import DEFAULT_FINALIZER, SERVE_ALIAS, SERVE_TARGET

EntryId = NewType("EntryId", str)
"""What tells a box's entries apart: the entry's `id`, else its group and name template; never its place in a list."""

Surface = NewType("Surface", str)
"""The name of a target; the empty string is the CRD level."""
CRD_LEVEL = Surface("")

SENTINELS: Mapping[str, Path] = {
    "generationChanged": ("metadata", "generation"),
    "labelsChanged": ("metadata", "labels"),
    "annotationsChanged": ("metadata", "annotations"),
    "deletionStarted": ("metadata", "deletionTimestamp"),
    "finalizersChanged": ("metadata", "finalizers"),
    "nameChanged": ("metadata", "name"),
    "namespaceChanged": ("metadata", "namespace"),
    "generateNameChanged": ("metadata", "generateName"),
    "uidChanged": ("metadata", "uid"),
    "resourceVersionChanged": ("metadata", "resourceVersion"),
    "creationTimestampChanged": ("metadata", "creationTimestamp"),
    "deletionGracePeriodSecondsChanged": ("metadata", "deletionGracePeriodSeconds"),
    "ownerReferenceChanged": ("metadata", "ownerReferences"),
    "managedFieldsChanged": ("metadata", "managedFields"),
    "specChanged": ("spec",),
    "statusChanged": ("status",),
}
"""Everything that a gate can ask about the event that caused a turn, and what it compares (language, section 8)."""

Build = Callable[[Scope, Env], Any]
"""A tree of expressions, compiled to one callable (`ork.expr.tree`)."""


# ── external calls ──────────────────────────────────────────────────────────────────────────────
class Variable(NamedTuple):
    """An environment variable that the Katalog's author wrote into a token or header."""

    name: str


Parts = tuple[Template | Variable, ...]
"""A token or header value: templates and variables, joined. A variable inside a rendered value is never expanded."""


class SecretRef(NamedTuple):
    """`auth.secretRef`: where in the cluster a token stands."""

    namespace: Template | None
    name: Template
    key: str


class Backoff(NamedTuple):
    """`retryBackoff`: how long to wait before each further attempt."""

    initial: timedelta
    maximum: timedelta = timedelta(seconds=30)
    multiplier: float = 2.0
    attempts: int = 3
    """In all, the first one included."""


class Call(NamedTuple):
    """One external HTTP call (seed `external.md`)."""

    name: str
    span: Span
    url: Template
    method: str
    headers: Mapping[str, Parts]
    body: Template | None
    token: Parts | SecretRef | None
    timeout: timedelta
    expect: int
    """The status that counts as success; 0 is any below 400."""
    go_on: bool
    """`continueOnError`."""
    guard: Guard
    delay: timedelta
    """`sleep`: how long to wait before the call."""
    retry: Backoff | None
    at_reconcile: bool
    """`fires.reconcile`."""
    host_from_cr: bool
    """The URL's host comes out of a template, so where it may lead is limited."""
    allowed_hosts: tuple[str, ...]
    """Empty is any; else exact names and `*.suffix`."""
    reads: Reads


# ── gates ───────────────────────────────────────────────────────────────────────────────────────
class Gate(NamedTuple):
    """`enqueueGate` or `reconcileGate`."""

    name: str
    calls: tuple[Call, ...] = ()
    guard: Guard = ALWAYS
    fail_open: bool = True
    reads: Reads = frozenset()


# ── resources ───────────────────────────────────────────────────────────────────────────────────
class Keep(Enum):
    """What happens to an object of an entry once it exists."""

    ONCE = "once"
    """Left alone."""
    SYNC = "sync"
    """Drift is corrected in every cycle."""


class ForEach(NamedTuple):
    """`forEach`: one object per element."""

    field: Template
    name: str
    """`as`: the name of the element in the scope, beside `.item`."""


class Source(NamedTuple):
    """`fromConfigMap`, `fromSecret`: an object of the entry's own kind whose content is copied."""

    name: Template
    namespace: Template | None
    """None: the CR's own."""
    fields: tuple[str, ...]
    """What is copied; what the entry itself declares is laid over it."""


class Entry(NamedTuple):
    """One resource entry of a box."""

    id: EntryId
    group: str
    """The resource group as the language names it (`configMaps`)."""
    span: Span
    path: str
    """`spec.crds.app.operatorBox.onCreate.deployments[0]`."""
    kind: Kind
    name: Template
    namespace: Template | None
    """None: the CR's own namespace, or none for a cluster-scoped kind."""
    build: Build
    """Renders everything but `apiVersion`, `kind`, `metadata.name` and `metadata.namespace`."""
    guard: Guard
    each: ForEach | None
    keep: Keep
    on_create: bool
    """Declared under `onCreate` (it decides when `onCreate.external` runs)."""
    rerun: bool
    """`rerun: onChange`: a finished Job that was removed runs again when the CR's generation moved."""
    adopt: bool
    prune: bool | None
    """As declared; None is the rule of the language (pruned where drift is corrected)."""
    force: bool
    """Of server-side apply."""
    ignore: tuple[Path, ...]
    reads: Reads
    """Everything that guard, list, name and body read."""
    has_status: bool = True
    """A `status` that the body renders is written to the status subresource; False: the kind has none."""
    spread: Build | None = None
    """`toNamespaces`: renders a list of namespaces, and of lists of them, each of which gets a copy."""
    source: Source | None = None

    @property
    def elsewhere(self) -> bool:
        """Tell whether its objects may stand in another namespace than the CR."""
        return not self.kind.namespaced or self.namespace is not None or self.spread is not None


class Hook(NamedTuple):
    """`reconciler.hooks`."""

    location: str
    function: str
    args: Build
    managed: tuple[str, ...]
    calls: tuple[Call, ...]
    span: Span
    reads: Reads = frozenset()
    """What its arguments read."""


# ── status ──────────────────────────────────────────────────────────────────────────────────────
class StatusField(NamedTuple):
    """One entry of `status.fields`; of several for one path, the last whose conditions hold wins."""

    path: Path
    value: Build
    guard: Guard
    clear_on_false: bool
    span: Span
    reads: Reads


# ── admission rules ─────────────────────────────────────────────────────────────────────────────
class Assertion(NamedTuple):
    """One rule of `validation.rules`: where its condition does not hold, the action is taken."""

    condition: Condition
    message: Template
    deny: bool
    guard: Guard
    at_reconcile: bool
    link: str
    span: Span
    reads: Reads


class Mutation(NamedTuple):
    """One rule of `mutation.rules`."""

    path: Path
    value: Build
    override: bool
    """False: only where the field is missing or empty (`default`)."""
    guard: Guard
    at_reconcile: bool
    span: Span
    reads: Reads


class Rules(NamedTuple):
    """`mutation` and `validation`, in the order in which they are applied."""

    mutation_calls: tuple[Call, ...] = ()
    mutations: tuple[Mutation, ...] = ()
    validation_calls: tuple[Call, ...] = ()
    assertions: tuple[Assertion, ...] = ()


# ── boxes and CRDs ──────────────────────────────────────────────────────────────────────────────
class Box(NamedTuple):
    """The effective operatorBox of one surface: blocks that a target omits are the CRD level's."""

    surface: Surface
    sentinels: tuple[str, ...] = ()
    shared: tuple[Call, ...] = ()
    """`preReconcile.external`."""
    enqueue: Gate = Gate("enqueueGate")
    reconcile: Gate = Gate("reconcileGate")
    calls: tuple[Call, ...] = ()
    """`onReconcile.external`."""
    create_calls: tuple[Call, ...] = ()
    """`onCreate.external`: run only while an `onCreate` object is absent."""
    entries: tuple[Entry, ...] = ()
    hook: Hook | None = None
    status: tuple[StatusField, ...] = ()
    conditions: bool = True
    """Whether `status.conditions` is kept."""
    reads: Reads = frozenset()
    """Everything that any expression of the box reads, rules included."""


class Overflow(NamedTuple):
    """`queue.behaviour`: what happens to an event while so much waits already."""

    percent: int
    """The share of `maxDepth`; 100 is `onLimit`."""
    drop: bool = True
    guard: Guard = ALWAYS
    """Which events it is for."""


class Autoscale(NamedTuple):
    """`operatorBox.autoscale`: other settings for as long as conditions hold."""

    guard: Guard
    interval: timedelta = timedelta(seconds=15)
    cooldown: timedelta = timedelta(minutes=2)
    """The least time between two changes."""
    workers: int | None = None
    max_depth: int | None = None
    resync: timedelta | None = None


class Settings(NamedTuple):
    """How a CRD's queue and workers run; always the CRD level's."""

    workers: int = 16
    resync: timedelta = timedelta(seconds=30)
    max_depth: int = 0
    failure_threshold: int = 5
    retry_backoff: Backoff | None = None
    """Between attempts of a failed turn; no `attempts` is no end of them."""
    behaviour: tuple[Overflow, ...] = (Overflow(100),)
    """The fullest first; the first whose conditions hold decides."""
    autoscale: Autoscale | None = None


class Endpoints(NamedTuple):
    """What the live API shows of a CRD."""

    enabled: bool = True
    health: bool = True
    info: bool = True


class Crd(NamedTuple):
    """One entry of `spec.crds` that is enabled."""

    name: str
    kind: Kind
    span: Span
    manifest: Object | None
    """The CustomResourceDefinition of `crdFile`, as read."""
    schema: Object | None
    """Its OpenAPI schema for `kind.version`; None where it is not known."""
    has_status: bool
    """The status subresource is there (assumed where no schema is known)."""
    boxes: Mapping[Surface, Box]
    """The CRD level's under `CRD_LEVEL`, and one for each target that counts."""
    keep_previous: Mapping[Surface, bool]
    """`keepPreviousSurface` when that surface becomes active."""
    rules: Rules
    settings: Settings
    finalizer: str = DEFAULT_FINALIZER
    namespaces: tuple[str, ...] = ()
    """`namespace` and `allowedNamespaces`; empty is all."""
    excluded_namespaces: tuple[str, ...] = ()
    label_selector: str = ""
    field_selector: str = ""
    description: str = ""
    depends_on: Mapping[str, str] = {}
    """Other CRDs of the katalog, and what they must be before this one starts: `started` or `healthy`."""
    katalog: str = ""
    """The Katalog's `metadata.name`, which every child is labelled with."""
    endpoints: Endpoints = Endpoints()
    setup: tuple[Object, ...] = ()
    """What `ork run --dev` applies before the workers start."""
    examples: tuple[Object, ...] = ()
    """`crFiles`: what it applies once the CRD is there."""

    @property
    def has_targets(self) -> bool:
        """Tell whether CRs of this CRD carry `last-surface`."""
        return len(self.boxes) > 1


class Program(NamedTuple):
    """A compiled Katalog."""

    name: str
    crds: Mapping[str, Crd]
    """By entry name, in the order of the file; disabled ones are not here."""
    children: tuple[Kind, ...]
    """Every kind that an entry can create, ordered."""
    variables: frozenset[str]
    """Environment variables that tokens and headers name."""


def surface_of(crd: Crd, cr: Object) -> Surface:
    """Return the surface that a CR is on: `serve-alias`, then `serve-target`, then the CRD level (seed
    `serve-target-operatorbox.md`, "Resolution order")."""
    marks = annotations_of(cr)
    for annotation in (SERVE_ALIAS, SERVE_TARGET):
        named = Surface(marks.get(annotation, ""))
        if named and named in crd.boxes:
            return named
    return CRD_LEVEL


def box_of(crd: Crd, cr: Object) -> Box:
    """Return the effective box of a CR."""
    return crd.boxes[surface_of(crd, cr)]


def turn_calls(box: Box, rules: Rules) -> Iterator[Call]:
    """Go over every external call that an event or a turn of one box may make, in the order in which they run."""
    yield from (*box.shared, *box.enqueue.calls, *box.reconcile.calls)
    yield from (*rules.mutation_calls, *rules.validation_calls)
    yield from (*box.create_calls, *box.calls)


def calls_of(crd: Crd) -> Iterator[Call]:
    """Go over every external call that a turn or an event of a CRD may make."""
    yield from (*crd.rules.mutation_calls, *crd.rules.validation_calls)
    for box in crd.boxes.values():
        yield from turn_calls(box, Rules())
        yield from box.hook.calls if box.hook else ()
