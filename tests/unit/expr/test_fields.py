"""A condition's `field`: a bare dot path, or a template (language, section 4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Place
from ork.expr.errors import EvaluationError, ExpressionError
from ork.expr.template import Use, parse_field
from tests.unit.expr.evaluate import ENV

SCOPE: dict[str, Any] = {
    "status": {"phase": "Ready", "n": 3},
    "external": {"healthCheck": {"status": "200"}},
    "children": {"job": {"status": {"succeeded": 1}}},
}


def field(text: str) -> Any:
    return parse_field(text, BUILTINS)(SCOPE, ENV)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("status.phase", "Ready"),
        (".status.phase", "Ready"),
        ("status.n", 3),
        ("status", SCOPE["status"]),
        ("external.healthCheck.status", "200"),
        ("children.job.status.succeeded", 1),
        ("spec.none", None),
        ("spec.a1._x.été", None),
        ("true", None),
        ("{{ .status.phase }}", "Ready"),
        ("{{ len .status.phase }}", 5),
        ("{{ .status.phase }}!", "Ready!"),
        ("{{ .none }}!", "!"),
    ],
)
def test_a_field_is_a_path_or_a_template(text: str, value: Any) -> None:
    assert field(text) == value
    assert parse_field(text, BUILTINS).place is Place.CONDITION


@pytest.mark.parametrize(
    "text",
    ["", " ", ".", "..a", "a.", "a..b", "a b", "a-b", "1a", "a.1", "$.a", "a/b", "spec.[0]", "a\n", "a|b", "{ a }"],
)
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ExpressionError, match="neither a path nor a template") as caught:
        parse_field(text, BUILTINS)
    assert (caught.value.start, caught.value.end) == (0, len(text))
    assert "spec.image" in caught.value.hint


def test_a_path_reads_what_it_says() -> None:
    made = parse_field(".status.phase", BUILTINS)
    assert made.uses == (Use(("status", "phase"), 0, 13),)
    assert made.reads == {("status", "phase")}
    assert made.lone


def test_a_step_into_a_scalar_names_the_path_as_written() -> None:
    with pytest.raises(EvaluationError) as caught:
        field("status.phase.x.y")
    assert caught.value.message == "status.phase is a string, so it has no field x"
    assert (caught.value.start, caught.value.end) == (0, 16)


def test_a_path_may_not_be_endless() -> None:
    with pytest.raises(ExpressionError, match="more than 100 steps"):
        parse_field("a" + ".a" * 5000, BUILTINS)
