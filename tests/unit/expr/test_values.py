"""How values are written, and what a missing one does in each place (language, section 4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.expr import values
from ork.expr.env import Place
from ork.expr.errors import MissingError
from ork.expr.template import MISSING
from tests.unit.expr.evaluate import ENV, evaluate, failed, piece, template

CR: dict[str, Any] = {
    "metadata": {"name": "web", "labels": None},
    "spec": {"image": "nginx", "replicas": 3, "ratio": 0.5, "on": True, "off": False, "zero": 0, "blank": ""},
}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (3, "3"),
        (-7, "-7"),
        (9007199254740993, "9007199254740993"),
        (1.0, "1"),
        (0.5, "0.5"),
        (1e6, "1e+06"),
        (123456.0, "123456"),
        (1e-7, "1e-07"),
        (float("inf"), "+Inf"),
        (True, "true"),
        (False, "false"),
        (["a", 1, None, True], '["a",1,null,true]'),
        ({"b": 1.0, "a": {"y": [], "x": "é<>"}}, '{"a":{"x":"é<>","y":[]},"b":1}'),
        ([], "[]"),
        ({}, "{}"),
        ('q"\\\n', 'q"\\\n'),
        (['q"\\\n'], '["q\\"\\\\\\n"]'),
    ],
)
def test_a_value_is_written_as_the_language_says(value: Any, text: str) -> None:
    assert values.text(value) == text
    assert evaluate("{{ .x }}", {"x": value}) == text
    assert evaluate("<{{ .x }}>", {"x": value}) == f"<{text}>"


@pytest.mark.parametrize(
    ("value", "kind"),
    [("", "string"), (1, "int"), (1.5, "float"), (True, "bool"), ([], "list"), ({}, "map"), (None, "null")],
)
def test_every_value_has_a_kind(value: Any, kind: str) -> None:
    assert values.kind(value) == kind


def test_what_is_no_data_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="a set is no value of this language"):
        values.kind({1})


class Children(dict[str, Any]):
    """A map that finds its keys in its own way, as `.children` does."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key.lower(), default)

    def __missing__(self, key: str) -> Any:
        return self[key.lower()]


def test_every_kind_of_map_is_a_map() -> None:
    scope = {"children": Children(job={"name": "j"})}
    assert evaluate("{{ .children.Job.name }}", scope) == "j"
    assert evaluate("{{ .children }}", scope) == '{"job":{"name":"j"}}'
    assert evaluate("{{ if .children.pod }}a{{ else }}{{ .children.Job.name }}{{ end }}", scope) == "j"
    assert evaluate("{{ range .children }}{{ .name }}{{ end }}{{ len .children }}{{ print .children }}", scope) == (
        "j1map[job:map[name:j]]"
    )


# ── places ──────────────────────────────────────────────────────────────────────────────────────
MISSES = (
    ".spec.none",
    ".none",
    ".none.at.all",
    ".metadata.labels",
    ".metadata.labels.app",
    'index .metadata.labels "a"',
)


@pytest.mark.parametrize("miss", MISSES)
@pytest.mark.parametrize(
    ("place", "lone", "inside"),
    [
        (Place.IDENTITY, MissingError, MissingError),
        (Place.TEXT, MissingError, MissingError),
        (Place.VALUE, MISSING, MissingError),
        (Place.STATUS, "", "<>"),
        (Place.CONDITION, None, "<>"),
    ],
)
def test_a_missing_path_and_a_null_do_what_their_place_says(miss: str, place: Place, lone: Any, inside: Any) -> None:
    for text, expected in ((f"{{{{ {miss} }}}}", lone), (f"<{{{{ {miss} }}}}>", inside)):
        made = template(text, place)
        for _ in range(3):
            if expected is MissingError:
                with pytest.raises(MissingError) as caught:
                    made(CR, ENV)
                assert (piece(text, caught.value), caught.value.path) == (miss, miss)
            else:
                assert made(CR, ENV) == expected


@pytest.mark.parametrize("place", [Place.VALUE, Place.STATUS, Place.CONDITION])
@pytest.mark.parametrize("name", ["replicas", "ratio", "on", "off", "zero", "blank", "image"])
def test_a_lone_action_keeps_its_type_where_the_place_takes_one(place: Place, name: str) -> None:
    value = evaluate(f"{{{{ .spec.{name} }}}}", CR, place)
    assert value == CR["spec"][name]
    assert type(value) is type(CR["spec"][name])


@pytest.mark.parametrize("place", [Place.TEXT, Place.IDENTITY])
def test_a_lone_action_is_text_in_other_places(place: Place) -> None:
    assert evaluate("{{ .spec.replicas }}", CR, place) == "3"
    assert evaluate("{{ .spec.off }}", CR, place) == "false"


@pytest.mark.parametrize(
    "text", ["{{ .spec.replicas }} ", "{{ if .spec.on }}{{ .spec.replicas }}{{ end }}x", "a{{ 1 }}"]
)
def test_anything_but_a_lone_action_is_text(text: str) -> None:
    assert isinstance(evaluate(text, CR, Place.VALUE), str)


@pytest.mark.parametrize(
    "text",
    [
        "{{ .spec.replicas }}",
        "{{- .spec.replicas -}}  ",
        "{{/* three */}}{{ .spec.replicas }}",
        "{{ (.spec).replicas }}",
    ],
)
def test_comments_and_trimmed_space_leave_an_action_alone(text: str) -> None:
    assert template(text, Place.VALUE).lone
    assert evaluate(text, CR, Place.VALUE) == 3


def test_a_lone_list_or_map_is_handed_out_as_it_is() -> None:
    assert evaluate("{{ .spec }}", CR, Place.VALUE) is CR["spec"]


@pytest.mark.parametrize("text", ["", "plain", "a } b", "%d"])
def test_text_without_actions_is_a_literal(text: str) -> None:
    made = template(text, Place.VALUE)
    assert made.literal
    assert not made.lone
    assert made({}, ENV) == text


@pytest.mark.parametrize(
    "text", ['{{ "a" }}', "a{{/* b */}}", "{{ .x }}", '{{ define "t" }}{{ end }}a{{ template "t" }}']
)
def test_text_with_actions_is_no_literal(text: str) -> None:
    assert not template(text).literal


# ── missing values in expressions ───────────────────────────────────────────────────────────────
@pytest.mark.parametrize("miss", MISSES)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{{{ len ({}) }}}}", "0"),
        ("{{{{ range {} }}}}a{{{{ else }}}}none{{{{ end }}}}", "none"),
        ("{{{{ range $k, $v := {} }}}}a{{{{ else }}}}none{{{{ end }}}}", "none"),
        ("{{{{ if {} }}}}a{{{{ else }}}}b{{{{ end }}}}", "b"),
        ("{{{{ with {} }}}}a{{{{ else }}}}b{{{{ end }}}}", "b"),
        ("{{{{ not ({}) }}}}", "true"),
        ("{{{{ or ({}) 1 }}}}", "1"),
        ("{{{{ if and ({}) 1 }}}}a{{{{ end }}}}", ""),
        ('{{{{ eq ({}) "" }}}}', "false"),
        ("{{{{ eq ({}) nil }}}}", "true"),
        ("{{{{ len ({}).more }}}}", "0"),
        ("{{{{ $x := {} }}}}{{{{ len $x }}}}{{{{ len $x.more }}}}", "00"),
    ],
)
def test_a_missing_value_is_empty_for_go(miss: str, text: str, expected: str) -> None:
    assert evaluate(text.format(miss), CR) == expected


@pytest.mark.parametrize(
    "call", ["print .none", 'printf "%v" .none', "html .none", "js nil", "println .metadata.labels"]
)
def test_a_function_that_prints_nothing_is_missing_its_value(call: str) -> None:
    for place in Place:
        assert isinstance(failed(f"{{{{ {call} }}}}", CR, place), MissingError)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (".spec.image.tag", ".spec.image is a string, so it has no field tag"),
        (".spec.replicas.at.all", ".spec.replicas is an int, so it has no field at"),
        (".spec.on.x", ".spec.on is a bool, so it has no field x"),
        (".spec.image.tag.x.y", ".spec.image is a string, so it has no field tag"),
        ("(index .spec `image`).tag", "(index .spec `image`) is a string, so it has no field tag"),
        ("(1).x", "(1) is an int, so it has no field x"),
    ],
)
def test_a_step_into_a_scalar_is_an_error_in_every_place(path: str, message: str) -> None:
    for place in Place:
        for text in (f"{{{{ {path} }}}}", f"a {{{{ if {path} }}}}b{{{{ end }}}}"):
            error = failed(text, CR, place)
            assert not isinstance(error, MissingError)
            assert (error.message, piece(text, error)) == (message, path)


def test_a_step_into_a_list_is_an_error_too() -> None:
    assert failed("{{ .x.y }}", {"x": [1]}).message == ".x is a list, so it has no field y"


# ── comparison ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("eq 1 1.0", True),
        ("eq 2 1.5", False),
        ('eq "1" 1', True),
        ('eq 1 "1"', True),
        ('eq "1.0" 1.0', False),
        ('eq "1" 1.0', True),
        ('eq "true" true', True),
        ('eq false "false"', True),
        ('eq "1.10" 1.1', False),
        ('ne "1" 1', False),
        ('ne "yes" true', True),
        ('eq "b" "a" 2 "b"', True),
        ("lt 1 1.5", True),
        ("ge 2.0 2", True),
        ("le 1 1.0", True),
        ('lt "10" "9"', True),
        ("eq nil nil", True),
        ('eq "" nil', False),
    ],
)
def test_numbers_compare_by_value_and_text_with_scalars_by_text(call: str, expected: bool) -> None:
    assert evaluate(f"{{{{ {call} }}}}", {}, Place.VALUE) is expected


@pytest.mark.parametrize("path", ["s", "n", "b"])
def test_a_comparison_with_a_string_literal_is_the_same_for_every_kind_of_value(path: str) -> None:
    scope = {"s": "true", "n": 3, "b": True}
    text = values.text(scope[path])
    assert evaluate(f'{{{{ eq .{path} "{text}" }}}}{{{{ ne .{path} "{text}" }}}}', scope) == "truefalse"
    assert evaluate(f'{{{{ eq .{path} "x" }}}}{{{{ ne .{path} "x" }}}}', scope) == "falsetrue"


@pytest.mark.parametrize(
    "call", ["eq true 1", "lt true false", 'lt "a" 1', "eq .l .l", 'eq .l "[]"', "lt nil 1", "lt .none 1"]
)
def test_what_cannot_be_compared_is_an_error(call: str) -> None:
    assert "cannot be compared" in failed(f"{{{{ {call} }}}}", {"l": []}).message


# ── order and bytes ─────────────────────────────────────────────────────────────────────────────
def test_maps_are_walked_in_the_order_of_their_keys() -> None:
    scope = {"m": {"b": 2, "B": 1, "a": 3, "é": 4, "10": 5, "9": 6}}
    assert evaluate("{{ range $k, $v := .m }}{{ $k }}{{ $v }} {{ end }}", scope) == "105 96 B1 a3 b2 é4 "
    assert evaluate("{{ range .m }}{{ . }}{{ end }}", scope) == "561324"


def test_strings_are_counted_and_cut_in_bytes_and_the_result_is_always_text() -> None:
    assert evaluate("{{ len .x }}", {"x": "é😀"}) == "6"
    assert evaluate("{{ slice .x 0 1 }}{{ slice .x 1 }}", {"x": "é"}) == "é"
    assert evaluate("{{ slice .x 0 1 }}|", {"x": "é"}) == "\ufffd|"
    assert evaluate('{{ "\\xff" }}', {}, Place.VALUE) == "\ufffd"


def test_a_text_of_the_data_is_never_evaluated() -> None:
    scope = {"x": "{{ .secret }}", "secret": "s"}
    assert evaluate("{{ .x }}{{ print .x }}{{ with .x }}{{ . }}{{ end }}", scope) == "{{ .secret }}" * 3


def test_evaluation_leaves_the_data_as_it_is() -> None:
    scope: dict[str, Any] = {"l": [3, 1], "m": {"b": 1, "a": 2}}
    evaluate("{{ range .l }}{{ . }}{{ end }}{{ range .m }}{{ . }}{{ end }}{{ slice .l 1 }}{{ .m }}", scope)
    assert scope == {"l": [3, 1], "m": {"b": 1, "a": 2}}
