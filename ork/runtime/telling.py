"""The log: one line per turn that matters, and under `-v` every step of every turn."""

from __future__ import annotations

import logging
from typing import Any

from ork.base.objects import Ref
from ork.base.records import NamedTuple
from ork.reconcile.errors import meaning
from ork.reconcile.ports import Outcome, OutcomeKind
from ork.runtime.health import ObjectHealth
from ork.runtime.trace import Step, Trace

_FEW = 5
"""So many steps are named in one line."""


class Ended(NamedTuple):
    """A turn that has ended."""

    crd: str
    ref: Ref
    outcome: Outcome
    trace: Trace
    before: ObjectHealth | None
    """How the one before it ended."""

    @property
    def news(self) -> bool:
        """Whether it ended otherwise."""
        return self.before is None or not self.before.like(self.outcome)


def tell_turn(log: logging.Logger, ended: Ended) -> None:
    """Write a turn into the log."""
    level = _level(ended)
    if log.isEnabledFor(level):
        log.log(level, "%s: %s", ended.ref, _words(ended), extra=_fields(ended))
    if log.isEnabledFor(logging.DEBUG):
        for step in ended.trace.steps:
            log.debug("%s:   %s", ended.ref, step, extra={"crd": ended.crd, "object": str(ended.ref)})


def _level(ended: Ended) -> int:
    outcome = ended.outcome
    if outcome.faults:
        level = meaning(outcome.faults).level
        return level if ended.news else logging.DEBUG
    if ended.trace.wrote:
        return logging.INFO
    # A CR that was found as it should be at the first look is not worth a line.
    at_first_look = ended.before is None and outcome.kind is OutcomeKind.SETTLED
    return logging.INFO if ended.news and not at_first_look else logging.DEBUG


def _words(ended: Ended) -> str:
    outcome, steps = ended.outcome, [step for step in ended.trace.steps if not step.problem]
    parts = [outcome.kind.value]
    if outcome.reason:
        parts.append(f": {outcome.reason}")
    parts += [f" ({fault.span})" for fault in outcome.faults if fault.span][:1]
    if steps:
        more = f" and {len(steps) - _FEW} more" if len(steps) > _FEW else ""
        parts.append(f" [{', '.join(_short(step, str(ended.ref)) for step in steps[:_FEW])}{more}]")
    return "".join(parts)


def _short(step: Step, cr: str) -> str:
    return step.what if step.subject == cr else f"{step.what} {step.subject}"


def _fields(ended: Ended) -> dict[str, Any]:
    """What a log in JSON has beside the words."""
    outcome = ended.outcome
    fields = {"crd": ended.crd, "object": str(ended.ref), "outcome": outcome.kind.value, "reason": outcome.reason}
    return fields | {"steps": [f"{step.what} {step.subject}" for step in ended.trace.steps]}
