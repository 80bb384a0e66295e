"""The API of a frozen store, asked without a socket."""

from __future__ import annotations

import pytest

from tests.unit.cluster.server.client import Client


@pytest.fixture
def client() -> Client:
    return Client()
