"""A scenario of copies: the source comes late, a namespace leaves the list, and the source goes again."""

from __future__ import annotations

from tests.unit.simulate.conftest import CR, Simulate, errors, failures

BOX = """
onReconcile:
  secrets:
    - name: "{{ .metadata.name }}-pull"
      fromSecret: pull
      fromNamespace: vault
      toNamespaces: [default, "{{ .spec.names }}"]
"""
SCENARIO = """
cycles: 5
changes:
  - cycle: 1
    apply: {apiVersion: v1, kind: Namespace, metadata: {name: vault}}
  - cycle: 1
    apply: {apiVersion: v1, kind: Namespace, metadata: {name: blue}}
  - cycle: 2
    apply: {apiVersion: v1, kind: Secret, metadata: {name: pull, namespace: vault}, data: {token: aGVsbG8=}}
  - cycle: 3
    patch: {resource: apps, name: web, patch: {spec: {names: []}}}
  - cycle: 4
    delete: {resource: secrets, name: pull, namespace: vault}
expect:
  errors:
    - {cycle: 1, contains: "secrets/vault/pull, which it copies, does not exist"}
    - {cycle: 4, contains: "does not exist"}
    - {cycle: 5, contains: "does not exist"}
  ops:
    - {cycle: 1, verb: create, resource: secrets, absent: true}
    - {cycle: 2, verb: create, resource: secrets, namespace: default, fields: {data.token: aGVsbG8=}}
    - {cycle: 2, verb: create, resource: secrets, namespace: blue, count: 1}
    - {cycle: 3, verb: delete, resource: secrets, namespace: blue, name: web-pull}
    - {cycle: 4, verb: delete, resource: secrets, absent: true}
"""


def test_a_copy_follows_its_source_and_its_namespaces(simulate: Simulate) -> None:
    run = simulate(SCENARIO, box=BOX, cr=CR.replace("{image", "{names: [blue], image"))
    assert failures(run) == []
    assert not any("aGVsbG8=" in each for each in errors(run)), "no message holds what a Secret does"
