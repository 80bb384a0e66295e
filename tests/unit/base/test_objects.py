"""Objects, and the names by which they are found."""

from __future__ import annotations

import pytest

from ork.base import objects
from ork.base.objects import Kind, Ref

DEPLOYMENT = Kind("apps", "v1", "Deployment", "deployments", namespaced=True)
NAMESPACE = Kind("", "v1", "Namespace", "namespaces", namespaced=False)


def test_kinds_are_named_as_urls_and_messages_name_them() -> None:
    assert (DEPLOYMENT.api_version, DEPLOYMENT.resource) == ("apps/v1", "deployments.apps")
    assert (NAMESPACE.api_version, NAMESPACE.resource) == ("v1", "namespaces")


@pytest.mark.parametrize(
    ("api_version", "parts"),
    [("v1", ("", "v1")), ("apps/v1", ("apps", "v1")), ("a.b/c/v1", ("a.b/c", "v1")), ("", ("", ""))],
)
def test_an_api_version_is_a_group_and_a_version(api_version: str, parts: tuple[str, str]) -> None:
    assert objects.split_api_version(api_version) == parts


def test_an_object_is_named_by_kind_namespace_and_name() -> None:
    obj = {"metadata": {"name": "web", "namespace": "default"}}
    assert objects.ref_of(DEPLOYMENT, obj) == Ref(DEPLOYMENT, "default", "web")
    assert str(objects.ref_of(DEPLOYMENT, obj)) == "deployments/default/web"
    assert str(objects.ref_of(NAMESPACE, obj)) == "namespaces/web"
    assert str(objects.ref_of(DEPLOYMENT, {"metadata": {"name": "web"}})) == "deployments/web"


def test_what_is_not_there_is_empty() -> None:
    bare = {"metadata": {"name": "a"}}
    nothing = {"metadata": {"name": "a", "labels": None, "annotations": None, "finalizers": None}}
    for obj in (bare, nothing):
        assert objects.uid(obj) == ""
        assert objects.labels_of(obj) == {}
        assert objects.annotations_of(obj) == {}
        assert objects.finalizers_of(obj) == []
        assert not objects.deleting(obj)


def test_what_is_there_is_handed_out_itself() -> None:
    meta = {
        "uid": "u",
        "labels": {"a": "b"},
        "annotations": {"c": "d"},
        "finalizers": ["f"],
        "deletionTimestamp": "now",
    }
    obj = {"metadata": meta}
    assert objects.uid(obj) == "u"
    assert objects.labels_of(obj) is meta["labels"]
    assert objects.annotations_of(obj) is meta["annotations"]
    assert objects.finalizers_of(obj) is meta["finalizers"]
    assert objects.deleting(obj)
