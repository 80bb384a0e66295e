"""`toNamespaces`, `fromConfigMap`, `fromSecret` and `once`: what becomes of them, and what is said of wrong ones."""

from __future__ import annotations

import pytest

from ork.program import Keep
from tests.unit.katalog.compiling.conftest import ENV, Compile, cr


def box(entry: str, group: str = "secrets", block: str = "onReconcile") -> str:
    return f"operatorBox: {{{block}: {{{group}: [{{{entry}}}]}}}}"


def test_namespaces_are_rendered_with_the_lists_among_them(compiled: Compile) -> None:
    entry = compiled(box('toNamespaces: [a, "{{ .spec.tier }}-b", "{{ .spec.regions }}"]')).entry()
    assert entry.spread is not None
    assert entry.spread(cr(tier="gold", regions=["c", "d"]), ENV) == ["a", "gold-b", ["c", "d"]]
    assert entry.spread(cr(tier="gold"), ENV) == ["a", "gold-b"], "the schema says that the list is optional"
    assert {("spec", "tier"), ("spec", "regions")} <= entry.reads
    assert entry.elsewhere


@pytest.mark.parametrize(
    ("group", "key", "fields"),
    [("configMaps", "fromConfigMap", ("data",)), ("secrets", "fromSecret", ("data", "type"))],
)
def test_a_source_is_named_by_templates(compiled: Compile, group: str, key: str, fields: tuple[str, ...]) -> None:
    entry = compiled(box(f'{key}: "{{{{ .spec.tier }}}}-x", fromNamespace: vault', group)).entry()
    assert entry.source is not None
    assert entry.source.fields == fields
    assert entry.source.name(cr(tier="gold"), ENV) == "gold-x"
    assert entry.source.namespace is not None
    assert ("spec", "tier") in entry.reads
    assert not entry.elsewhere


def test_the_fields_of_copies_are_no_fields_of_the_object(compiled: Compile) -> None:
    made = compiled(box("fromSecret: x, fromNamespace: vault, toNamespaces: [a], once: true"))
    assert made.codes == []
    assert made.built(cr()) == {}


@pytest.mark.parametrize(
    ("block", "extra", "keep"),
    [("onCreate", "", Keep.ONCE), ("onCreate", ", reconcile: true", Keep.SYNC), ("onReconcile", "", Keep.SYNC)],
)
def test_once_changes_nothing_where_drift_is_corrected(compiled: Compile, block: str, extra: str, keep: Keep) -> None:
    assert compiled(box("once: true" + extra, block=block)).entry().keep is keep


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("fromNamespace: vault", "ORK0601"),
        ("namespace: a, toNamespaces: [b]", "ORK0608"),
        ('toNamespaces: ["{{ .spec.nowhere }}"]', "ORK0304"),
        ('fromSecret: "{{ .spec.nowhere }}"', "ORK0304"),
        ("toNamespaces: a", "ORK0102"),
        ("tls: {}", "ORK0111"),
        ("rotateAfter: 90d", "ORK0111"),
    ],
)
def test_what_cannot_be_meant_is_an_error(compiled: Compile, entry: str, code: str) -> None:
    assert compiled(box(entry)).codes == [code]


def test_random_copies_are_refused_since_they_would_differ(compiled: Compile) -> None:
    entry = 'toNamespaces: [a, b], data: {a: "{{ randomHex 4 }}"}'
    assert compiled(box(entry, block="onCreate")).codes == ["ORK0311"]
    assert compiled(box(entry.replace("toNamespaces: [a, b], ", ""), block="onCreate")).codes == []


@pytest.mark.parametrize(
    ("entry", "codes"),
    [
        ("toNamespaces: [a]", []),
        ("toNamespaces: [a], fromSecret: x", ["ORK0608"]),
        ("toNamespaces: [a], fromSecret: x, fromNamespace: vault", []),
    ],
)
def test_a_cluster_scoped_cr_lends_no_namespace(compiled: Compile, entry: str, codes: list[str]) -> None:
    assert compiled("namespaced: false\n" + box(entry), typed=False).codes == codes


def test_entries_of_one_name_are_told_apart_by_their_namespaces(compiled: Compile) -> None:
    both = "operatorBox: {onReconcile: {secrets: [{name: x, toNamespaces: [a]}, {name: x, toNamespaces: [%s]}]}}"
    assert compiled(both % "b").codes == []
    assert compiled(both % "a").codes == ["ORK0609"]
