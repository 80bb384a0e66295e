"""How each condition of a turn came out: a second evaluation, on what the turn read at its end."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base import paths
from ork.base.records import NamedTuple
from ork.engine.desired import items
from ork.expr.conditions import ALWAYS, Guard, Verdict, demand, describe, explain
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.program import Box, Entry, Rules, box_of
from ork.reconcile.ports import OutcomeKind
from ork.simulate.operator import Turned
from ork.simulate.report import Called


class Question(NamedTuple):
    """Conditions, whose they are, and what they read."""

    name: str
    guard: Guard
    scope: Scope


def explained(turned: Turned) -> Iterator[str]:
    """Yield a line for each condition of the gates, and of what stands behind them if the turn came so far."""
    scope = turned.outcome.scope
    if scope is None:
        return
    box = box_of(turned.crd, scope)
    for question in _gates(box, scope):
        yield from _lines(question, turned.env)
    if turned.outcome.kind is OutcomeKind.GATED:
        return
    for question in (*_rules(turned.crd.rules, scope), *_box(box, scope)):
        yield from _lines(question, turned.env)
    for entry in box.entries:
        yield from _entry(entry, scope, turned.env)


def told(call: Called) -> str:
    """Return one call as a line."""
    if not call.called:
        return f"call {call.name}: not made" + (f", {call.error}" if call.error else "")
    request = f"{call.method} {call.url}"
    return f"call {call.name}: {request} → {call.status or call.error.removeprefix(f'{request}: ')}"


def _gates(box: Box, scope: Scope) -> Iterator[Question]:
    for gate in (box.enqueue, box.reconcile):
        yield Question(gate.name, gate.guard, scope)


def _rules(rules: Rules, scope: Scope) -> Iterator[Question]:
    for mutation in rules.mutations:
        yield Question(f"mutation of {paths.text(mutation.path)}", mutation.guard, scope)
    for assertion in rules.assertions:
        yield Question("validation", assertion.guard, scope)
        if assertion.condition.operator != "unique":
            yield Question("validation", Guard(every=(assertion.condition,)), scope)


def _box(box: Box, scope: Scope) -> Iterator[Question]:
    for call in (*box.shared, *box.create_calls, *box.calls):
        yield Question(f"external {call.name}", call.guard, scope)
    for field in box.status:
        yield Question(f"status {paths.text(field.path)}", field.guard, scope)


def _entry(entry: Entry, scope: Scope, env: Env) -> Iterator[str]:
    """An entry with `forEach` is asked once for every item."""
    if entry.guard == ALWAYS:
        return
    if entry.each is None:
        yield from _lines(Question(entry.id, entry.guard, scope), env)
        return
    try:
        for inner in items(entry.each, scope, env):
            yield from _lines(Question(f"{entry.id} [{inner['index']}]", entry.guard, inner), env)
    except EvaluationError as error:
        yield f"{entry.id}: cannot be evaluated: {error.message}"


def _lines(question: Question, env: Env) -> Iterator[str]:
    if question.guard == ALWAYS:
        return
    try:
        verdicts = explain(question.guard, question.scope, env)
    except EvaluationError as error:
        yield f"{question.name}: cannot be evaluated: {error.message}"
        return
    yield from (f"{question.name} {verdict.block}: {_said(verdict)}" for verdict in verdicts)


def _said(verdict: Verdict) -> str:
    return f"{demand(verdict)}: {'holds' if verdict.held else f'does not hold, {describe(verdict)}'}"
