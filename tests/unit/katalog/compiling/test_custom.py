"""Custom entries, and kinds without a namespace (resources.md)."""

from __future__ import annotations

import pytest

from .conftest import Compile, cr


def test_a_namespaced_child_of_a_cluster_scoped_cr_says_its_namespace(compiled: Compile) -> None:
    text = "namespaced: false\noperatorBox: {onReconcile: {configMaps: [{data: {a: b}%s}]}}"
    assert compiled(text % "", typed=False).codes == ["ORK0608"]
    assert compiled(text % ", namespace: ops", typed=False).codes == []


def test_custom_entries_are_whole_objects(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            custom:
              - apiVersion: cache.example.com/v1
                kind: Cache
                metadata: {name: "{{ .metadata.name }}", labels: {a: "{{ .spec.tier }}"}, namespaced: false}
                spec: {size: "{{ .spec.replicas }}", name: "x-{{ .spec.tier }}", deep: [{a: 1}]}
                extra: {more: true}
                when: [{field: spec.tier, equals: gold}]
    """)
    assert made.findings == []
    entry = made.entry()
    assert (entry.kind.group, entry.kind.kind, entry.kind.plural) == ("cache.example.com", "Cache", "caches")
    assert not entry.kind.namespaced
    assert made.built(cr(tier="gold", replicas=2)) == {
        "metadata": {"labels": {"a": "gold"}},
        "spec": {"size": 2, "name": "x-gold", "deep": [{"a": 1}]},
        "extra": {"more": True},
    }


def test_custom_entries_of_known_kinds_have_their_scope_and_schema(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            custom:
              - apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
              - apiVersion: demo.io/v1
                kind: App
                metadata: {name: other}
                spec: {image: x, replicas: "2"}
    """)
    assert made.findings == []
    assert not made.entry(0).kind.namespaced
    assert made.built(cr(), 1)["spec"] == {"image": "x", "replicas": 2}


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("{apiVersion: v1, metadata: {name: a}}", "ORK0104"),
        ("{apiVersion: v1, kind: ConfigMap}", "ORK0601"),
        ("{apiVersion: v1, kind: '{{ .spec.tier }}', metadata: {name: a}}", "ORK0611"),
        ("{apiVersion: '{{ .spec.tier }}', kind: ConfigMap, metadata: {name: a}}", "ORK0611"),
    ],
)
def test_a_custom_entry_says_literally_what_it_is(compiled: Compile, entry: str, code: str) -> None:
    assert compiled(f"operatorBox: {{onReconcile: {{custom: [{entry}]}}}}").codes == [code]


def test_the_status_of_a_custom_object_is_not_written_yet(compiled: Compile) -> None:
    entry = "{apiVersion: a.io/v1, kind: A, metadata: {name: a}, status: {x: y}}"
    assert compiled(f"operatorBox: {{onReconcile: {{custom: [{entry}]}}}}").codes == ["ORK0111"]
