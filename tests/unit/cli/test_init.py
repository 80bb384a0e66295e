"""`ork init`: what it copies, and what it never overwrites. That packs pass is tested in tests/scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from ork.base import shipped
from tests.unit.cli.conftest import Ork


def test_a_pack_is_copied_into_this_folder_with_the_next_steps(ork: Ork) -> None:
    answer = ork("init", "--pack", "intermediate")
    assert answer.code == 0
    assert Path("05-when-conditions/conditional-reconciliation/katalog.yaml").is_file()
    assert answer.out.endswith(
        "next:\n\n  cd 05-when-conditions/conditional-reconciliation\n  ork validate\n  ork simulate\n"
    )


def test_a_folder_may_be_named_and_is_made(ork: Ork) -> None:
    answer = ork("init", "my operators", "--pack", "beginner")
    assert answer.code == 0
    assert Path("my operators/01-first-operator/katalog.yaml").is_file()
    assert "cd 'my operators/01-first-operator'" in answer.out


def test_nothing_is_written_where_a_file_is_in_the_way(ork: Ork) -> None:
    Path("README.md").write_text("mine")
    answer = ork("init", "--pack", "beginner")
    assert answer.code == 1
    assert "README.md" in answer.err
    assert [path.name for path in Path().iterdir()] == ["README.md"]
    assert Path("README.md").read_text() == "mine"


def test_force_overwrites(ork: Ork) -> None:
    Path("README.md").write_text("mine")
    assert ork("init", "--pack", "beginner", "--force").code == 0
    assert Path("README.md").read_text() != "mine"


def test_the_packs_are_listed_on_request(ork: Ork) -> None:
    answer = ork("init", "--list")
    assert answer.code == 0
    assert [line.split()[0] for line in answer.out.splitlines()] == ["beginner", "intermediate"]


def test_a_call_without_a_pack_lists_them_and_is_wrong(ork: Ork) -> None:
    answer = ork("init")
    assert answer.code == 2
    assert "intermediate" in answer.err
    assert "ork init --pack beginner" in answer.err


def test_an_unknown_pack_is_a_wrong_call(ork: Ork) -> None:
    answer = ork("init", "--pack", "intermediat")
    assert answer.code == 2
    assert 'did you mean "intermediate"?' in answer.err


def test_a_folder_that_cannot_be_made_is_a_wrong_call(ork: Ork) -> None:
    Path("file").write_text("")
    answer = ork("init", "file", "--pack", "beginner")
    assert answer.code == 2
    assert "cannot write file/" in answer.err


@pytest.mark.parametrize("pack", [path for path in sorted(shipped.folder("packs").iterdir()) if path.is_dir()])
def test_every_folder_of_packs_is_a_pack_with_a_start(ork: Ork, pack: Path) -> None:
    answer = ork("init", "--pack", pack.name)
    (start,) = [line.split()[1] for line in answer.out.splitlines() if line.startswith("  cd ")]
    assert Path(start, "katalog.yaml").is_file()
