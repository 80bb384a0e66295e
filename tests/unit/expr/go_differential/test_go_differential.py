"""Templates give what Go's own `text/template` gives, but for the differences of language, section 4.3.

Compared are output, and in which stage a template fails; messages are `ork`'s own. Left out: notes, which Go does not
have, and what a missing value does in other places than text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import cache, partial
from typing import NamedTuple

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError, ExpressionError, MissingError
from ork.expr.template import parse
from tests.unit.expr.go_differential import corpus, go
from tests.unit.expr.go_differential.corpus import Case
from tests.unit.expr.go_differential.go import Answer

pytestmark = pytest.mark.skipif(not go.AVAILABLE, reason=go.MISSING)

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


class Ours(NamedTuple):
    """What `ork` made of a template."""

    output: str = ""
    stage: str = ""
    error: str = ""
    missing: bool = False


class Difference(NamedTuple):
    """A way in which `ork` is meant to differ, with its reason."""

    reason: str
    applies: Callable[[Answer, Ours], bool]


_NIL_FAULTS = (
    "nil pointer evaluating",
    "index of untyped nil",
    "index of nil pointer",
    "len of nil",
    "calling len: reflect",
)
_STATIC_FAULTS = (
    *(" takes ", "only a function takes arguments", "can only be piped into a function", "nil alone is no value"),
    *("is not declared", "there is no template", "does not fit 64 bits", "the format", "verb of printf", "argument"),
    *("data holds no functions", "width or precision", '"[n]" must stand'),
)


def _nil_safe(theirs: Answer, ours: Ours) -> bool:
    faulty = theirs.stage == "run" and any(fault in theirs.error for fault in _NIL_FAULTS)
    return faulty and (not ours.stage or ours.missing)


def _static(theirs: Answer, ours: Ours) -> bool:
    return theirs.stage != "parse" and ours.stage == "parse" and any(fault in ours.error for fault in _STATIC_FAULTS)


DIFFERENCES = (
    Difference(
        "A missing or null value is an error in text; <no value> and <nil> are never written.",
        lambda theirs, ours: ours.missing and (not theirs.stage),
    ),
    Difference("A null and a missing path behave alike at any depth: len 0, index of it gives nothing.", _nil_safe),
    Difference(
        "Lists and maps are written as compact JSON.",
        lambda theirs, ours: not theirs.stage and ours.output[:1] in ("[", "{") and theirs.output[:1] in ("[", "m"),
    ),
    Difference(
        "eq compares numbers by value, a string with a number or bool by its text; lt and its like take int and float.",
        lambda theirs, ours: "incompatible types for comparison" in theirs.error and not ours.stage,
    ),
    Difference(
        "printf with a bad verb, a missing or an extra argument is an error, never %!d(…) in an object.",
        lambda theirs, ours: "%!" in theirs.output and bool(ours.stage),
    ),
    Difference(
        "The same, where the result is not written but used.",
        lambda theirs, ours: not theirs.stage and ours.stage != "" and "printf" in ours.error,
    ),
    Difference(
        "What Go only finds when it runs is found when a template is parsed.",
        _static,
    ),
    Difference(
        "A slice ends where its list does; Go shows the spare capacity behind it.",
        lambda theirs, ours: not theirs.stage and "slice" in ours.error and "out of range" in ours.error,
    ),
)


def _ours(case: Case) -> Ours:
    try:
        return Ours(parse(case.template, Place.TEXT, BUILTINS)(case.data, ENV))
    except ExpressionError as error:
        return Ours("", "parse", str(error))
    except EvaluationError as error:
        return Ours("", "run", str(error), isinstance(error, MissingError))


GROUPS: dict[str, Callable[[], Iterable[Case]]] = {
    **{topic: partial(corpus.written, topic) for topic in corpus.TOPICS},
    "printf": corpus.crossed,
    "comparisons": corpus.compared,
    "random": partial(corpus.chance, seed=2026, count=1500),
}


class Outcome(NamedTuple):
    """The comparison of one group."""

    compared: int
    wrong: list[str]
    """The cases that differ without a reason."""
    reasons: set[str]
    """The reasons that were needed."""


@cache
def _compare(group: str) -> Outcome:
    cases = list(GROUPS[group]())
    outcome = Outcome(len(cases), [], set())
    for case, theirs in zip(cases, go.answers(cases), strict=True):
        ours = _ours(case)
        if (theirs.stage or theirs.output, bool(theirs.stage)) == (ours.stage or ours.output, bool(ours.stage)):
            continue
        reason = next((difference.reason for difference in DIFFERENCES if difference.applies(theirs, ours)), None)
        if reason:
            outcome.reasons.add(reason)
        else:
            outcome.wrong.append(f"{case.template!r}\n  Go:  {theirs}\n  ork: {ours}")
    return outcome


@pytest.mark.parametrize("group", GROUPS)
def test_every_template_gives_what_go_gives(group: str) -> None:
    wrong = _compare(group).wrong
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:10])


def test_every_difference_is_one_that_still_exists() -> None:
    used = set().union(*(_compare(group).reasons for group in GROUPS))
    assert used == {difference.reason for difference in DIFFERENCES}


def test_the_corpus_is_large() -> None:
    assert sum(_compare(group).compared for group in GROUPS) > 5000
