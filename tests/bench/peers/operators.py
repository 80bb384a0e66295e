"""The operators that the benchmark compares, each a process over the same CRs; those whose tools are missing say so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ork" / "bench"
_TICKS = os.sysconf("SC_CLK_TCK")


class Peer(NamedTuple):
    """One operator."""

    name: str
    command: Callable[[Path, str], list[str]]
    """Its command for a kubeconfig and a namespace."""
    stays: bool = True
    """False for the bare loop, which works once and ends."""


class Running(NamedTuple):
    """A peer at work."""

    process: subprocess.Popen[bytes]

    @property
    def cpu(self) -> float:
        """CPU seconds that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def rss(self) -> float:
        """Megabytes that it holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


def peers() -> list[Peer]:
    """Return those that can run here, the bare loop first; says on stdout which cannot."""
    found = [Peer("raw loop", _raw, stays=False), Peer("raw, watching", _watching, stays=False), ork("127.0.0.1:0")]
    if binary := _controller_runtime():
        found.append(Peer("controller-runtime", lambda _, namespace: [binary, "-namespace", namespace]))
    if kopf := os.environ.get("ORK_BENCH_KOPF") or shutil.which("kopf"):
        module = str(HERE / "kopf_operator.py")
        found.append(Peer("kopf", lambda _, namespace: [kopf, "run", "--standalone", "-n", namespace, module]))
    else:
        print("  kopf is skipped: pip install kopf somewhere, and name its program in ORK_BENCH_KOPF")
    return found


def _raw(kubeconfig: Path, namespace: str) -> list[str]:
    return [sys.executable, "-m", "tests.bench.peers.raw", str(kubeconfig), namespace]


def _watching(kubeconfig: Path, namespace: str) -> list[str]:
    return [*_raw(kubeconfig, namespace), "watch"]


def ork(listen: str) -> Peer:
    """Return `ork run`, whose live API is at that address."""

    def command(kubeconfig: Path, namespace: str) -> list[str]:
        flags = ["--kubeconfig", str(kubeconfig), "--listen", listen, "--no-apply-crds", "-n", namespace]
        return [sys.executable, "-m", "ork", "run", "-f", str(HERE / "katalog.yaml"), *flags]

    return Peer("ork", command)


def _controller_runtime() -> str:
    """Return the program, which is built where Go is there; empty where it is not."""
    if named := os.environ.get("ORK_BENCH_CONTROLLER_RUNTIME"):
        return named
    if shutil.which("go") is None:
        print("  controller-runtime is skipped: it is built with Go, which is not there")
        return ""
    CACHE.mkdir(parents=True, exist_ok=True)
    binary = CACHE / "controller-runtime"
    subprocess.run(["go", "build", "-o", str(binary), "."], cwd=HERE / "controller-runtime", check=True)
    return str(binary)


@contextmanager
def started(peer: Peer, kubeconfig: Path, namespace: str) -> Iterator[Running]:
    """Start a peer, and end it with the context."""
    environment = os.environ | {"KUBECONFIG": str(kubeconfig), "PYTHONPATH": str(ROOT)}
    with (kubeconfig.parent / f"{peer.name}.log").open("ab") as log:
        process = subprocess.Popen(
            peer.command(kubeconfig, namespace), stdout=log, stderr=log, env=environment, cwd=ROOT
        )
    try:
        yield Running(process)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
