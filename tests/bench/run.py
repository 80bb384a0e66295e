"""`make bench`: every `bench_*.py` beside this file, one after the other, each in a process of its own.

Each prints its figures as ratios to an anchor that it measures in the same run; they never decide a test.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Run those whose name has one of the arguments in it; all without arguments."""
    wanted = sys.argv[1:]
    failed = 0
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        if wanted and not any(word in path.stem for word in wanted):
            continue
        print(f"\n{path.stem.removeprefix('bench_').replace('_', ' ')}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"tests.bench.{path.stem}"], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
