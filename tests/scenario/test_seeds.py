"""Every example of the seed documents, completed where it is a fragment: no errors, and exactly these warnings.

`ORK_UPDATE_GOLDEN=1` writes what is printed now; read it before you keep it. Running them is the packs' matter.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ork.base.findings import Severity
from ork.cli.render import text
from ork.cli.render.checked import Checked
from ork.katalog.check import check
from ork.katalog.search import files_in
from ork.katalog.sources import Sources

HERE = Path(__file__).parent / "seeds"
FOLDERS = sorted(path.name for path in HERE.iterdir())


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_seed_example_validates_with_exactly_the_promised_warnings(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HERE / folder)
    sources = Sources()
    report = check(files_in("."), sources, searched=True)
    printed = text.render(Checked(report.findings, report.files, sources.line)) + "\n"
    expected = Path("findings.txt")
    if os.environ.get("ORK_UPDATE_GOLDEN"):
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")
    assert all(finding.severity is not Severity.ERROR for finding in report.findings)
