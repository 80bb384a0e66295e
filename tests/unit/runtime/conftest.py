"""Katalogs, compiled from their text or from one box."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ork.program import Crd, Program
from tests import documents

TYPES = "apiTypes: {group: demo.io, version: v1, kind: App}"

Entry = Callable[[str], Crd]
Compiled = Callable[[str], Program]


@pytest.fixture
def compiled() -> Compiled:
    """Compile a Katalog."""
    return documents.program


@pytest.fixture
def entry(compiled: Compiled) -> Entry:
    """Compile a box, and return its CRD."""
    return lambda box: compiled(documents.katalog("k", app=documents.entry(box, TYPES))).crds["app"]
