"""What a path names, and in which form a client wants its answer."""

from __future__ import annotations

import pytest

from ork.cluster.memory.status import ApiError
from ork.cluster.server.negotiation import Form, accepted, aggregated
from ork.cluster.server.target import Target, parse

NAMESPACED = {"namespace": "n", "in_namespace": True}


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/api", Target(True)),
        ("/apis/", Target(False)),
        ("/api/v1", Target(True, "", "v1")),
        ("/apis/apps", Target(False, "apps")),
        ("/apis/apps/v1", Target(False, "apps", "v1")),
        ("/api/v1/nodes/a", Target(True, "", "v1", plural="nodes", name="a")),
        ("/api/v1/namespaces", Target(True, "", "v1", plural="namespaces")),
        ("/api/v1/namespaces/n", Target(True, "", "v1", plural="namespaces", name="n")),
        ("/api/v1/namespaces/n/status", Target(True, "", "v1", plural="namespaces", name="n", subresource="status")),
        ("/api/v1/namespaces/n/pods", Target(True, "", "v1", "n", "pods", in_namespace=True)),
        ("/api/v1/watch/pods", Target(True, "", "v1", plural="pods", watched=True)),
        (
            "/apis/apps/v1/namespaces/n/deployments/a",
            Target(False, "apps", "v1", "n", "deployments", "a", "", False, True),
        ),
        ("/apis/a.b/v1/namespaces/n/xs/a/scale", Target(False, "a.b", "v1", "n", "xs", "a", "scale", False, True)),
        ("/apis/a.b/v1/namespaces/n/xs/a/log/b", Target(False, "a.b", "v1", "n", "xs", "a", "log", True, True)),
        ("/apis/a.b/v1/xs/a%2Fb", Target(False, "a.b", "v1", plural="xs", name="a", subresource="b")),
        ("/version", None),
        ("/", None),
        ("", None),
    ],
)
def test_a_path_names_a_target(path: str, target: Target | None) -> None:
    assert parse(path) == target


TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1"


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("", Form()),
        ("*/*", Form()),
        ("application/json", Form()),
        ("application/yaml", Form("yaml")),
        ("text/html, application/json;q=0.8", Form()),
        (TABLE, Form(kind="Table")),
        (f"{TABLE},application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json", Form(kind="Table")),
        ("application/json;as=Table;g=meta.k8s.io;v=v9,application/json", Form()),
        ("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", Form(kind="PartialObjectMetadataList")),
        ("application/vnd.kubernetes.protobuf,application/json", Form()),
        ("application/json;q=0.5,application/yaml", Form("yaml")),
        ("*/*,application/yaml", Form("yaml")),
        ("application/json ; as = Table ; v=v1;g=meta.k8s.io", Form("json", "Table")),
    ],
)
def test_the_best_form_that_can_be_served_is(header: str, form: Form) -> None:
    assert accepted(header) == form


@pytest.mark.parametrize(
    ("header", "form"),
    [
        ("application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", Form("json")),
        ("application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json", None),
        ("application/json", None),
    ],
)
def test_discovery_comes_in_one_document_for_who_takes_it(header: str, form: Form | None) -> None:
    assert aggregated(header) == (form._replace(version="v2", aggregated=True) if form else None)


@pytest.mark.parametrize(
    ("header", "watching"),
    [("text/html", False), ("application/json;as=Odd;g=meta.k8s.io;v=v1", False), ("application/yaml", True)],
)
def test_what_cannot_be_served_is_not_acceptable(header: str, watching: bool) -> None:
    with pytest.raises(ApiError) as refused:
        accepted(header, watching)
    assert (refused.value.code, refused.value.reason) == (406, "NotAcceptable")
