"""`make docs`: writes the generated pages of docs/ and the JSON Schemas anew. A test of each says if it is current."""

from __future__ import annotations

from pathlib import Path

from ork.katalog.codes import catalogue
from ork.katalog.json_schema import files
from tests.docs import notes, resources

PAGES = {"findings.md": catalogue.page, "notes.md": notes.page, "resources.md": resources.page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        Path("docs", name).write_text(page() + "\n", encoding="utf-8")
    for name, text in files().items():
        Path("schemas", name).write_text(text, encoding="utf-8")
