"""Every pack is a test: it validates without an error, its simulations pass, and their snapshots are settled."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ork.base import shipped
from ork.cli.main import run

PACKS = sorted(path.parent for path in shipped.folder("packs").rglob("katalog.yaml"))
SUITES = sorted(shipped.folder("packs").rglob("simulate*.yaml"))


def name(path: Path) -> str:
    """Return how a test names a file or folder of the packs."""
    return str(path.relative_to(shipped.folder("packs")))


@pytest.mark.parametrize("pack", PACKS, ids=name)
def test_a_pack_is_valid(pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(pack)
    code = run(["validate", "-o", "json"])
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert {found["code"] for found in document["findings"]} <= {"ORK0204"}, "the hook of the targets is not here"
    assert document["summary"]["files"] >= 3


@pytest.mark.parametrize("pack", PACKS, ids=name)
def test_the_simulations_of_a_pack_pass(
    pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(pack)
    code = run(["simulate", "-o", "json"])
    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert document["passed"] is True
    assert {run["file"] for run in document["runs"]} >= _files_with_expectations(pack)


def _files_with_expectations(pack: Path) -> set[str]:
    return {path.name for path in pack.glob("simulate*.yaml") if "expect:" in path.read_text(encoding="utf-8")}


@pytest.mark.parametrize("suite", SUITES, ids=name)
def test_what_a_simulation_leaves_is_settled(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The objects of the end, fed back in, cause no write: twice is the same as once."""
    if "expect:" not in suite.read_text(encoding="utf-8"):
        pytest.skip("it only imports others")
    copy = tmp_path / "pack"
    shutil.copytree(suite.parent, copy)
    monkeypatch.chdir(copy)
    snapshot = tmp_path / "snapshot.yaml"
    assert run(["simulate", "-f", suite.name, "--snapshot", str(snapshot)]) == 0
    capsys.readouterr()
    again = copy / "again.yaml"
    again.write_text(_again(suite, snapshot), encoding="utf-8")
    assert run(["simulate", "-f", "again.yaml", "-o", "json"]) == 0, capsys.readouterr().out
    (only,) = json.loads(capsys.readouterr().out)["runs"]
    assert [cycle["ops"] for cycle in only["cycles"]] == [[], [], []]


def _again(suite: Path, snapshot: Path) -> str:
    """Return a suite that starts where the other ended, with the same scripted answers."""
    text = suite.read_text(encoding="utf-8")
    responses = ""
    if "externalResponses:" in text:
        block = text.split("externalResponses:")[1].split("\n  expect:")[0]
        responses = f"  externalResponses:{block}\n"
    return f"spec:\n  katalog: katalog.yaml\n  cr: {snapshot}\n  cycles: 3\n{responses}  expect:\n    steadyAt: 1\n"
