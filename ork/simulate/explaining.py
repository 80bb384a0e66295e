"""How each condition of a turn came out: a second evaluation, on what the turn read at its end."""

from __future__ import annotations

from collections.abc import Iterator

from ork.expr.conditions import ALWAYS, Guard, Verdict, demand, describe, explain
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.program import Box, box_of
from ork.reconcile.ports import OutcomeKind
from ork.simulate.operator import Turned


def explained(turned: Turned) -> Iterator[str]:
    """Yield a line for each condition of the gates, and of what stands behind them if the turn came so far."""
    scope = turned.outcome.scope
    if scope is None:
        return
    box = box_of(turned.crd, scope)
    for name, guard in _guards(box, turned.outcome.kind is OutcomeKind.GATED):
        yield from _lines(name, guard, scope, turned.env)


def _guards(box: Box, gated: bool) -> Iterator[tuple[str, Guard]]:
    yield box.enqueue.name, box.enqueue.guard
    yield box.reconcile.name, box.reconcile.guard
    if gated:
        return
    for call in (*box.shared, *box.create_calls, *box.calls):
        yield f"external {call.name}", call.guard
    for entry in box.entries:
        yield entry.id, entry.guard if entry.each is None else ALWAYS
    for field in box.status:
        yield f"status {'.'.join(field.path)}", field.guard


def _lines(name: str, guard: Guard, scope: Scope, env: Env) -> Iterator[str]:
    if guard == ALWAYS:
        return
    try:
        verdicts = explain(guard, scope, env)
    except EvaluationError as error:
        yield f"{name}: cannot be evaluated: {error.message}"
        return
    yield from (f"{name} {verdict.block}: {_said(verdict)}" for verdict in verdicts)


def _said(verdict: Verdict) -> str:
    return f"{demand(verdict)}: {'holds' if verdict.held else f'does not hold, {describe(verdict)}'}"
