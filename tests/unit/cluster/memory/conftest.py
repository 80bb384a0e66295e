"""A store and its clock."""

from __future__ import annotations

import pytest

from ork.cluster.memory.store import Store
from tests.unit.cluster.world import SetClock, new_store, with_widgets


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def store(clock: SetClock) -> Store:
    return new_store(clock)


@pytest.fixture
def widgets(store: Store) -> Store:
    """The store, with Widgets defined."""
    return with_widgets(store)
