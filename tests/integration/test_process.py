"""`ork run` as a process: the live API, signals and exit codes, replicas, and starts that fail with one clear line."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ork.cli.main import run
from tests.controlplane.controlplane import TOKEN, ControlPlane
from tests.integration.processes import Process, ork_run

PACK = Path(__file__).parents[2] / "packs/intermediate/05-when-conditions/conditional-reconciliation"


class Kubectl:
    """What a user types, in a namespace of one's own."""

    def __init__(self, kubeconfig: Path) -> None:
        self._base = ["kubectl", f"--kubeconfig={kubeconfig}"]
        self.namespace = f"t-{uuid.uuid4().hex[:8]}"
        self("create", "namespace", self.namespace)

    def __call__(self, *args: str) -> str:
        command = [*self._base, "-n", self.namespace, *args]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def apply(self, file: Path) -> None:
        """Apply a file, whose objects go into this namespace."""
        file.write_text(file.read_text().replace("namespace: default", f"namespace: {self.namespace}"))
        self("apply", "-f", str(file))


@pytest.fixture
def kubectl(plane: ControlPlane) -> Kubectl:
    if shutil.which("kubectl") is None:
        pytest.skip("needs kubectl on the PATH")
    return Kubectl(plane.kubeconfig)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACK, tmp_path / "pack"))


@pytest.fixture
def operator(plane: ControlPlane, kubectl: Kubectl, pack: Path) -> Iterator[Process]:
    with ork_run(pack, "--kubeconfig", str(plane.kubeconfig), "-n", kubectl.namespace) as process:
        process.wait_for(lambda: process.get("/readyz") == (200, "ok"))
        yield process


def test_the_gated_state_of_the_seed_shows_after_a_patch_and_clears_with_the_next(
    operator: Process, kubectl: Kubectl, pack: Path
) -> None:
    kubectl.apply(pack / "cr-app.yaml")
    operator.wait_for(lambda: operator.json("/katalog")["crds"]["app"]["metrics"]["total"])
    assert operator.json("/katalog")["crds"]["app"]["gated"] is False
    for enabled in ("false", "true"):
        kubectl("patch", "apps.apps.demo.io", "my-app", "--type=merge", "-p", f'{{"spec":{{"enabled":{enabled}}}}}')
        gated = enabled == "false"
        entry = operator.wait_for(partial(gated_is, operator, gated))
        assert (entry["gateReason"], entry["gatedObjects"]) == (("spec.enabled is false", 1) if gated else ("", 0))
        assert operator.get("/katalog/app/health")[0] == 200


def gated_is(operator: Process, gated: bool) -> Any:
    """Return the entry of `app` in `/katalog`, if it is gated or not."""
    entry = operator.json("/katalog")["crds"]["app"]
    return entry if entry["gated"] is gated else None


def test_the_live_api_shows_health_figures_and_objects(operator: Process, kubectl: Kubectl, pack: Path) -> None:
    assert operator.get("/healthz") == (200, "ok")
    kubectl.apply(pack / "cr-route.yaml")
    operator.wait_for(lambda: operator.json("/katalog/route/cr")["items"])
    operator.wait_for(lambda: operator.json("/katalog/route/cr")["items"][0]["state"] == "settled")
    shown = operator.json(f"/katalog/route/cr/{kubectl.namespace}/my-route")
    assert [(child["kind"], child["name"]) for child in shown["children"]] == [("ConfigMap", "my-route-route")]
    assert shown["status"]["conditions"][0]["reason"] == "ReconcileSucceeded"
    assert [event["outcome"] for event in operator.json("/katalog/route/events")["events"]] == ["settled"]
    assert operator.json("/katalog/route/raw")["crdFile"] == "crd-route.yaml"
    assert operator.json("/katalog/route/enriched")["plural"] == "routes"
    code, text = operator.get("/katalog/nobody")
    assert code == 404
    assert "it shows: app, route" in text


def test_the_figures_are_what_prometheus_reads(operator: Process, kubectl: Kubectl, pack: Path) -> None:
    kubectl.apply(pack / "cr-route.yaml")
    operator.wait_for(lambda: operator.json("/katalog/route")["metrics"]["total"])
    families = {family.name: family for family in text_string_to_metric_families(operator.get("/metrics")[1])}
    samples = [sample for family in families.values() for sample in family.samples]
    values = {(sample.name, *sample.labels.values()): sample.value for sample in samples}
    assert values["controller_runtime_reconcile_total", "route", "success"] >= 1
    assert values["controller_runtime_reconcile_errors_total", "route"] == 0
    assert values["controller_runtime_max_concurrent_reconciles", "route"] == 16
    assert values["workqueue_depth", "route"] == 0
    assert values["workqueue_adds_total", "route"] >= 1
    assert values["rest_client_requests_total", "201", "PATCH"] >= 1
    assert values["leader_election_master_status", "conditional-reconciliation"] == 1
    assert families["controller_runtime_reconcile_time_seconds"].type == "histogram"
    assert families["workqueue_queue_duration_seconds"].type == "histogram"


@pytest.mark.parametrize(("by", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_it_in_order(operator: Process, by: signal.Signals, code: int) -> None:
    assert operator.end(by) == code
    assert operator.log.rstrip().endswith(f"stopped by {by.name}")
    assert operator.get("/healthz")[0] == 0


def test_of_two_replicas_one_works_and_the_other_takes_over_at_once_when_it_ends(
    plane: ControlPlane, kubectl: Kubectl, pack: Path
) -> None:
    kubeconfig = pack / "kubeconfig"  # the Lease goes where the context says
    there = f"user: envtest, namespace: {kubectl.namespace}}}}}]"
    kubeconfig.write_text(plane.kubeconfig.read_text().replace("user: envtest}}]", there))
    args = ("--kubeconfig", str(kubeconfig), "-n", kubectl.namespace, "--leader-elect")
    with ork_run(pack, *args) as first:
        first.wait_for(lambda: "this process leads" in first.log)
        with ork_run(pack, *args) as second:
            second.wait_for(lambda: second.get("/readyz") == (200, "ok"))
            kubectl.apply(pack / "cr-route.yaml")
            first.wait_for(lambda: first.json("/katalog/route")["metrics"]["total"])
            assert second.json("/katalog/route")["state"] == "pending"
            assert kubectl("get", "leases", "-o", "name").startswith("lease.coordination.k8s.io/ork-")
            assert [_leads(first), _leads(second)] == ["1.0", "0.0"]
            assert first.end() == 0
            second.wait_for(lambda: "this process leads" in second.log, 10)
            second.wait_for(lambda: second.json("/katalog/route")["state"] == "healthy")
            kubectl("delete", "configmap", "my-route-route")
            second.wait_for(lambda: "my-route-route" in kubectl("get", "configmaps", "-o", "name"))
            assert second.end() == 0


def _leads(operator: Process) -> str:
    lines = operator.get("/metrics")[1].splitlines()
    return next(line for line in lines if line.startswith("leader_election_master_status{")).split()[-1]


# ── one look ────────────────────────────────────────────────────────────────────────────────────
def test_one_look_works_and_ends_and_a_rehearsal_writes_nothing(
    plane: ControlPlane, kubectl: Kubectl, pack: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["run", "-f", str(pack / "katalog.yaml"), "--kubeconfig", str(plane.kubeconfig), "-n", kubectl.namespace]
    assert run([*args, "--once"]) == 0
    kubectl.apply(pack / "cr-route.yaml")
    assert run([*args, "--dry-run"]) == 0
    assert f"create configmaps/{kubectl.namespace}/my-route-route" in capsys.readouterr().out
    assert "my-route" not in kubectl("get", "configmaps", "-o", "name")
    assert run([*args, "--once"]) == 0
    assert "my-route-route" in kubectl("get", "configmaps", "-o", "name")
    assert run([*args, "--dry-run"]) == 0
    assert "nothing to do" in capsys.readouterr().out


def test_taking_a_katalog_away_frees_its_crs_and_finishes_what_is_being_deleted(
    plane: ControlPlane, kubectl: Kubectl, pack: Path
) -> None:
    katalog = pack / "katalog.yaml"
    elsewhere = 'configMaps: [{namespace: default, name: "NS-{{ .metadata.name }}"}]'.replace("NS", kubectl.namespace)
    text = katalog.read_text()
    katalog.write_text(text.replace("onReconcile:", f"onReconcile:\n          {elsewhere}", 1))
    args = ["run", "-f", str(katalog), "--kubeconfig", str(plane.kubeconfig), "-n", kubectl.namespace]
    for name in ("my-app", "other"):
        (pack / "cr-app.yaml").write_text((pack / "cr-app.yaml").read_text().replace("my-app", name))
        kubectl.apply(pack / "cr-app.yaml")
    assert run([*args, "--once"]) == 0
    assert "finalizer" in kubectl("get", "apps.apps.demo.io", "my-app", "-o", "yaml")
    kubectl("delete", "apps.apps.demo.io", "other", "--wait=false")
    assert run([*args, "--once", "--uninstall"]) == 0
    assert "orkestra.orkspace.io/" not in kubectl("get", "apps.apps.demo.io", "my-app", "-o", "yaml")
    assert kubectl("get", "apps.apps.demo.io", "-o", "name") == "app.apps.demo.io/my-app\n"
    left = kubectl("get", "configmaps", "-n", "default", "-o", "name")
    assert f"{kubectl.namespace}-my-app" in left
    assert f"{kubectl.namespace}-other" not in left
    kubectl("delete", "apps.apps.demo.io", "my-app", "--timeout=5s")


# ── starts that fail ────────────────────────────────────────────────────────────────────────────
def fails(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    """Call `ork run`, which must say one line, and return the exit code and that line."""
    code = run(["run", "-f", str(PACK / "katalog.yaml"), "--listen", "127.0.0.1:0", *args])
    captured = capsys.readouterr()
    (line,) = [line for line in captured.err.splitlines() if "INFO" not in line]
    assert captured.out == ""
    return code, line


def altered(plane: ControlPlane, folder: Path, old: str, new: str) -> str:
    """Return a kubeconfig in which something else stands."""
    made = folder / "kubeconfig"
    made.write_text(plane.kubeconfig.read_text().replace(old, new))
    return str(made)


def test_a_kubeconfig_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    code, line = fails(capsys, "--kubeconfig", "/nowhere/kubeconfig")
    assert code == 3
    assert "/nowhere/kubeconfig: there is no such file" in line


def test_a_context_that_is_not_there(capsys: pytest.CaptureFixture[str], plane: ControlPlane) -> None:
    code, line = fails(capsys, "--kubeconfig", str(plane.kubeconfig), "--context", "nobody")
    assert code == 3
    assert "nobody" in line


def test_a_token_that_is_not_good(capsys: pytest.CaptureFixture[str], plane: ControlPlane, tmp_path: Path) -> None:
    code, line = fails(capsys, "--kubeconfig", altered(plane, tmp_path, TOKEN, "expired"))
    assert code == 3
    assert "log in again" in line


def test_a_server_that_is_not_there(capsys: pytest.CaptureFixture[str], plane: ControlPlane, tmp_path: Path) -> None:
    code, line = fails(capsys, "--kubeconfig", altered(plane, tmp_path, plane.url, "https://127.0.0.1:9"))
    assert code == 3
    assert "https://127.0.0.1:9 cannot be reached" in line


def test_a_server_whose_certificate_is_another(
    capsys: pytest.CaptureFixture[str], plane: ControlPlane, tmp_path: Path
) -> None:
    other = altered(plane, tmp_path, f', certificate-authority: "{plane.folder / "certs" / "apiserver.crt"}"', "")
    code, line = fails(capsys, "--kubeconfig", other)
    assert code == 3
    assert "certificate" in line


def test_a_port_that_is_in_use(capsys: pytest.CaptureFixture[str], plane: ControlPlane) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, line = fails(capsys, "--kubeconfig", str(plane.kubeconfig), "--listen", address)
    assert code == 3
    assert f"cannot listen on {address}: address already in use" in line
