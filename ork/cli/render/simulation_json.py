"""Simulations as JSON, version 1: what tools read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ork.simulate.report import Called, Cycle, Op, Problem, Result, Run


def render(runs: Sequence[Run]) -> str:
    """Return one JSON document."""
    document = {"version": 1, "passed": all(run.passed for run in runs), "runs": [_run(run) for run in runs]}
    return json.dumps(document, indent=2, ensure_ascii=False)


def _run(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "file": run.file,
        "target": run.target,
        "passed": run.passed,
        "steady": run.steady_at is not None,
        "steadyAt": run.steady_at,
        "cycles": [_cycle(cycle) for cycle in run.cycles],
        "status": [{"crd": final.crd, "object": final.object, "status": final.status} for final in run.finals],
        "expectations": [_result(result) for result in run.results],
        "notices": list(run.notices),
    }


def _cycle(cycle: Cycle) -> dict[str, Any]:
    return {
        "cycle": cycle.number,
        "ops": [_op(op) for op in cycle.ops],
        "gated": [gating._asdict() for gating in cycle.gated],
        "calls": [_call(call) for call in cycle.calls],
        "errors": [_problem(problem) for problem in cycle.errors],
    }


def _op(op: Op) -> dict[str, Any]:
    return {
        "verb": op.verb,
        "via": op.via,
        "resource": op.resource,
        "apiVersion": op.api_version,
        "kind": op.kind,
        "namespace": op.namespace,
        "name": op.name,
        "crd": op.crd,
        "owner": op.owner,
    }


def _call(call: Called) -> dict[str, Any]:
    return call._asdict()


def _problem(problem: Problem) -> dict[str, Any]:
    span = problem.span
    return {
        "crd": problem.crd,
        "object": problem.object,
        "message": problem.message,
        "file": span.file if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "path": result.path,
        "line": result.span.line if result.span else None,
        "passed": result.passed,
        "message": result.message,
    }
