"""The end of `make try`: the operator at work on a cluster in its own process, while the App's file is changed.

    python -m tests.tour FOLDER        # a folder with the pack conditional-reconciliation

Needs no kubectl: `--dev` applies the CRs and follows their files. It ends by itself, within half a minute.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

LONGEST = 30.0
COMMAND = ("ork", "run", "--embedded", "--dev", "--listen", "127.0.0.1:0")


class Tour:
    """One run of the operator, shown as it goes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.deadline, self.lines = folder, time.monotonic() + LONGEST, list[str]()
        self.say(f"$ {' '.join(COMMAND)}")
        environ = {**os.environ, "XDG_CACHE_HOME": str(folder / ".cache")}
        self.process = subprocess.Popen(
            COMMAND, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            sys.stdout.write(line)
            sys.stdout.flush()

    def say(self, text: str) -> None:
        """Print a line of the tour's own."""
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def wait(self, look: Callable[[], T | None]) -> T:
        """Wait until a look finds something, and return it."""
        while time.monotonic() < self.deadline and self.process.poll() is None:
            if (found := look()) is not None:
                return found
            time.sleep(0.05)
        raise SystemExit("the tour did not come to its end; see the lines above")

    def logged(self, pattern: str) -> re.Match[str]:
        """Wait for a line that matches."""
        return self.wait(lambda: re.search(pattern, "".join(self.lines)))

    def change(self, name: str, old: str, new: str) -> None:
        """Change a file, as in an editor."""
        self.say(f"\n# {name} is edited: {old} becomes {new}")
        path = self.folder / name
        path.write_text(path.read_text().replace(old, new))

    def end(self) -> int:
        """Stop the operator."""
        self.say("\n# Ctrl-C")
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(10)


def entry(url: str) -> dict[str, Any] | None:
    """Return what `/katalog` says of the App once it is gated."""
    try:
        with urllib.request.urlopen(f"{url}/katalog", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)["crds"]["app"]
    except OSError:  # it starts anew
        return None
    return found if found["gated"] else None


def main(folder: Path) -> int:
    """Show children that appear, a change that flows through, and a gate that closes."""
    tour = Tour(folder)
    try:
        url = tour.logged(r"http://127\.0\.0\.1:\d+")[0]
        tour.logged(r"my-app: settled \[create deployments")
        tour.change("cr-app.yaml", "nginx:1.27", "nginx:1.28")
        tour.logged(r"my-app: settled \[update deployments")
        tour.change("cr-app.yaml", "enabled: true", "enabled: false")
        gated = tour.wait(lambda: entry(url))
        tour.say(f"\n$ curl {url}/katalog\n" + json.dumps({"crds": {"app": gated}}, indent=2))
        return 0 if tour.end() == 130 else 1
    finally:
        tour.process.kill()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
