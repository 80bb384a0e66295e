"""What an operator would do on the live cluster now: every CR gets one turn, with writes that change nothing.

The API server answers each write as it would (`dryRun=All`, defaults and webhooks included); what its answer differs in
from the live object is the change. External calls are made as `run` makes them, unless they are to be skipped.
"""

from __future__ import annotations

from collections.abc import Sequence

from ork.base.errors import OutsideError
from ork.base.objects import Object, Ref, ref_of
from ork.base.records import NamedTuple
from ork.base.requests import CallRequest, CallResult, Done, Expect, Failure, Verb, Write, WriteError
from ork.cluster.source import Refusal, Scope, SourceError
from ork.cluster.wire import CRDS
from ork.engine import gates
from ork.engine.calls import SKIPPED
from ork.program import Crd, Program
from ork.reconcile.gates import Event, admit_event
from ork.reconcile.handle import handle
from ork.reconcile.memory import Memory
from ork.reconcile.ports import NO_BOOKS, Annotations, Cause, Cluster, OutcomeKind, Ports
from ork.runtime.cache import Cache
from ork.runtime.rehearsed import Change, Failed, Gated, Plan
from ork.runtime.selection import selection
from ork.runtime.showing import hidden, shown
from ork.runtime.watches import left_behind, watches
from ork.runtime.world import World


class Options(NamedTuple):
    """What is rehearsed."""

    namespaces: tuple[str, ...] = ()
    apply_crds: bool = True
    external: bool = True
    examples: bool = False
    """Whether the CRs of `crFiles` are first made what their files say."""


async def rehearse(program: Program, world: World, options: Options) -> Plan:
    """Return what `run` would do, given a world whose writes change nothing. Raises OutsideError."""
    rehearsal = Rehearsal(program, world, options)
    if options.apply_crds:
        await rehearsal.install()
    await rehearsal.look()
    if options.examples:
        await rehearsal.foresee()
    for crd in program.crds.values():
        selected = selection(crd, options.namespaces)
        known = rehearsal.cache.of_kind(crd.kind)
        for ref in sorted(known):
            if selected is None or selected(known[ref]):
                await rehearsal.turn(crd, ref)
    return Plan(rehearsal.changes, rehearsal.gated, rehearsal.failed)


class Rehearsal:
    """One look at the cluster, and the turns of its CRs; the cluster of their ports."""

    def __init__(self, program: Program, world: World, options: Options) -> None:
        self._program, self._world, self._options = program, world, options
        self._cluster: Cluster = world.unfenced()
        self.cache = Cache()
        self.changes: list[Change] = []
        self.gated: list[Gated] = []
        self.failed: list[Failed] = []
        self._crd = self._object = ""
        self._memory = Memory()

    # ── what is there ───────────────────────────────────────────────────────────────────────────
    async def install(self) -> None:
        """Rehearse that CRDs are put in place. Raises OutsideError."""
        manifests = [crd.manifest for crd in self._program.crds.values() if crd.manifest is not None]
        for manifest in manifests:
            ref = Ref(CRDS, "", manifest["metadata"]["name"])
            try:
                done = await self.write([Write(Verb.APPLY, ref, manifest, Expect.ANY)])
            except WriteError as error:
                raise OutsideError(str(error)) from error
            for failure in done.failures:
                raise OutsideError(f"{failure.fault.message}; use --no-apply-crds to leave CRDs to somebody else")

    async def look(self) -> None:
        """List everything that an operator watches. Raises OutsideError."""
        scopes = [watch.scope for watch in watches(self._program, self._options.namespaces)]
        for scope in scopes:
            await self._list(scope)
        known = [scope.kind for scope in scopes]
        for scope in await left_behind(self._program, self.cache, known, self._world.installer.kind):
            await self._list(scope)

    async def foresee(self) -> None:
        """See the CRs of `crFiles` as they will be. One that is not there yet can lose nothing, and is left out."""
        for crd in self._program.crds.values():
            for example in crd.examples:
                try:
                    obj = await self._world.installer.apply(example)
                except OutsideError:
                    continue  # as at a start, which says it and goes on
                if self.cache.get(ref_of(crd.kind, obj)) is not None:
                    self.cache.foresee(crd.kind, obj)

    async def _list(self, scope: Scope) -> None:
        try:
            async for page in self._world.source.list(scope):
                for obj in page.items:
                    self.cache.put(scope.kind, obj)
        except SourceError as error:
            # Of a kind that nobody serves yet there are no objects.
            if error.refusal is not Refusal.UNKNOWN:
                raise OutsideError(str(error)) from error

    # ── one CR ──────────────────────────────────────────────────────────────────────────────────
    async def turn(self, crd: Crd, ref: Ref) -> None:
        """Give a CR one turn."""
        cr = self.cache.get(ref)
        assert cr is not None
        self._crd, self._object = crd.name, "/".join(filter(None, (ref.namespace, ref.name)))
        ports = self._ports()
        admitted = await admit_event(crd, Event(ref, Cause.EVENT, cr), ports)
        if isinstance(admitted, gates.Held):
            self.gated.append(Gated(crd.name, self._object, admitted.gate, admitted.reason))
            return
        outcome = await handle(crd, admitted, ports)
        if outcome.kind is OutcomeKind.GATED:
            self.gated.append(Gated(crd.name, self._object, outcome.gate, outcome.reason))
        self.failed += [Failed(crd.name, self._object, fault.message, fault.span) for fault in outcome.faults]

    def _ports(self) -> Ports:
        return Ports(
            view=self.cache,
            cluster=self,
            call=self._world.call if self._options.external else _skip,
            env=self._world.env,
            operator=lambda: NO_BOOKS,
            may_write=lambda: True,
            memory=self._memory,
        )

    # ── the cluster ─────────────────────────────────────────────────────────────────────────────
    async def write(self, wave: Sequence[Write]) -> Done:
        """Ask what would come of writes, and note it."""
        before = {write.ref: await self._live(write) for write in wave}
        done = await self._cluster.write(wave)
        # What stands in a namespace that this very turn would make is not taken in a dry run.
        homeless = {failure.write.ref: failure.write.obj for failure in done.failures if self._homeless(failure)}
        failures = tuple(failure for failure in done.failures if failure.write.ref not in homeless)
        answers = {**done.objects, **homeless}
        failed = {failure.write.ref for failure in failures}
        for write in wave:
            if write.ref not in failed:
                self._note(write.ref, write.subresource, before[write.ref], answers.get(write.ref))
        return Done(answers, failures)

    async def _live(self, write: Write) -> Object | None:
        known = self.cache.get(write.ref)
        return known if known is not None or write.expect is Expect.ABSENT else await self._cluster.read(write.ref)

    def _homeless(self, failure: Failure) -> bool:
        write = failure.write
        made = {change.ref.name for change in self.changes if change.verb == "create" and _is_namespace(change.ref)}
        return write.expect is Expect.ABSENT and not failure.exists and write.ref.namespace in made

    async def read(self, ref: Ref) -> Object | None:
        """Read one object from the API server itself."""
        return await self._cluster.read(ref)

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Ask what would come of a status, and note it."""
        after = await self._cluster.status(ref, status, uid)
        self._note(ref, "status", self.cache.get(ref), after)
        return after

    async def mark(self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Annotations) -> Object:
        """Ask what would come of finalizers and annotations, and note it."""
        after = await self._cluster.mark(cr, ref, finalizers, annotations)
        self._note(ref, "metadata", cr, after)
        return after

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        """Events tell of what happens, and nothing does."""

    def _note(self, ref: Ref, part: str, before: Object | None, after: Object | None) -> None:
        old, new = shown(before), shown(after)
        if not part:
            old, new = _without_status(old), _without_status(new)
        if old == new:
            return
        verb = "delete" if new is None else "create" if old is None else "update"
        if ref.kind.kind == "Secret":
            old, new = hidden(old, new, "before"), hidden(new, old, "after")
        self.changes.append(Change(verb, ref, part, old, new, self._crd, self._object))


def _without_status(obj: Object | None) -> Object | None:
    """Return a whole object without what others say of it."""
    return obj if obj is None else {key: value for key, value in obj.items() if key != "status"}


async def _skip(_: CallRequest) -> CallResult:
    return SKIPPED


def _is_namespace(ref: Ref) -> bool:
    return (ref.kind.group, ref.kind.kind) == ("", "Namespace")
