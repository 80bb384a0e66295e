"""Where the programs of a control plane are on this machine."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

NEEDED = ("etcd", "kube-apiserver")
HOW_TO_GET = "needs a real API server: run `make controlplane` (with Go), or set KUBEBUILDER_ASSETS (setup-envtest)"

_USUAL = Path("/usr/local/kubebuilder/bin")
"""Where setup-envtest's users have always put them."""


def binaries(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the folder with kube-apiserver and etcd; None where there is none.

    `KUBEBUILDER_ASSETS` decides alone if it is set; else `ORK_CONTROLPLANE`, what `make controlplane` built last, and
    the usual place.
    """
    return next((folder for folder in _candidates(environ) if all((folder / name).exists() for name in NEEDED)), None)


def _candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    if assets := environ.get("KUBEBUILDER_ASSETS"):
        yield Path(assets)
        return
    if built := environ.get("ORK_CONTROLPLANE"):
        yield Path(built)
    cache = environ.get("XDG_CACHE_HOME") or os.path.join(environ.get("HOME", "/nonexistent"), ".cache")
    yield from sorted((Path(cache) / "ork").glob("controlplane-*"), key=_version, reverse=True)
    yield _USUAL


def _version(folder: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder.name)]
