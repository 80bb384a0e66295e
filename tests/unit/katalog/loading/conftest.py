"""How these tests read texts and documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ork.base.findings import Finding
from ork.katalog.documents import decoded
from ork.katalog.sources import Sources, in_memory
from ork.katalog.yaml.loader import load
from ork.katalog.yaml.nodes import AnyNode, Mapping, to_data
from ork.katalog.yaml.source import Source
from tests import documents


class Loaded(NamedTuple):
    """What came of a text."""

    roots: list[AnyNode]
    findings: list[Finding]

    @property
    def data(self) -> list[Any]:
        """The documents as plain data."""
        return [to_data(root) for root in self.roots]

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, in order."""
        return [finding.code for finding in self.findings]


class Decoded(NamedTuple):
    """What came of a document."""

    root: Mapping | None
    findings: list[Finding]

    @property
    def data(self) -> Any:
        """The document as plain data."""
        assert self.root is not None
        return to_data(self.root)

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, in order."""
        return [finding.code for finding in self.findings]

    def only(self, code: str) -> Finding:
        """Return the one finding, which has that code."""
        assert self.codes == [code], [str(finding) for finding in self.findings]
        return self.findings[0]


@pytest.fixture
def read() -> Callable[[str], Loaded]:
    """Load a text as YAML."""

    def reading(text: str) -> Loaded:
        findings: list[Finding] = []
        return Loaded(load(Source("k.yaml", text), findings), findings)

    return reading


@pytest.fixture
def decode() -> Callable[..., Decoded]:
    """Decode the first document of `k.yaml`; further files are given by name."""

    def decoding(text: str, files: dict[str, str] | None = None) -> Decoded:
        findings: list[Finding] = []
        sources = Sources(in_memory({"k.yaml": text, **(files or {})}))
        root = sources.documents("k.yaml", findings)[0]
        return Decoded(decoded(root, sources, findings), findings)

    return decoding


@pytest.fixture
def entry(decode: Callable[..., Decoded]) -> Callable[..., Decoded]:
    """Decode a Katalog with one CRD entry `app`, whose keys are given (indented by nothing)."""

    def decoding(text: str, files: dict[str, str] | None = None) -> Decoded:
        found = decode(documents.katalog("k", app=text), files)
        app = found.root
        for key in ("spec", "crds", "app"):
            app = app.mapping(key) if app is not None else None
        return Decoded(app, found.findings)

    return decoding
