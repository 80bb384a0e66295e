"""Whatever a Katalog says, compiling it ends in a program or in findings, and says the same each time."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ork.base import yaml_writer
from ork.base.findings import Severity
from ork.katalog.check import check
from ork.katalog.compiler import Compiled, compile_katalog
from ork.katalog.grammar.katalog import CRD_ENTRY
from ork.katalog.sources import Sources, in_memory
from tests.documents import crd

from .test_grammar import values

CRD = crd("{type: object, properties: {x: {type: string}, list: {type: array, items: {type: integer}}}}")
SLOW = settings(suppress_health_check=list(HealthCheck), max_examples=150, deadline=None)
HEAD = {"apiVersion": "orkestra.orkspace.io/v1", "kind": "Katalog", "metadata": {"name": "demo"}}


def katalog(entry: Any, typed: bool) -> str:
    types = {"crdFile": "crd.yaml"} if typed else {"apiTypes": {"group": "demo.io", "version": "v1", "kind": "App"}}
    return yaml_writer.dump({**HEAD, "spec": {"crds": {"app": {**(entry or {}), "apiTypes": None, **types}}}})


def compiled(text: str) -> Compiled:
    return compile_katalog("katalog.yaml", Sources(in_memory({"katalog.yaml": text, "crd.yaml": CRD, "text": "a: 1"})))


@SLOW
@given(values(CRD_ENTRY, 0), st.booleans())
def test_a_katalog_of_the_right_form_compiles_or_says_why_not(entry: Any, typed: bool) -> None:
    made = compiled(katalog(entry, typed))
    errors = [finding for finding in made.findings if finding.severity is Severity.ERROR]
    assert (made.program is None) == bool(errors)
    assert all(finding.message and finding.span.line >= 1 for finding in made.findings)


@SLOW
@given(values(CRD_ENTRY, 8).filter(lambda entry: isinstance(entry, dict)), st.booleans())
def test_a_katalog_of_any_form_never_breaks_the_compiler(entry: Any, typed: bool) -> None:
    text = katalog(entry, typed)
    assert compiled(text).findings == compiled(text).findings


@SLOW
@given(st.text(max_size=200))
def test_any_text_is_checked(text: str) -> None:
    assert check(["katalog.yaml"], Sources(in_memory({"katalog.yaml": text}))).findings
