"""Which kind of document a file holds: said, or inferred from a bare document's keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ork.katalog.documents import kind_of, spec_of

API = "apiVersion: orkestra.orkspace.io/v1\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (API + "kind: Katalog", "Katalog"),
        (API + "kind: Simulate", "Simulate"),
        ("apiVersion: orkestra.konductor.io/v1Alpha\nkind: Katalog", "Katalog"),
        (API + "kind: Katalogue", "Katalogue"),
        (API + "kind: Motif", "Motif"),
        ("kind: E2E\nsteps: []", "E2E"),
        ("spec: {crds: {}}", "Katalog"),
        ("crFiles: [a.yaml]\nexpect: {}", "Simulate"),
        ("spec: {katalog: k.yaml, target: x}", "Simulate"),
        ("imports: [a.yaml]", "Simulate"),
        ("steps: [{name: x}]", "E2E"),
        ("katalog: k.yaml\ncluster: {}", "E2E"),
        ("katalog: k.yaml\nexpct: {}", "Simulate"),
        ("apiVersion: v1\nkind: ConfigMap", ""),
        ("apiVersion: apps.demo.io/v1\nkind: Katalog", ""),
        ("apiVersion: demo.io/v1\nkind: App\nspec: {expect: {}}", ""),
        ("hooks: {}\nimage: nginx\ntarget: x", ""),
        ("steps: []\njobs: {}", ""),
        ("- a", ""),
        ("5", ""),
        ("{}", ""),
    ],
)
def test_a_document_has_the_kind_that_it_says_or_that_its_keys_mean(
    read: Callable[..., Any], text: str, kind: str
) -> None:
    assert kind_of(read(text).roots[0]) == kind


@pytest.mark.parametrize(
    "text",
    [
        API + "kind: Simulate\nmetadata: {name: s}\nspec: {cycles: 3}",
        API + "kind: Simulate\nmetadata: {name: s}\ncycles: 3",
        "spec: {cycles: 3}",
        "cycles: 3",
    ],
)
def test_a_simulate_document_may_be_whole_or_bare(decode: Callable[..., Any], text: str) -> None:
    found = decode(text)
    assert found.codes == []
    assert spec_of(found.root).value("cycles") == 3


@pytest.mark.parametrize(("kind", "code"), [("Motif", "ORK0111"), ("Komposer", "ORK0111"), ("Simulat", "ORK0109")])
def test_a_kind_that_is_not_there_is_named(decode: Callable[..., Any], kind: str, code: str) -> None:
    found = decode(API + f"kind: {kind}\nmetadata: {{name: x}}")
    assert found.root is None
    assert found.only(code).span.line == 2


def test_an_unknown_key_of_a_bare_document_is_a_finding(decode: Callable[..., Any]) -> None:
    assert decode("katalog: k.yaml\ncyles: 3").only("ORK0101").hint == 'did you mean "cycles"?'


def test_every_form_of_an_e2e_assertion_is_taken(decode: Callable[..., Any]) -> None:
    found = decode("""
katalog: k.yaml
crFiles: [cr.yaml]
cluster: {provider: kind}
steps:
  - name: disable
    kubectl:
      patch: {resource: apps, name: my-app, patch: '{"spec":{"enabled":false}}'}
  - name: wait
    after: 5s
    timeout: 1m
    kubectl:
      port-forward: {pod-selector: "app=x", port: 8080}
      assert: {path: /katalog, jq: .crds.app.gated, equals: "true"}
    resources: [{kind: Deployment, name: x, ready: true, count: 1}]
    http: [{path: /healthz, status: 200}]
  - {path: /katalog, jq: gated, equals: "true"}
expect: [{name: done, timeout: 10s, resources: [{kind: App}]}]
""")
    assert found.codes == []
