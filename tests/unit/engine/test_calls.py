"""The record of a response: what `.external.<name>` is for any bytes that an endpoint may answer with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ork.base.requests import CallResult
from ork.engine.calls import BODY_LIMIT, SKIPPED, answered, record, shadowed


def of(body: bytes, status: int | None = 200, error: str = "") -> dict[str, Any]:
    return record(CallResult(status, {}, body, error))


def test_the_keys_of_a_json_object_stand_beside_the_records_own() -> None:
    found = of(b'{"queue": {"pending": 8}, "big": 9007199254740993}')
    assert found["queue"] == {"pending": 8}
    assert found["big"] == 2**53 + 1, "integers stay exact"
    assert (found["status"], found["called"], found["error"]) == ("200", "true", "")
    assert found["json"] == {"queue": {"pending": 8}, "big": 2**53 + 1}


def test_reserved_keys_are_never_overwritten_and_are_reachable_through_json() -> None:
    body = {"status": "green", "body": 1, "error": "e", "called": "x", "json": "y", "ok": True}
    found = of(json.dumps(body).encode())
    assert (found["status"], found["called"], found["error"]) == ("200", "true", "")
    assert found["json"] == body
    assert shadowed(found) == ["body", "called", "error", "json", "status"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"5",
        b'"text"',
        b"{",
        b"{} trailing",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"\xff\xfe\x00",
        b"<html>",
    ],
)
def test_anything_but_a_json_object_leaves_only_the_body(body: bytes) -> None:
    found = of(body)
    assert list(found) == ["status", "body", "error", "called"]
    found["body"].encode("utf-8")


@pytest.mark.parametrize("character", ["x", "é", "€", "😀"])
def test_the_body_is_cut_on_a_character_boundary(character: str) -> None:
    found = of(("x" + character * BODY_LIMIT).encode())["body"]
    size = len(found.encode())
    assert BODY_LIMIT - len(character.encode()) < size <= BODY_LIMIT
    assert found.strip("x" + character) == ""


def test_a_large_json_object_is_parsed_whole() -> None:
    found = of(json.dumps({"text": "x" * 10_000}).encode())
    assert len(found["text"]) == 10_000
    assert len(found["body"]) == BODY_LIMIT


def test_a_lone_surrogate_becomes_a_character_that_can_be_written() -> None:
    found = of(rb'{"a\ud800": ["b\udfff", "\ud83d\ude00"]}')
    assert json.dumps(found["json"], ensure_ascii=False).encode()
    assert found["a\ufffd"] == ["b\ufffd", "😀"]


def test_a_skipped_call_has_empty_texts() -> None:
    assert record(SKIPPED) == {"status": "", "body": "", "error": "", "called": "false"}


@pytest.mark.parametrize(
    ("result", "good"),
    [
        (CallResult(200, {}, b"", ""), True),
        (CallResult(500, {}, b"", "answered 500"), False),
        (CallResult(None, {}, b"", "refused"), False),
        (SKIPPED, False),
    ],
)
def test_only_a_call_that_ran_and_succeeded_is_an_answer(result: CallResult, good: bool) -> None:
    assert answered(record(result)) is good
