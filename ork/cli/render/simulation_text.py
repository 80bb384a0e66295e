"""Simulations for people: what was written in which cycle, what was held, and which expectations did not hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ork.cli.render.checked import plural
from ork.cli.terminal import Palette, visible
from ork.simulate.report import Cycle, Gating, Op, Problem, Result, Run


def render(runs: Sequence[Run], paint: Palette) -> str:
    """Return every run: a headline, its cycles without the quiet ones, and its failures; then a summary of them all."""
    lines = [line for run in runs for line in _run(run, paint)]
    return "\n".join([*lines, _summary(runs, paint)])


def _run(run: Run, paint: Palette) -> Iterator[str]:
    target = f" on target {run.target}" if run.target else ""
    yield f"{_mark(run, paint)} {paint('bold', run.name)} ({run.file}){target}"
    yield from _cycles(run.cycles, paint)
    if run.cycles:
        yield f"  {_settled(run)}"
    yield from (f"  {paint('yellow', 'note')}: {visible(notice)}" for notice in run.notices)
    yield from (_failure(result, paint) for result in run.results if not result.passed)
    yield ""


def _mark(run: Run, paint: Palette) -> str:
    if not run.passed:
        return paint("red", "FAIL")
    return paint("green", "PASS") if run.tested else paint("cyan", "RAN")


def _cycles(cycles: Sequence[Cycle], paint: Palette) -> Iterator[str]:
    pairs = zip((None, *cycles), cycles, strict=False)
    for again, stretch in groupby(pairs, lambda pair: _repeats(*pair)):
        if again:
            yield _repeated([cycle for _, cycle in stretch], paint)
        else:
            yield from (line for before, cycle in stretch for line in _cycle(cycle, before, paint))


def _repeats(before: Cycle | None, cycle: Cycle) -> bool:
    """Tell whether a cycle failed as the one before it did, and nothing else happened in it."""
    return before is not None and not cycle.ops and bool(cycle.errors) and _troubles(cycle) == _troubles(before)


def _troubles(cycle: Cycle) -> tuple[object, ...]:
    return cycle.errors, cycle.gated, cycle.explained


def _repeated(cycles: Sequence[Cycle], paint: Palette) -> str:
    """Return in one line the cycles that failed as the one before them did."""
    last = f"–{cycles[-1].number}" if len(cycles) > 1 else ""
    errors = "error" if len(cycles[0].errors) == 1 else "errors"
    return f"  {paint('dim', f'cycle {cycles[0].number}{last}'.ljust(9))} the same {errors}"


def _cycle(cycle: Cycle, before: Cycle | None, paint: Palette) -> Iterator[str]:
    """Show one cycle; what gates hold and how conditions came out only where it is news."""
    held = [gating for gating in cycle.gated if before is None or gating not in before.gated]
    told = () if before is not None and before.explained == cycle.explained else cycle.explained
    lines = [*map(_op, cycle.ops), *(_held(gating, paint) for gating in held)]
    lines += [*(_problem(problem, paint) for problem in cycle.errors), *map(visible, told)]
    for index, line in enumerate(lines):
        label = f"cycle {cycle.number}" if index == 0 else ""
        yield f"  {paint('dim', f'{label:9}')} {line}"


def _held(gating: Gating, paint: Palette) -> str:
    return f"{paint('magenta', 'gated')} {gating.crd} {gating.object} at {gating.gate}: {visible(gating.reason)}"


def _op(op: Op) -> str:
    place = f" in {op.namespace}" if op.namespace and op.namespace != op.owner.rpartition("/")[0] else ""
    return f"{op}{place}  ({op.crd} {op.owner})"


def _problem(problem: Problem, paint: Palette) -> str:
    place = f"{problem.span}: " if problem.span else ""
    return f"{paint('red', 'error')} {problem.crd} {problem.object}: {place}{visible(problem.message)}"


def _settled(run: Run) -> str:
    if run.steady_at is None:
        return f"not steady after {plural(len(run.cycles), 'cycle')}"
    return f"steady from cycle {run.steady_at} of {len(run.cycles)}"


def _failure(result: Result, paint: Palette) -> str:
    place = f"{result.span}: " if result.span else ""
    first, *rest = visible(result.message).splitlines()
    more = "".join(f"\n      {line}" for line in rest)
    return f"  {paint('red', 'failed')}: {place}{result.path}: {first}{more}"


def _summary(runs: Sequence[Run], paint: Palette) -> str:
    """Count what was checked, and what of that failed: expectations, or runs where there are none."""
    results = [result.passed for run in runs for result in run.results]
    tested = any(run.tested for run in runs)
    failed = (results if tested else [run.passed for run in runs]).count(False)
    checked = f"with {plural(len(results), 'expectation')}" if tested else "without expectations"
    outcome = paint("red", f"{failed} failed") if failed else paint("green", "passed")
    return f"{plural(len(runs), 'run')} {checked}: {outcome}"
