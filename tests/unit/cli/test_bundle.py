"""`ork bundle`: its forms, choices and exit codes. Rights are tested with `ork.runtime.rbac`, and on a real server."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

from tests.unit.cli.conftest import Ork
from tests.unit.simulate.conftest import BOX, CRD, katalog

Files = Callable[[Mapping[str, str]], None]

GOOD = {"app/katalog.yaml": katalog(BOX).replace("crd.yaml", "../shared/crd.yaml"), "shared/crd.yaml": CRD}
CALL = """
onReconcile:
  external: [{name: ping, url: "https://example.com", token: "${API_TOKEN}"}]
"""


@pytest.fixture
def bundle(ork: Ork, files: Files) -> Callable[..., list[dict[str, Any]]]:
    """Print the bundle of a good Katalog and return its objects."""
    files(GOOD)

    def call(*args: str) -> list[dict[str, Any]]:
        answer = ork("bundle", "-f", "app/katalog.yaml", *args)
        assert answer.code == 0, answer.err
        return [*yaml.safe_load_all(answer.out)]

    return call


Bundle = Callable[..., list[dict[str, Any]]]


def one(objects: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """Return the only object of a kind."""
    (found,) = [obj for obj in objects if obj["kind"] == kind]
    return found


def test_it_prints_everything_in_the_order_in_which_it_is_applied(bundle: Bundle) -> None:
    assert [obj["kind"] for obj in bundle()] == [
        "CustomResourceDefinition",
        "ServiceAccount",
        "ClusterRole",
        "ClusterRoleBinding",
        "Role",
        "RoleBinding",
        "ConfigMap",
        "Service",
        "Deployment",
    ]


def test_the_katalog_and_all_that_it_names_is_mounted_as_it_lies(bundle: Bundle) -> None:
    objects = bundle()
    assert one(objects, "ConfigMap")["data"] == {
        "app_katalog.yaml": GOOD["app/katalog.yaml"],
        "shared_crd.yaml": CRD,
    }
    pod = one(objects, "Deployment")["spec"]["template"]["spec"]
    assert pod["volumes"][1]["configMap"]["items"] == [
        {"key": "app_katalog.yaml", "path": "app/katalog.yaml"},
        {"key": "shared_crd.yaml", "path": "shared/crd.yaml"},
    ]
    assert "--katalog=/katalog/app/katalog.yaml" in pod["containers"][0]["args"]


def test_a_change_of_the_katalog_changes_the_pods(bundle: Bundle, files: Files) -> None:
    before = one(bundle(), "Deployment")["spec"]["template"]["metadata"]["annotations"]
    files({"shared/crd.yaml": CRD + "# other\n"})
    assert one(bundle(), "Deployment")["spec"]["template"]["metadata"]["annotations"] != before


def test_namespaces_replicas_and_image_are_the_caller_s(bundle: Bundle) -> None:
    objects = bundle("--into", "platform", "-n", "blue", "--replicas", "2", "--image", "example.com/ork:1")
    deployment = one(objects, "Deployment")
    assert deployment["metadata"]["namespace"] == "platform"
    assert deployment["spec"]["replicas"] == 2
    container = deployment["spec"]["template"]["spec"]["containers"][0]
    assert container["image"] == "example.com/ork:1"
    assert "--namespace=blue" in container["args"]
    roles = [obj["metadata"]["namespace"] for obj in objects if obj["kind"] == "Role"]
    assert roles == ["blue", "platform"]
    assert all(obj["kind"] != "ClusterRole" for obj in objects)


def test_an_operator_that_applies_crds_brings_them_itself(bundle: Bundle) -> None:
    objects = bundle("--apply-crds")
    assert all(obj["kind"] != "CustomResourceDefinition" for obj in objects)
    assert "--no-apply-crds" not in one(objects, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"]


def test_variables_come_from_a_secret_that_is_named(ork: Ork, files: Files) -> None:
    files({"katalog.yaml": katalog(CALL), "crd.yaml": CRD})
    answer = ork("bundle")
    container = one([*yaml.safe_load_all(answer.out)], "Deployment")["spec"]["template"]["spec"]["containers"][0]
    assert container["env"] == [
        {"name": "API_TOKEN", "valueFrom": {"secretKeyRef": {"name": "ork-test-env", "key": "API_TOKEN"}}}
    ]
    assert "the Secret ork-system/ork-test-env must hold API_TOKEN" in answer.err


def test_a_baked_katalog_is_in_the_image(bundle: Bundle) -> None:
    objects = bundle("--bake", "--dir", "out")
    assert objects == []
    assert not Path("out/configmap.yaml").exists()
    assert Path("out/katalog/app/katalog.yaml").read_text() == GOOD["app/katalog.yaml"]
    assert "COPY katalog /katalog" in Path("out/Containerfile").read_text()


def test_an_image_gets_ork_from_a_wheel_that_stands_beside_its_file(bundle: Bundle) -> None:
    bundle("--dir", "out")
    lines = Path("out/Containerfile").read_text().splitlines()
    assert "COPY ork-0.1.0-py3-none-any.whl /tmp/" in lines
    assert "RUN pip install --no-cache-dir /tmp/ork-0.1.0-py3-none-any.whl" in lines


@pytest.mark.skipif(which("kubectl") is None, reason="needs kubectl")
def test_a_folder_is_what_kustomize_reads(bundle: Bundle) -> None:
    printed = bundle()
    bundle("--dir", "out")
    built = subprocess.run(["kubectl", "kustomize", "out"], capture_output=True, text=True, check=True).stdout
    key = lambda obj: (obj["kind"], obj["metadata"]["name"], obj["metadata"].get("namespace", ""))  # noqa: E731
    assert sorted(yaml.safe_load_all(built), key=key) == sorted(printed, key=key)


def test_a_chart_leaves_image_replicas_and_namespace_open_and_hides_the_katalog_from_helm(bundle: Bundle) -> None:
    bundle("--helm", "--dir", "chart", "--replicas", "3")
    assert yaml.safe_load(Path("chart/values.yaml").read_text()) == {"image": "ork:0.1.0", "replicas": 3}
    deployment = Path("chart/templates/deployment.yaml").read_text()
    assert "image: '{{ .Values.image }}'\n" in deployment
    assert "replicas: {{ .Values.replicas }}\n" in deployment
    assert "namespace: '{{ .Release.Namespace }}'\n" in deployment
    templates = "".join(path.read_text() for path in sorted(Path("chart/templates").iterdir()))
    assert ".metadata.name" not in templates
    assert '"app_katalog.yaml": {{ .Files.Get "files/app_katalog.yaml" | toJson }}\n' in templates
    assert Path("chart/files/app_katalog.yaml").read_text() == GOOD["app/katalog.yaml"]
    assert yaml.safe_load(Path("chart/crds/crds.yaml").read_text())["kind"] == "CustomResourceDefinition"


def test_what_is_too_large_for_a_config_map_is_told(ork: Ork, files: Files) -> None:
    files({"katalog.yaml": katalog(BOX) + "# " + "x" * 950_000 + "\n", "crd.yaml": CRD})
    answer = ork("bundle")
    assert (answer.code, answer.out) == (1, "")
    assert "--bake" in answer.err
    assert ork("bundle", "--bake").code == 0


def test_a_katalog_with_errors_is_not_bundled(ork: Ork, files: Files) -> None:
    files({"katalog.yaml": katalog(BOX.replace("deployments", "deploymentz")), "crd.yaml": CRD})
    answer = ork("bundle")
    assert answer.code == 1
    assert answer.out == ""
    assert "error[ORK0101]" in answer.err


@pytest.mark.parametrize("args", [("-f", "nowhere.yaml"), ("--helm",), ("--replicas", "0")])
def test_a_wrong_call_is_exit_code_2(ork: Ork, args: tuple[str, ...]) -> None:
    assert ork("bundle", *args).code == 2
