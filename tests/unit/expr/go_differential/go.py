"""Go's side of the comparison: the program in `../gotemplate`, built once and kept outside of the tree."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.unit.expr.go_differential.corpus import Case

SOURCE = Path(__file__).parent.with_name("gotemplate")
AVAILABLE = shutil.which("go") is not None
MISSING = "Go is not installed, so templates are not compared with Go's own (https://go.dev/dl)"


class Answer(NamedTuple):
    """What became of one template: its output, or in which stage it failed and why."""

    output: str
    stage: str
    """`parse` or `run`; empty where it worked."""
    error: str


def program() -> Path:
    """Return the built program; it is built again only when its source changes."""
    digest = hashlib.sha256((SOURCE / "main.go").read_bytes()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ork" / "tests"
    binary = cache / f"gotemplate-{digest}"
    if not binary.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = binary.with_suffix(f".{os.getpid()}")
        subprocess.run(["go", "build", "-o", str(partial), "."], cwd=SOURCE, check=True)
        partial.replace(binary)
    return binary


def answers(cases: Iterable[Case]) -> list[Answer]:
    """Render every case with Go, in one process."""
    jobs = "\n".join(json.dumps(case._asdict()) for case in cases)
    done = subprocess.run([program()], input=jobs, capture_output=True, text=True, check=True)
    return [Answer(**json.loads(line)) for line in done.stdout.split("\n") if line]
