"""Actions, variables, text and functions of Go's `text/template`, on a table that needs no Go.

`go_differential` compares far more with Go itself; here stands what each construct is for.
"""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.findings import Span
from ork.expr.builtins import BUILTINS
from ork.expr.env import Place
from ork.expr.errors import EvaluationError
from ork.expr.functions import Function
from ork.expr.template import parse
from tests.unit.expr.evaluate import ENV, evaluate, failed, piece, refused

SCOPE: dict[str, Any] = {
    "name": "web",
    "count": 3,
    "yes": True,
    "no": False,
    "regions": ["eu", "us"],
    "none": [],
    "labels": {"b": "2", "a": "1"},
    "spec": {"image": "nginx", "ports": [{"name": "http", "port": 80}, {"name": "ops", "port": 81}]},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # paths and pipelines
        ("{{ .name }}-{{ .spec.image }}", "web-nginx"),
        ("{{ $.name }}{{ (index .spec.ports 1).name }}", "webops"),
        ('{{ .name | printf "%s!" | len }}', "4"),
        ('{{ print (len .regions) "/" (len .labels) }}', "2/2"),
        # text and trim markers
        ("a {{- .name -}} b", "awebb"),
        ("a {{/* nothing */ -}} b", "a b"),
        ('{{ "}}" }}{{ `{{` }}', "}}{{"),
        # choices
        ("{{ if .yes }}a{{ else }}b{{ end }}", "a"),
        ("{{ if .no }}a{{ else if eq .count 3 }}b{{ else }}c{{ end }}", "b"),
        ("{{ if and .yes (not .no) (gt .count 2) }}a{{ end }}", "a"),
        ("{{ with .spec }}{{ .image }}{{ $.name }}{{ else }}none{{ end }}", "nginxweb"),
        ("{{ with .none }}a{{ else with .name }}{{ . }}{{ else }}b{{ end }}", "web"),
        # loops
        ("{{ range $i, $r := .regions }}{{ if $i }},{{ end }}{{ $r }}{{ end }}", "eu,us"),
        ("{{ range .spec.ports }}{{ .name }}={{ .port }};{{ end }}", "http=80;ops=81;"),
        ("{{ range $k, $v := .labels }}{{ $k }}{{ $v }}{{ end }}", "a1b2"),
        ("{{ range .none }}a{{ else }}none{{ end }}", "none"),
        ("{{ range .count }}{{ . }}{{ end }}", "012"),
        (
            "{{ range 9 }}{{ if eq . 2 }}{{ continue }}{{ end }}{{ if eq . 4 }}{{ break }}{{ end }}{{ . }}{{ end }}",
            "013",
        ),
        ("{{ range .regions }}{{ range $.spec.ports }}{{ .port }}{{ end }}{{ . }} {{ end }}", "8081eu 8081us "),
        # variables
        ("{{ $x := .name }}{{ if .yes }}{{ $x = .spec.image }}{{ end }}{{ $x }}", "nginx"),
        ("{{ $x := 1 }}{{ if .yes }}{{ $x := 2 }}{{ $x }}{{ end }}{{ $x }}", "21"),
        ('{{ $all := "" }}{{ range .regions }}{{ $all = print $all . }}{{ end }}{{ $all }}', "euus"),
        # templates
        ('{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .name }}{{ template "t" .count }}', "<web><3>"),
        ('{{ block "t" .spec }}{{ .image }}{{ $.image }}{{ end }}', "nginxnginx"),
        (
            '{{ define "n" }}{{ with . }}{{ slice . 1 }},{{ template "n" (slice . 1) }}{{ end }}{{ end }}'
            '{{ template "n" "abc" }}',
            "bc,c,,",
        ),
        # functions
        ('{{ printf "%05d|%-4s|%q|%.2f|%t" .count "a" .name 1.5 .yes }}', '00003|a   |"web"|1.50|true'),
        ('{{ html "<a>" }}{{ js "\'" }}{{ urlquery "a b/c" }}', "&lt;a&gt;\\'a+b%2Fc"),
        ("{{ index .labels `a` }}{{ slice .name 1 2 }}{{ println 1 2 }}", "1e1 2\n"),
        (
            "{{ 0x1F }} {{ 1_000 }} {{ 1e3 }} {{ 'a' }} {{ 1.50 }} {{ 1e21 }} {{ 1+2i }}",
            "31 1000 1000 97 1.5 1e+21 (1+2i)",
        ),
    ],
)
def test_a_template_gives_what_go_gives(text: str, expected: str) -> None:
    assert evaluate(text, SCOPE) == expected


# ── what is wrong as written ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "at", "message", "hint"),
    [
        ("{{ .x", "{{ .x", "an action is not closed; }} is missing", ""),
        ("a {{ if .x }}b", "if", "{{ if }} is not closed", "add {{ end }}"),
        ("{{ if .x }}{{ range .y }}{{ end }}", "if", "{{ if }} is not closed", "add {{ end }}"),
        ("{{ end }}", "end", "unexpected {{ end }}: nothing is open here",
         "remove it, or begin an if, with, range or block before it"),
        ("{{ if .x }}{{ else }}{{ else }}{{ end }}", "else", "a second {{ else }}",
         "only one {{ else }} may stand before {{ end }}"),
        ("{{ with .x }}{{ else if .y }}{{ end }}", "if", 'unexpected "if" in {{ with }}',
         "{{ with }} goes on with {{ else with }}, {{ range }} only with {{ else }}"),
        ("{{ /* c */ }}", "/", 'unexpected "/" in an action',
         "a comment touches the braces, or a space beside their trim markers: {{/* … */}}, {{- /* … */ -}}"),
        ("{{ if }}a{{ end }}", "}}", "a value is missing in {{ if }}", ""),
        ("{{ lenn .x }}", "lenn", 'there is no function "lenn"', 'did you mean "len"?'),
        ("{{ print foo }}", "foo", 'there is no function "foo"', "`ork notes search WORD` finds functions"),
        ("{{ print foo.x }}", "foo", 'there is no function "foo"', "a path begins with a dot: .foo.x"),
        ("{{ len.x }}", "len", "len takes 1 argument, not 0", "a path begins with a dot: .len.x"),
        ("{{ .x or .y }}", "or", "or takes at least 1 argument, not 0",
         "a function's name comes first; as an argument, it stands in parentheses: (or .a)"),
        ("{{ .x | b64enc }}", "b64enc", 'there is no function "b64enc"', 'did you mean "toBase64"?'),
        ("{{ print(.x) }}", "(", 'unexpected "(" in an action',
         "arguments stand behind a function's name, parted by spaces: {{ upper .spec.name }}"),
        ("{{ .x + 1 }}", "+", '"+" is not a number', "write add .a .b, or print .a .b to join text"),
        ("{{ not 1 2 }}", "not 1 2", "not takes 1 argument, not 2", ""),
        ("{{ eq (len .x) }}", "eq (len .x)", "eq takes at least 2 arguments, not 1", ""),
        ("{{ .x | index | not 1 }}", "not 1", "not takes 1 argument, not 2", ""),
        ("{{ .x 1 }}", ".x 1", "only a function takes arguments", "a function's name comes first; print joins values"),
        ("{{ .x | .y }}", ".y", "a value can only be piped into a function", "after | comes the name of a function"),
        ("{{ nil }}", "nil", "nil alone is no value; it can only be an argument", ""),
        ("{{ $x }}", "$x", "$x is not declared", "write {{ $x := … }} before it"),
        ("{{ $name := 1 }}{{ $nam }}", "$nam", "$nam is not declared", 'did you mean "$name"?'),
        ("{{ $x, $y := .a }}", "$x", "too many variables in an action", ""),
        ("{{ break }}", "break", "{{ break }} outside of {{ range }}", ""),
        ('{{ define "page" }}{{ end }}{{ template "pgae" }}', '"pgae"', 'there is no template "pgae"',
         'did you mean "page"?'),
        ('{{ define "a" }}x{{ end }}{{ define "a" }}y{{ end }}', '"a"', 'the template "a" is defined twice', ""),
        ('{{ "a }}', '"', 'a string is not closed; " is missing', ""),
        ("{{/* a }}", "/*", "a comment is not closed; */}} is missing", ""),
        ("{{ (1 }}", "}}", '"(" is not closed', ""),
        ("{{ 1) }}", ")", 'unexpected ")" without a "("', ""),
        ("{{ 1_ }}", "1_", '"1_" is not a number', ""),
        ("{{ 'ab' }}", "'ab'", "'ab' is not one character", ""),
        ('{{ "\\q" }}', '"\\q"', "\\q is no escape; write \\\\ for a backslash", ""),
        ("{{ .x == 1 }}", "=", 'unexpected "=" in an action', "write eq .a .b to compare, $x := .a to name a value"),
        ("{{ .a && .b }}", "&", 'unexpected "&" in an action', "write and .a .b"),
        ("{{ .list[0] }}", "[", "unexpected character '[' after .list", "write index .list 0"),
        ('{{ printf "%d" }}', 'printf "%d"', "the format takes 1 argument, not 0", ""),
        ('{{ printf "%z" 1 }}', 'printf "%z" 1', '"%z" is no verb of printf', ""),
        ("{{ printf 5 }}", "printf 5", "the format of printf is an int, not a string", ""),
    ],
)  # fmt: skip
def test_a_faulty_template_says_what_is_wrong_where_and_what_to_do(text: str, at: str, message: str, hint: str) -> None:
    error = refused(text)
    assert (piece(text, error), error.message, error.hint) == (at, message, hint)


# ── what is wrong for this data ─────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("a {{ index .regions 5 }}", "index .regions 5", "the index 5 is out of range; there are 2"),
        ("{{ index .labels 1 }}", "index .labels 1", "a map is indexed by a string, not by an int"),
        ("{{ if lt .name .count }}{{ end }}", "lt .name .count", "a string and an int cannot be compared"),
        ("{{ range .name }}{{ end }}", ".name", "range cannot walk a string"),
        ("{{ range $i, $x := .count }}{{ end }}", ".count", "a number is walked with one variable, not with two"),
        ("{{ range .regions }}{{ len $.count }}{{ end }}", "len $.count", "an int has no length"),
        ('{{ .name | printf "%d" }}', 'printf "%d"', "%d of a string; write %s or %v"),
        ('{{ define "t" }}{{ slice . 9 }}{{ end }}{{ template "t" .name }}', "slice . 9",
         "the index 9 is out of range; there are 3"),
        ("{{ and .yes (len .count) }}", "len .count", "an int has no length"),
        ("{{ .x | and .no ($y := 1) | or .no }}{{ $y }}", "$y", "has no value here"),
    ],
)  # fmt: skip
def test_an_error_points_at_the_piece_that_failed(text: str, at: str, reason: str) -> None:
    error = failed(text, SCOPE, Place.STATUS)
    assert piece(text, error) == at
    assert error.message in (f"{at}: {reason}", f"{at} {reason}")


def test_an_error_knows_its_place_in_the_file() -> None:
    def locate(start: int, end: int) -> Span:
        return Span("katalog.yaml", 7, 10 + start, 7, 10 + end)

    made = parse("a {{ .none }} {{ len .count }}", Place.STATUS, BUILTINS, locate)
    with pytest.raises(EvaluationError) as caught:
        made(SCOPE, ENV)
    assert str(caught.value.span) == "katalog.yaml:7:27"


@pytest.mark.parametrize("fault", [ValueError, TypeError, ZeroDivisionError, OverflowError, KeyError, IndexError])
def test_a_fault_in_a_function_is_an_error_of_the_expression(fault: type[Exception]) -> None:
    def burst() -> None:
        raise fault("burst")

    made = parse("a {{ burst }}", Place.TEXT, {**BUILTINS, "burst": Function("burst", burst, 0, 0)})
    with pytest.raises(EvaluationError, match=r"burst: '?burst'?") as caught:
        made({}, ENV)
    assert (caught.value.start, caught.value.end) == (5, 10)
    assert isinstance(caught.value.__cause__, fault)


def test_an_evaluation_error_of_a_function_keeps_its_own_place() -> None:
    inner = EvaluationError("inner", 3, 4)

    def burst() -> None:
        raise inner

    made = parse("a {{ burst }}", Place.TEXT, {**BUILTINS, "burst": Function("burst", burst, 0, 0)})
    with pytest.raises(EvaluationError) as caught:
        made({}, ENV)
    assert caught.value is inner
    assert (inner.start, inner.end) == (3, 4)


# ── functions of others ─────────────────────────────────────────────────────────────────────────
def test_a_function_gets_what_it_asks_for() -> None:
    def show(*args: Any) -> str:
        return "|".join("env" if arg is ENV else "scope" if arg is SCOPE else str(arg) for arg in args)

    functions = {
        **BUILTINS,
        "plain": Function("plain", show, 0, None),
        "timed": Function("timed", show, 0, None, needs_env=True),
        "scoped": Function("scoped", show, 0, None, needs_scope=True),
        "first": Function("first", show, 0, None, subject_first=True),
    }

    def evaluated(text: str) -> Any:
        return parse(text, Place.TEXT, functions)(SCOPE, ENV)

    assert evaluated("{{ plain 1 2 }}") == "1|2"
    assert evaluated("{{ timed 1 }}") == "env|1"
    assert evaluated("{{ with .spec }}{{ scoped 1 }}{{ end }}") == "scope|env|1"
    assert evaluated('{{ define "t" }}{{ scoped . }}{{ end }}{{ template "t" 5 }}') == "scope|env|5"
    assert evaluated("{{ 0 | plain 1 2 }}{{ 0 | first 1 2 }}") == "1|2|00|1|2"


def test_a_function_of_the_same_name_replaces_gos() -> None:
    functions = {**BUILTINS, "and": Function("and", lambda *args: len(args), 0, None)}
    assert parse("{{ and 1 0 1 }}", Place.VALUE, functions)({}, ENV) == 3


def test_and_and_or_stop_where_the_answer_is_known() -> None:
    asked: list[Any] = []

    def ask(value: Any) -> Any:
        asked.append(value)
        return value

    functions = {**BUILTINS, "ask": Function("ask", ask, 1, 1)}
    assert parse("{{ and (ask 1) (ask 0) (ask 2) }}", Place.VALUE, functions)({}, ENV) == 0
    assert parse("{{ or (ask 0) (ask 3) (ask 4) }}", Place.VALUE, functions)({}, ENV) == 3
    assert asked == [1, 0, 0, 3]


def test_a_random_function_is_asked_once_even_where_a_path_is_missing() -> None:
    asked: list[int] = []

    def draw() -> int:
        asked.append(1)
        return len(asked)

    functions = {**BUILTINS, "draw": Function("draw", draw, 0, 0, reads=frozenset({("@random",)}))}
    assert parse("{{ draw }}{{ .none }}", Place.STATUS, functions)({}, ENV) == "1"
    assert asked == [1]


def test_a_template_gives_the_same_before_and_after_a_path_was_missing() -> None:
    made = parse("{{ .a }}{{ if .b }}-{{ .b }}{{ end }}", Place.STATUS, BUILTINS)
    scopes: list[dict[str, Any]] = [{"a": "x", "b": 1}, {"a": "x"}, {}, {"a": "y", "b": 2}, {"b": None, "a": 0}]
    assert [made(scope, ENV) for scope in scopes] == ["x-1", "x", "", "y-2", "0"]
