"""Where the files are that ship with `ork`: packs and schemas."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def folder(name: str) -> Path:
    """Return the folder `packs` or `schemas`: inside the package once installed, beside it in a checkout."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
