"""The operator: informers, kordinators and the lease of one program, started and stopped in a written order.

Start:
 1. CRDs are applied and waited for, so that no informer begins blocked; for development, what their CRs need before
    them, and the CRs of `crFiles` after them.
 2. Informers list and watch; a standby replica does so too, and takes over warm.
 3. Kinds that only an inventory still names are watched as well: a CR's deletion must find all its children.
 4. The lease is run for; without an election this process leads at once.
 5. A CRD's workers start when this process leads, all its informers have synced (nothing is deleted on half a view)
    and the CRDs it depends on have started or are healthy.

Stop: no worker starts any more; turns in progress end within the grace period; the lease is released after the last
write; informers end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any

from ork.base.errors import OutsideError
from ork.base.objects import Object, deleting
from ork.base.records import NamedTuple
from ork.program import Crd, Program
from ork.reconcile.memory import Memory
from ork.reconcile.ports import OutcomeKind, Ports
from ork.runtime.autoscale import autoscale
from ork.runtime.cache import Cache, owner_of
from ork.runtime.caching import CachingCluster, Echoes
from ork.runtime.health import FAILURES, State
from ork.runtime.informer import Change
from ork.runtime.interner import DEEPEST
from ork.runtime.kordinator import Kordinator, Tools
from ork.runtime.release import Releasing
from ork.runtime.selection import selection, selective
from ork.runtime.watching import Lookout, Watching
from ork.runtime.world import Election, World


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
    once: bool = False
    """Look at every CR once, and at none again because time has passed."""


UNWELL = (*FAILURES, OutcomeKind.FINISHING)
"""How turns end that leave something to do."""


class Operator:
    """One program at work."""

    def __init__(self, program: Program, world: World, options: Options, log: logging.Logger) -> None:
        self._program, self._world, self._options, self._log = program, world, options, log
        self._memory = Memory()
        self.cache = _cache(program, log)
        echoes = Echoes(self._changed)
        cluster = world.cluster(self._left)
        self._cluster = CachingCluster(cluster, self.cache, echoes)
        # Not by way of the cache: what is let go of is not looked after any more.
        self._releasing = Releasing(world.source, cluster, options.namespaces, log)
        self.kordinators = {name: Kordinator(crd, self._tools()) for name, crd in program.crds.items()}
        lookout = Lookout(
            source=world.source,
            cache=self.cache,
            random=world.random,
            changed=echoes.changed,
            judged=self._judge,
            spawn=self._spawn,
            log=log,
        )
        self.cache.touched = self._touched
        self._watching = Watching(program, lookout)
        self._tasks: set[asyncio.Task[None]] = set()
        self._serving: list[asyncio.Task[None]] = []
        self._leading, self._following = asyncio.Event(), asyncio.Event()
        self._election: Election | None = None
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Raises what no part of the operator should have raised: the process must not go on half alive."""

    def _tools(self) -> Tools:
        return Tools(
            ports=self._ports,
            cache=self.cache,
            metrics=self._world.metrics,
            clock=self._world.clock,
            monotonic=asyncio.get_running_loop().time,
            log=self._log,
            release=self._releasing.one,
            namespaces=self._options.namespaces,
            only_deleting=self._options.only_deleting,
            once=self._options.once,
        )

    # ── start and stop ──────────────────────────────────────────────────────────────────────────
    async def start(self) -> None:
        """Go through the start list up to the watches; the rest happens as it becomes possible. Raises OutsideError."""
        crds = self._program.crds.values()
        if self._options.dev:
            await self._apply(obj for crd in crds for obj in crd.setup)
        if self._options.apply_crds:
            for crd in crds:
                if crd.manifest is not None:
                    await self._world.installer.install(crd.manifest)
        if self._options.dev:
            await self._apply(obj for crd in crds for obj in crd.examples)
        self._watching.begin(self._options.namespaces)
        self._serving = [self._spawn(self._lead())]

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
        await self._watching.watch_what_left(self._world.installer.kind)
        self._serving += [self._spawn(self._serve(kordinator)) for kordinator in self.kordinators.values()]
        if self._world.election is None:
            self._lead_changed(True)
            return
        self._world.metrics.leads(self._program.name, False)
        loop = asyncio.get_running_loop()

        def changed(leads: bool) -> None:
            loop.call_soon_threadsafe(self._lead_changed, leads)

        self._election = self._world.election(changed)
        await asyncio.to_thread(self._election.start)

    async def stop(self) -> None:
        """Go through the stop list."""
        await _ended(self._serving)  # first, so that no worker starts any more
        await asyncio.gather(*(kordinator.stop(self._options.grace) for kordinator in self.kordinators.values()))
        if self._election is not None:
            await asyncio.to_thread(self._election.stop)
        await _ended(self._tasks)

    def _spawn(self, story: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(story)
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self.broken.done():
            self.broken.set_exception(error)

    # ── leadership ──────────────────────────────────────────────────────────────────────────────
    def _lead_changed(self, leads: bool) -> None:
        self._world.metrics.leads(self._program.name, leads)
        if self._election is not None:
            self._log.info("this process leads" if leads else "this process does not lead any more")
        begins, ends = (self._leading, self._following) if leads else (self._following, self._leading)
        ends.clear()
        begins.set()

    def _left(self) -> float:
        """Return for how many seconds this process may go on writing."""
        if self._world.election is None:
            return inf
        return self._election.left() if self._election is not None else 0.0

    async def _serve(self, kordinator: Kordinator) -> None:
        """Work on one CRD for as long as this process leads, and again whenever it does."""
        crd = kordinator.crd
        while True:
            await self._leading.wait()
            await self._watching.synced(crd.name)
            await self._dependencies(crd)
            if self._leading.is_set():  # all that waiting may have outlasted it
                await self._work(kordinator)

    async def _work(self, kordinator: Kordinator) -> None:
        crd = kordinator.crd
        settings = crd.settings._replace(workers=self._options.workers or crd.settings.workers)
        await kordinator.begin(settings)
        await self._let_go(crd)
        scaling = autoscale(kordinator, settings, self._world.clock, self._log)
        beside = [asyncio.ensure_future(_tick(kordinator)), asyncio.ensure_future(scaling)]
        try:
            await self._following.wait()
        finally:
            await _ended(beside)
        await kordinator.stop(0)

    async def _let_go(self, crd: Crd) -> None:
        """Release the CRs that left a CRD's selector while nobody looked."""
        if selective(crd):
            selected = selection(crd, self._options.namespaces)
            await self._releasing.crd(crd, lambda cr: not (selected is None or selected(cr) or deleting(cr)))

    async def _dependencies(self, crd: Crd) -> None:
        for name, wanted in crd.depends_on.items():
            while not _meets(self.kordinators[name], wanted):
                await asyncio.sleep(0.1)

    # ── what it is told ─────────────────────────────────────────────────────────────────────────
    def _judge(self) -> None:
        """Enter into the books which CRDs cannot work, and why."""
        for name, kordinator in self.kordinators.items():
            problem = self._watching.problem(name)
            if problem and kordinator.health.blocked != problem:
                self._log.error("%s cannot work: %s", name, problem)
            kordinator.health.blocked = problem

    def _changed(self, change: Change) -> None:
        """Tell the kordinators whose CR, or whose child, has changed."""
        for kordinator in self.kordinators.values():
            if kordinator.crd.kind == change.ref.kind:
                kordinator.changed(change)
        for owner in sorted({owner_of(change.old), owner_of(change.new)} - {""}):
            any(kordinator.child_changed(owner) for kordinator in self.kordinators.values())

    def _touched(self, uid: str) -> None:
        for kordinator in self.kordinators.values():
            kordinator.touched(uid)

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
        return self._world.metrics.text()

    def not_ready(self) -> str:
        """Say why the operator is not ready; the empty string when it is. A standby that has synced is ready."""
        waiting = self._watching.waits_for()
        return f"waiting for the first list of {', '.join(waiting)}" if waiting or not self._watching.begun else ""

    def _ports(self, crd: Crd) -> Ports:
        return Ports(
            view=self.cache,
            cluster=self._cluster,
            call=self._world.call,
            env=self._world.env,
            operator=lambda: self.kordinators[crd.name].summary(),
            may_write=lambda: self._left() > 0,
            memory=self._memory,
        )


async def _ended(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """Cancel tasks and wait for their end."""
    found = list(tasks)
    for task in found:
        task.cancel()
    await asyncio.gather(*found, return_exceptions=True)


async def _tick(kordinator: Kordinator) -> None:
    while True:
        await asyncio.sleep(kordinator.resync.pause)
        kordinator.due()


def _meets(kordinator: Kordinator, wanted: str) -> bool:
    if wanted == "healthy":
        return kordinator.health.state in (State.HEALTHY, State.GATED)
    return kordinator.health.started


def _cache(program: Program, log: logging.Logger) -> Cache:
    """Return an empty cache, which keeps managedFields whole where a sentinel compares them."""
    boxes = ((crd.kind, box) for crd in program.crds.values() for box in crd.boxes.values())
    cache = Cache(frozenset(kind for kind, box in boxes if "managedFieldsChanged" in box.sentinels))
    too_deep = f"%s is nested deeper than {DEEPEST} levels, and the rest of it is not seen"
    cache.cut = partial(log.warning, too_deep)
    return cache
