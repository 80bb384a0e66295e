"""Rendered values made to fit their destination (language, section 4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi.coercion import CoercionError, coerce

STRING, INTEGER, NUMBER, BOOLEAN = ({"type": kind} for kind in ("string", "integer", "number", "boolean"))
EITHER = {"x-kubernetes-int-or-string": True}
QUANTITY = {"type": "string", "format": "quantity"}
LIST = {"type": "array", "items": INTEGER}
PORTS = {"type": "array", "items": {"type": "object", "properties": {"port": INTEGER, "name": STRING}}}
MAP = {"type": "object", "additionalProperties": STRING}


@pytest.mark.parametrize(
    ("schema", "value", "coerced"),
    [
        (STRING, "x", "x"),
        (STRING, 3, "3"),
        (STRING, 1e6, "1e+06"),
        (STRING, True, "true"),
        (STRING, ["a", 1], '["a",1]'),
        (INTEGER, "3", 3),
        (INTEGER, "-3", -3),
        (INTEGER, 3.0, 3),
        (NUMBER, "0.5", 0.5),
        (NUMBER, "3", 3),
        (BOOLEAN, "true", True),
        (BOOLEAN, False, False),
        (EITHER, "80", 80),
        (EITHER, "25%", "25%"),
        (EITHER, 8080, 8080),
        (QUANTITY, 2, "2"),
        (QUANTITY, "500m", "500m"),
        (LIST, ["1", 2], [1, 2]),
        (PORTS, [{"port": "80", "name": 1, "extra": []}], [{"port": 80, "name": "1", "extra": []}]),
        (MAP, {"a": 1}, {"a": "1"}),
        ({}, {"a": 1}, {"a": 1}),
        (INTEGER, None, None),
    ],
)
def test_a_value_takes_the_type_of_its_destination(schema: dict[str, Any], value: Any, coerced: Any) -> None:
    found = coerce(schema, value)
    assert found == coerced
    assert type(found) is type(coerced)


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (INTEGER, "three", '"three" is not an integer'),
        (INTEGER, "3.5", '"3.5" is not an integer'),
        (INTEGER, True, "true is not an integer"),
        (INTEGER, 2**63, "9223372036854775808 is too large for an integer of 64 bits"),
        ({"type": "integer", "format": "int32"}, "2147483648", '"2147483648" is too large for an integer of 32 bits'),
        (NUMBER, "nan", '"nan" is not a number'),
        (BOOLEAN, "yes", '"yes" is not true or false'),
        (BOOLEAN, 1, "1 is not true or false"),
        (EITHER, True, "true is not an integer or a text"),
        (LIST, "a,b", '"a,b" is not a list'),
        (LIST, ["1", "x"], 'at [1]: "x" is not an integer'),
        (PORTS, [{"port": "http"}], 'at [0].port: "http" is not an integer'),
        (MAP, "x", '"x" is not a map'),
    ],
)
def test_one_that_cannot_is_an_error_that_names_value_and_type(
    schema: dict[str, Any], value: Any, message: str
) -> None:
    with pytest.raises(CoercionError) as raised:
        coerce(schema, value)
    assert str(raised.value) == message


def test_a_quantity_that_is_none_is_an_error() -> None:
    with pytest.raises(CoercionError, match='"lots" is not a quantity'):
        coerce(QUANTITY, "lots")


def test_a_value_that_fits_is_returned_as_it_is() -> None:
    value = [{"port": 80}]
    assert coerce(PORTS, value) is value


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(CoercionError, match="is not an integer") as raised:
        coerce(INTEGER, "x" * 1000)
    assert len(str(raised.value)) < 120
