"""Whatever schema and value: defaults, pruning and validation end, settle, and share what they do not change."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ork.openapi import structural
from ork.openapi.causes import Cause
from ork.openapi.problems import problems
from tests.property.structural_schemas import anything, schema, value

randoms = st.randoms(use_true_random=False)


def _drawn(random: Random) -> tuple[structural.Structural, Any]:
    wanted = schema(random)
    return structural.compile_part(wanted), value(random, wanted)


@settings(max_examples=300)
@given(randoms)
def test_defaults_are_filled_in_once(random: Random) -> None:
    compiled, given_value = _drawn(random)
    filled = compiled.default(given_value)
    assert compiled.default(filled) is filled


@settings(max_examples=300)
@given(randoms)
def test_what_is_pruned_stays_pruned(random: Random) -> None:
    compiled, given_value = _drawn(random)
    pruned = compiled.prune(given_value)
    assert compiled.prune(pruned) is pruned
    assert compiled.unknown(pruned) == []


@settings(max_examples=300)
@given(randoms)
def test_nothing_that_was_handed_over_is_changed(random: Random) -> None:
    compiled, given_value = _drawn(random)
    before = copy.deepcopy(given_value)
    compiled.validate(compiled.prune(compiled.default(given_value)))
    assert given_value == before


@settings(max_examples=300)
@given(randoms)
def test_validation_is_total_and_words_every_cause(random: Random) -> None:
    compiled, given_value = _drawn(random)
    for cause in compiled.validate({"some": [given_value]}) + compiled.validate(given_value):
        assert isinstance(cause, Cause)
        assert cause.reason.startswith("FieldValue")
        assert cause.message


@settings(max_examples=200)
@given(randoms)
def test_a_value_that_did_not_change_is_never_refused(random: Random) -> None:
    compiled, given_value = _drawn(random)
    assert compiled.validate(copy.deepcopy(given_value), given_value) == []


@settings(max_examples=200)
@given(randoms)
def test_pruning_drops_only_what_it_names(random: Random) -> None:
    compiled, given_value = _drawn(random)
    pruned = compiled.prune(given_value)
    assert (pruned is given_value) == (compiled.unknown(given_value) == [])


@settings(max_examples=200)
@given(randoms)
def test_looking_for_problems_is_total(random: Random) -> None:
    assert all(
        isinstance(line, str) and line for line in problems({"type": "object", "properties": {"p": schema(random)}})
    )
    assert isinstance(problems({"type": "object", "properties": anything(random), "items": anything(random)}), list)
