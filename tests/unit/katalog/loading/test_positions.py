"""Where things stand: spans of nodes and keys, offsets inside scalars of every style, comments that silence a code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ork.base.findings import Finding, Severity, Span
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.katalog.yaml.source import Source


def at(span: Span) -> tuple[int, int, int, int]:
    return span.line, span.column, span.end_line, span.end_column


def scalar(read: Callable[..., Any], text: str) -> Scalar:
    """Return the value of the only key."""
    root = read(text).roots[0]
    found = root.scalar("a")
    assert isinstance(found, Scalar)
    return found


def piece(read: Callable[..., Any], text: str, word: str) -> str:
    """Return the stretch of the source at which a word of the decoded scalar is said to stand."""
    node = scalar(read, text)
    start = node.text.index(word)
    span = node.locate(start, start + len(word))
    assert span.line == span.end_line
    return node.source.line(span.line)[span.column - 1 : span.end_column - 1]


def test_every_node_and_key_has_its_place(read: Callable[..., Any]) -> None:
    root = read("a: xy\nb:\n  - c: 'd'\n  - e\n").roots[0]
    assert at(root.scalar("a").span) == (1, 4, 1, 6)
    assert at(root.key_span("b")) == (2, 1, 2, 2)
    assert at(root.sequence("b").span) == (3, 3, 4, 6)
    assert at(root.sequence("b").elements[0].scalar("c").span) == (3, 8, 3, 11)
    assert at(root.span) == (1, 1, 4, 6)


def test_columns_count_characters(read: Callable[..., Any]) -> None:
    root = read("{ä: €, 😀: ünï, b: x}\n").roots[0]
    assert at(root.scalar("b").span) == (1, 19, 1, 20)
    assert at(root.key_span("😀")) == (1, 8, 1, 9)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_counts_once(read: Callable[..., Any], end: str) -> None:
    root = read(end.join(["a: 1", "", "b: 2", ""])).roots[0]
    assert at(root.key_span("b"))[:2] == (3, 1)


def test_unicode_line_separators_are_no_lines_of_an_editor(read: Callable[..., Any]) -> None:
    root = read("a: 'x\u2028y'\nb: 2\n").roots[0]
    assert at(root.key_span("b"))[:2] == (2, 1)


def test_a_block_scalar_ends_with_its_last_visible_character(read: Callable[..., Any]) -> None:
    assert at(scalar(read, "a: |\n  x\n  yz\n\n\n").span) == (1, 4, 3, 5)


def test_a_map_in_flow_style_ends_with_its_brace(read: Callable[..., Any]) -> None:
    assert at(read("{a: 1 }\n").roots[0].span) == (1, 1, 1, 8)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a: x {{ .spec.image }} y", ".spec.image"),
        ("a: 'it''s {{ .spec.image }}'", ".spec.image"),
        (r'a: "tab\there \u00e9\x41 {{ .spec.image }}"', ".spec.image"),
        ('a: "one\n  two {{ .spec.image }}"', ".spec.image"),
        ('a: "one\\\n  two {{ .spec.image }}"', ".spec.image"),
        ("a: one\n\n\n  two {{ .spec.image }}\n", ".spec.image"),
        ("a: |\n  one\n    two {{ .spec.image }}\n", ".spec.image"),
        ("a: |2-\n    one\n   {{ .spec.image }}\n", ".spec.image"),
        ("a: >\n  one\n  one {{ .spec.image }}\n\n  three\n", ".spec.image"),
        ("a: >-\n\n  one\n\n\n    more {{ .spec.image }}\n  two\n", ".spec.image"),
        ("a: |\r\n  one\r\n  {{ .spec.image }}\r\n", ".spec.image"),
        ("a: &x !!str 'x {{ .spec.image }}'", ".spec.image"),
        ("a: | # a comment\n  {{ .spec.image }}\n", ".spec.image"),
        ("a: 'ä€😀 {{ .spec.image }}'", ".spec.image"),
    ],
)
def test_a_piece_of_a_scalar_is_found_in_its_source(read: Callable[..., Any], text: str, word: str) -> None:
    assert piece(read, text, word) == word


def test_an_escape_is_one_character(read: Callable[..., Any]) -> None:
    node = scalar(read, r'a: "x\u0041y"')
    assert at(node.locate(1, 2)) == (1, 6, 1, 7)
    assert at(node.locate(2, 3)) == (1, 12, 1, 13)


def test_offsets_outside_the_text_stay_inside_the_scalar(read: Callable[..., Any]) -> None:
    node = scalar(read, "a: 'xyz'")
    assert at(node.locate(-5, 99)) == (1, 5, 1, 8)
    assert at(node.locate(3, 3)) == (1, 8, 1, 8)


# ── lines ───────────────────────────────────────────────────────────────────────────────────────
def test_a_line_has_no_break(read: Callable[..., Any]) -> None:
    source = Source("k.yaml", "a\r\nb\n\nc")
    assert [source.line(number) for number in range(6)] == ["", "a", "b", "", "c", ""]


def silenced(comment: str, code: str) -> bool:
    source = Source("k.yaml", f"a: 1\nb: 2 {comment}\n")
    return source.silences(Finding(code, Severity.ERROR, source.span(5, 6), ""))


@pytest.mark.parametrize(
    "comment", ["# ork: ignore ORK0101", "# because  # ork: ignore ORK0301, ORK0101", "#ork:ignore ORK0101 ORK0999"]
)
def test_a_comment_silences_the_codes_that_it_names(comment: str) -> None:
    assert silenced(comment, "ORK0101")


@pytest.mark.parametrize("comment", ["", "# ork: ignore", "# ork: ignore ORK0102", "# ignore ORK0101"])
def test_a_comment_silences_nothing_else(comment: str) -> None:
    assert not silenced(comment, "ORK0101")


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ('a: "x # ork: ignore ORK0101"\n', False),
        ("a: 'x # ork: ignore ORK0101'  # ork: ignore ORK0102\n", False),
        ("a: x#ork: ignore ORK0101\n", False),
        ("a: {b: [1]} # ork: ignore ORK0101\n", True),
        ("a: |  # ork: ignore ORK0101\n  text\n", True),
        ("a: [ # ork: ignore ORK0101\n", True),
    ],
)
def test_only_a_comment_of_yaml_silences(text: str, silent: bool) -> None:
    source = Source("k.yaml", text)
    assert source.silences(Finding("ORK0101", Severity.ERROR, source.span(0, 1), "")) is silent


def test_the_text_of_a_block_scalar_silences_nothing() -> None:
    source = Source("k.yaml", "a: |\n  # ork: ignore ORK0101\n")
    assert not source.silences(Finding("ORK0101", Severity.ERROR, source.span(7, 8), ""))


def test_what_keeps_a_text_from_being_read_is_never_silent() -> None:
    assert not silenced("# ork: ignore ORK0001", "ORK0001")


def test_a_comment_silences_its_own_line_only() -> None:
    source = Source("k.yaml", "a: 1 # ork: ignore ORK0101\nb: 2\n")
    assert not source.silences(Finding("ORK0101", Severity.ERROR, source.span(27, 28), ""))


def test_maps_and_lists_show_their_beginning(read: Callable[..., Any]) -> None:
    root = read("b: 1\na:\n  - x\n").roots[0]
    assert isinstance(root, Mapping)
    assert at(root.head) == (1, 1, 1, 2)
    assert at(root.entries["a"].head) == (3, 3, 3, 4)
