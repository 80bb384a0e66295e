"""Starting and stopping kube-apiserver and etcd, and the controllers on demand."""

from __future__ import annotations

import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from ork.base.errors import OutsideError, UsageError
from ork.cluster.envtest.binaries import HOW_TO_GET, binaries
from ork.cluster.envtest.etcd import Etcd

ALL_CONTROLLERS = (
    "garbage-collector-controller",
    "namespace-controller",
    "deployment-controller",
    "replicaset-controller",
    "job-controller",
)
READY_WITHIN = 60.0
"""Seconds that the API server may take to start."""


class ControlPlane:
    """One API server with a folder of its own; a context manager that stops what it started.

    `kubeconfig` names a file of an administrator; `stop_apiserver` and `start_apiserver` restart the server over the
    same data. Raises UsageError where the programs are not there, OutsideError where one of them does not start.
    """

    def __init__(
        self, folder: Path, controllers: tuple[str, ...] = (), token: str = "", flags: tuple[str, ...] = ()
    ) -> None:
        """`token` is the administrator's; without one it is made up. `flags` are further ones of kube-apiserver."""
        found = binaries()
        if found is None:
            raise UsageError(f"this {HOW_TO_GET}")
        self.folder, self.controllers, self.binaries = folder, controllers, found
        self.token, self._flags = token or _random_token(), flags
        self.kubeconfig = folder / "kubeconfig"
        self.port = _free_port()
        self.etcd = Etcd(f"http://127.0.0.1:{_free_port()}")
        self._processes: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        _service_account_key(self.folder)
        _private(self.folder / "tokens.csv", f"{self.token},admin,admin,system:masters\n")
        self._write_kubeconfig()
        try:
            self._start_etcd()
            self.start_apiserver()
            if self.controllers:
                self._start_controllers()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        import shutil

        for process in reversed(self._processes.values()):
            process.kill()
            process.wait()
        self._processes.clear()
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
        """Start the API server and wait until it is ready. Raises OutsideError."""
        self._start(
            "kube-apiserver",
            f"--etcd-servers={self.etcd.url}",
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
            *self._flags,
        )
        self._wait_ready()

    def compact(self) -> None:
        """Forget every old revision, so that a watch from before now is answered with 410."""
        self.etcd.compact()

    def _start_etcd(self) -> None:
        client, peer = self.etcd.url, f"http://127.0.0.1:{_free_port()}"
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
        try:
            with self._log(program).open("ab") as log:
                self._processes[program] = subprocess.Popen(
                    [self.binaries / program, *arguments], stdout=log, stderr=subprocess.STDOUT, cwd=self.folder
                )
        except OSError as error:
            raise OutsideError(f"{self.binaries / program} cannot be started: {error.strerror}") from error

    def _wait_ready(self) -> None:
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=_trusting())
        )
        request = urllib.request.Request(f"{self.url}/readyz", headers={"Authorization": f"Bearer {self.token}"})
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline and all(each.poll() is None for each in self._processes.values()):
            try:
                with opener.open(request, timeout=5):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        ended = [name for name, each in self._processes.items() if each.poll() is not None]
        program = ended[0] if ended else "kube-apiserver"
        raise OutsideError(f"{program} did not become ready; the end of its log: {self._last_line(program)}")

    def _log(self, program: str) -> Path:
        return self.folder / f"{program}.log"

    def _last_line(self, program: str) -> str:
        lines = self._log(program).read_text(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "it is empty"

    def _write_kubeconfig(self) -> None:
        _private(
            self.kubeconfig,
            "apiVersion: v1\nkind: Config\ncurrent-context: envtest\n"
            f'clusters: [{{name: envtest, cluster: {{server: "{self.url}", '
            f'certificate-authority: "{self.folder / "certs" / "apiserver.crt"}"}}}}]\n'
            f"users: [{{name: envtest, user: {{token: {self.token}}}}}]\n"
            "contexts: [{name: envtest, context: {cluster: envtest, user: envtest}}]\n",
        )


def _trusting() -> ssl.SSLContext:
    """The server makes its certificate itself, while we wait for it."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _random_token() -> str:
    import secrets

    return secrets.token_urlsafe(24)


def _private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)


def _service_account_key(folder: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    path = folder / "sa.key"
    if not path.exists():
        key = generate_private_key(65537, 2048)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
        _private(path, pem.decode())
