"""The operator: informers, kordinators and the lease of one program, started and stopped in a written order.

Start:
 1. CRDs are applied and waited for, so that no informer begins blocked; for development, what their CRs need before
    them, and the CRs of `crFiles` after them.
 2. Informers list and watch; a standby replica does so too, and takes over warm.
 3. Kinds that only an inventory still names are watched as well: a CR's deletion must find all its children.
 4. The lease is run for; without an election this process leads at once.
 5. A CRD's workers start when this process leads, all its informers have synced (nothing is deleted on half a view)
    and the CRDs it depends on have started or are healthy.

Stop: workers end their turns within the grace period; the lease is released after the last write; informers end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from random import Random
from typing import Any, Protocol

from ork.base.clock import Clock
from ork.base.errors import OutsideError
from ork.base.objects import Kind, Object, deleting, labels_of
from ork.base.records import NamedTuple
from ork.cluster.source import Scope
from ork.engine import inventory
from ork.expr.conditions import holds
from ork.expr.env import Env
from ork.expr.errors import EvaluationError
from ork.program import (
    FIELD_MANAGER,
    KATALOG_LABEL,
    MANAGED_BY_LABEL,
    OWNER_UID_LABEL,
    Autoscale,
    Crd,
    Program,
    Settings,
)
from ork.reconcile.memory import Memory
from ork.reconcile.ports import Caller, Cluster, Item, OutcomeKind, Ports
from ork.runtime.autoscale import Autoscaler
from ork.runtime.cache import DEEPEST, Cache
from ork.runtime.caching import CachingCluster, Echoes
from ork.runtime.health import FAILURES, State
from ork.runtime.informer import Change, Informer, Source, Told
from ork.runtime.informer import State as Watching
from ork.runtime.kordinator import Kordinator, Tools
from ork.runtime.metrics import Metrics
from ork.runtime.release import Releasing
from ork.runtime.selection import selection, selective
from ork.runtime.watches import Watch, watches


class Installer(Protocol):
    """What the start needs of the API server, beside lists and writes."""

    async def install(self, manifest: Object) -> None:
        """Apply a CRD and wait until it is Established. Raises OutsideError."""

    async def apply(self, obj: Object) -> None:
        """Apply any object, as for development. Raises OutsideError."""

    async def kind(self, group_kind: str) -> Kind | None:
        """Return the kind behind `Deployment.apps`, in the server's preferred version; None where it has none."""


class Election(Protocol):
    """Who leads."""

    def left(self) -> float:
        """Return for how many seconds this process may go on writing; nothing or less is not at all."""

    def start(self) -> None:
        """Begin to run for the lease."""

    def stop(self) -> None:
        """Release the lease."""


Elect = Callable[[Callable[[bool], None]], Election]
"""Makes an election, given what to call (on any thread) when leadership begins and ends."""


class World(NamedTuple):
    """The outside, as the operator needs it."""

    source: Source
    cluster: Callable[[Callable[[], float]], Cluster]
    """Makes the cluster, whose writes end within the seconds that the lease has left when they are sent."""
    installer: Installer
    call: Caller
    clock: Clock
    random: Random
    environ: Mapping[str, str]
    metrics: Metrics
    election: Elect | None = None
    """None: this process always leads."""


class Options(NamedTuple):
    """What the user chose for this run."""

    namespaces: tuple[str, ...] = ()
    workers: int | None = None
    apply_crds: bool = True
    grace: float = 30.0
    dev: bool = False
    """Apply `setup` and `crFiles` too."""
    only_deleting: bool = False
    """Give turns to CRs that are being deleted, and to no others."""


UNWELL = (*FAILURES, OutcomeKind.FINISHING)
"""How turns end that leave something to do."""


class Operator:
    """One program at work."""

    def __init__(self, program: Program, world: World, options: Options, log: logging.Logger) -> None:
        self._program, self._world, self._options, self._log = program, world, options, log
        self.cache = Cache(_kept_whole(program))
        too_deep = f"%s is nested deeper than {DEEPEST} levels, and the rest of it is not seen"
        self.cache.cut = partial(log.warning, too_deep)
        self.metrics = world.metrics
        self._memory = Memory()
        self._echoes = Echoes(self._changed)
        cluster = world.cluster(self._left)
        self._cluster = CachingCluster(cluster, self.cache, self._echoes)
        now = asyncio.get_running_loop().time
        # Not by way of the cache: what is let go of is not looked after any more.
        self._releasing = Releasing(world.source, cluster, options.namespaces, log)
        tools = Tools(
            ports=self._ports,
            cache=self.cache,
            metrics=self.metrics,
            clock=world.clock,
            monotonic=now,
            log=log,
            release=self._releasing.one,
            namespaces=options.namespaces,
            only_deleting=options.only_deleting,
        )
        self.kordinators = {name: Kordinator(crd, tools) for name, crd in program.crds.items()}
        self._informers: list[tuple[Informer, Watch]] = []
        self._troubles: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._leading = asyncio.Event()
        self._following = asyncio.Event()
        self._election: Election | None = None
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Raises what no part of the operator should have raised: the process must not go on half alive."""

    # ── start and stop ──────────────────────────────────────────────────────────────────────────
    async def start(self) -> None:
        """Go through the start list up to the lease; the rest happens as it becomes possible. Raises OutsideError."""
        crds = self._program.crds.values()
        if self._options.dev:
            await self._apply(obj for crd in crds for obj in crd.setup)
        if self._options.apply_crds:
            for crd in crds:
                if crd.manifest is not None:
                    await self._world.installer.install(crd.manifest)
        if self._options.dev:
            await self._apply(obj for crd in crds for obj in crd.examples)
        self._watch(watches(self._program, self._options.namespaces))
        self._spawn(self._lead())

    async def _apply(self, objects: Iterable[Object]) -> None:
        """Apply what helps to develop; what is refused is said, and no reason not to start."""
        for obj in objects:
            kind, name = obj.get("kind"), obj["metadata"].get("name")
            try:
                await self._world.installer.apply(obj)
                self._log.info("%s %s is applied", kind, name)
            except OutsideError as error:
                self._log.error("%s %s is not applied: %s", kind, name, error)

    async def _lead(self) -> None:
        for informer, _ in self._informers:
            await informer.settled.wait()
        await self._watch_what_left()
        for kordinator in self.kordinators.values():
            self._spawn(self._serve(kordinator))
        if self._world.election is None:
            self._lead_changed(True)
            return
        loop = asyncio.get_running_loop()

        def changed(leads: bool) -> None:
            loop.call_soon_threadsafe(self._lead_changed, leads)

        self._election = self._world.election(changed)
        await asyncio.to_thread(self._election.start)

    async def stop(self) -> None:
        """Go through the stop list."""
        await asyncio.gather(*(kordinator.stop(self._options.grace) for kordinator in self.kordinators.values()))
        if self._election is not None:
            await asyncio.to_thread(self._election.stop)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _spawn(self, story: Any) -> None:
        task = asyncio.get_running_loop().create_task(story)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self.broken.done():
            self.broken.set_exception(error)

    # ── leadership ──────────────────────────────────────────────────────────────────────────────
    def _lead_changed(self, leads: bool) -> None:
        self.metrics.leads(self._program.name, leads)
        if self._election is not None:
            self._log.info("this process leads" if leads else "this process does not lead any more")
        begins, ends = (self._leading, self._following) if leads else (self._following, self._leading)
        ends.clear()
        begins.set()

    def _left(self) -> float:
        if self._world.election is None:
            return inf
        return self._election.left() if self._election is not None else 0.0

    async def _serve(self, kordinator: Kordinator) -> None:
        """Work on one CRD for as long as this process leads, and again whenever it does."""
        while True:
            await self._leading.wait()
            for informer in self._needed_by(kordinator.crd.name):
                await informer.synced.wait()
            await self._dependencies(kordinator.crd)
            await kordinator.begin(self._settings(kordinator.crd).workers)
            await self._let_go(kordinator.crd)
            beside = [asyncio.create_task(story) for story in (_tick(kordinator), self._autoscale(kordinator))]
            try:
                await self._following.wait()
            finally:
                for task in beside:
                    task.cancel()
            await kordinator.stop(0)

    async def _let_go(self, crd: Crd) -> None:
        """Release the CRs that left a CRD's selector while nobody looked."""
        if selective(crd):
            selected = selection(crd, self._options.namespaces)
            await self._releasing.crd(crd, lambda cr: not (selected is None or selected(cr) or deleting(cr)))

    def _settings(self, crd: Crd) -> Settings:
        return crd.settings._replace(workers=self._options.workers or crd.settings.workers)

    async def _autoscale(self, kordinator: Kordinator) -> None:
        """Look from time to time whether other settings are called for."""
        rule = kordinator.crd.settings.autoscale
        if rule is None:
            return
        scaler, now = Autoscaler(rule, self._settings(kordinator.crd)), asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(rule.interval.total_seconds())
            settings = scaler.decide(self._calls_for(rule, kordinator), now())
            if settings is not None:
                words = f"{settings.workers} workers, maxDepth {settings.max_depth}, resync {settings.resync}"
                self._log.info("%s goes on with %s", kordinator.crd.name, words)
                kordinator.adopt(settings)

    def _calls_for(self, rule: Autoscale, kordinator: Kordinator) -> bool:
        try:
            return holds(rule.guard, kordinator.summary(), Env(self._world.clock.now()))
        except EvaluationError as error:
            self._log.warning("%s: autoscale cannot be decided: %s", kordinator.crd.name, error)
            return False

    async def _dependencies(self, crd: Crd) -> None:
        for name, wanted in crd.depends_on.items():
            while not _meets(self.kordinators[name], wanted):
                await asyncio.sleep(0.1)

    # ── watches ─────────────────────────────────────────────────────────────────────────────────
    def _watch(self, wanted: Sequence[Watch]) -> None:
        for watch in wanted:
            informer = Informer(
                self._world.source, watch.scope, self.cache, Told(self._echoes.changed, self._judge), self._world.random
            )
            self._informers.append((informer, watch))
            self._spawn(informer.run())

    async def _watch_what_left(self) -> None:
        """Watch the kinds that no entry makes any more, but an inventory still names."""
        known = {inventory.group_kind(watch.scope.kind) for _, watch in self._informers}
        crs = [cr for crd in self._program.crds.values() for cr in self.cache.of_kind(crd.kind).values()]
        left = sorted({name for cr in crs for name in inventory.read(cr).kinds} - known)
        labels = f"{MANAGED_BY_LABEL}={FIELD_MANAGER},{KATALOG_LABEL}={self._program.name}"
        kinds = [kind for name in left if (kind := await self._world.installer.kind(name)) is not None]
        self._watch([Watch(Scope(kind, "", labels), tuple(self.kordinators)) for kind in kinds])

    def _needed_by(self, crd: str) -> list[Informer]:
        return [informer for informer, watch in self._informers if crd in watch.needed_by]

    def _judge(self) -> None:
        """Enter into the books which CRDs cannot work, and why; say which watches are in trouble."""
        working = [informer for informer, _ in self._informers if informer.state is not Watching.BLOCKED]
        troubles = {informer.problem for informer in working} - {""}
        for trouble in sorted(troubles - self._troubles):
            self._log.warning("%s; it is asked again", trouble)
        if self._troubles and not troubles:
            self._log.info("every watch is well again")
        self._troubles = troubles
        for name, kordinator in self.kordinators.items():
            problems = [informer.problem for informer in self._needed_by(name) if informer.state is Watching.BLOCKED]
            if problems and kordinator.health.blocked != problems[0]:
                self._log.error("%s cannot work: %s", name, problems[0])
            kordinator.health.blocked = problems[0] if problems else ""

    def _changed(self, change: Change) -> None:
        """Tell the kordinators whose CR, or whose child, has changed."""
        for kordinator in self.kordinators.values():
            if kordinator.crd.kind == change.ref.kind:
                kordinator.changed(change)
        owners = {labels_of(obj).get(OWNER_UID_LABEL) for obj in (change.old, change.new) if obj is not None}
        for owner in sorted(filter(None, owners)):
            any(kordinator.child_changed(owner) for kordinator in self.kordinators.values())

    # ── one look ────────────────────────────────────────────────────────────────────────────────
    async def rest(self) -> bool:
        """Wait until every CR had its turn and nothing more is to be expected; tell whether all is well."""
        kordinators = self.kordinators.values()
        while not all(map(self._at_rest, kordinators)):
            await asyncio.sleep(0.05)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._options.grace):
                while any(kordinator.health.last(OutcomeKind.FINISHING) for kordinator in kordinators):
                    await asyncio.sleep(0.05)
        return all(kordinator.at_rest and not kordinator.health.last(*UNWELL) for kordinator in kordinators)

    def _at_rest(self, kordinator: Kordinator) -> bool:
        waits = kordinator.crd.depends_on.items()
        waiting = any(not _meets(self.kordinators[name], wanted) for name, wanted in waits)
        return kordinator.at_rest or bool(kordinator.health.blocked) or (waiting and not kordinator.awake)

    # ── what others read ────────────────────────────────────────────────────────────────────────
    def figures(self) -> bytes:
        """Return what `/metrics` shows."""
        for kordinator in self.kordinators.values():
            kordinator.measure()
        return self.metrics.text()

    def not_ready(self) -> str:
        """Say why the operator is not ready; the empty string when it is. A standby that has synced is ready."""
        waiting = [watch.scope.kind.resource for informer, watch in self._informers if not informer.settled.is_set()]
        return f"waiting for the first list of {', '.join(waiting)}" if waiting or not self._informers else ""

    def _ports(self, crd: Crd) -> Ports:
        return Ports(
            view=self.cache,
            cluster=self._cluster,
            call=self._world.call,
            env=self._env,
            operator=lambda: self.kordinators[crd.name].summary(),
            may_write=lambda: self._left() > 0,
            memory=self._memory,
        )

    def _env(self, item: Item) -> Env:
        return Env(self._world.clock.now(), item.sentinels, self._world.environ, self._world.random)


async def _tick(kordinator: Kordinator) -> None:
    while True:
        await asyncio.sleep(kordinator.resync.pause)
        kordinator.due()


def _meets(kordinator: Kordinator, wanted: str) -> bool:
    if wanted == "healthy":
        return kordinator.health.state in (State.HEALTHY, State.GATED)
    return kordinator.health.started


def _kept_whole(program: Program) -> frozenset[Kind]:
    """Return the kinds whose managedFields a sentinel compares."""
    return frozenset(
        crd.kind
        for crd in program.crds.values()
        if any("managedFieldsChanged" in box.sentinels for box in crd.boxes.values())
    )
