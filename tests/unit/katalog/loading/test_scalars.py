"""What unquoted scalars mean: the reading of `kubectl` (sigs.k8s.io/yaml 1.6), recorded from it. Tags are here too;
quoting, which switches all of this off, is in test_loader."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

TRUE = ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"]
FALSE = ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"]
NULL = ["~", "null", "Null", "NULL", ""]
TEXT = [
    *("yEs", "oN", "tRue", "nULL", "nan", "infinity", "_1", "-_1x", "1,000", "1 000", "1.2.3", "..", "+", "--1"),
    *("9:05", "2024-01-31", "2024-01-31T10:00:00Z", "2024-1-1", "1Gi", "100m", "5s", "v1", "e5", "1e+", "1e5.5"),
    *("0x", "0b", "0o", "0b2", "0o8", "0x1p3", "0x1FFFFFFFFFFFFFFFF", "1e400", "-1e400", "=", "._5"),
]
NUMBERS: list[tuple[str, int | float]] = [
    *(("0644", 420), ("0o644", 420), ("0O17", 15), ("-017", -15), ("00", 0), ("0_7", 7), ("09", 9), ("08.5", 8.5)),
    *(("0x1F", 31), ("0X1f", 31), ("-0x1F", -31), ("+0x1f", 31), ("0x1_F", 31), ("0b101", 5), ("-0b11", -3)),
    *(("1_000", 1000), ("1__0", 10), ("1_", 1), ("+12", 12), ("-12", -12), ("-0", 0), ("012e3", 12000)),
    *(("7e5", 700000), ("7E5", 700000), ("7e+5", 700000), ("7e-2", 0.07), ("1e3", 1000), ("12e03", 12000)),
    *(("1.", 1), ("1.0", 1), ("1.5", 1.5), ("-1.5", -1.5), ("+1.5", 1.5), (".5", 0.5), ("-.5", -0.5), ("5.e3", 5000)),
    *((".5_0", 0.5), (".5e3", 500), ("1_0.5_0", 10.5), ("1e-400", 0), ("0.0", 0), ("-0.0", 0), ("0.1", 0.1)),
    *(("9007199254740993", 2**53 + 1), ("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63))),
    *(("18446744073709551615", 2**64 - 1), ("0xFFFFFFFFFFFFFFFF", 2**64 - 1), ("18446744073709551616", 2.0**64)),
    *(
        ("1234567890123456789.0", 1234567890123456800),
        ("1e20", 1e20),
        ("0777777777777777777777777", 7.777777777777778e23),
    ),
]


def same(found: Any, expected: Any) -> bool:
    """Equal, and of the same type: 1 is neither 1.0 nor true."""
    return found == expected and found.__class__ is expected.__class__


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, True) for text in TRUE),
        *((text, False) for text in FALSE),
        *((text, None) for text in NULL),
        *((text, text) for text in TEXT),
        *NUMBERS,
    ],
)
def test_a_plain_scalar_is_what_kubectl_reads(read: Callable[..., Any], text: str, expected: Any) -> None:
    found = read(f"a: {text}")
    assert found.codes == []
    assert same(found.data[0]["a"], expected)


@pytest.mark.parametrize("text", [*TRUE, *FALSE, *NULL, *(number for number, _ in NUMBERS)])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_quoted_scalar_is_always_a_text(read: Callable[..., Any], text: str, quote: str) -> None:
    assert read(f"a: {quote}{text}{quote}").data == [{"a": text}]


@pytest.mark.parametrize("text", [".inf", "-.Inf", "+.INF", ".nan", ".NaN"])
def test_a_number_that_json_cannot_hold_is_refused(read: Callable[..., Any], text: str) -> None:
    assert read(f"a: {text}").codes == ["ORK0007"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!!str 5", "5"),
        ("!!str yes", "yes"),
        ('!!int "5"', 5),
        ("!!float 1", 1),
        ("!!float .5", 0.5),
        ('!!bool "yes"', True),
        ("!!null ~", None),
        ("!!binary aGVsbG8=", "hello"),
        ("!custom 5", "5"),
        ("!!timestamp 2024-01-01", "2024-01-01"),
    ],
)
def test_a_tag_says_the_type(read: Callable[..., Any], text: str, expected: Any) -> None:
    found = read(f"a: {text}")
    assert found.codes == []
    assert same(found.data[0]["a"], expected)


@pytest.mark.parametrize("text", ["!!int five", "!!int 1.5", "!!bool 1", "!!null x", "!!float x", "!!binary '*'"])
def test_a_value_that_is_not_what_its_tag_wants_is_refused(read: Callable[..., Any], text: str) -> None:
    assert read(f"a: {text}").codes == ["ORK0007"]
