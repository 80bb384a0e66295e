"""What is watched for a Katalog, and which objects of a kind a CRD looks after."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Object
from ork.program import Crd
from ork.runtime.selection import selection
from ork.runtime.watches import watches
from tests.unit.runtime.conftest import Compiled

HEAD = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: k}\nspec: {crds: {%s}}\n"
APP = "app: {apiTypes: {group: demo.io, version: v1, kind: App}, %s}"
CHILDREN = "operatorBox: {onReconcile: {configMaps: [{name: a, data: {a: b}%s}]}}"
OURS = "app.kubernetes.io/managed-by=orkestra,orkestra.orkspace.io/katalog=k"


def watched(compiled: Compiled, entries: str, *namespaces: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Return resource, namespace, selectors and who needs it, of each watch."""
    found = watches(compiled(HEAD % entries), namespaces)
    return [
        (watch.scope.kind.plural, watch.scope.namespace, watch.scope.labels or watch.scope.fields, watch.needed_by)
        for watch in found
    ]


def test_crs_and_their_children_by_label_are_watched_everywhere(compiled: Compiled) -> None:
    assert watched(compiled, APP % (CHILDREN % "")) == [
        ("apps", "", "", ("app",)),
        ("configmaps", "", OURS, ("app",)),
    ]


@pytest.mark.parametrize(
    ("declared", "chosen", "meant"),
    [
        ("namespace: a", (), ["a"]),
        ("allowedNamespaces: [a, b]", (), ["a", "b"]),
        ("allowedNamespaces: [a, b]", ("b", "c"), ["b"]),
        ("description: x", ("b", "c"), ["b", "c"]),
        ("namespace: a", ("b",), []),
    ],
)
def test_namespaces_of_the_entry_and_of_the_call_narrow_each_other(
    compiled: Compiled, declared: str, chosen: tuple[str, ...], meant: list[str]
) -> None:
    found = watched(compiled, APP % f"{declared}, {CHILDREN % ''}", *chosen)
    assert [(plural, namespace) for plural, namespace, _, _ in found] == [
        *(("apps", namespace) for namespace in meant),
        *(("configmaps", namespace) for namespace in meant),
    ]


def test_children_that_can_be_anywhere_are_watched_once_for_all_who_need_them(compiled: Compiled) -> None:
    here, anywhere = CHILDREN % "", CHILDREN % ', namespace: "{{ .spec.x }}"'
    other = (APP % f"namespace: d, {here}").replace("app:", "other:").replace("App", "Other")
    found = watched(compiled, f"{APP % f'namespace: d, {anywhere}'}, {other}")
    assert found[2:] == [("configmaps", "", OURS, ("app", "other"))]


def test_a_kind_of_crs_and_children_is_watched_once_and_whole(compiled: Compiled) -> None:
    maps = "maps: {apiTypes: {group: '', version: v1, kind: ConfigMap}, labelSelector: a=b, namespace: d}"
    app = APP % ("namespace: d, " + CHILDREN % "")
    found = watched(compiled, f"{maps}, {app}")
    assert found == [("apps", "d", "", ("app",)), ("configmaps", "d", "", ("app", "maps"))]


# ── selection ───────────────────────────────────────────────────────────────────────────────────
def cr(namespace: str = "d", labels: dict[str, str] | None = None, **spec: Any) -> Object:
    return {"metadata": {"name": "a", "namespace": namespace, "labels": labels or {}}, "spec": spec}


def crd(compiled: Compiled, entry: str) -> Crd:
    return compiled(HEAD % (APP % entry)).crds["app"]


def test_without_any_restriction_nothing_is_tested(compiled: Compiled) -> None:
    assert selection(crd(compiled, "description: x"), ()) is None


@pytest.mark.parametrize(
    ("entry", "obj", "meant"),
    [
        ("labelSelector: tier=gold", cr(labels={"tier": "gold"}), True),
        ("labelSelector: tier=gold", cr(), False),
        ("labelSelector: '!canary'", cr(labels={"canary": ""}), False),
        ("fieldSelector: spec.size=5", cr(size=5), True),
        ("fieldSelector: 'spec.size!=5,metadata.name=a'", cr(size=5), False),
        ("namespace: d", cr(), True),
        ("namespace: d", cr("e"), False),
        ("restrictedNamespaces: [d]", cr(), False),
        ("restrictedNamespaces: [d]", cr("e"), True),
    ],
)
def test_namespaces_labels_and_fields_decide(compiled: Compiled, entry: str, obj: Object, meant: bool) -> None:
    selected = selection(crd(compiled, entry), ())
    assert selected is not None
    assert selected(obj) is meant


def test_nothing_is_meant_where_entry_and_call_name_different_namespaces(compiled: Compiled) -> None:
    selected = selection(crd(compiled, "namespace: d"), ("e",))
    assert selected is not None
    assert not selected(cr("d"))
    assert not selected(cr("e"))
