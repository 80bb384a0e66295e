"""The log of `ork run`: one line each, in text or JSON; secrets and forged lines do not pass."""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

import pytest

from ork.cli.render.logs import JsonFormatter, TextFormatter
from ork.cli.terminal import PLAIN

TOKEN = 's3cr"et-token'


def record(message: str, *args: Any, level: int = logging.INFO, **fields: Any) -> logging.LogRecord:
    made = logging.LogRecord("ork", level, __file__, 1, message, args, None)
    made.created = 1767607200.123
    for key, value in fields.items():
        setattr(made, key, value)
    return made


@pytest.fixture
def text() -> TextFormatter:
    return TextFormatter([TOKEN, "8080"[:3], ""], PLAIN)


@pytest.fixture
def as_json() -> JsonFormatter:
    return JsonFormatter([TOKEN])


def test_a_line_has_time_level_and_words(text: TextFormatter) -> None:
    assert text.format(record("%s: settled", "apps/default/web")) == (
        "2026-01-05T10:00:00.123Z INFO    apps/default/web: settled"
    )


def test_text_from_outside_can_neither_write_a_line_nor_steer_a_terminal(text: TextFormatter) -> None:
    line = text.format(record("%s", "a\n2026-01-05T10:00:00.000Z INFO    forged\x1b[2J"))
    assert "\n" not in line
    assert "\x1b" not in line
    assert r"a\n2026" in line


def test_a_secret_passes_in_no_form(text: TextFormatter, as_json: JsonFormatter) -> None:
    try:
        raise ValueError(f"refused: {TOKEN}")
    except ValueError:
        raised = record("call with %s failed", TOKEN, reason=f"bad {TOKEN}", steps=[f"call {TOKEN}"])
        raised.exc_info = sys.exc_info()
    for line in (text.format(raised), as_json.format(raised)):
        assert "s3cr" not in line
        assert "•••" in line


def test_what_is_too_short_for_a_secret_is_left_alone(text: TextFormatter) -> None:
    assert text.format(record("port 8080")).endswith("port 8080")


def test_json_has_the_fields_of_the_line_and_nothing_empty(as_json: JsonFormatter) -> None:
    line = as_json.format(record("x", level=logging.WARNING, crd="app", object="apps/d/a", reason="", steps=["status"]))
    assert json.loads(line) == {
        "time": "2026-01-05T10:00:00.123Z",
        "level": "warning",
        "message": "x",
        "crd": "app",
        "object": "apps/d/a",
        "steps": ["status"],
    }
    assert "\n" not in line
