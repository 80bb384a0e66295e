"""`printf`, `print` and floating-point numbers, as Go formats them (checked against Go in `go_differential`)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.expr.errors import MissingError
from ork.expr.floats import format_float
from ork.expr.printf import sprint, sprintf, sprintln


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("%d|%5d|%-5d|%05d|%+d|% d", (1, 2, 3, 4, 5, 6), "1|    2|3    |00004|+5| 6"),
        ("%x|%X|%#x|%o|%#o|%O|%b|%#b", (255, 255, 255, 8, 8, 8, 5, 5), "ff|FF|0xff|10|010|0o10|101|0b101"),
        ("%.3d|%.0d|%8.3d|%-8.3d|%+08d", (7, 0, -7, 7, 5), "007||    -007|007     |+0000005"),
        ("%c|%q|%U|%#U", (233, 233, 233, 233), "é|'é'|U+00E9|U+00E9 'é'"),
        ("%s|%5s|%-5s|%.2s|%q", ("a", "b", "c", "def", 'g"'), 'a|    b|c    |de|"g\\""'),
        ("%#q|%x|% X|%#x", ("h", "i", "jk", "l"), "`h`|69|6A 6B|0x6c"),
        ("%v|%+v|%#v|%T", ("a", "a", "a", "a"), 'a|a|"a"|string'),
        ("%t|%6t|%v", (True, False, True), "true| false|true"),
        ("%f|%.2f|%8.3f|%08.3f|%+.1f|%e|%g|%G", (1.5, 2.345, 3.14159, -3.14159, 2.0, 12345.678, 1e-7, 1e100),
         "1.500000|2.35|   3.142|-003.142|+2.0|1.234568e+04|1e-07|1E+100"),
        ("%v|%6.2v|%b|%x|%#g", (1e6, 3.14159, 1.0, 1.5, 1.0), "1e+06|   3.1|4503599627370496p-52|0x1.8p+00|1.00000"),
        ("%v|%.1f|%T", (1 + 2j, 1 - 2j, 1j), "(1+2i)|(1.0-2.0i)|complex128"),
        ("%v|%d|%q|%#v", ([1, 2], [1, 2], ["a"], ["a", 1]), '[1 2]|[1 2]|["a"]|[]interface {}{"a", 1}'),
        ("%v|%#v", ({"b": 1, "a": 2}, {"a": 1}), 'map[a:2 b:1]|map[string]interface {}{"a":1}'),
        ("%*d|%-*d|%.*f|", (5, 1, 5, 2, 2, 1.5), "    1|2    |1.50|"),
        ("%[2]d %[1]d", (1, 2), "2 1"),
        ("%[3]*.[2]*[1]f|", (12.0, 2, 6), " 12.00|"),
        ("%*d|", (-5, 42), "42   |"),
        ("100%%|%5%", (), "100%|%"),
        ("é%sü", ("ö",), "éöü"),
    ],
)  # fmt: skip
def test_a_format_gives_what_go_gives(text: str, args: tuple[Any, ...], expected: str) -> None:
    assert sprintf(text, *args) == expected


@pytest.mark.parametrize(
    ("text", "args", "reason"),
    [
        ("%d", (), "takes 1 argument, not 0"),
        ("%d", (1, 2), "takes 1 argument, not 2"),
        ("a", (1,), "takes 0 arguments, not 1"),
        ("%", (), "ends inside"),
        ("%5", (), "ends inside"),
        ("%z", (1,), "no verb"),
        ("%!", (1,), "no verb"),
        ("%p", (1,), "no verb"),
        ("%d", ("a",), "%d of a string; write %s or %v"),
        ("%s", (1,), "%s of an int; write %d or %v"),
        ("%d", (1.5,), "%d of a float; write %f or %v"),
        ("%s", (True,), "%s of a bool; write %t or %v"),
        ("%d", (["a"],), "%d of a string"),
        ("%[3]d", (1,), "takes 3 arguments, not 1"),
        ("%[0]d", (1,), "no number of an argument"),
        ("%[x]d", (1,), "no number of an argument"),
        ("%[1d", (1,), "not closed"),
        ("%[1]2d", (1,), "must stand right before"),
        ("%*d", ("a", 1), "takes its number from a string"),
        ("%.*d", (-1, 1), "cannot be negative"),
        (5, (), "is an int, not a string"),
    ],
)
def test_what_go_would_print_as_a_fault_is_an_error(text: Any, args: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        sprintf(text, *args)
    assert reason in str(caught.value)


@pytest.mark.parametrize("args", [("%v", None), ("%s", None), ("%v", [1, None])])
def test_nothing_is_never_printed(args: tuple[Any, ...]) -> None:
    with pytest.raises(MissingError):
        sprintf(*args)
    with pytest.raises(MissingError):
        sprint(*args[1:])


def test_print_puts_spaces_between_what_are_both_no_strings() -> None:
    assert sprint(1, 2, "a", 3, 4) == "1 2a3 4"
    assert sprint("a", "b") == "ab"
    assert sprint() == ""
    assert sprint([1, "a"], {"k": 1.0}) == "[1 a] map[k:1]"
    assert sprintln(1, "a", True) == "1 a true\n"


@pytest.mark.parametrize(
    ("number", "verb", "precision", "expected"),
    [
        (100000.0, "g", -1, "100000"),
        (1e6, "g", -1, "1e+06"),
        (1e21, "f", -1, "1000000000000000000000"),
        (0.0001, "g", -1, "0.0001"),
        (0.00001, "g", -1, "1e-05"),
        (123456.0, "g", 3, "1.23e+05"),
        (100000.0, "g", 10, "100000"),
        (2.5, "f", 0, "2"),
        (0.5, "f", 0, "0"),
        (15.0, "e", 0, "2e+01"),
        (-0.0, "g", -1, "-0"),
        (5e-324, "g", -1, "5e-324"),
        (5e-324, "b", -1, "1p-1074"),
        (0.1, "x", -1, "0x1.999999999999ap-04"),
        (1.99, "x", 1, "0x1.0p+01"),
        (0.0, "x", 2, "0x0.00p+00"),
        (float("inf"), "f", 2, "+Inf"),
        (float("-inf"), "g", -1, "-Inf"),
        (float("nan"), "g", -1, "NaN"),
        (1e100, "G", -1, "1E+100"),
    ],
)
def test_a_float_has_the_form_of_strconv(number: float, verb: str, precision: int, expected: str) -> None:
    assert format_float(number, verb, precision) == expected
