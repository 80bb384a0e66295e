"""What happened instead of an expected write, and which write was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ork.base.text import closest
from ork.katalog.scenario import OpClaim
from ork.simulate.report import Cycle, Op

_SHOWN = 6
"""How many writes of a cycle are named."""


def instead(claim: OpClaim, cycles: Sequence[Cycle]) -> str:
    """Say what was written in the expected cycle, what held the object, and what comes nearest; a line each."""
    due = cycles if claim.cycle is None else cycles[claim.cycle - 1 : claim.cycle]
    return "\n".join(["it did not happen", *_written(claim, due), *_holding(due), *_nearest(claim, cycles)])


def _written(claim: OpClaim, due: Sequence[Cycle]) -> Iterator[str]:
    ops = [op for cycle in due for op in cycle.ops]
    where = "no cycle" if claim.cycle is None else f"cycle {claim.cycle}"
    if not ops:
        yield f"{where} wrote anything" if claim.cycle is None else f"{where} wrote nothing"
        return
    more = f" and {len(ops) - _SHOWN} more" if len(ops) > _SHOWN else ""
    yield f"{'there were' if claim.cycle is None else f'{where} wrote'} {', '.join(map(str, ops[:_SHOWN]))}{more}"


def _holding(due: Sequence[Cycle]) -> Iterator[str]:
    held = [gating for cycle in due for gating in cycle.gated]
    for gating in list(dict.fromkeys(held))[:_SHOWN]:
        yield f"{gating.crd} {gating.object} is held at {gating.gate}: {gating.reason}"
    for problem in [problem for cycle in due for problem in cycle.errors][:1]:
        yield f"{problem.crd} {problem.object} failed: {problem.message}"


def _nearest(claim: OpClaim, cycles: Sequence[Cycle]) -> Iterator[str]:
    """The same write in another cycle, else the name that is nearest: of objects of the resource, else of resources."""
    for cycle in cycles:
        for op in cycle.ops:
            if _same_thing(claim, op) and cycle.number != claim.cycle:
                yield f"{op} happened in cycle {cycle.number}"
                return
    ops = [op for cycle in cycles for op in cycle.ops]
    same = {op.name: op for op in ops if not claim.resource or op.resource.lower() == claim.resource}
    named = claim.name and same
    guess = closest(claim.name, same) if named else closest(claim.resource, sorted({op.resource for op in ops}))
    if guess and guess not in (claim.name, claim.resource):
        yield f"did you mean {guess}?"


def _same_thing(claim: OpClaim, op: Op) -> bool:
    return claim.resource in ("", op.resource.lower()) and claim.name == op.name
