"""Hostile templates and data: each is answered or refused in time, and none takes the process with it."""

from __future__ import annotations

from contextlib import suppress
from time import process_time
from typing import Any

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Place
from ork.expr.errors import EvaluationError, ExpressionError
from ork.expr.template import parse_field
from ork.expr.values import MAX_OUTPUT
from tests.unit.expr.evaluate import ENV, evaluate, failed, refused, template

SCOPE: dict[str, Any] = {"x": 1, "l": [1, 2], "n": 10**30, "s": "<" * 2_000_000}


def _long(piece: str) -> str:
    return piece * (100_000 // len(piece))


@pytest.mark.parametrize(
    "text",
    [
        _long("x"),
        _long("{{.x}}"),
        _long("{{if .x}}a{{end}}"),
        _long("{{range .l}}a{{end}}"),
        _long("{{$a := .x}}{{$a}}"),
        _long('{{define "t"}}{{end}}'),
        _long("{{with .x}}{{.}}{{else}}{{.}}{{end}}"),
        "{{ print" + " 1" * 50_000 + " }}",
        "{{ .x" + " " * 100_000 + "}}",
        "{{/*" + "*" * 100_000 + "*/}}",
        "{{" * 50_000,
        '{{ "' * 30_000,
        "{{ .x | " * 10_000,
        "{{" + ".a" * 50_000 + "}}",
        "{{" + "(" * 10_000 + "1" + ")" * 10_000 + "}}",
        "{{ .x" + " | print" * 10_000 + "}}",
        "{{if .x}}" * 10_000 + "{{end}}" * 10_000,
        "{{range .l}}" * 10_000 + "{{end}}" * 10_000,
        "{{if .y}}a" + "{{else if .y}}b" * 10_000 + "{{end}}",
        "".join(f'{{{{define "t{i}"}}}}x{{{{end}}}}' for i in range(4000)),
    ],
)
def test_a_large_template_is_answered_or_refused(text: str) -> None:
    start = process_time()
    with suppress(ExpressionError, EvaluationError):
        template(text)(SCOPE, ENV)
    assert process_time() - start < 3, "about a second on a quiet machine"


NESTED = {
    "parentheses": ("{{ ", "(", "1", ")", " }}"),
    "if": ("", "{{ if .x }}", "1", "{{ end }}", ""),
    "with": ("", "{{ with $.x }}", "1", "{{ end }}", ""),
    "range": ("", "{{ range 1 }}", "1", "{{ end }}", ""),
    "ne": ("{{ len (print (", "ne `x` (", "1", ")", ")) }}"),
    "and": ("{{ len (print (", "and 1 (", "1", ")", ")) }}"),
    "pipes": ("{{ 1", " | print", "", "", " }}"),
    "else if": ("{{ if .y }}", "{{ else if .y }}", "{{ else }}1{{ end }}", "", ""),
}


@pytest.mark.parametrize("kind", NESTED)
def test_nesting_is_followed_for_ninety_levels_and_refused_at_a_hundred_and_one(kind: str) -> None:
    before, opened, inside, closed, after = NESTED[kind]
    made = {depth: before + opened * depth + inside + closed * depth + after for depth in (90, 101)}
    assert evaluate(made[90], SCOPE) in ("1", "4")
    assert "nested deeper than 100 levels" in refused(made[101]).message


def test_parentheses_and_pipes_together_stay_within_what_python_compiles() -> None:
    assert evaluate("{{" + "(" * 49 + "1" + " | print | print)" * 49 + "}}") == "1"
    assert (
        evaluate("{{ if .x }}" * 50 + "{{ print " + "(and 1 " * 45 + "1" + ")" * 45 + " }}" + "{{ end }}" * 50, SCOPE)
        == "1"
    )


@pytest.mark.parametrize("depth", [13, 25, 60])
def test_loops_may_nest_deeper_than_python_allows_in_one_function(depth: int) -> None:
    text = '{{ $all := "" }}' + "{{ range $i := 1 }}" * depth + "{{ $all = print $all $i }}x" + "{{ end }}" * depth
    assert evaluate(text + "{{ $all }}") == "x0"
    inner = "{{ range .l }}a{{ if eq . 2 }}{{ break }}{{ end }}{{ continue }}b{{ end }}"
    assert evaluate("{{ range 1 }}" * depth + inner.replace(".l", "$.l") + "{{ end }}" * depth, SCOPE) == "aa"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ range .n }}{{ end }}", "range counts to 100000 at most"),
        ("{{ range 100000 }}{{ range 100000 }}{{ end }}{{ end }}", "more than 1000000 steps"),
        ("{{ range 100000 }}" + "x" * 1000 + "{{ end }}", f"longer than {MAX_OUTPUT} characters"),
        ("{{ range 100000 }}{{ $.s }}{{ end }}", f"longer than {MAX_OUTPUT} characters"),
        ('{{ $a := "xxxx" }}{{ range 100 }}{{ $a = print $a $a }}{{ end }}', f"longer than {MAX_OUTPUT} characters"),
        ("{{ html .s }}", f"longer than {MAX_OUTPUT} characters"),
        ('{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}', "more than 100 deep"),
        ('{{ define "a" }}{{ range 2 }}{{ template "a" }}{{ end }}{{ end }}{{ template "a" }}', "more than 100 deep"),
        ('{{ printf "%*d" 10001 1 }}', "more than 10000"),
        ('{{ printf "%*d" .n 1 }}', "more than 10000"),
        ('{{ printf "%.*f" 10001 1.5 }}', "more than 10000"),
    ],
)  # fmt: skip
def test_evaluation_is_bounded(text: str, reason: str) -> None:
    assert reason in failed(text, SCOPE).message


def test_templates_that_double_are_stopped() -> None:
    doubling = "".join(
        f'{{{{ define "t{i}" }}}}{{{{ template "t{i - 1}" }}}}{{{{ template "t{i - 1}" }}}}{{{{ end }}}}'
        for i in range(1, 50)
    )
    text = '{{ define "t0" }}x{{ end }}' + doubling + '{{ template "t49" }}'
    assert "more than 1000000 steps" in failed(text).message


def test_a_width_that_go_would_take_is_refused_in_the_text() -> None:
    assert "more than 10000" in refused('{{ printf "%1000000d" 1 }}').message


@pytest.mark.parametrize("text", ["{{ .deep }}", "{{ print .deep }}", "{{ html .deep }}", '{{ printf "%v" .deep }}'])
def test_data_that_is_nested_without_end_is_an_error(text: str) -> None:
    deep: Any = 1
    for _ in range(5000):
        deep = [{"a": deep}]
    assert failed(text, {"deep": deep}).message == "the data is nested too deeply"
    assert evaluate("{{ .deep }}", {"deep": deep}, Place.VALUE) is deep


def test_a_template_can_be_made_and_called_deep_inside_a_program() -> None:
    text = "{{ if .x }}" * 40 + "{{ .x }}" + "{{ end }}" * 40

    def dive(depth: int) -> Any:
        return dive(depth - 1) if depth else evaluate(text, SCOPE)

    assert dive(300) == "1"


def test_a_field_of_many_steps_is_refused() -> None:
    with pytest.raises(ExpressionError):
        parse_field(".".join("a" * 200), BUILTINS)
