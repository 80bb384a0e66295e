"""What templates become: code that can reach nothing but what it is given, and that threads may share."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import CodeType, FunctionType
from typing import Any

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.code import Result, generate
from ork.expr.env import Place
from ork.expr.parser import parse
from tests.unit.expr.evaluate import ENV, evaluate, template

TEMPLATES = (
    "{{ .metadata.name }}-{{ .spec.image }}",
    "{{ if eq .a `b` }}{{ printf `%d` .c }}{{ else if .d }}{{ with .d }}{{ . }}{{ end }}{{ end }}",
    "{{ range $i, $x := .l }}{{ $y := $x }}{{ $y }}{{ else }}{{ len . }}{{ end }}",
    "{{ range .l }}" * 15 + "{{ . }}" + "{{ end }}" * 15,
    '{{ define "t" }}{{ $ }}{{ end }}{{ template "t" (index .m "k") }}',
    "{{ $x := 1 }}{{ and .a ($x = 2) }}{{ ($y := .b) | print $y }}{{ slice .s 1 }}",
    "{{ .__class__.__mro__ }}{{ index . `__globals__` }}{{ $__builtins__ := 1 }}{{ $__builtins__ }}",
)


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@pytest.mark.parametrize("text", TEMPLATES)
@pytest.mark.parametrize("careful", [False, True])
def test_generated_code_names_nothing_of_the_template(text: str, careful: bool) -> None:
    run = generate(parse(text, BUILTINS), Result.LENIENT, careful)
    assert isinstance(run, FunctionType)
    assert run.__globals__["__builtins__"] == {}
    types = {"str", "list", "len", "enumerate"}
    helpers = types | {"walk", "each", "pairs", "enter", "too_long", "text", "text_or_empty", "mend", "absent"}
    for code in codes(run.__code__):
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"):
                assert instruction.argval == "__class__"
            assert not instruction.opname.startswith("IMPORT")
        for name in {*code.co_varnames, *code.co_freevars, *code.co_cellvars}:
            assert name.rstrip("0123456789").isalpha()
            assert len(name.rstrip("0123456789")) == 1
    reachable = {name for name in run.__globals__ if not name.startswith("__")}
    assert all(name in helpers or (name[0] in "tf" and name[1:].isdigit()) or name == "t" for name in reachable)


def test_python_names_are_ordinary_keys() -> None:
    scope = {"__class__": {"x": 1}, "class": 2, "None": 3, "s": 4, "e": 5, "o": 6, "import": 7}
    text = "{{ .__class__.x }}{{ .class }}{{ .None }}{{ .s }}{{ .e }}{{ .o }}{{ .import }}"
    assert evaluate(text, scope) == "1234567"
    assert evaluate("{{ .x.__class__ }}", {"x": {}}, Place.STATUS) == ""
    assert evaluate("{{ $s := 1 }}{{ $o := 2 }}{{ $x := 3 }}{{ $s }}{{ $o }}{{ $x }}{{ .s }}", scope) == "1234"


def test_no_code_is_made_before_the_first_call() -> None:
    made = template("{{ .x }}")
    assert made._run == made._first
    made({"x": 1}, ENV)
    assert made._run != made._first


def test_threads_may_share_a_template() -> None:
    made = template("{{ range $i, $x := .l }}{{ $i }}{{ $x }}{{ end }}{{ if .o }}{{ .o }}{{ end }}", Place.STATUS)

    def work(number: int) -> bool:
        scope: dict[str, Any] = {"l": [number] * 3} | ({"o": number} if number % 2 else {})
        expected = "".join(f"{i}{number}" for i in range(3)) + (str(number) if number % 2 and number else "")
        return bool(made(scope, ENV) == expected)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(400)))
