"""No note is a crash: whatever JSON it is handed, it answers or raises an error with a message; and none changes its
arguments."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ork.expr import values
from ork.expr.conditions import ConditionError, condition, met
from ork.expr.env import Env
from ork.expr.errors import EvaluationError
from ork.expr.notes import CATALOGUE, Note, functions
from ork.expr.operators import OPERATORS
from ork.expr.template import parse_field

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC), random=Random(0))
FIELD = parse_field("x", functions())

WORDS = [
    "", "1Gi", "500m", "30s", "09:00", "2026-01-05T10:00:00Z", "2026-01-05", "* * * * *", "@daily", "1.2.3", "^1.2",
    "10.0.0.0/8", "10.1.2.3", "Europe/Berlin", "Mon-Fri", "true", "minor", '{"a": 1}', "a,b", "[", "\ud800",
]  # fmt: skip
NUMBERS = st.integers() | st.integers(-3, 70) | st.floats()
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | st.sampled_from(WORDS)
CONTAINERS = st.lists(SCALARS | st.fixed_dictionaries({"env": SCALARS}))
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "metadata": st.dictionaries(st.sampled_from(["name", "labels", "generation", "ownerReferences"]), SCALARS),
        "spec": SCALARS | st.fixed_dictionaries({"containers": CONTAINERS}),
        "status": st.dictionaries(st.sampled_from(["conditions", "readyReplicas", "loadBalancer"]), SCALARS),
    },
)
_SILENCE = object()
JSON = st.recursive(
    SCALARS | OBJECTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)


@pytest.mark.parametrize("note", CATALOGUE.values(), ids=lambda note: note.name)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_note_answers_or_says_what_is_wrong(note: Note, data: st.DataObject) -> None:
    function = note.function
    most = function.least + 3 if function.most is None else function.most
    arguments = data.draw(st.lists(JSON, min_size=function.least, max_size=most))
    before = deepcopy(arguments)
    try:
        result = function.call(*([ENV] if function.needs_env else []), *arguments)
    except (ValueError, ArithmeticError) as error:
        result = str(error) or _SILENCE
    assert result is not _SILENCE
    assert isinstance(values.text_or_empty(result), str)
    assert repr(arguments) == repr(before)


@settings(max_examples=400, deadline=None)
@given(
    operator=st.sampled_from(sorted(OPERATORS)),
    operand=JSON,
    value=JSON,
    negate=st.booleans(),
    value_type=st.sampled_from(["", "", "", "string", "int", "float", "bool", "quantity", "duration"]),
)
def test_a_condition_is_refused_or_answers_or_says_what_is_wrong(
    operator: str, operand: Any, value: Any, negate: bool, value_type: str
) -> None:
    answers = [_answer(operator, operand, each, value_type, value) for each in (negate, not negate)]
    assert _SILENCE not in answers
    assert {*answers} in ({True, False}, {answers[0]})
    assert answers[0] is not answers[1]


def _answer(operator: str, operand: Any, negate: bool, value_type: str, value: Any) -> Any:
    try:
        return met(condition(FIELD, operator, operand, negate, value_type), {"x": value}, ENV)
    except (ConditionError, EvaluationError) as error:
        return str(error) or _SILENCE
