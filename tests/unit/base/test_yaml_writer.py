"""What the one writer writes. That every reader reads it back is a property (tests/property/test_loader)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base import yaml_writer


@pytest.mark.parametrize(
    "text",
    [
        *(
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "true",
            "Null",
            "~",
            "",
            "1",
            "0x1f",
            "0o7",
            "0644",
            "1_000",
            "1e3",
            ".5",
            ".inf",
        ),
        *("9:05", "2024-01-31", "+1", "-1", "<<", "=", "1Gi"),
    ],
)
def test_what_a_reader_could_retype_is_quoted(text: str) -> None:
    assert yaml_writer.dump({"a": text}) == f'a: "{text}"\n'
    assert yaml_writer.dump({text: 1}) == f'"{text}": 1\n'


@pytest.mark.parametrize("text", ["nginx", "my-app", "apps/v1", "/healthz", "a b", "é", "v1.2.3", "x:y"])
def test_plain_texts_stay_plain(text: str) -> None:
    assert yaml_writer.dump({"a": text}) == f"a: {text}\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"b": 1, "a": [1.5, True, None]}, "b: 1\na:\n- 1.5\n- true\n- null\n"),
        ({"a": "x\ny\n"}, "a: |\n  x\n  y\n"),
        ({"a": "x\ny"}, "a: |-\n  x\n  y\n"),
        ({"a\nb": 1}, '? "a\\nb"\n: 1\n'),
        ({"a": {}, "b": []}, "a: {}\nb: []\n"),
        ({"a": "x\u2028y"}, 'a: "x\\Ly"\n'),
        ({"a": "\ud800"}, "a: \ufffd\n"),
        ({"a": "word " * 60 + "end"}, "a: " + "word " * 60 + "end\n"),
    ],
)
def test_the_layout_is_always_the_same(data: Any, text: str) -> None:
    assert yaml_writer.dump(data) == text


def test_a_shared_value_is_written_out_each_time() -> None:
    shared = {"x": 1}
    assert yaml_writer.dump({"a": shared, "b": shared}) == "a:\n  x: 1\nb:\n  x: 1\n"


def test_documents_are_parted() -> None:
    assert yaml_writer.dump_all([{"a": 1}, {"b": 2}]) == "a: 1\n---\nb: 2\n"
    assert yaml_writer.dump_all([]) == ""
