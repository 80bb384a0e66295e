"""Texts → nodes: documents, duplicate keys, merging, aliases, limits, and what is no YAML. Scalars and positions have
files of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest


def test_documents_are_split_by_the_parser_and_empty_ones_are_skipped(read: Callable[..., Any]) -> None:
    found = read("--- # nothing\n...\n---\na: |\n  ---\n  b\n---\n# only a comment\n---\nc: 1\n")
    assert found.data == [{"a": "---\nb\n"}, {"c": 1}]
    assert found.codes == []


@pytest.mark.parametrize("text", ["", "\n\n", "# a comment\n", "---\n---\n...\n", "~"])
def test_a_text_with_nothing_in_it_has_no_documents(read: Callable[..., Any], text: str) -> None:
    assert read(text) == ([], [])


def test_windows_line_ends_are_line_ends(read: Callable[..., Any]) -> None:
    found = read("a: 1\r\nb: >\r\n  x\r\n  y\r\na: 2\r\n")
    assert found.data == [{"a": 1, "b": "x y\n"}]
    assert (found.findings[0].span.line, found.findings[0].span.column) == (5, 1)


# ── keys ────────────────────────────────────────────────────────────────────────────────────────
def test_a_duplicate_key_names_both_lines(read: Callable[..., Any]) -> None:
    finding = read("a: 1\nb: 2\n'a': 3\n").findings[0]
    assert finding.code == "ORK0003"
    assert str(finding.span) == "k.yaml:3:1"
    assert "line 1" in finding.message
    assert [str(related.span) for related in finding.related] == ["k.yaml:1:1"]


def test_every_duplicate_is_reported_at_any_depth(read: Callable[..., Any]) -> None:
    assert read("a: {x: 1, x: 2}\nb: [{y: 1, y: 2, y: 3}]\n").codes == ["ORK0003"] * 3


def test_keys_are_never_retyped(read: Callable[..., Any]) -> None:
    assert read("on: 1\ntrue: 2\n1: 3\n").data == [{"on": 1, "true": 2, "1": 3}]


@pytest.mark.parametrize("text", ["? {a: b}\n: 1", "? [a]\n: 1", "? \n: 1", "{{ .spec.image }}"])
def test_a_key_that_is_no_text_is_refused(read: Callable[..., Any], text: str) -> None:
    assert read(text).codes == ["ORK0006"]


def test_a_template_without_quotes_is_told_to_be_quoted(read: Callable[..., Any]) -> None:
    for text in ("image: {{ .spec.image }}\n", "image: {{ .spec.image }}:v1\n", "- {{ .x }}\n"):
        assert any("quoted" in finding.hint for finding in read(text).findings), text


# ── merging ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{<<: {x: 2, y: 3}, x: 1}", {"x": 1, "y": 3}),
        ("{x: 1, <<: {x: 2, y: 3}}", {"x": 1, "y": 3}),
        ("{<<: [{x: 1}, {x: 2, z: 3}]}", {"x": 1, "z": 3}),
        ("{<<: {<<: {x: 1}, y: 2}}", {"x": 1, "y": 2}),
        ('{"<<": {x: 1}}', {"<<": {"x": 1}}),
    ],
)
def test_a_written_key_wins_over_a_merged_one(read: Callable[..., Any], text: str, expected: Any) -> None:
    assert read(text).data == [expected]
    assert read(text).codes == []


@pytest.mark.parametrize("text", ["{<<: 5}", "{<<: [a, b]}", "{<<: [{x: 1}, 5]}"])
def test_only_maps_can_be_merged(read: Callable[..., Any], text: str) -> None:
    assert set(read(text).codes) == {"ORK0008"}


# ── aliases ─────────────────────────────────────────────────────────────────────────────────────
def test_an_alias_is_what_it_names(read: Callable[..., Any]) -> None:
    assert read("a: &a {x: [1]}\nb: *a\nc: [*a]\n").data == [{"a": {"x": [1]}, "b": {"x": [1]}, "c": [{"x": [1]}]}]


def test_copies_of_an_alias_are_separate_data(read: Callable[..., Any]) -> None:
    data = read("a: &a {x: 1}\nb: *a\n").data[0]
    data["a"]["x"] = 2
    assert data["b"] == {"x": 1}


@pytest.mark.parametrize("text", ["a: *b", "a: &a [*a]", "a: &a {b: {c: *a}}", "a: &a 1\n---\nb: *a"])
def test_an_alias_that_names_nothing_or_itself_is_refused(read: Callable[..., Any], text: str) -> None:
    assert read(text).codes == ["ORK0004"]


def test_an_anchor_may_be_used_again(read: Callable[..., Any]) -> None:
    assert read("- &a 1\n- *a\n- &a 2\n- *a\n").data == [[1, 1, 2, 2]]


# ── limits, each answered at once ───────────────────────────────────────────────────────────────
def bomb(levels: int) -> str:
    """Return a document whose aliases stand for 9 ** levels nodes."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, levels)]
    return "\n".join(lines)


def chain(links: int) -> str:
    """Return a document that is shallow as written and deep once its aliases are followed."""
    lines = ["a0: &a0 " + "[" * 50 + "]" * 50]
    lines += [f"a{i}: &a{i} " + "[" * 50 + f"*a{i - 1}" + "]" * 50 for i in range(1, links)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    ["[" * 4_000_000, "{a: " * 1_000_000, "- " * 2_000_000, bomb(9), chain(9)],
    ids=["lists", "maps", "items", "bomb", "chain"],
)
def test_what_is_too_large_is_refused_within_a_second(read: Callable[..., Any], text: str) -> None:
    begun = time.perf_counter()
    found = read(text)
    assert time.perf_counter() - begun < 1
    assert found.codes in (["ORK0005"], ["ORK0001"])


def test_reading_ends_after_a_thousand_mistakes(read: Callable[..., Any]) -> None:
    found = read("a: 1\n" * 5000)
    assert found.codes == ["ORK0003"] * 1000 + ["ORK0005"]


def test_many_aliases_are_fine_as_long_as_they_stand_for_little(read: Callable[..., Any]) -> None:
    assert read("a: &a {x: 1}\nb: [" + "*a, " * 10_000 + "]").codes == []


# ── what is no YAML ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: b\n\tc: d\n", 2, 1),
        ("a: [1, 2\nb: 3\n", 2, 2),
        ("a: 'x\n", 2, 1),
        ("a: @x\n", 1, 4),
        ("a: b: c\n", 1, 5),
        ("a: \x01\n", 1, 4),
        ("%YAML 3.0\n---\na: 1\n", 1, 1),
    ],
)
def test_a_syntax_error_has_a_place(read: Callable[..., Any], text: str, line: int, column: int) -> None:
    finding = read(text).findings[0]
    assert (finding.code, finding.span.line, finding.span.column) == ("ORK0001", line, column)


def test_a_tab_is_named(read: Callable[..., Any]) -> None:
    assert "tab" in read("a:\n\tb: 1\n").findings[0].hint


def test_documents_before_a_syntax_error_are_read(read: Callable[..., Any]) -> None:
    found = read("a: 1\n---\na: 1\na: 2\n---\nb: [\n")
    assert found.data == [{"a": 1}, {"a": 1}]
    assert found.codes == ["ORK0003", "ORK0001"]
