"""Which block of `expect` speaks of what: the whole run, or one CRD's part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.scenario import Expect, Scenario
from ork.simulate.expect import Subject, error_free, judge
from ork.simulate.report import Cycle, Result, Run

NOTHING = "this file expects nothing, so it tests nothing; add `expect:`, or `imports:` of files that have one"


class Ground(NamedTuple):
    """What is known of a run beside its cycles."""

    under_test: Mapping[str, str]
    """The CR under test of each CRD, by entry name."""
    objects: Mapping[str, Sequence[str]]
    """Every CR that there was, by entry name."""
    resources: frozenset[str]
    """Every known plural."""


def verdict(scenario: Scenario, run: Run, ground: Ground) -> Iterator[Result]:
    """Judge every expectation of a scenario, in the order in which they stand."""
    expect = scenario.expect
    if expect is None or not expect.demands:
        yield Result("expect", scenario.span, False, NOTHING)
        expect = expect or Expect()
    first = next(iter(ground.under_test), "")
    whole = _subject(run, ground, first, run.cycles)
    yield from judge(expect, whole._replace(judged=(whole.object,)))
    for name, block in expect.crds.items():
        yield from _block(name, block, expect, run, ground)
    errors = error_free(expect, run.cycles)
    if errors is not None:
        yield errors


def _block(name: str, block: Expect, expect: Expect, run: Run, ground: Ground) -> Iterator[Result]:
    """Judge what is expected of one CRD."""
    if not ground.objects.get(name):
        known = [known for known, objects in ground.objects.items() if objects]
        guess = did_you_mean(name, known) or f"there are objects of {', '.join(known) or 'none'}"
        text = f"there is no object of a CRD entry {name}, so this tests nothing; {guess}"
        yield Result(f"expect.crds.{name}", expect.crd_spans.get(name), False, text)
        return
    cycles = [_part(cycle, name) for cycle in run.cycles]
    yield from judge(block, _subject(run, ground, name, cycles))
    if block.no_errors is not None:
        errors = error_free(block, cycles)
        if errors is not None:
            yield errors


def _part(cycle: Cycle, crd: str) -> Cycle:
    return cycle._replace(
        ops=[op for op in cycle.ops if op.crd == crd],
        gated=[gating for gating in cycle.gated if gating.crd == crd],
        calls=[call for call in cycle.calls if call.crd == crd],
        errors=[problem for problem in cycle.errors if problem.crd == crd],
    )


def _subject(run: Run, ground: Ground, crd: str, cycles: Sequence[Cycle]) -> Subject:
    objects = ground.objects.get(crd, ())
    name = ground.under_test.get(crd) or next(iter(objects), "")
    statuses = {final.object: final.status for final in run.finals if final.crd == crd}
    there = name if name in statuses else ""
    return Subject(cycles, crd, there, objects, statuses.get(name, {}), objects, ground.resources)
