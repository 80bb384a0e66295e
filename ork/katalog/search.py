"""Which files a directory offers to a check."""

from __future__ import annotations

import os

_ENDINGS = (".yaml", ".yml")


def files_in(directory: str, *, deep: bool = True) -> list[str]:
    """Return the YAML files of a directory, and with `deep` of those below it, in order. Hidden ones are left out, and
    so are pipes and devices, which would keep the reader waiting.

    Paths begin as the directory is written, so that findings name files as the user does.
    """
    found: list[str] = []
    for folder, below, names in os.walk(directory):
        below[:] = sorted(name for name in below if not name.startswith(".")) if deep else []
        files = sorted(name for name in names if name.endswith(_ENDINGS) and not name.startswith("."))
        found += [name if folder == "." else os.path.join(folder, name).removeprefix("./") for name in files]
    return [path for path in found if os.path.isfile(path) or not os.path.exists(path)]
