"""A real API server for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.controlplane.controlplane import SKIP_REASON, ControlPlane, binaries


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    if binaries() is None:
        pytest.skip(SKIP_REASON)
    with ControlPlane(tmp_path_factory.mktemp("plane")) as running:
        yield running
