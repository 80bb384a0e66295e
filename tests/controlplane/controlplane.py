"""A real kube-apiserver with etcd, and the controllers on demand, for tests and benchmarks on this machine."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

HERE = Path(__file__).parent
TOKEN = "admintoken"
ALL_CONTROLLERS = (
    "garbage-collector-controller",
    "namespace-controller",
    "deployment-controller",
    "replicaset-controller",
    "job-controller",
)


def binaries() -> Path | None:
    """Return the folder with kube-apiserver and etcd: `KUBEBUILDER_ASSETS`, else what `make controlplane` built."""
    assets = os.environ.get("KUBEBUILDER_ASSETS")
    if assets:
        return Path(assets)
    built = subprocess.run([HERE / "build.sh", "--where"], capture_output=True, text=True, check=True).stdout.strip()
    return Path(built) if (Path(built) / "etcd").exists() else None


SKIP_REASON = "needs a real API server: run `make controlplane` (with Go), or set KUBEBUILDER_ASSETS (setup-envtest)"


class ControlPlane:
    """One API server with a folder of its own; a context manager that stops what it started.

    `kubeconfig` names a file of an administrator with the token `TOKEN`; `stop_apiserver` and `start_apiserver` restart
    it over the same data.
    """

    def __init__(self, folder: Path, controllers: tuple[str, ...] = ()) -> None:
        found = binaries()
        if found is None:
            raise RuntimeError(SKIP_REASON)
        self.folder, self.controllers, self.binaries = folder, controllers, found
        self.kubeconfig = folder / "kubeconfig"
        self.port = _free_port()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._etcd = _free_port()

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        _service_account_key(self.folder)
        (self.folder / "tokens.csv").write_text(f"{TOKEN},admin,admin,system:masters\n")
        self._start_etcd()
        self.start_apiserver()
        self._write_kubeconfig()
        if self.controllers:
            self._start_controllers()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes.values()):
            process.kill()
            process.wait()
        shutil.rmtree(self.folder / "etcd", ignore_errors=True)

    @property
    def url(self) -> str:
        """The server's address."""
        return f"https://127.0.0.1:{self.port}"

    def pid(self, program: str) -> int:
        """Return the process id of `kube-apiserver`, `etcd` or `kube-controller-manager`."""
        return self._processes[program].pid

    def stop_apiserver(self) -> None:
        """End the API server at once; etcd keeps the data."""
        process = self._processes.pop("kube-apiserver")
        process.kill()
        process.wait()

    def start_apiserver(self) -> None:
        """Start the API server and wait until it is ready."""
        self._start(
            "kube-apiserver",
            f"--etcd-servers=http://127.0.0.1:{self._etcd}",
            f"--secure-port={self.port}",
            "--bind-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            f"--cert-dir={self.folder / 'certs'}",
            f"--token-auth-file={self.folder / 'tokens.csv'}",
            "--service-account-issuer=https://localhost",
            f"--service-account-key-file={self.folder / 'sa.key'}",
            f"--service-account-signing-key-file={self.folder / 'sa.key'}",
            "--service-cluster-ip-range=10.0.0.0/12",
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
            "--max-requests-inflight=2000",
            "--max-mutating-requests-inflight=1000",
            "--profiling=false",
        )
        self._wait_ready()

    def compact(self) -> None:
        """Forget every old revision, so that a watch from before now is answered with 410."""
        import base64
        import json

        base = f"http://127.0.0.1:{self._etcd}/v3/kv"
        probe = json.dumps({"key": base64.b64encode(b"x").decode()}).encode()
        with urllib.request.urlopen(f"{base}/range", probe) as answer:
            revision = json.load(answer)["header"]["revision"]
        with urllib.request.urlopen(f"{base}/compaction", json.dumps({"revision": revision}).encode()):
            pass

    def _start_etcd(self) -> None:
        client, peer = f"http://127.0.0.1:{self._etcd}", f"http://127.0.0.1:{_free_port()}"
        self._start(
            "etcd",
            f"--data-dir={self.folder / 'etcd'}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            "--unsafe-no-fsync",
        )

    def _start_controllers(self) -> None:
        self._start(
            "kube-controller-manager",
            *(f"--{flag}kubeconfig={self.kubeconfig}" for flag in ("", "authentication-", "authorization-")),
            "--leader-elect=false",
            f"--controllers={','.join(self.controllers)}",
            f"--service-account-private-key-file={self.folder / 'sa.key'}",
            "--bind-address=127.0.0.1",
            "--secure-port=0",
        )

    def _start(self, program: str, *arguments: str) -> None:
        with (self.folder / f"{program}.log").open("ab") as log:
            self._processes[program] = subprocess.Popen(
                [self.binaries / program, *arguments], stdout=log, stderr=subprocess.STDOUT, cwd=self.folder
            )

    def _wait_ready(self) -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        request = urllib.request.Request(f"{self.url}/readyz", headers={"Authorization": f"Bearer {TOKEN}"})
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(request, context=context, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError(f"kube-apiserver did not become ready; see {self.folder / 'kube-apiserver.log'}")

    def _write_kubeconfig(self) -> None:
        self.kubeconfig.write_text(
            "apiVersion: v1\nkind: Config\ncurrent-context: test\n"
            f'clusters: [{{name: test, cluster: {{server: "{self.url}", '
            f'certificate-authority: "{self.folder / "certs" / "apiserver.crt"}"}}}}]\n'
            f"users: [{{name: test, user: {{token: {TOKEN}}}}}]\n"
            "contexts: [{name: test, context: {cluster: test, user: test}}]\n"
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _service_account_key(folder: Path) -> None:
    key = folder / "sa.key"
    if not key.exists():
        subprocess.run(["openssl", "genrsa", "-out", key, "2048"], capture_output=True, check=True)
