"""Every finding code has bad files here, and the exact text that `ork validate` prints for their folder.

A folder is named after the code that it is about. `ORK_UPDATE_GOLDEN=1` writes what is printed now; read it before you
keep it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ork.base.findings import Severity
from ork.katalog.codes.catalogue import CODES
from tests.goldens import as_printed

HERE = Path(__file__).parent
FOLDERS = sorted(path.name for path in HERE.iterdir() if path.name.startswith("ORK"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_bad_files_get_exactly_these_findings(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / folder)
    assert folder[:7] in {finding.code for finding in as_printed().findings}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_shows_one_mistake(folder: str) -> None:
    errors = re.findall(r"(?:error|warning)\[(ORK\d+)\]", (HERE / folder / "findings.txt").read_text(encoding="utf-8"))
    assert set(errors) <= {folder[:7]}


def test_every_code_has_a_folder() -> None:
    assert {folder[:7] for folder in FOLDERS} >= CODES.keys()


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_reported_as_its_entry_says(code: str) -> None:
    printed = "".join((HERE / folder / "findings.txt").read_text() for folder in FOLDERS if folder.startswith(code))
    assert f"{CODES[code].severity.value}[{code}]" in printed or CODES[code].severity is Severity.INFO


def test_every_code_that_the_compiler_reports_is_documented() -> None:
    package = HERE.parent.parent / "ork" / "katalog"
    used = {
        code
        for path in sorted(package.rglob("*.py"))
        if "codes" not in path.parts
        for code in re.findall(r'"(ORK\d{4})"', path.read_text(encoding="utf-8"))
    }
    assert used == CODES.keys()
