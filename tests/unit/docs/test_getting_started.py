"""What docs/getting-started.md says to add to the first operator makes an operator that is checked and works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from ork.cli.main import run

ROOT = Path(__file__).parents[3]
SPEC = {"domain": "example.com", "pages": [{"name": "index", "html": "<p>hello</p>"}]}
SIMULATE = {
    "cr": "cr.yaml",
    "externalResponses": [{"name": "health", "status": 200}],
    "expect": {
        "steady": True,
        "ops": [{"cycle": 1, "verb": "create", "resource": "configmaps", "name": "hello-page-index"}],
        "status": {"health": "200", "phase": "Ready", "url": "http://hello.default.svc"},
    },
}


def merged(under: Any, over: Any) -> Any:
    """Return a document with the keys and list items of another added."""
    if isinstance(under, list) and isinstance(over, list):
        return under + over
    if isinstance(under, dict) and isinstance(over, dict):
        return under | {key: merged(under.get(key), value) for key, value in over.items()}
    return over


def edit(path: Path, change: Any) -> None:
    path.write_text(yaml.safe_dump(merged(yaml.safe_load(path.read_text(encoding="utf-8")), change)), encoding="utf-8")


def test_the_first_operator_grows_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
    section = page.split("## 4. ")[1].split("\n## ")[0]
    properties, box = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", section, re.DOTALL))
    assert run(["init", str(tmp_path), "--pack", "beginner"]) == 0
    monkeypatch.chdir(tmp_path / "01-first-operator")

    crd = yaml.safe_load(Path("crd.yaml").read_text(encoding="utf-8"))
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = properties
    Path("crd.yaml").write_text(yaml.safe_dump(crd), encoding="utf-8")
    edit(Path("katalog.yaml"), {"spec": {"crds": {"website": box}}})
    edit(Path("cr.yaml"), {"spec": SPEC})
    Path("simulate.yaml").write_text(yaml.safe_dump(SIMULATE), encoding="utf-8")

    assert (run(["validate"]), run(["simulate"])) == (0, 0), capsys.readouterr()
    assert "0 errors, 0 warnings" in capsys.readouterr().out
