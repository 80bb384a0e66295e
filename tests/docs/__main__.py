"""`make docs`: writes the generated pages of docs/ anew. A test of each says whether it is current."""

from __future__ import annotations

from pathlib import Path

from tests.docs import notes

PAGES = {"notes.md": notes.page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        Path("docs", name).write_text(page() + "\n", encoding="utf-8")
