"""An API server of the faults' own, since they restart it, with the garbage collector that Kubernetes has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from ork.base.clock import SystemClock
from ork.cluster.kube.cluster import KubeCluster
from ork.cluster.kube.install import Installer
from tests.controlplane.controlplane import SKIP_REASON, ControlPlane, binaries
from tests.integration.clients import client_of
from tests.integration.faults.katalogs import KINDS, crd

COLLECTOR = ("garbage-collector-controller",)


class Plane(ControlPlane):
    """The collector asks only twice a minute which kinds there are, so ours are there before it starts."""

    def _start_controllers(self) -> None:
        asyncio.run(self._install())
        super()._start_controllers()

    async def _install(self) -> None:
        async with client_of(self.kubeconfig) as client:
            for kind in KINDS:
                await Installer(client, KubeCluster(client, "test", SystemClock())).install(crd(kind))


@pytest.fixture(scope="session")
def shaken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """Give the API server."""
    if binaries() is None:
        pytest.skip(SKIP_REASON)
    with Plane(tmp_path_factory.mktemp("shaken"), COLLECTOR) as running:
        yield running
