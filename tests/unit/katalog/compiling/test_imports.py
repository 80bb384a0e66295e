"""What checking files does not load: that is what keeps `ork validate` quick (architecture)."""

from __future__ import annotations

import subprocess
import sys

HEAVY = "asyncio kubernetes httpx starlette aiohttp jsonschema jinja2 rich typer re2 semantic_version uuid difflib"


def test_the_compiler_loads_nothing_heavy() -> None:
    code = "import sys, ork.katalog.check; print(*sorted(set(sys.argv[1].split()) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code, HEAVY], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
