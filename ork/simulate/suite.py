"""Which scenarios one call means: files, folders, imports, or none at all for an ad-hoc run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime

from ork.base.errors import OrkError, UsageError
from ork.base.findings import Finding, Severity
from ork.base.records import NamedTuple
from ork.katalog.collect import Findings
from ork.katalog.compiler import compile_katalog
from ork.katalog.documents import kind_of
from ork.katalog.objects import objects_in
from ork.katalog.scenario import Given, Scenario
from ork.katalog.search import files_in
from ork.katalog.simulate import load_simulate, tell_twice
from ork.katalog.sources import ReadError, Sources
from ork.program import Program
from ork.simulate.report import Run
from ork.simulate.run import Options, simulate

DEFAULT = "simulate.yaml"
EVERYTHING = "..."


class Request(NamedTuple):
    """What one call asks for. What it leaves out is as the files say."""

    files: tuple[str, ...] = ()
    """Simulate files, folders, and `DIR/...`."""
    objects: tuple[str, ...] = ()
    """Files of objects (`--cr`), in place of those that a Simulate file names."""
    katalog: str = ""
    target: str = ""
    cycles: int | None = None
    at: datetime | None = None
    answers: str = ""
    """A file whose `externalResponses` answer the calls of an ad-hoc run."""

    @property
    def ad_hoc(self) -> bool:
        """Tell whether there is no Simulate file, only something to look at."""
        return bool(self.objects) and not self.files


class Simulated(NamedTuple):
    """What came of a call: its runs or, where something does not compile, what is wrong with it."""

    runs: tuple[Run, ...]
    findings: list[Finding]


def simulate_all(request: Request, sources: Sources, options: Options) -> Simulated:
    """Run every scenario that a call means, in the order in which they stand. Raises UsageError."""
    loaded = _loaded(request, sources)
    if faulty(loaded.findings):
        return Simulated((), loaded.findings)
    if not loaded.scenarios:
        raise OrkError(f"{', '.join(request.files or request.objects)}: there is nothing in it to run")
    katalogs = Katalogs(sources)
    todo = [(scenario, katalogs.program(scenario.katalog)) for scenario in loaded.scenarios]
    if katalogs.findings:
        return Simulated((), katalogs.findings)
    for scenario, program in todo:
        if program is not None:
            check_target(scenario, program)
    options = options._replace(tested=not request.ad_hoc)
    return Simulated(tuple(simulate(scenario, program, options) for scenario, program in todo if program), [])


class Loaded(NamedTuple):
    """The scenarios of a call, and what is wrong with their files."""

    scenarios: tuple[Scenario, ...]
    findings: list[Finding]


def _loaded(request: Request, sources: Sources) -> Loaded:
    findings: list[Finding] = []
    objects = given(request.objects, sources, findings)
    if request.ad_hoc:
        found = Loaded((_ad_hoc(request.objects[0], objects),) if objects else (), [])
        if request.answers:
            found = _answered(found, request.answers, sources)
    else:
        found = load(find(request.files or _default(), sources), sources)
    scenarios = tuple(_overridden(scenario, request, objects) for scenario in found.scenarios)
    return Loaded(scenarios, findings + found.findings)


def _default() -> tuple[str]:
    if not os.path.exists(DEFAULT):
        raise UsageError(
            f"there is no {DEFAULT} here; name a file, or `./...` for all below, or show what happens to a CR with "
            "`ork simulate --cr cr.yaml`; `ork init --list` has examples"
        )
    return (DEFAULT,)


def _overridden(scenario: Scenario, request: Request, objects: tuple[Given, ...]) -> Scenario:
    return scenario._replace(
        katalog=request.katalog or scenario.katalog,
        given=objects or scenario.given,
        target=request.target or scenario.target,
        cycles=scenario.cycles if request.cycles is None else request.cycles,
        at=request.at or scenario.at,
    )


# ── files ───────────────────────────────────────────────────────────────────────────────────────
def find(paths: Sequence[str], sources: Sources) -> list[str]:
    """Return the Simulate files that a call names; `./...`, or a folder, means every one below it.

    Raises UsageError where a folder has none.
    """
    found: dict[str, None] = {}
    for path in paths:
        folder = path.removesuffix(EVERYTHING) if path.endswith(EVERYTHING) else path if os.path.isdir(path) else None
        below = None if folder is None else [file for file in files_in(folder or ".") if _is_simulation(file, sources)]
        if below == []:
            raise UsageError(f"there is no Simulate file in {folder}; a file that says `kind: Simulate` is one")
        found |= dict.fromkeys([path] if below is None else below)
    return list(found)


def _is_simulation(path: str, sources: Sources) -> bool:
    """A bare file is one by its name; another must say so. One that cannot be read is told of when it is run."""
    name = os.path.basename(path)
    try:
        text = sources.source(path).text
        if "Simulate" not in text and not name.startswith("simulate"):
            return False
        roots = sources.documents(path, [])
    except ReadError:
        return name.startswith("simulate")
    return any(kind_of(root) == "Simulate" for root in roots)


# ── scenarios ───────────────────────────────────────────────────────────────────────────────────
def load(files: Iterable[str], sources: Sources) -> Loaded:
    """Return the scenarios of files and of those that they import, each file once. Raises UsageError."""
    scenarios: list[Scenario] = []
    findings: list[Finding] = []
    todo, done = list(files), set[str]()
    while todo:
        path = todo.pop(0)
        if path in done:
            continue
        done.add(path)
        found, wrong = _read(path, sources)
        findings += wrong
        scenarios += [scenario for scenario in found if not _only_imports(scenario)]
        todo[:0] = [each for scenario in found for each in scenario.imports]
    return Loaded(tuple(scenarios), findings)


def _read(path: str, sources: Sources) -> tuple[tuple[Scenario, ...], list[Finding]]:
    try:
        return load_simulate(path, sources)
    except ReadError as error:
        raise UsageError(str(error)) from error


def _only_imports(scenario: Scenario) -> bool:
    return bool(scenario.imports) and scenario.expect is None


def given(paths: Iterable[str], sources: Sources, findings: list[Finding]) -> tuple[Given, ...]:
    """Return the objects of files that the call names. Raises UsageError."""
    try:
        found = [each for path in paths for each in objects_in(path, sources, Findings(findings))]
    except ReadError as error:
        raise UsageError(str(error)) from error
    objects = tuple(Given(obj, node.head) for obj, node in found)
    tell_twice(objects, Findings(findings))
    return objects


def _ad_hoc(name: str, objects: tuple[Given, ...]) -> Scenario:
    """Return a scenario that expects nothing."""
    return Scenario(name, name, objects[0].span, "katalog.yaml", objects)


def _answered(found: Loaded, path: str, sources: Sources) -> Loaded:
    """Return the scenarios with the answers of a file, which is read as a Simulate file is."""
    others, findings = _read(path, sources)
    responses = tuple(response for other in others for response in other.responses)
    return Loaded(tuple(each._replace(responses=responses) for each in found.scenarios), findings)


# ── katalogs ────────────────────────────────────────────────────────────────────────────────────
class Katalogs:
    """Every Katalog that a call needs, compiled once."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._programs: dict[str, Program | None] = {}
        self.findings: list[Finding] = []
        """What is wrong with those that did not compile."""

    def program(self, path: str) -> Program | None:
        """Return what a Katalog means; None where it does not compile. Raises UsageError."""
        if path not in self._programs:
            try:
                compiled = compile_katalog(path, self._sources)
            except ReadError as error:
                raise UsageError(f"{error}; name the Katalog with `katalog:` or --katalog") from error
            self._programs[path] = compiled.program
            if compiled.program is None:
                self.findings += compiled.findings
        return self._programs[path]


def check_target(scenario: Scenario, program: Program) -> None:
    """Raises UsageError where no CRD has the target of a scenario."""
    known = sorted({surface for crd in program.crds.values() for surface in crd.boxes if surface})
    if scenario.target and scenario.target not in known:
        names = f"the targets are {', '.join(known)}" if known else "the Katalog has no targets"
        raise UsageError(f'{scenario.file}: there is no target "{scenario.target}"; {names}')


def faulty(findings: Iterable[Finding]) -> bool:
    """Tell whether there is an error among findings."""
    return any(finding.severity is Severity.ERROR for finding in findings)
