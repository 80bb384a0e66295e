"""One scenario from its first cycle to its last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta

from ork.base.clock import rfc3339
from ork.base.objects import Object, Ref, ref_of
from ork.base.records import NamedTuple
from ork.calls.retry import Send
from ork.katalog.scenario import Absence, Change, OpClaim, Restarted, Scenario
from ork.program import Box, Crd, Program, Surface, box_of, surface_of
from ork.simulate import world
from ork.simulate.changes import ChangeError, Surroundings, carry_out
from ork.simulate.clock import START, VirtualClock
from ork.simulate.explaining import explained, told
from ork.simulate.operator import Operator, Turned, name_of, problems
from ork.simulate.ports import Recorder, ServerCluster, ServerView
from ork.simulate.refusals import Refusals
from ork.simulate.report import Called, Cycle, Final, Result, Run
from ork.simulate.responses import Responder
from ork.simulate.server import Stages
from ork.simulate.verdict import Ground, verdict

CLOCK = ("@clock",)
"""The mark of an expression that reads the time."""

OWN = frozenset({"status", "finalizers"})
"""How writes to the CR itself are named."""

CRs = Mapping[Ref, tuple[Crd, Object]]
"""Every CR that is looked after, in the order in which they get their turns."""


class Options(NamedTuple):
    """How a scenario is run, beside what it says itself."""

    explain: bool = False
    strict: bool = False
    """Notices fail."""
    live: Send | None = None
    """Makes the calls that no answer is scripted for."""
    environ: Mapping[str, str] = {}
    stages: Stages = world.InMemory
    """Makes the cluster of each scenario."""
    tested: bool = True
    """False for an ad-hoc run, which has no expectations."""


def simulate(scenario: Scenario, program: Program, options: Options = Options()) -> Run:  # noqa: B008
    """Run a scenario. What keeps it from running is a failed result, like an expectation that did not hold."""
    try:
        return Simulation(scenario, program, options).run()
    except world.GivenError as error:
        failed = Result("spec", None, False, str(error))
    except ChangeError as error:
        failed = Result(error.change.path, error.change.span, False, str(error))
    return Run(scenario.name, scenario.file, scenario.target or None, (), (), (failed,), ())


class Simulation:
    """The state of one run."""

    def __init__(self, scenario: Scenario, program: Program, options: Options) -> None:
        self.scenario, self.program, self.options = scenario, program, options
        self.under_test = world.under_test(scenario, program)
        if not self.under_test:
            raise world.GivenError(f"there is nothing to work on: {_idle(scenario, program)}")
        self.clock = VirtualClock(scenario.at or START)
        self.stage = options.stages(scenario, program, self.clock)
        self.server = self.stage.server
        world.furnish(self.stage, scenario, program)
        self.target = self._surface()
        self.recorder, self.refusals = Recorder(), Refusals()
        self.responder = Responder(scenario, self.clock, options.live)
        self.operator = self._operator()
        self.resync = max((crd.settings.resync for crd in program.crds.values()), default=timedelta(seconds=30))
        self.warnings: dict[str, None] = dict.fromkeys(_vacuous(scenario, program))
        self.boxes: dict[tuple[str, Surface], Box] = {}
        """Every box that a CR met."""
        self.unlooked = list(self._unlooked())
        self.seen: dict[str, dict[str, None]] = {}

    def _surface(self) -> Surface:
        """Return the surface that the CR under test is on."""
        name, ref = next(iter(self.under_test.items()))
        return surface_of(self.program.crds[name], self.server.find(*ref) or {"metadata": {}})

    def _operator(self) -> Operator:
        cluster = ServerCluster(self.server, self.recorder, self.refusals)
        return Operator(ServerView(self.server), cluster, self.responder.call, self.clock, self.options.environ)

    def run(self) -> Run:
        """Run every cycle, then judge."""
        cycles = [self._cycle(number) for number in range(1, self.scenario.cycles + 1)]
        finals = [Final(crd.name, name_of(ref), obj.get("status") or {}) for ref, (crd, obj) in self._crs().items()]
        self.warnings |= dict.fromkeys([*self._hooks(), *self._unscripted()])
        notices = (*self._remarks(), *self.warnings, *self._events(cycles))
        scenario, target = self.scenario, self.target or None
        run = Run(scenario.name, scenario.file, target, cycles, finals, (), self.server.objects(), notices)
        if not self.options.tested:
            return run._replace(tested=False, applied=self.recorder.applied, results=tuple(self._strictly()))
        return run._replace(results=tuple(self._results(run)))

    def _unlooked(self) -> Iterator[str]:
        """Say which of the given CRs no entry looks after."""
        here = self._crs()
        for one in world.stamped(self.scenario, self.program):
            crd = world.crd_of(self.program, one.obj)
            if crd is not None and (ref := ref_of(crd.kind, one.obj)) not in here:
                reason = "a selector leaves it out" if _in_scope(crd, ref.namespace) else "its namespace is left out"
                yield f"{crd.kind.kind} {name_of(ref)} is not looked at: {reason} by the entry {crd.name}"

    # ── a cycle ─────────────────────────────────────────────────────────────────────────────────
    def _cycle(self, number: int) -> Cycle:
        if number > 1:
            self.clock.advance(self.resync)
        self.clock.begin_turn()
        self.responder.begin_cycle(number)
        before = len(self.recorder.ops)
        self._deliver(number)
        turns = list(self._turns())
        self.clock.begin_turn()
        self.stage.settle()
        here = self._crs()
        self.operator.keep(here)
        calls = self.responder.calls(turned.skipped for turned in turns)
        return Cycle(
            number,
            self.clock.now(),
            self.recorder.ops[before:],
            [self.operator.gated[ref] for ref in here if ref in self.operator.gated],
            calls,
            [problem for turned in turns for problem in problems(turned)],
            self._explained(turns, calls) if self.options.explain else (),
        )

    def _explained(self, turns: Sequence[Turned], calls: Sequence[Called]) -> list[str]:
        return [*map(told, calls), *(line for turned in turns for line in explained(turned))]

    def _deliver(self, number: int) -> None:
        """Carry out what is due and tell the operator of every CR that it touched; then of all, since all are due."""
        fresh = number == 1
        for change in self.scenario.changes:
            if change.cycle == number:
                before = self._crs()
                carry_out(change, self._surroundings())
                fresh = fresh or self._restarted(change)
                if not fresh:
                    self._tell(before, self._crs())
        for ref, (crd, obj) in self._crs().items():
            self._begin(crd, ref)
            self.boxes[crd.name, surface_of(crd, obj)] = box_of(crd, obj)
            if fresh:
                self.operator.told(crd, ref, None, obj)
            else:
                self.operator.ticked(crd, ref, obj)

    def _surroundings(self) -> Surroundings:
        first = next(iter(self.under_test.values()))
        return Surroundings(self.server, self.clock, self.refusals, first.namespace or "default")

    def _restarted(self, change: Change) -> bool:
        if not isinstance(change.action, Restarted):
            return False
        self.operator = self._operator()
        return True

    def _tell(self, before: CRs, after: CRs) -> None:
        for ref in before.keys() - after.keys():
            self.operator.forget(ref)
        for ref, (crd, obj) in after.items():
            old = before[ref][1] if ref in before else None
            if old != obj:
                self._begin(crd, ref)
                self.operator.told(crd, ref, old, obj)

    def _turns(self) -> Iterator[Turned]:
        for ref, (crd, _) in self._crs().items():
            self._begin(crd, ref)
            turned = self.operator.turn(crd, ref)
            if turned is not None:
                self.warnings |= dict.fromkeys(turned.outcome.notices)
                yield turned

    def _begin(self, crd: Crd, ref: Ref) -> None:
        """Begin work on one CR: what is written and called from here on is on its behalf."""
        owner = name_of(ref)
        self.clock.begin_turn()
        self.recorder.working_on(crd.name, owner)
        self.responder.working_on(crd.name, owner)
        self.seen.setdefault(crd.name, {})[owner] = None

    def _crs(self) -> CRs:
        return {
            ref_of(crd.kind, obj): (crd, obj)
            for crd in self.program.crds.values()
            for obj in self.server.list(crd.kind, "", crd.label_selector, crd.field_selector)
            if _in_scope(crd, obj["metadata"].get("namespace", ""))
        }

    # ── the end ─────────────────────────────────────────────────────────────────────────────────
    def _results(self, run: Run) -> Iterator[Result]:
        yield from verdict(self.scenario, run, self._ground())
        yield from self.responder.unused()
        yield from self.refusals.unmet()
        for change in self.scenario.changes:
            if not 1 <= change.cycle <= self.scenario.cycles:
                message = f"cycle {change.cycle} did not run; there were {self.scenario.cycles} (set `cycles:`)"
                yield Result(change.path, change.span, False, message)
        yield from self._strictly()

    def _strictly(self) -> Iterator[Result]:
        """Go over the notices that fail a run where the call says so."""
        if self.options.strict:
            yield from (Result("strict", None, False, warning) for warning in self.warnings)

    def _hooks(self) -> Iterator[str]:
        if self.scenario.hooks:
            yield f"hooks are not run in this version, so `hooks` ({', '.join(self.scenario.hooks)}) binds nothing"
        for (crd, _), box in self.boxes.items():
            if box.hook is not None:
                yield f"the hook {box.hook.location} of {crd} is not run"

    def _events(self, cycles: Sequence[Cycle]) -> Iterator[str]:
        """Go over the Warnings on CRs that no error of a cycle tells already."""
        told = {problem.message for cycle in cycles for problem in cycle.errors}
        for event in dict.fromkeys(self.recorder.events):
            if event.kind == "Warning" and event.message not in told:
                yield f"{event.ref} {event.kind} {event.reason}: {event.message}"

    def _unscripted(self) -> Iterator[str]:
        for name in self.responder.unscripted:
            yield f"no answer is scripted for the external call {name}, so it fails; add one under externalResponses"

    def _remarks(self) -> Iterator[str]:
        yield from self.unlooked
        for kind in self.program.children:
            if self.server.kind_for(kind.api_version, kind.kind) is None:
                name = f"{kind.kind} ({kind.api_version})"
                yield f"nobody serves {name}, which a box makes; name its CRD under `crdFiles`"
        if self.scenario.at is None and any(CLOCK in box.reads for box in self.boxes.values()):
            yield f"time is read: the clock starts at {rfc3339(START)}, a Monday; set it with `at:` or --at"

    def _ground(self) -> Ground:
        known = {kind.plural for kind in self.server.kinds()} | {kind.plural for kind in self.program.children} | OWN
        names = {name: name_of(ref) for name, ref in self.under_test.items()}
        seen = {name: tuple(owners) for name, owners in self.seen.items()}
        return Ground(names, seen, frozenset(known))


def _idle(scenario: Scenario, program: Program) -> str:
    """Say why no object is anybody's CR."""
    kinds = " or ".join(f"{crd.kind.kind} ({crd.kind.api_version})" for crd in program.crds.values())
    if not kinds:
        return "every entry of the Katalog is disabled, or has a `crdFile` that is not read and no `apiTypes`"
    given = dict.fromkeys(f"{one.obj.get('kind')} ({one.obj.get('apiVersion')})" for one in scenario.given)
    return f"`cr` or `crFiles` have no {kinds}; they have {' and '.join(given) or 'nothing'}"


def _in_scope(crd: Crd, namespace: str) -> bool:
    """Tell whether CRs of a namespace are looked after."""
    if not crd.kind.namespaced:
        return True
    return namespace not in crd.excluded_namespaces and (not crd.namespaces or namespace in crd.namespaces)


def _vacuous(scenario: Scenario, program: Program) -> Iterator[str]:
    """Say which expectations can never fail, whatever the Katalog does."""
    creatable = {kind.plural for kind in program.children} | OWN
    expect = scenario.expect
    for block in (expect, *expect.crds.values()) if expect else ():
        claims: list[Absence | OpClaim] = [*block.absent, *(op for op in block.ops if op.never and op.resource)]
        for claim in claims:
            if claim.resource not in creatable:
                yield f"{claim.path}: no box can create {claim.resource}, so this can never fail"
