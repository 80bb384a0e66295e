"""Reading files: encodings, sizes, and everything that a path can be instead of a readable file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ork.katalog.sources import MAX_BYTES, ReadError, Reason, Sources, beside, in_memory


def reason(path: str | Path) -> Reason:
    with pytest.raises(ReadError) as raised:
        Sources().source(str(path))
    return raised.value.reason


def test_a_file_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1")
    sources = Sources()
    first = sources.source(str(path))
    path.write_text("b: 1")
    assert sources.source(str(path)) is first
    assert sources.files == (str(path),)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    sources = Sources(in_memory({"a.yaml": b"\xef\xbb\xbfa: 1"}))
    root = sources.documents("a.yaml", [])[0]
    assert (root.span.line, root.span.column) == (1, 1)


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [(b"a: \xff", 1, 4), (b"a: 1\nb: \xc3", 2, 4), ("é: ü\n".encode() + b"\xe9", 2, 1), (b"\xff\xfea\x00", 1, 1)],
)
def test_what_is_not_utf_8_is_one_line_with_its_place(content: bytes, line: int, column: int) -> None:
    with pytest.raises(ReadError) as raised:
        Sources(in_memory({"a.yaml": content})).source("a.yaml")
    finding = raised.value.finding
    assert (finding.code, finding.span.line, finding.span.column) == ("ORK0002", line, column)
    assert "\n" not in str(raised.value)


def test_everything_else_that_is_no_file_has_a_reason(tmp_path: Path) -> None:
    assert reason(tmp_path / "missing.yaml") is Reason.MISSING
    assert reason(tmp_path) is Reason.DIRECTORY
    (tmp_path / "file").write_text("")
    assert reason(tmp_path / "file" / "below") is Reason.MISSING
    assert reason("with\0zero") is Reason.BROKEN
    assert reason("x" * 5000) is Reason.BROKEN


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_has_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("a: 1")
    path.chmod(0)
    assert reason(path) is Reason.FORBIDDEN


def test_a_file_over_sixteen_mebibytes_is_refused() -> None:
    files = {"small.yaml": b"#" * MAX_BYTES, "large.yaml": b"#" * (MAX_BYTES + 1)}
    sources = Sources(in_memory(files))
    assert sources.documents("small.yaml", []) == []
    with pytest.raises(ReadError) as raised:
        sources.source("large.yaml")
    assert raised.value.reason is Reason.SIZE


@pytest.mark.parametrize(
    ("file", "path", "expected"),
    [
        ("katalog.yaml", "./crd.yaml", "crd.yaml"),
        ("a/katalog.yaml", "crd.yaml", "a/crd.yaml"),
        ("a/b/katalog.yaml", "../../crd.yaml", "crd.yaml"),
        ("katalog.yaml", "../crd.yaml", "../crd.yaml"),
        ("katalog.yaml", "/abs/crd.yaml", "/abs/crd.yaml"),
        ("-", "crd.yaml", "crd.yaml"),
    ],
)
def test_a_path_is_relative_to_the_file_that_names_it(file: str, path: str, expected: str) -> None:
    assert beside(file, path) == expected
