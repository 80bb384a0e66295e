"""What a client can find out: versions, groups, resources, schemas."""

from __future__ import annotations

from typing import Any

import pytest

from ork.cluster.server.discovery import version_rank
from tests.unit.cluster.server.client import Client

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def test_versions_come_with_the_newest_stable_one_first() -> None:
    given = ["v1alpha1", "odd", "v1", "v2beta1", "v10", "v2", "v1beta2", "v1beta1"]
    assert sorted(given, key=version_rank) == ["v10", "v2", "v1", "v2beta1", "v1beta2", "v1beta1", "v1alpha1", "odd"]


def test_the_groups_are_listed_with_the_preferred_version(client: Client) -> None:
    groups = {row["name"]: row for row in client.get("/apis").body["groups"]}
    assert groups["apps"]["preferredVersion"] == {"groupVersion": "apps/v1", "version": "v1"}
    assert groups["demo.io"]["versions"] == [{"groupVersion": "demo.io/v1", "version": "v1"}]
    assert client.get("/apis/demo.io").body["kind"] == "APIGroup"
    assert client.get("/api").body["versions"] == ["v1"]


def test_a_version_lists_its_resources_and_what_they_can(client: Client) -> None:
    rows = {row["name"]: row for row in client.get("/apis/demo.io/v1").body["resources"]}
    assert sorted(rows) == ["widgets", "widgets/status"]
    assert (rows["widgets"]["shortNames"], rows["widgets"]["singularName"]) == (["wd"], "widget")
    assert "watch" in rows["widgets"]["verbs"]
    core = {row["name"]: row for row in client.get("/api/v1").body["resources"]}
    assert (core["pods"]["shortNames"], core["namespaces"]["namespaced"]) == (["po"], False)
    deployments = {row["name"]: row for row in client.get("/apis/apps/v1").body["resources"]}
    assert (deployments["deployments/scale"]["kind"], deployments["deployments/scale"]["group"]) == (
        "Scale",
        "autoscaling",
    )


def test_everything_comes_in_one_document(client: Client) -> None:
    accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    answer = client.get("/apis", accept=accept)
    assert answer.kind == "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
    groups = {row["metadata"]["name"]: row for row in answer.body["items"]}
    (version,) = groups["demo.io"]["versions"]
    assert version["resources"][0]["subresources"][0]["subresource"] == "status"
    assert [row["metadata"] for row in client.get("/api", accept=accept).body["items"]] == [{}]


def test_discovery_follows_the_definitions(client: Client) -> None:
    client.send("DELETE", f"{CRDS}/widgets.demo.io")
    assert client.get("/apis/demo.io/v1").code == 404
    assert "demo.io" not in [row["name"] for row in client.get("/apis").body["groups"]]


# ── schemas ─────────────────────────────────────────────────────────────────────────────────────
def resolved(schemas: dict[str, Any], reference: Any) -> Any:
    return schemas[reference["$ref"].rpartition("/")[2]]


def test_the_index_names_a_document_for_every_version(client: Client) -> None:
    paths = client.get("/openapi/v3").body["paths"]
    assert {"api/v1", "apis/apps/v1", "apis/demo.io/v1"} <= paths.keys()
    before = paths["apis/demo.io/v1"]["serverRelativeURL"]
    client.send("DELETE", f"{CRDS}/widgets.demo.io")
    after = client.get("/openapi/v3").body["paths"]
    assert "apis/demo.io/v1" not in after
    assert before.rpartition("hash=")[2] != after["api/v1"]["serverRelativeURL"].rpartition("hash=")[2]


def test_a_document_describes_a_custom_resource(client: Client) -> None:
    document = client.get("/openapi/v3/apis/demo.io/v1").body
    schemas = document["components"]["schemas"]
    (widget,) = (row for row in schemas.values() if row.get("x-kubernetes-group-version-kind"))
    assert widget["x-kubernetes-group-version-kind"] == [{"group": "demo.io", "kind": "Widget", "version": "v1"}]
    assert widget["properties"]["spec"]["properties"]["size"]["default"] == 1
    assert "name" in resolved(schemas, widget["properties"]["metadata"])["properties"]
    post = document["paths"]["/apis/demo.io/v1/namespaces/{namespace}/widgets"]["post"]
    assert "fieldValidation" in [row["name"] for row in post["parameters"]]


def test_every_reference_of_a_document_leads_somewhere(client: Client) -> None:
    for path in ("/openapi/v3/api/v1", "/openapi/v3/apis/apps/v1", "/openapi/v2"):
        document = client.get(path).body
        schemas = document.get("definitions") or document["components"]["schemas"]
        pending: list[Any] = [document]
        while pending:
            node = pending.pop()
            pending += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                assert resolved(schemas, node)


@pytest.mark.parametrize("path", ["/version", "/healthz", "/livez", "/readyz", "/readyz/etcd", "/"])
def test_a_server_says_how_it_is(client: Client, path: str) -> None:
    assert client.get(path).code == 200


def test_the_version_is_one_that_kubectl_reads(client: Client) -> None:
    found = client.get("/version").body
    assert found["gitVersion"].startswith(f"v{found['major']}.{found['minor']}.")


def test_a_client_of_the_old_document_in_protobuf_is_told_of_no_schemas(client: Client) -> None:
    accept = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
    answer = client.get("/openapi/v2", accept=accept)
    assert (answer.code, answer.kind, answer.body) == (200, accept, "\n\x032.0")


def test_health_is_told_check_by_check_to_who_asks(client: Client) -> None:
    told = "[+]ping ok\n[+]log ok\n[+]etcd ok\nreadyz check passed\n"
    assert client.get("/readyz?verbose").body == told
    assert client.get("/readyz").body == "ok"
