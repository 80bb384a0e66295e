"""`ork diff` on a real API server: it shows what `ork run` then does, and changes nothing itself."""

from __future__ import annotations

import asyncio
import json
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ork.base.objects import Kind, Object
from ork.cli.main import run
from ork.cluster.kube.client import ApiError, path_of
from ork.cluster.wire import CRDS
from ork.runtime.operator import Options
from tests.controlplane.controlplane import ControlPlane
from tests.documents import crd, entry, katalog, program
from tests.integration.clients import client_of
from tests.integration.operators import running
from tests.kinds import CONFIG_MAPS, NAMESPACES

APPS = Kind("diffed.example.com", "v1", "App", "apps", True)

CRD = crd(
    """
    type: object
    properties:
      enabled: {type: boolean, default: true}
      word: {type: string}
      names: {type: array, items: {type: string}}
    """,
    group=APPS.group,
)
BOX = """
preReconcile:
  reconcileGate: {when: [{field: spec.enabled, equals: "true"}]}
onReconcile:
  namespaces:
    - {name: "diffed-{{ .metadata.name }}"}
  configMaps:
    - forEach: {field: .spec.names, as: each}
      name: "{{ .each }}"
      namespace: "diffed-{{ .metadata.name }}"
      data: {word: "{{ .spec.word }}"}
  secrets:
    - {name: "{{ .metadata.name }}", data: {password: "{{ .spec.word }}"}}
"""
KATALOG = katalog("diffed", app=entry(BOX))


class Here(NamedTuple):
    """The server, and the folder of the Katalog."""

    plane: ControlPlane
    capsys: pytest.CaptureFixture[str]

    def diff(self, *args: str) -> tuple[int, str]:
        """Call `ork diff`; return exit code and output."""
        code, out, err = self._called(*args)
        return code, out + err

    def _called(self, *args: str) -> tuple[int, str, str]:
        code = run(["diff", "--kubeconfig", str(self.plane.kubeconfig), *args])
        return code, *self.capsys.readouterr()

    def changes(self, *args: str) -> list[str]:
        """Return what would happen, in words."""
        code, out, _ = self._called("-o", "json", *args)
        found = json.loads(out)
        assert code == (1 if found["changed"] else 0)
        words = ("verb", "kind", "name", "part")
        return [" ".join(filter(None, map(each.get, words))) for each in found["changes"]]

    def ask(self, method: str, path: str, body: Object | None = None, kind: str = "application/json") -> Any:
        """Send one request as an administrator."""

        async def story() -> Object:
            async with client_of(self.plane.kubeconfig) as client:
                return await client.request(method, path, None, body, kind)

        return asyncio.run(story())

    def there(self, path: str) -> bool:
        """Tell whether an object is there."""
        try:
            self.ask("GET", path)
        except ApiError as error:
            if error.code != 404:
                raise
            return False
        return True

    def work(self, count: int) -> None:
        """Let an operator work until it has looked at so many CRs."""

        async def story() -> None:
            compiled = program(KATALOG, {"crd.yaml": CRD})
            async with running(self.plane.kubeconfig, compiled, Options()) as operator:
                await operator.watching(4)
                await operator.settled(count)

        asyncio.run(story())


def app(name: str, word: str = "hush", **spec: Any) -> Object:
    """Return a CR."""
    meta = {"name": name, "namespace": "default"}
    body = {"word": word, "names": ["one", "two"], **spec}
    return {"apiVersion": APPS.api_version, "kind": "App", "metadata": meta, "spec": body}


@pytest.fixture
def here(
    plane: ControlPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Here:
    files: Mapping[str, str] = {"katalog.yaml": KATALOG, "crd.yaml": CRD}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return Here(plane, capsys)


def test_it_shows_what_run_then_does_and_does_nothing_itself(here: Here) -> None:
    assert here.changes() == ["create CustomResourceDefinition apps.diffed.example.com"]
    assert not here.there(path_of(CRDS, "", "apps.diffed.example.com"))

    here.work(0)
    here.ask("POST", path_of(APPS, "default"), app("a"))
    here.ask("POST", path_of(APPS, "default"), app("b", enabled=False))
    assert here.changes() == [
        "update App a metadata",
        "create Namespace diffed-a",
        "create ConfigMap one",
        "create ConfigMap two",
        "create Secret a",
        "update App a status",
    ]
    assert not here.there(path_of(NAMESPACES, "", "diffed-a"))
    code, text = here.diff()
    assert code == 1
    assert "+  phase: Active" not in text, "others say the status of a child"
    secret = text.split("create secrets/default/a")[1].split("update apps")[0]
    assert "+  password: •••\n" in secret
    assert "hush" not in secret
    assert b64encode(b"hush").decode() not in secret
    assert "gated   app default/b at reconcileGate: spec.enabled is false\n" in text
    assert text.endswith("4 to create, 2 to update, 1 gated\n")

    here.work(2)
    assert here.diff() == (0, "gated   app default/b at reconcileGate: spec.enabled is false\n1 gated\n")

    one = path_of(CONFIG_MAPS, "diffed-a", "one")
    here.ask("PATCH", one, {"data": {"word": "other"}}, "application/merge-patch+json")
    here.ask("PATCH", path_of(APPS, "default", "a"), {"spec": {"names": ["one"]}}, "application/merge-patch+json")
    assert here.changes() == ["update ConfigMap one", "delete ConfigMap two", "update App a status"]
    _, text = here.diff()
    assert "-  word: other\n+  word: hush\n" in text
    assert here.ask("GET", one)["data"] == {"word": "other"}
    assert here.there(path_of(CONFIG_MAPS, "diffed-a", "two"))

    here.ask("DELETE", path_of(APPS, "default", "a"))
    assert here.changes() == ["delete ConfigMap one", "delete ConfigMap two", "delete Namespace diffed-a"]
    assert here.there(one)


def test_a_cr_whose_turn_would_fail_is_something(here: Here) -> None:
    here.work(0)
    meta = {"name": "c", "namespace": "default"}
    owner = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "0", "controller": True}
    here.ask("POST", "/api/v1/namespaces/default/secrets", {"metadata": {**meta, "ownerReferences": [owner]}})
    here.ask("POST", path_of(APPS, "default"), app("c"))
    code, text = here.diff("--no-apply-crds")
    assert code == 1
    assert "fails   app default/c: secrets/default/c exists and is controlled by Pod p" in text


def test_what_no_entry_looks_after_is_left_out_though_its_kind_is_a_child_s_too(here: Here) -> None:
    here.work(0)
    inner = f"{{apiVersion: {APPS.api_version}, kind: App, metadata: {{name: '{{{{ .metadata.name }}}}-inner'}}}}"
    keys = "crdFile: crd.yaml\nlabelSelector: tier=gold"
    Path("nested.yaml").write_text(katalog("nested", app=entry(f"onReconcile: {{custom: [{inner}]}}", keys)))
    plain, gold = app("plain"), app("gold")
    gold["metadata"]["labels"] = {"tier": "gold"}
    for cr in (plain, gold):
        here.ask("POST", path_of(APPS, "default"), cr)
    assert here.changes("-f", "nested.yaml") == ["create App gold-inner", "update App gold status"]


def test_a_cluster_that_cannot_be_reached_is_exit_code_3(here: Here) -> None:
    nowhere = Path("kubeconfig")
    nowhere.write_text(here.plane.kubeconfig.read_text().replace(str(here.plane.port), "9"))
    code, text = here.diff("--kubeconfig", str(nowhere))
    assert code == 3
    assert "cannot be reached" in text


@pytest.mark.parametrize(("args", "code"), [(["-f", "nowhere.yaml"], 2), (["-o", "xml"], 2)])
def test_a_wrong_call_is_exit_code_2(here: Here, args: list[str], code: int) -> None:
    assert here.diff(*args)[0] == code
