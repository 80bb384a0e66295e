"""A real kube-apiserver for tests and benchmarks: the product's own starter, with a token that tests know."""

from __future__ import annotations

from pathlib import Path

from ork.cluster.envtest.binaries import HOW_TO_GET, binaries
from ork.cluster.envtest.plane import ALL_CONTROLLERS
from ork.cluster.envtest.plane import ControlPlane as Plane

__all__ = ["ALL_CONTROLLERS", "HERE", "SKIP_REASON", "TOKEN", "ControlPlane", "binaries"]

HERE = Path(__file__).parent
TOKEN = "admintoken"
SKIP_REASON = HOW_TO_GET


class ControlPlane(Plane):
    """One API server with a folder of its own, whose administrator has the token `TOKEN`."""

    def __init__(self, folder: Path, controllers: tuple[str, ...] = ()) -> None:
        super().__init__(folder, controllers, TOKEN)
