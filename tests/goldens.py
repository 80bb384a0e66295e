"""What `ork validate` prints, held against texts that people read."""

from __future__ import annotations

import os
from pathlib import Path

from ork.cli.render import text
from ork.cli.render.checked import Checked
from ork.katalog.check import Report, check
from ork.katalog.search import files_in
from ork.katalog.sources import Sources

EXPECTED = Path("findings.txt")


def as_printed() -> Report:
    """Check this folder: what is printed must be what its `findings.txt` says (ORK_UPDATE_GOLDEN=1 writes it)."""
    sources = Sources()
    report = check(files_in("."), sources, searched=True)
    printed = text.render(Checked(report.findings, report.files, sources.line)) + "\n"
    if os.environ.get("ORK_UPDATE_GOLDEN"):
        EXPECTED.write_text(printed, encoding="utf-8")
    assert printed == EXPECTED.read_text(encoding="utf-8")
    return report
