"""The rights that follow from a Katalog. That they suffice and are the least is tested in tests/integration."""

from __future__ import annotations

import pytest

from ork.program import Program
from ork.runtime.rbac import EVERYWHERE, Wanted, granting, rights
from tests import documents
from tests.unit.simulate.conftest import BOX, CRD, katalog

HOME = Wanted("home")
LIST = "configMaps: [{name: '{{ .metadata.name }}', data: {a: b}}]"
ELSEWHERE = LIST.replace(", data:", ", namespace: other, data:")
ANYWHERE = LIST.replace(", data:", ", namespace: '{{ .metadata.name }}', data:")


def program(box: str = BOX, entry: str = "", crd: str = CRD) -> Program:
    """Compile a Katalog with one entry, for `apps.demo.io`."""
    return documents.program(katalog(box, entry), {"crd.yaml": crd})


def verbs(found: Program, resource: str, wanted: Wanted = HOME, place: str = EVERYWHERE) -> str:
    """Return the verbs on a resource in one place, with the names that they are limited to."""
    rules = rights(found, wanted).get(place, [])
    return "; ".join(
        " ".join(rule["verbs"]) + (f" of {', '.join(rule['resourceNames'])}" if "resourceNames" in rule else "")
        for rule in rules
        if resource in rule["resources"]
    )


def test_a_cr_is_watched_and_its_status_written() -> None:
    found = program()
    assert verbs(found, "apps") == "list watch"
    assert verbs(found, "apps/status") == "patch"
    assert verbs(found, "apps/finalizers") == "update"
    assert verbs(found, "events") == "create"


@pytest.mark.parametrize(
    ("box", "place", "expected"),
    [
        (f"onReconcile: {{{LIST}}}", EVERYWHERE, "update"),
        (f"onReconcile: {{{ELSEWHERE}}}", EVERYWHERE, "update"),
        (f"onReconcile: {{{ELSEWHERE}}}", "other", "update"),
        (f"onReconcile: {{{ELSEWHERE}}}", "blue", ""),
        (f"onReconcile: {{{ANYWHERE}}}", "blue", "update"),
        ("onReconcile: {namespaces: [{name: space}]}", EVERYWHERE, ""),
    ],
)
def test_a_cr_is_named_as_the_owner_of_what_can_stand_in_its_namespace(box: str, place: str, expected: str) -> None:
    wanted = HOME._replace(namespaces=(place,) if place else ())
    assert verbs(program(box), "apps/finalizers", wanted, place) == expected


def test_without_a_status_subresource_none_is_written() -> None:
    assert not verbs(program(crd=CRD.replace("subresources: {status: {}}", "")), "apps/status")


@pytest.mark.parametrize(
    ("box", "why"),
    [
        ("onReconcile: {jobs: [{name: j, image: i}]}", "a Job that ran is noted"),
        ("onReconcile: {namespaces: [{name: space}]}", "a cluster-scoped child needs the finalizer"),
        (f"onReconcile: {{{ELSEWHERE}}}", "a child elsewhere needs it, too"),
    ],
)
def test_a_cr_is_changed_where_it_carries_marks(box: str, why: str) -> None:
    assert verbs(program(box), "apps") == "list watch patch", why


def test_a_cr_is_read_where_it_can_leave_a_selector_with_marks_on_it() -> None:
    selected = "labelSelector: tier=gold"
    assert verbs(program(f"onReconcile: {{{ELSEWHERE}}}", selected), "apps") == "get list watch patch"
    assert verbs(program(f"onReconcile: {{{LIST}}}", selected), "apps") == "list watch"


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (f"onReconcile: {{{LIST}}}", "get list watch create patch delete"),
        (f"onCreate: {{{LIST}}}", "get list watch create patch"),
        (f"onReconcile: {{{LIST.replace(', data:', ', prune: false, data:')}}}", "get list watch create patch"),
        (f"onCreate: {{{ELSEWHERE}}}", "get list watch create patch delete"),
    ],
)
def test_a_child_is_deleted_only_where_it_is_pruned_or_nobody_else_would(box: str, expected: str) -> None:
    assert verbs(program(box), "configmaps") == expected


def test_namespaces_that_the_katalog_names_get_roles_of_their_own() -> None:
    found = program(entry="allowedNamespaces: [blue, green]")
    assert list(rights(found, HOME)) == ["blue", "green", "home"]
    assert verbs(found, "deployments", place="blue") == "get list watch create patch delete"
    assert verbs(found, "events", place="green") == "create"


def test_namespaces_that_the_user_names_do_the_same() -> None:
    wanted = Wanted("home", ("blue",))
    assert list(rights(program(), wanted)) == ["blue", "home"]


def test_a_child_that_may_be_anywhere_is_watched_everywhere() -> None:
    found = program(f"onReconcile: {{{ELSEWHERE}}}", "namespace: blue")
    assert verbs(found, "configmaps") == "get list watch create patch delete"
    assert verbs(found, "apps", place="blue") == "list watch patch"
    assert not verbs(found, "configmaps", place="blue")


def test_the_lease_is_one_by_name_in_the_operator_s_own_namespace() -> None:
    assert verbs(program(), "leases", place="home") == "create; get update of ork-test"
    assert not verbs(program(), "leases", HOME._replace(elect=False), "home")


def test_crds_are_touched_only_on_demand_and_by_name() -> None:
    assert not verbs(program(), "customresourcedefinitions")
    wanted = HOME._replace(apply_crds=True)
    assert verbs(program(), "customresourcedefinitions", wanted) == "get create patch of apps.demo.io"


def test_children_that_grant_rights_are_told() -> None:
    role = "onReconcile: {custom: [{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r}}]}"
    assert granting(program(role)) == ["Role"]
    assert granting(program()) == []


def test_copies_in_other_namespaces_are_made_watched_and_deleted_everywhere() -> None:
    box = f"onReconcile: {{{LIST.replace(', data:', ', toNamespaces: [a], data:')}}}"
    found = program(box)
    assert verbs(found, "configmaps", HOME._replace(namespaces=("shop",))) == "get list watch create patch delete"
    assert verbs(found, "apps") == "list watch patch", "a finalizer sees to those that no owner reference covers"


@pytest.mark.parametrize(
    ("source", "place", "read"),
    [
        ("fromSecret: pull, fromNamespace: vault", "vault", "get of pull"),
        ("fromSecret: '{{ .spec.url }}', fromNamespace: vault", "vault", "get"),
        ("fromSecret: pull, fromNamespace: '{{ .spec.url }}'", EVERYWHERE, "get of pull"),
    ],
)
def test_what_is_copied_may_be_read_where_it_is(source: str, place: str, read: str) -> None:
    found = program(f"onReconcile: {{secrets: [{{name: copy, {source}}}]}}")
    wanted = HOME._replace(namespaces=("shop",))
    assert verbs(found, "secrets", wanted, place) == read
    assert verbs(found, "secrets", wanted, "shop") == "get list watch create patch delete"
