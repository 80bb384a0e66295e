"""A real API server for the whole run, and clients of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ork.cluster.kube.client import Client
from ork.cluster.kube.config import Target, connect
from tests.controlplane.controlplane import SKIP_REASON, ControlPlane, binaries


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    if binaries() is None:
        pytest.skip(SKIP_REASON)
    with ControlPlane(tmp_path_factory.mktemp("plane")) as running:
        yield running


@asynccontextmanager
async def client_of(kubeconfig: Path) -> AsyncIterator[Client]:
    """Give a client that is closed at the end."""
    client = Client(await connect(Target(kubeconfig)))
    try:
        yield client
    finally:
        await client.close()
