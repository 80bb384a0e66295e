"""Every example of the seed documents, completed where it is a fragment: no errors, and exactly these warnings.

`ORK_UPDATE_GOLDEN=1` writes what is printed now; read it before you keep it. Running them is the packs' matter.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ork.base.findings import Severity
from tests.goldens import as_printed

HERE = Path(__file__).parent / "seeds"
FOLDERS = sorted(path.name for path in HERE.iterdir())


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_seed_example_validates_with_exactly_the_promised_warnings(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(HERE / folder)
    assert all(finding.severity is not Severity.ERROR for finding in as_printed().findings)
