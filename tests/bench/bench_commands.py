"""How long `ork validate` and `ork simulate` take on the gate pack, against a bare interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from time import perf_counter

from ork.base import shipped

RUNS = 15
ORK = [sys.executable, "-m", "ork"]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.getcwd()}
PACK = shipped.folder("packs") / "intermediate" / "05-when-conditions" / "conditional-reconciliation"

COMMANDS = {
    "ork version": ([*ORK, "version"], None),
    "ork validate": ([*ORK, "validate"], 12),
    "ork simulate": ([*ORK, "simulate"], 20),
}


def main() -> None:
    """Measure the commands in turn with the anchor, so that a busy moment hits all alike."""
    bare = [sys.executable, "-c", "pass"]
    times: dict[str, list[float]] = {name: [] for name in ("bare", *COMMANDS)}
    for _ in range(RUNS):
        times["bare"].append(_wall(bare))
        for name, (command, _) in COMMANDS.items():
            times[name].append(_wall(command))
    anchor = min(times["bare"])
    print(f"  bare interpreter    {anchor * 1000:6.1f} ms")
    for name, (_, limit) in COMMANDS.items():
        best = min(times[name])
        goal = f"(at most {limit})" if limit else ""
        print(f"  {name:18}  {best * 1000:6.1f} ms  {best / anchor:5.1f} × the bare interpreter {goal}")


def _wall(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, cwd=PACK, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    return perf_counter() - start


if __name__ == "__main__":
    main()
