"""Files that a call writes."""

from __future__ import annotations

import os
from pathlib import Path

from ork.base.errors import UsageError, in_words


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a file and the folders that it needs. Raises UsageError."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {in_words(error)}") from error


def write_private(name: str, content: str) -> Path:
    """Write a file that only its user reads into `ork`'s cache folder, and return its path. Raises UsageError."""
    import tempfile

    path = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "ork" / name
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:  # a container's user may have no home
        path = Path(tempfile.mkdtemp(prefix="ork-")) / path.name
    try:
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(content)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {in_words(error)}") from error
    return path
