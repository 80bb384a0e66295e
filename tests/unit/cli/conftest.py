"""How command-line tests call `ork`: in this process, in a folder of their own, with what it printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from ork.cli.main import run


class Answer(NamedTuple):
    """What one call came to."""

    code: int
    out: str
    err: str


Ork = Callable[..., Answer]


@pytest.fixture
def ork(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ork:
    """Call `ork` in an empty folder: `ork("validate", "-o", "json")`."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "CI", "ORK_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def call(*args: str) -> Answer:
        code = run(args)
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return call


@pytest.fixture
def files(ork: Ork) -> Callable[[Mapping[str, str]], None]:
    """Write files into that folder."""

    def write(contents: Mapping[str, str]) -> None:
        for name, text in contents.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")

    return write
