"""Simulations as JUnit XML: a suite per run, a case per expectation."""

from __future__ import annotations

from collections.abc import Sequence

from ork.cli.render.junit import Case, Suite, document
from ork.simulate.report import Problem, Result, Run


def render(runs: Sequence[Run]) -> str:
    """Return the whole document."""
    return document("ork simulate", [Suite(f"{run.file}: {run.name}", _cases(run)) for run in runs])


def _cases(run: Run) -> list[Case]:
    if run.tested:
        return [_case(result) for result in run.results]
    problems = [_problem(problem) for cycle in run.cycles for problem in cycle.errors]
    return [Case("no errors", problems)]


def _case(result: Result) -> Case:
    place = f"{result.span}: " if result.span else ""
    return Case(result.path, [] if result.passed else [f"{place}{result.message}"])


def _problem(problem: Problem) -> str:
    place = f"{problem.span}: " if problem.span else ""
    return f"{problem.crd} {problem.object}: {place}{problem.message}"
