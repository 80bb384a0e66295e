"""Gates: whether an object may pass, and in words why not (language, section 8)."""

from __future__ import annotations

from collections.abc import Iterable

from ork.base.records import NamedTuple
from ork.expr.conditions import ALWAYS, holds, why_not
from ork.expr.env import Env, Scope
from ork.expr.errors import EvaluationError
from ork.program import Gate, Overflow

QUEUE = "queue"
"""The name under which a full queue holds an event."""


class Held(NamedTuple):
    """A gate that did not let the object pass."""

    gate: str
    reason: str
    """The first condition that failed, its field and value: `spec.enabled is false`."""


class Decided(NamedTuple):
    """What a gate came to."""

    held: Held | None = None
    notice: str = ""
    """What could not be evaluated, and why the object may pass nevertheless; empty where all was."""


def declared(gate: Gate) -> bool:
    """Tell whether the katalog declares this gate."""
    return bool(gate.calls) or gate.guard != ALWAYS or not gate.fail_open


def decide(gate: Gate, scope: Scope, env: Env, failure: str = "") -> Decided:
    """Say whether the object may pass.

    `failure` says why an external call that the gate depends on failed; that, like a condition that cannot be
    evaluated, opens or holds the gate as its `failPolicy` says.
    """
    if not declared(gate):
        return Decided()
    if failure:
        return _unknown(gate, failure)
    try:
        return Decided(None if holds(gate.guard, scope, env) else Held(gate.name, why_not(gate.guard, scope, env)))
    except EvaluationError as error:
        return _unknown(gate, error.message)


def _unknown(gate: Gate, why: str) -> Decided:
    if not gate.fail_open:
        return Decided(Held(gate.name, why))
    return Decided(None, f"the {gate.name} could not be evaluated ({why}): it is open, since failPolicy is open")


def reached(behaviour: Iterable[Overflow], load: float) -> tuple[Overflow, ...]:
    """Return what decides over an event while the queue is filled to `load` percent of its `maxDepth`."""
    return tuple(level for level in behaviour if load >= level.percent)


def overflow(levels: Iterable[Overflow], load: float, scope: Scope, env: Env) -> Decided:
    """Say whether an event may join the queue; the first level whose conditions hold decides.

    Conditions that cannot be evaluated decide nothing: an event too many is better than one that is lost.
    """
    notice = ""
    for level in levels:
        try:
            meant = holds(level.guard, scope, env)
        except EvaluationError as error:
            notice = f"a condition of queue.behaviour could not be evaluated ({error.message}): it decides nothing"
            continue
        if meant:
            full = Held(QUEUE, f"the queue is filled to {load:.0f} % of its maxDepth")
            return Decided(full if level.drop else None, notice)
    return Decided(None, notice)
