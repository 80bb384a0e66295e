"""Templates of any text and any data: only their own errors, always the same answer, and text where text is meant."""

from __future__ import annotations

from collections.abc import Callable
from json import loads
from typing import Any, TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from ork.expr.builtins import BUILTINS
from ork.expr.code import Result, generate
from ork.expr.env import Place
from ork.expr.errors import EvaluationError, ExpressionError
from ork.expr.parser import parse as parse_tree
from ork.expr.printf import sprintf
from ork.expr.template import MISSING, parse, parse_field
from ork.expr.values import json, mend, text
from tests.unit.expr.evaluate import ENV
from tests.unit.expr.go_differential.corpus import chance

T = TypeVar("T")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
NAMES = st.sampled_from(["name", "count", "list", "items", "m", "o", "k", "deep", "er", "x"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=3)
)
SCOPES = st.dictionaries(NAMES, VALUES, max_size=6)
_PIECES = """
{{ }} {{- -}} {{/* */}} if else end range with define template block break continue nil true . $ .name .list .o.x $x
$x.y := = | ( ) , " ` ' "a" `b` 'c' 0 1.5 0x 1e9 -1 1i print printf "%d" len index eq and not { } \\ é ² #
"""
PIECES = st.sampled_from(_PIECES.split())
TEXTS = st.one_of(
    st.text(max_size=20),
    st.lists(PIECES | st.text(max_size=2), max_size=14).map(" ".join),
    st.lists(PIECES, max_size=14).map("".join),
)
TEMPLATES = st.integers(0, 10_000).map(lambda seed: next(chance(seed, 1)).template)
PLACES = st.sampled_from(Place)


def _attempt(make: Callable[[], T]) -> T | ExpressionError | EvaluationError:
    try:
        return make()
    except (ExpressionError, EvaluationError) as error:
        return error


@given(TEXTS)
@settings(max_examples=200)
def test_a_text_is_a_template_or_an_expression_error(written: str) -> None:
    for made in (
        _attempt(lambda: parse(written, Place.TEXT, BUILTINS)),
        _attempt(lambda: parse_field(written, BUILTINS)),
    ):
        if isinstance(made, ExpressionError | EvaluationError):
            assert 0 <= made.start <= made.end <= len(written)
            assert made.message
        else:
            assert all(use.path and 0 <= use.start <= use.end <= len(written) for use in made.uses)


@given(TEXTS | TEMPLATES, SCOPES, PLACES)
@settings(max_examples=200)
def test_evaluation_gives_a_value_or_an_evaluation_error(written: str, scope: dict[str, Any], place: Place) -> None:
    made = _attempt(lambda: parse(written, place, BUILTINS))
    if isinstance(made, ExpressionError | EvaluationError):
        return
    value = _attempt(lambda: made(scope, ENV))
    if isinstance(value, EvaluationError):
        assert 0 <= value.start <= value.end <= len(written)
        assert value.message
    else:
        assert isinstance(value, str) or made.lone
        assert value is not None or place is Place.CONDITION
        assert value is not MISSING or place is Place.VALUE


@given(TEMPLATES, SCOPES)
@settings(max_examples=100)
def test_careful_code_gives_what_quick_code_gives(written: str, scope: dict[str, Any]) -> None:
    try:
        tree = parse_tree(written, BUILTINS)
    except ExpressionError:
        return
    quick, careful = (generate(tree, Result.LENIENT, careful=careful) for careful in (False, True))
    try:
        value = quick(scope, ENV)
    except Exception:
        return
    assert careful(scope, ENV) == value


@given(VALUES)
def test_every_value_has_a_text_and_that_of_lists_and_maps_is_json(value: Any) -> None:
    if value is not None:
        assert isinstance(text(value), str)
    if isinstance(value, dict | list) and "Inf" not in json(value) and "NaN" not in json(value):
        assert loads(json(value)) == value


@given(st.text(), st.lists(SCALARS, max_size=4))
@settings(max_examples=100)
def test_a_format_gives_text_or_a_value_error(written: str, args: list[Any]) -> None:
    for form in (written, f"%{written}", f"{written}%v%d%s"):
        try:
            assert isinstance(sprintf(form, *args), str)
        except (ValueError, EvaluationError):
            continue


@given(st.binary())
def test_mended_text_can_be_written(data: bytes) -> None:
    mended = mend(data.decode("utf-8", "surrogateescape"))
    assert mended.encode() == mended.encode("utf-8", "surrogatepass")
    halves = [data[:1].decode("utf-8", "surrogateescape"), data[1:].decode("utf-8", "surrogateescape")]
    assert mend("".join(halves)) == mended
