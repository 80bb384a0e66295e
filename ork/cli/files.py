"""Files that a call writes."""

from __future__ import annotations

from pathlib import Path

from ork.base.errors import UsageError


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a file and the folders that it needs. Raises UsageError."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from error
