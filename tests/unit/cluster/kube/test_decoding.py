"""JSON of the API server that is nested without measure is read as far as it can be."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ork.cluster.kube.decoding import decode, shallow


def nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def depth(value: Any) -> int:
    levels = 0
    while isinstance(value, dict):
        levels, value = levels + 1, value.get("a")
    return levels


def test_what_the_decoder_takes_is_read_whole() -> None:
    assert depth(decode(nested(900))) == 900


@pytest.mark.parametrize("levels", [1_100, 9_000])
def test_what_it_refuses_is_read_to_a_depth_and_what_stands_beside_it_too(levels: int) -> None:
    found = decode(b'{"kind":"App","status":' + nested(levels) + b',"spec":[1,{"x":"}]["}]}')
    assert depth(found["status"]) == 499
    assert (found["kind"], found["spec"]) == ("App", [1, {"x": "}]["}])


@pytest.mark.parametrize("text", [b"", b"{", b'{"a":}', b"nothing", b"[" * 2000])
def test_what_is_no_json_stays_none(text: bytes) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        decode(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=20,
)


@given(value=JSON, deepest=st.integers(0, 5))
def test_a_shallow_text_is_the_value_with_null_below_that_depth(value: Any, deepest: int) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)):
        assert json.loads(shallow(text.encode(), deepest)) == cut(value, deepest)


def cut(value: Any, left: int) -> Any:
    if isinstance(value, dict):
        return {key: cut(item, left - 1) for key, item in value.items()} if left else None
    if isinstance(value, list):
        return [cut(item, left - 1) for item in value] if left else None
    return value
