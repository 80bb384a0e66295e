"""Notes on text, numbers, choices, types, data, lists and maps, at their edges; `test_notes.py` runs their examples."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError
from ork.expr.notes import CATALOGUE, functions
from ork.expr.template import parse

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


def call(name: str, *args: Any) -> Any:
    return CATALOGUE[name].function.call(*args)


@pytest.mark.parametrize(
    ("name", "args", "result"),
    [
        ("lower", (None,), ""),
        ("upper", (3,), "3"),
        ("trim", ("  a b ",), "a b"),
        ("trim", ("--a--", "-"), "a"),
        ("trimSuffix", ("nginx", ":latest"), "nginx"),
        ("replace", (None, "a", "b"), ""),
        ("split", (None, ","), []),
        ("split", ("", ","), []),
        ("split", ("ab", ""), ["a", "b"]),
        ("split", ("a,b,", ","), ["a", "b", ""]),
        ("join", (None, ","), ""),
        ("join", (["a", 1, True, None], ","), "a,1,true,"),
        ("join", (",", ["a", "b"]), "a,b"),
        ("join", (",", None), ""),
        ("contains", (["eu", "us"], "eu"), True),
        ("contains", (None, "x"), False),
        ("repeat", ("ab", 0), ""),
        ("repeat", ("ab", -1), ""),
        ("truncate", ("abcdef", 3), "abc"),
        ("truncate", ("abcdef", 5), "ab..."),
        ("truncate", ("abcdef", 6), "abcdef"),
        ("camelToKebab", ("myHTTPServer2Go",), "my-http-server2-go"),
        ("quote", ("a\n\\",), '"a\\n\\\\"'),
        ("indent", (None, 2), "  "),
        # numbers
        ("add", (1, 2, 3), 6),
        ("add", (1, "2.5"), 3.5),
        ("add", (None, 4), 4),
        ("div", (7, 2), 3),
        ("div", (-7, 2), -3),
        ("div", (7, -2), -3),
        ("div", (7.0, 2), 3.5),
        ("div", (9223372036854775807, 1), 9223372036854775807),
        ("mod", (-7, 3), -1),
        ("mod", (7, -3), 1),
        ("min", (3, "2", 2.5), 2),
        ("max", (1,), 1),
        ("clamp", (0, 1, 20), 1),
        ("abs", (None,), 0),
        ("floor", (-2.5,), -3),
        ("ceil", (-2.5,), -2),
        ("round", (2.5,), 3),
        ("round", (-2.5,), -3),
        ("round", (7, 3), 7),
        # choices
        ("default", (3, 1), 3),
        ("default", (0, 1), 1),
        ("default", (False, True), True),
        ("default", ([], ["a"]), ["a"]),
        ("default", (None, None), None),
        ("coalesce", (None, "", 0), None),
        ("ternary", ("false", 1, 2), 1),
        ("boolTernary", ("false", 1, 2), 2),
        ("boolTernary", (None, 1, 2), 2),
        ("boolDefault", (None, True), True),
        ("boolDefault", ("no", True), False),
        ("boolDefault", ("what", True), True),
        ("eqTernary", (True, "true", "y", "n"), "y"),
        ("empty", ({},), True),
        ("notEmpty", ("0",), True),
        # types
        ("typeOf", (None,), "null"),
        ("typeOf", (1.0,), "float"),
        ("toInt", ("3.9",), 3),
        ("toInt", (-3.9,), -3),
        ("toInt", (True,), 1),
        ("toInt", ("9007199254740993",), 9007199254740993),
        ("toFloat", (True,), 1.0),
        ("toBool", (0,), False),
        ("toBool", ("On",), True),
        ("toString", (1e6,), "1e+06"),
        ("toString", ([1, "a"],), '[1,"a"]'),
        ("toList", ("a, b,c",), ["a", "b", "c"]),
        ("toList", (None,), []),
        ("toList", ([1],), [1]),
        ("asList", ("[1, 2]",), [1, 2]),
        ("asMap", (None,), {}),
        # data
        ("toJSON", ("<a>",), '"<a>"'),
        ("toJSON", (None,), "null"),
        ("toJSON", ({"b": [1.0, None], "a": "ü"},), '{"a":"ü","b":[1,null]}'),
        ("fromJSON", (None,), None),
        ("fromJSON", ("[1, 2.5, null]",), [1, 2.5, None]),
        ("fromBase64", ("w7w=\n",), "ü"),
        ("toBase64", (None,), ""),
        ("sha256sum", ("abc",), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("slugify", (" Ünï--_cøde! ",), "n-c-de"),
        ("truncateName", ("a" * 70,), "a" * 63),
        ("truncateName", ("abc-def", 4), "abc"),
        ("truncateName", ("abc-", 9), "abc-"),
        ("repoSlug", ("https://github.com/org/My_App/",), "my-app"),
        ("lookup", ("x", "a", 1), None),
        ("lookup", (2, "2", "two"), "two"),
        # lists and maps
        ("listGet", ([1, 2], -1), 2),
        ("listGet", ([1, 2], 5), None),
        ("listGet", (None, 0), None),
        ("listHas", ([1, 2], "2"), True),
        ("first", ([],), None),
        ("concat", ([1], None, [2]), [1, 2]),
        ("uniq", ([1, "1", 2],), [1, 2]),
        ("mapGet", (None, "a"), None),
        ("mapKeys", ({"b": 1, "a": 2},), ["a", "b"]),
        ("mapPick", ({"a": 1}, "b"), {}),
        ("mapMerge", ({"a": 1}, None, {"b": 2}), {"a": 1, "b": 2}),
        ("listLen", ({"a": 1},), 1),
        # access
        ("get", ({"a": {"b.c": 1}}, "a", "b.c"), 1),
        ("get", ({"a": {"b": {"c": 1}}}, "a.b.c"), 1),
        ("get", ({"a": [{"b": 1}]}, "a", 0, "b"), 1),
        ("get", ({"a": [{"b": 1}]}, ".a.0.b"), 1),
        ("get", (None, "a", "b"), None),
        ("get", ("text", "a"), None),
        ("getOr", (None, 1), 1),
        ("getOr", ({"a": 2}, "a", 1), 2),
        ("getOr", ({"a": 2}, "a", "b", 1), 1),
        ("getIntOr", (3.7, 1), 3),
        ("getIntOr", ("3", 1), 1),
        ("getBoolOr", ("true", False), False),
        ("getStringOr", ("", "x"), "x"),
    ],
)  # fmt: skip
def test_a_note_gives(name: str, args: tuple[Any, ...], result: Any) -> None:
    found = call(name, *args)
    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("add", ("a", 1), '"a" is not a number'),
        ("add", (True, 1), '"true" is not a number'),
        ("add", ([1], 1), "a list is not a number"),
        ("div", (1, 0), "division by zero"),
        ("div", (1.5, "0"), "division by zero"),
        ("mod", (1, 0), "modulo by zero"),
        ("mod", (1.5, 1), '"1.5" is not a whole number'),
        ("add", (9223372036854775807, 1), "64 bits"),
        ("mul", (4294967296, 4294967296), "64 bits"),
        ("mul", (1e300, 1e300), "too large"),
        ("repeat", ("x", 2_000_000), "more than 1048576 characters"),
        ("repeat", ("x", "many"), '"many" is not a number'),
        ("join", ({"a": 1}, ","), "a map is not a list"),
        ("join", ("a", ","), '"a" is not a list'),
        ("toInt", ("abc",), '"abc" is not a number'),
        ("toInt", (float("inf"),), "is not a number"),
        ("toBool", ("maybe",), '"maybe" says neither true nor false'),
        ("asMap", ("[1]",), "a list is not a map"),
        ("fromJSON", ("{",), '"{" is not JSON'),
        ("fromJSON", ("NaN",), '"NaN" is not JSON'),
        ("fromJSON", ("[" * 100_000,), "is not JSON"),
        ("fromBase64", ("!",), "is not base64"),
        ("fromBase64", ("/w==",), "is not base64 of a text in UTF-8"),
        ("dict", ("a",), "the last key has no value"),
        ("lookup", ("x", "a"), "the last key has no value"),
        ("mapGet", ([1], "a"), "a list is not a map"),
        ("round", (1.5, 20), "0 to 15 digits"),
    ],
)
def test_nonsense_is_an_error_that_says_what_it_is(name: str, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)) as caught:
        call(name, *args)
    assert message in str(caught.value)


def evaluate(template: str, **scope: Any) -> Any:
    return parse(template, Place.CONDITION, functions())(scope, ENV)


@pytest.mark.parametrize(
    ("direct", "piped"),
    [
        ('{{ default .a "x" }}', '{{ .a | default "x" }}'),
        ('{{ default .none "x" }}', '{{ .none | default "x" }}'),
        ('{{ replace .a "b" "-" }}', '{{ .a | replace "b" "-" }}'),
        ('{{ trimSuffix .a "c" }}', '{{ .a | trimSuffix "c" }}'),
        ('{{ join .list "-" }}', '{{ .list | join "-" }}'),
        ("{{ clamp .n 1 3 }}", "{{ .n | clamp 1 3 }}"),
        ('{{ ternary .n "y" "n" }}', '{{ .n | ternary "y" "n" }}'),
        ("{{ truncateName .a 2 }}", "{{ .a | truncateName 2 }}"),
        ("{{ lower (trim .a) }}", "{{ .a | trim | lower }}"),
        ("{{ sub 10 .n }}", "{{ .n | sub 10 }}"),
        ("{{ div 10 .n }}", "{{ .n | div 10 }}"),
        ('{{ coalesce .none "x" .a }}', '{{ .a | coalesce .none "x" }}'),
        ('{{ cidrContains "10.0.0.0/8" .ip }}', '{{ .ip | cidrContains "10.0.0.0/8" }}'),
    ],
)
def test_a_piped_value_is_the_subject_and_in_arithmetic_the_last_argument(direct: str, piped: str) -> None:
    scope = {"a": "abc", "list": ["x", "y"], "n": 5, "ip": "10.1.2.3"}
    assert evaluate(direct, **scope) == evaluate(piped, **scope) is not None


def test_what_a_note_refuses_is_an_evaluation_error_at_its_place() -> None:
    with pytest.raises(EvaluationError, match="division by zero") as caught:
        evaluate("port: {{ add 1 (div .a .b) }}", a=1, b=0)
    assert "port: {{ add 1 (div .a .b) }}"[caught.value.start : caught.value.end] == "div .a .b"


def test_notes_never_change_what_they_are_handed() -> None:
    scope: dict[str, Any] = {"m": {"b": 1, "a": [2, 1]}}
    for note in ("mapMerge .m (dict `c` 1)", "mapOmit .m `b`", "sortAlpha .m.a", "reverse .m.a", "uniq .m.a"):
        evaluate(f"{{{{ {note} }}}}", **scope)
    assert scope == {"m": {"b": 1, "a": [2, 1]}}
