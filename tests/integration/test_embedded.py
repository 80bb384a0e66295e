"""`ork run` with a cluster in its own process: what is printed, what a client sees, what outlives the process, and how
development follows the files. No control plane is needed.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ork.base.objects import Kind, Object
from ork.cli.main import run
from ork.cluster.kube.client import Client, path_of
from tests.integration.clients import client_of
from tests.integration.processes import Process, ork_run
from tests.kinds import CONFIG_MAPS, DEPLOYMENTS

PACK = Path(__file__).parents[2] / "packs/intermediate/05-when-conditions/conditional-reconciliation"
APPS = Kind("apps.demo.io", "v1alpha1", "App", "apps", True)
APP: Object = {
    "apiVersion": "apps.demo.io/v1alpha1",
    "kind": "App",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {"image": "nginx:1"},
}


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Path(shutil.copytree(PACK, tmp_path / "pack"))


@pytest.fixture
def embedded(pack: Path) -> Iterator[Process]:
    with ork_run(pack, "--embedded") as process:
        yield process


def kubeconfig(process: Process) -> Path:
    """Return what the process says that a person shall export."""
    found: re.Match[str] = process.wait_for(lambda: re.search(r"export KUBECONFIG=(\S+)", process.log))
    return Path(found[1])


def ask(process: Process, story: Callable[[Client], Awaitable[Any]]) -> Any:
    """Speak to the cluster as a client does."""

    async def told() -> Any:
        async with client_of(kubeconfig(process)) as client:
            return await story(client)

    return asyncio.run(told())


def create_app(process: Process) -> None:
    ask(process, lambda client: client.request("POST", path_of(APPS, "default"), None, APP))


def names(process: Process, kind: Kind) -> list[str]:
    found = ask(process, lambda client: client.request("GET", path_of(kind, "default")))
    return [item["metadata"]["name"] for item in found["items"]]


def test_three_lines_say_what_to_type_next(embedded: Process) -> None:
    path = kubeconfig(embedded)
    lines = [line.strip() for line in embedded.log.splitlines() if line.startswith("  ")]
    assert lines == [
        f"export KUBECONFIG={path}",
        "kubectl apply -f cr-app.yaml",
        "kubectl get apps.apps.demo.io --all-namespaces --watch",
    ]
    assert path.stat().st_mode & 0o777 == 0o600


def test_children_appear_and_simulated_controllers_make_them_ready(embedded: Process) -> None:
    create_app(embedded)
    embedded.wait_for(lambda: names(embedded, DEPLOYMENTS) == ["web"])
    status = embedded.wait_for(lambda: _phase(embedded) == "Ready")
    assert status


def _phase(process: Process) -> str:
    found = process.json("/katalog/app/cr/default/web")
    return str(found.get("status", {}).get("phase", ""))


def test_what_is_kept_in_a_file_is_there_again(pack: Path) -> None:
    args = ("--embedded", "--state", "state.json")
    with ork_run(pack, *args) as first:
        create_app(first)
        first.wait_for(lambda: names(first, DEPLOYMENTS) == ["web"])
        assert first.end() == 0
    with ork_run(pack, *args) as second:
        assert names(second, DEPLOYMENTS) == ["web"]
        second.wait_for(lambda: second.json("/katalog/app/cr")["items"])
        assert "create deployments/default/web" not in second.log
        assert second.end() == 0


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"objects": 1}', '{"objects": [{"kind": "Nobody"}]}'])
def test_a_file_that_is_no_state_is_refused(
    pack: Path, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(pack)
    (pack / "state.json").write_text(text)
    assert run(["run", "--listen", "127.0.0.1:0", "--embedded", "--state", "state.json"]) == 2
    assert "state.json is no state that ork has written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--state", "x"), "add that flag"),
        (("--embedded", "--context", "x"), "a cluster of its own"),
        (("--uninstall",), "--once --uninstall"),
        (("--listen", "8080"), "HOST:PORT"),
        (("--grace", "soon"), "is not a duration"),
    ],
)
def test_flags_that_do_not_fit_are_a_wrong_call(
    args: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["run", *args]) == 2
    assert says in capsys.readouterr().err


# ── development ─────────────────────────────────────────────────────────────────────────────────
@pytest.fixture
def example(pack: Path) -> Path:
    """The pack, with a CR that development applies."""
    katalog = pack / "katalog.yaml"
    text = katalog.read_text()
    if "crFiles" not in text:
        text = text.replace("crdFile: crd-app.yaml", "crdFile: crd-app.yaml\n      crFiles: [cr-app.yaml]")
        katalog.write_text(text)
    return pack


@pytest.fixture
def developing(example: Path) -> Iterator[Process]:
    with ork_run(example, "--embedded", "--dev") as process:
        kubeconfig(process)
        yield process


def change(pack: Path, name: str, old: str, new: str) -> None:
    text = (pack / name).read_text()
    assert old in text
    (pack / name).write_text(text.replace(old, new, 1))


def test_a_changed_cr_file_is_applied_and_its_gate_shows(developing: Process, pack: Path) -> None:
    developing.wait_for(lambda: "my-app" in names(developing, DEPLOYMENTS))
    change(pack, "cr-app.yaml", "enabled: true", "enabled: false")
    developing.wait_for(lambda: _gated(developing) == "spec.enabled is false")


def _gated(process: Process) -> str:
    code, text = process.get("/katalog")
    return str(json.loads(text)["crds"]["app"]["gateReason"]) if code == 200 else ""


def test_a_changed_katalog_is_shown_before_it_is_carried_out(developing: Process, pack: Path) -> None:
    developing.wait_for(lambda: "my-app" in names(developing, DEPLOYMENTS))
    change(pack, "katalog.yaml", "onReconcile:\n", "onReconcile:\n          configMaps: [{name: more}]\n")
    developing.wait_for(lambda: "more" in names(developing, CONFIG_MAPS))
    assert "create configmaps/default/more  (app default/my-app)" in developing.log


def test_a_katalog_with_errors_leaves_the_one_before_at_work(developing: Process, pack: Path) -> None:
    change(pack, "katalog.yaml", "onReconcile:", "onReconzile:")
    developing.wait_for(lambda: "the Katalog of before goes on" in developing.log)
    assert 'did you mean "onReconcile"?' in developing.log
    developing.wait_for(lambda: developing.get("/readyz") == (200, "ok"))
    change(pack, "katalog.yaml", "onReconzile:", "onReconcile:")


def test_nothing_is_deleted_that_nobody_was_asked_about(developing: Process, pack: Path) -> None:
    developing.wait_for(lambda: "my-app" in names(developing, DEPLOYMENTS))
    change(pack, "katalog.yaml", '- name: "{{ .metadata.name }}"\n', '- name: "{{ .metadata.name }}-2"\n')
    developing.wait_for(lambda: "1 object is to be deleted" in developing.log)
    developing.wait_for(lambda: "the Katalog of before goes on" in developing.log)
    assert names(developing, DEPLOYMENTS) == ["my-app"]


def test_nor_what_goes_since_a_cr_file_has_changed(example: Path) -> None:
    change(example, "katalog.yaml", '- name: "{{ .metadata.name }}"\n', '- name: "app-{{ .metadata.labels.color }}"\n')
    change(example, "cr-app.yaml", "metadata:\n", "metadata:\n  labels: {color: red}\n")
    with ork_run(example, "--embedded", "--dev") as process:
        kubeconfig(process)
        process.wait_for(lambda: names(process, DEPLOYMENTS) == ["app-red"])
        change(example, "cr-app.yaml", "red", "blue")
        process.wait_for(lambda: "1 object is to be deleted" in process.log)
        process.wait_for(lambda: "the Katalog of before goes on" in process.log)
        assert names(process, DEPLOYMENTS) == ["app-red"]
