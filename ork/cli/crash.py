"""What a bug looks like to a user: one line, and a file to report it with."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from ork import __version__
from ork.cli import terminal
from ork.cli.exits import BUG


def report(error: Exception, args: Sequence[str]) -> int:
    """Write the report file and say where it is; `ORK_DEBUG=1` shows the traceback instead. Returns exit code 70."""
    trace = "".join(traceback.format_exception(error))
    if os.environ.get("ORK_DEBUG") == "1":
        terminal.notice(trace)
        return BUG
    text = (
        f"ork {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"$ ork {shlex.join(args)}\n\n{trace}"
    )
    summary = f"this is a bug in ork ({type(error).__name__})"
    place = _write(text)
    if place is None:
        hint = "run it again with ORK_DEBUG=1, and open an issue with what it prints"
        terminal.complain(f"{summary}; its report could not be written", hint)
    else:
        terminal.complain(f"{summary}; please open an issue and attach {place}")
    return BUG


def _write(text: str) -> str | None:
    """Put the report into the current folder, or where temporary files go; the name is the same for the same bug."""
    name = f"ork-crash-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:8]}.txt"
    for folder in ("", tempfile.gettempdir()):
        try:
            path = Path(folder, name)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return str(path)
    return None
