"""What the story of one object brings with it: nothing that makes a command slow to start."""

from __future__ import annotations

import subprocess
import sys


def test_no_event_loop_and_no_http_client_is_loaded() -> None:
    code = (
        "import sys, ork.reconcile.handle, ork.reconcile.gates, ork.calls.retry\n"
        "print([name for name in ('asyncio', 'httpx', 'httpcore', 'ipaddress', 'email') if name in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert found.stdout == "[]\n"
