"""Clients of a real API server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ork.cluster.kube.client import Client
from ork.cluster.kube.config import Target, connect


@asynccontextmanager
async def client_of(kubeconfig: Path) -> AsyncIterator[Client]:
    """Give a client that is closed at the end."""
    client = Client(await connect(Target(kubeconfig)))
    try:
        yield client
    finally:
        await client.close()
