"""How expectations came out. One that did not hold says what happened instead; one that tested nothing fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ork.base.findings import Span
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.scenario import Absence, Claim, ErrorClaim, Expect, OpClaim
from ork.katalog.simulate import NEITHER
from ork.simulate.hints import instead
from ork.simulate.matching import differences, field_differences, names_same
from ork.simulate.report import Cycle, Op, Problem, Result


class Subject(NamedTuple):
    """What one `expect` block speaks of."""

    cycles: Sequence[Cycle]
    """For a block under `crds`: with that CRD's part of each cycle only."""
    crd: str
    object: str
    """The CR whose status is meant; empty where there is none."""
    judged: Sequence[str]
    """The CRs that `gated` speaks of: one of them held is enough."""
    status: Mapping[str, Any]
    objects: Sequence[str]
    """Every CR of that CRD."""
    resources: frozenset[str]
    """Every known plural."""


def judge(expect: Expect, subject: Subject) -> Iterator[Result]:
    """Check one block; the blocks under its `crds` are the caller's."""
    for claim, check in _CLAIMS.items():
        found: Claim | None = getattr(expect, claim)
        if found is not None:
            yield _result(found.path, found.span, *check(found, subject))
    for op in expect.ops:
        yield _result(op.path, op.span, *_op(op, subject))
    for absence in expect.absent:
        yield _result(absence.path, absence.span, *_absence(absence, subject))
    for error in expect.errors:
        yield _result(error.path, error.span, *_error(error, subject))


Answer = tuple[str, str]
"""What was expected, and what is wrong with it; the latter is empty where it holds."""


def _result(path: str, span: Span, expected: str, wrong: str) -> Result:
    return Result(path, span, not wrong, f"{expected}: {wrong}" if wrong else expected)


# ── values ──────────────────────────────────────────────────────────────────────────────────────
def _steady(claim: Claim, subject: Subject) -> Answer:
    last = subject.cycles[-1]
    if claim.value:
        return "steady", "" if last.quiet else f"the last cycle ({last.number}) was not quiet: {_happened(last)}"
    if not last.quiet or _gated_throughout(subject):
        return "not steady", ""
    return "not steady", "the last cycle wrote nothing and had no error, and not every cycle was gated"


def _gated_throughout(subject: Subject) -> bool:
    """Every object was held in every cycle: the way to say that a gate fired (seed `serve-target-operatorbox.md`)."""
    objects = set(subject.objects)
    return bool(objects) and all(objects <= _held(cycle, subject.crd) for cycle in subject.cycles)


def _held(cycle: Cycle, crd: str) -> set[str]:
    return {gating.object for gating in cycle.gated if gating.crd == crd}


def _steady_at(claim: Claim, subject: Subject) -> Answer:
    expected = f"quiet from cycle {claim.value} on"
    noisy = [cycle.number for cycle in subject.cycles if not cycle.quiet]
    first = noisy[-1] + 1 if noisy else 1
    if claim.value > len(subject.cycles):
        return expected, _not_run(claim.value, subject)
    if first > len(subject.cycles):
        return expected, f"the last cycle was not quiet: {_happened(subject.cycles[-1])}"
    return expected, "" if first == claim.value else f"it was quiet from cycle {first} on"


def _gated(claim: Claim, subject: Subject) -> Answer:
    expected = f"{subject.crd} is {'gated' if claim.value else 'not gated'} in the end"
    last = subject.cycles[-1].gated
    held = [gating for gating in last if gating.crd == subject.crd and gating.object in subject.judged]
    if bool(held) is bool(claim.value):
        return expected, ""
    return expected, f"{held[0].gate} holds {held[0].object}: {held[0].reason}" if held else "no gate holds it"


def _status(claim: Claim, subject: Subject) -> Answer:
    if not subject.object:
        return "status", "there is no such object"
    found = list(differences(claim.value, subject.status, "status"))
    return f"status of {subject.object}", "; ".join(found)


_CLAIMS = {
    "steady": _steady,
    "steady_at": _steady_at,
    "gated": _gated,
    "status": _status,
}


# ── writes ──────────────────────────────────────────────────────────────────────────────────────
def _op(claim: OpClaim, subject: Subject) -> Answer:
    expected = describe(claim)
    if senseless := _senseless(claim, subject):
        return expected, senseless
    named = [op for cycle in _due(claim.cycle, subject) for op in cycle.ops if names_same(claim, op)]
    matching = [op for op in named if not field_differences(claim, op)]
    if _enough(claim, len(matching)):
        return expected, ""
    return expected, _op_failure(claim, matching, named, subject)


def _senseless(claim: OpClaim, subject: Subject) -> str:
    """Say why an expectation tests nothing, whatever is written."""
    if not (claim.verb or claim.resource):
        return NEITHER
    if claim.never and claim.resource and claim.resource not in subject.resources:
        guess = did_you_mean(claim.resource, sorted(subject.resources)) or "write the plural, such as deployments"
        return f'nobody knows the resource "{claim.resource}", so this tests nothing; {guess}'
    if claim.cycle is not None and claim.cycle > len(subject.cycles):
        return _not_run(claim.cycle, subject)
    return ""


def _op_failure(claim: OpClaim, matching: Sequence[Op], named: Sequence[Op], subject: Subject) -> str:
    if matching:
        return f"it happened {_times(len(matching))}: {', '.join(map(str, matching))}"
    if named:
        return "; ".join(field_differences(claim, named[0]))
    return instead(claim, subject.cycles)


def _enough(claim: OpClaim, found: int) -> bool:
    if claim.absent:
        return found == 0
    if claim.exactly is not None:
        return found == claim.exactly
    return found >= (1 if claim.at_least is None else claim.at_least)


def describe(claim: OpClaim) -> str:
    """Return `create deployments/web in cycle 1`, with as much as the expectation says."""
    verb = claim.verb or ("write of" if claim.absent else "any write of")
    text = f"{verb} {claim.resource or 'anything'}" + (f"/{claim.name}" if claim.name else "")
    text += f" in namespace {claim.namespace}" if claim.namespace else ""
    text += f" in cycle {claim.cycle}" if claim.cycle is not None else ""
    if claim.absent:
        return f"no {text}"
    if claim.exactly is not None:
        return f"{text}, {_times(claim.exactly)}"
    return text if claim.at_least is None else f"{text}, at least {_times(claim.at_least)}"


def _absence(claim: Absence, subject: Subject) -> Answer:
    return _op(
        OpClaim(claim.path, claim.span, claim.cycle, claim.verb, claim.resource, claim.name, absent=True), subject
    )


def _due(cycle: int | None, subject: Subject) -> Sequence[Cycle]:
    return subject.cycles if cycle is None else subject.cycles[cycle - 1 : cycle]


# ── errors ──────────────────────────────────────────────────────────────────────────────────────
def _error(claim: ErrorClaim, subject: Subject) -> Answer:
    expected = f'an error that says "{claim.contains}"' + (f" in cycle {claim.cycle}" if claim.cycle else "")
    if claim.cycle is not None and claim.cycle > len(subject.cycles):
        return expected, _not_run(claim.cycle, subject)
    errors = [problem for cycle in _due(claim.cycle, subject) for problem in cycle.errors]
    if any(claim.contains in problem.message for problem in errors):
        return expected, ""
    return expected, f"the errors were: {_messages(errors)}" if errors else "there was no error"


def error_free(expect: Expect, cycles: Sequence[Cycle], path: str = "expect") -> Result | None:
    """Check that every error is listed in `errors` or allowed by `noErrors: false`, here or under its CRD.

    An error that is not fails the run whatever the document says; None where nothing was said and nothing happened.
    """
    claim = expect.no_errors
    found = [
        (cycle.number, problem)
        for cycle in cycles
        for problem in cycle.errors
        if not _allowed(problem, cycle.number, (expect, expect.crds.get(problem.crd)))
    ]
    if claim is None and not found:
        return None
    place = Result(claim.path, claim.span, not found, "") if claim else Result(path, None, not found, "")
    if not found:
        return place._replace(message="errors are allowed" if claim and not claim.value else "no errors")
    number, first = found[0]
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return place._replace(
        message=f"no errors: {first.crd} {first.object} failed in cycle {number}{more}: {first.message}"
    )


def _allowed(problem: Problem, cycle: int, blocks: Sequence[Expect | None]) -> bool:
    return any(block is not None and (_lenient(block) or _listed(problem, cycle, block)) for block in blocks)


def _lenient(block: Expect) -> bool:
    return block.no_errors is not None and not block.no_errors.value


def _listed(problem: Problem, cycle: int, block: Expect) -> bool:
    return any(claim.cycle in (None, cycle) and claim.contains in problem.message for claim in block.errors)


# ── words ───────────────────────────────────────────────────────────────────────────────────────
def _happened(cycle: Cycle) -> str:
    return ", ".join([*map(str, cycle.ops), *(f"error: {problem.message}" for problem in cycle.errors)])


def _messages(errors: Sequence[Problem]) -> str:
    return "; ".join(dict.fromkeys(problem.message for problem in errors))


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _not_run(cycle: int, subject: Subject) -> str:
    return f"cycle {cycle} did not run; there were {len(subject.cycles)} (set `cycles:`)"
