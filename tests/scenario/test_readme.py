"""The example of README.md: its files are those of the pack, and its output is what the commands print."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from ork.base import shipped
from ork.cli.main import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
PACK = shipped.folder("packs") / "beginner" / "01-first-operator"
MISTAKE = (".spec.image", ".spec.imag")


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def printed(console: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Carry out the commands of a console block; return it as it must be."""
    out = ""
    for command in re.findall(r"^\$ ork (.*)$", console, re.MULTILINE):
        run(command.split())
        out += f"$ ork {command}\n{capsys.readouterr().out}"
    return out


def test_the_katalog_is_that_of_the_pack() -> None:
    assert blocks("yaml") == [(PACK / "katalog.yaml").read_text(encoding="utf-8")]


def test_the_output_is_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(PACK, tmp_path / "pack")
    monkeypatch.chdir(tmp_path / "pack")
    good, bad = blocks("console")
    assert printed(good, capsys) == good
    katalog = Path("katalog.yaml")
    katalog.write_text(katalog.read_text(encoding="utf-8").replace(*MISTAKE), encoding="utf-8")
    assert printed(bad, capsys) == bad
