"""The generated pages of docs/ are current, and what the pages say of each other and of commands is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ork.cli.main import COMMANDS, LATER
from tests.docs.__main__ import PAGES

ROOT = Path(__file__).parents[3]
TEXTS = sorted([*ROOT.glob("docs/*.md"), ROOT / "README.md"])


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_current(name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name]() + "\n", "`make docs` writes it anew"


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.name)
def test_every_command_that_is_named_exists(page: Path) -> None:
    words = re.findall(r"(?:^|[`$] ?|    )ork ([a-z][a-z0-9]*)\b", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(words) <= {*COMMANDS, *LATER}


def test_every_command_has_a_section_in_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## ork ([a-z]+)", page, re.MULTILINE)) == set(COMMANDS)
