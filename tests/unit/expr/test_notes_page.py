"""docs/notes.md says what the catalogue has."""

from __future__ import annotations

from pathlib import Path

from tests.docs.notes import page

PAGE = Path(__file__).parents[3] / "docs" / "notes.md"


def test_the_page_of_notes_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page() + "\n", "`make docs` writes it anew"
