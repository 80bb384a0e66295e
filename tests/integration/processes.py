"""`ork run` as a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ORK = (sys.executable, "-c", "from ork.cli.main import main; main()")
_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


class Process:
    """A running operator, its live API and its log."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process, self._log = process, log
        self.url = ""

    @property
    def log(self) -> str:
        """Everything that it said so far."""
        return self._log.read_text()

    def wait_for(self, holds: Callable[[], Any], seconds: float = 30.0) -> Any:
        """Wait until something holds, and return it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := holds():
                return found
            assert self._process.poll() is None, self.log
            time.sleep(0.02)
        raise AssertionError(f"it took too long; the log:\n{self.log}")

    def get(self, path: str) -> tuple[int, str]:
        """Ask the live API; code 0 where nothing listens."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def json(self, path: str) -> Any:
        """Return what the live API answers."""
        return json.loads(self.get(path)[1])

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and return the exit code."""
        self._process.send_signal(by)
        return self._process.wait(30)


@contextmanager
def ork_run(folder: Path, *args: str, environ: Mapping[str, str] | None = None) -> Iterator[Process]:
    """Start `ork run` in a folder, with the live API on a free port; it is killed at the end if it still runs."""
    log = folder / f"log-{time.monotonic_ns()}"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*ORK, "run", "--listen", "127.0.0.1:0", *args],
            cwd=folder,
            stderr=file,
            stdout=file,
            env={**os.environ, **(environ or {})},
        )
    running = Process(process, log)
    try:
        running.url = running.wait_for(lambda: _ADDRESS.search(running.log))[0]
        yield running
    finally:
        process.kill()
        process.wait()
