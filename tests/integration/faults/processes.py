"""Operators as processes of their own, which can be killed."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.integration.faults.katalogs import KINDS, crd
from tests.integration.proxy import Proxy


class Process:
    """`ork run` of one Katalog; `start` after `kill` starts it anew."""

    def __init__(self, folder: Path, katalog: str, through: Proxy, *flags: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "katalog.yaml").write_text(katalog)
        for kind in KINDS:
            (folder / f"{kind.kind.lower()}.yaml").write_text(json.dumps(crd(kind)))
        self.log = folder / "log"
        kubeconfig = through.kubeconfig(folder / "kubeconfig")
        self._command = [sys.executable, "-m", "ork", "run", "-f", "katalog.yaml", "--kubeconfig", str(kubeconfig)]
        self._command += ["--listen", "127.0.0.1:0", "--no-apply-crds", *flags]
        self._folder, self._through = folder, through
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Start it."""
        environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(__file__).parents[3])}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, cwd=self._folder, stdout=log, stderr=log, env=environment)
        return self

    def kill(self) -> None:
        """End it by SIGKILL, in the middle of whatever it does."""
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()
        self._process.kill()
        self._process.wait()
        self._process = None

    async def stop(self) -> int:
        """End it by SIGTERM and return its exit code; its last requests still pass through the proxy."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(self._process.wait, 30)
        self._process = None
        return code

    def end(self) -> None:
        """End it if it still runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def watching(self, streams: int, within: float = 40.0) -> None:
        """Wait until that many watches were opened since now."""
        before = len(self._through.log)
        deadline = time.monotonic() + within
        while sum(passed.request.watch for passed in self._through.log[before:]) < streams:
            assert time.monotonic() < deadline, self.log.read_text()
            await asyncio.sleep(0.02)


@contextmanager
def process(folder: Path, katalog: str, through: Proxy, *flags: str) -> Iterator[Process]:
    """Give a process that has started and that ends with the context."""
    one = Process(folder, katalog, through, *flags).start()
    try:
        yield one
    finally:
        one.end()


async def quiet(through: Proxy, seconds: float = 1.0, within: float = 30.0) -> None:
    """Wait until nothing was written for a while: whoever has converged has nothing to write."""
    deadline = time.monotonic() + within
    while through.writes(time.monotonic() - seconds):
        assert time.monotonic() < deadline, [
            f"{passed.request.method} {passed.request.path} {passed.status}"
            for passed in through.writes(time.monotonic() - seconds)
        ]
        await asyncio.sleep(0.1)
