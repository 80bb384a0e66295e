"""Verbs over HTTP: codes, forms of bodies and answers, options in the query."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.cluster.server.client import Client, names
from tests.unit.cluster.world import config_map, deployment, widget

MAPS = "/api/v1/namespaces/default/configmaps"
WIDGETS = "/apis/demo.io/v1/namespaces/default/widgets"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"


# ── verbs ───────────────────────────────────────────────────────────────────────────────────────
def test_an_object_is_created_read_replaced_and_deleted(client: Client) -> None:
    made = client.send("POST", MAPS, config_map(data={"a": "1"}))
    assert (made.code, made.kind) == (201, "application/json")
    assert client.get(f"{MAPS}/settings").body == made.body
    changed = client.send("PUT", f"{MAPS}/settings", {**made.body, "data": {"a": "2"}})
    assert (changed.code, changed.body["data"]) == (200, {"a": "2"})
    gone = client.send("DELETE", f"{MAPS}/settings")
    assert (gone.code, gone.body["kind"], gone.body["status"]) == (200, "Status", "Success")
    assert gone.body["details"] == {"name": "settings", "kind": "configmaps", "uid": made.body["metadata"]["uid"]}
    assert client.get(f"{MAPS}/settings").code == 404


def test_the_field_manager_is_named_or_is_the_client(client: Client) -> None:
    agent = {"user_agent": "curl/8.1 (linux)"}
    made = client.send("POST", MAPS, config_map(data={"a": "1"}), **agent).body
    assert made["metadata"]["managedFields"][0]["manager"] == "curl"
    other = client.send("POST", f"{MAPS}?fieldManager=me", config_map("b", data={"a": "1"}), **agent).body
    assert other["metadata"]["managedFields"][0]["manager"] == "me"


def test_a_list_has_items_without_kind_where_kubernetes_own_kinds_are_concerned(client: Client) -> None:
    client.send("POST", MAPS, config_map())
    client.send("POST", WIDGETS, widget())
    maps, widgets = client.get(MAPS).body, client.get(WIDGETS).body
    assert (maps["kind"], maps["apiVersion"], "kind" in maps["items"][0]) == ("ConfigMapList", "v1", False)
    assert (widgets["kind"], widgets["items"][0]["kind"]) == ("WidgetList", "Widget")


def test_a_list_comes_in_pages(client: Client) -> None:
    for name in "abc":
        client.send("POST", MAPS, config_map(name))
    first = client.get(f"{MAPS}?limit=2").body
    assert (names(first), first["metadata"]["remainingItemCount"]) == (["a", "b"], 1)
    second = client.get(f"{MAPS}?limit=2&continue={first['metadata']['continue']}").body
    assert (names(second), "continue" in second["metadata"]) == (["c"], False)


def test_all_that_match_are_deleted_and_answered(client: Client) -> None:
    for name, tier in (("a", "x"), ("b", "y")):
        client.send("POST", MAPS, config_map(name, labels={"tier": tier}))
    assert names(client.send("DELETE", f"{MAPS}?labelSelector=tier=x").body) == ["a"]
    assert names(client.get(MAPS).body) == ["b"]


def test_how_to_delete_is_said_in_the_body_or_in_the_query(client: Client) -> None:
    for name, path, body in (("a", "?propagationPolicy=Orphan", None), ("b", "", {"propagationPolicy": "Orphan"})):
        client.send("POST", MAPS, config_map(name))
        assert client.send("DELETE", f"{MAPS}/{name}{path}", body).body["metadata"]["finalizers"] == ["orphan"]


# ── patches ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("kind", "patch"),
    [
        (MERGE, {"data": {"b": "2"}}),
        ("application/json-patch+json", [{"op": "add", "path": "/data/b", "value": "2"}]),
        ("application/strategic-merge-patch+json", {"data": {"b": "2"}}),
        ("application/merge-patch+json; charset=utf-8", {"data": {"b": "2"}}),
    ],
)
def test_a_patch_says_by_its_type_what_it_means(client: Client, kind: str, patch: Any) -> None:
    client.send("POST", MAPS, config_map(data={"a": "1"}))
    changed = client.send("PATCH", f"{MAPS}/settings", patch, content_type=kind)
    assert (changed.code, changed.body["data"]) == (200, {"a": "1", "b": "2"})


def test_a_json_patch_of_too_many_operations_is_too_large(client: Client) -> None:
    client.send("POST", MAPS, config_map())
    patch = [{"op": "add", "path": "/data/b", "value": "2"}] * 10_001
    refused = client.send("PATCH", f"{MAPS}/settings", patch, content_type="application/json-patch+json")
    assert (refused.code, refused.reason) == (413, "RequestEntityTooLarge")


def test_an_apply_is_yaml_and_needs_a_manager(client: Client) -> None:
    config = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata:\n  a: 'on'\n"
    path = f"{MAPS}/settings"
    assert client.send("PATCH", path, config, content_type=APPLY).code == 422
    made = client.send("PATCH", f"{path}?fieldManager=me", config, content_type=APPLY)
    assert (made.code, made.body["data"]) == (201, {"a": "on"})
    assert client.send("PATCH", f"{path}?fieldManager=me", config, content_type=APPLY).code == 200
    other = client.send("PATCH", f"{path}?fieldManager=you", config.replace(b"'on'", b"'off'"), content_type=APPLY)
    assert (other.code, other.reason) == (409, "Conflict")
    wanted = config.replace(b"'on'", b"x")
    forced = client.send("PATCH", f"{path}?fieldManager=you&force=true", wanted, content_type=APPLY)
    assert forced.body["data"] == {"a": "x"}


@pytest.mark.parametrize(
    ("path", "kind", "code"),
    [
        (f"{WIDGETS}/a", "application/strategic-merge-patch+json", 415),
        (f"{WIDGETS}/a", "text/plain", 415),
        (f"{MAPS}/settings", "application/json", 415),
        (f"{MAPS}/settings?force=true", MERGE, 422),
        (f"{MAPS}/none", MERGE, 404),
    ],
)
def test_a_patch_that_cannot_be_is_refused(client: Client, path: str, kind: str, code: int) -> None:
    client.send("POST", MAPS, config_map())
    client.send("POST", WIDGETS, widget())
    assert client.send("PATCH", path, {}, content_type=kind).code == code


# ── options ─────────────────────────────────────────────────────────────────────────────────────
def test_a_dry_run_changes_nothing(client: Client) -> None:
    assert client.send("POST", f"{MAPS}?dryRun=All", config_map()).code == 201
    assert client.get(f"{MAPS}/settings").code == 404
    client.send("POST", MAPS, config_map())
    assert client.send("DELETE", f"{MAPS}/settings?dryRun=All").code == 200
    assert client.get(f"{MAPS}/settings").code == 200


@pytest.mark.parametrize(
    ("method", "query"),
    [
        ("POST", "dryRun=yes"),
        ("POST", "fieldValidation=odd"),
        ("POST", "fieldManager=" + "x" * 129),
        ("GET", "resourceVersionMatch=Exact"),
        ("GET", "resourceVersion=0&resourceVersionMatch=Exact"),
        ("GET", "sendInitialEvents=true"),
    ],
)
def test_an_option_that_is_none_is_invalid(client: Client, method: str, query: str) -> None:
    answer = client.send(method, f"{MAPS}?{query}", config_map() if method == "POST" else None)
    assert (answer.code, answer.reason) == (422, "Invalid")


@pytest.mark.parametrize("query", ["limit=x", "timeout=soon", "labelSelector==", "continue=x", "timeoutSeconds=x"])
def test_a_query_that_cannot_be_read_is_a_bad_request(client: Client, query: str) -> None:
    assert client.get(f"{MAPS}?{query}").code == 400


def test_fields_that_nobody_knows_or_that_stand_there_twice_are_told(client: Client) -> None:
    doubled = b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"},"odd":1}'
    answer = client.send("POST", MAPS, doubled)
    assert answer.code == 201
    assert answer.warnings == ('duplicate field "data.k"', 'unknown field "odd"')
    strict = client.send("POST", f"{MAPS}?fieldValidation=Strict", doubled.replace(b'"a"', b'"b"'))
    assert (strict.code, 'duplicate field "data.k"' in strict.body["message"]) == (400, True)


# ── bodies ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"{", "application/json", 400),
        (b"", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b'{"a": NaN}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"a: [", "application/yaml", 400),
        (b"a: 1\na: 2\n", "application/yaml", 400),
        (b"\xff\xfe", "application/yaml", 400),
        (b"{}", "text/plain", 415),
        (b"\x0ak8s", "application/vnd.kubernetes.protobuf", 415),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(client: Client, body: bytes, kind: str, code: int) -> None:
    assert client.send("POST", WIDGETS, body, content_type=kind).code == code


@pytest.mark.parametrize(
    ("text", "value"),
    [("on", True), ("'on'", "on"), ("1_000", 1000), ("010", 8), ("2024-01-02", "2024-01-02"), ("12:30", "12:30")],
)
def test_yaml_is_read_as_kubectl_reads_it(client: Client, text: str, value: Any) -> None:
    crd = client.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.demo.io").body
    free = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] = free
    client.send("PUT", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.demo.io", crd)
    body = f"apiVersion: demo.io/v1\nkind: Widget\nmetadata: {{name: a}}\nspec: {{x: {text}}}\n".encode()
    assert client.send("POST", WIDGETS, body, content_type="application/yaml").body["spec"] == {"x": value}


def test_an_answer_is_yaml_for_who_wants_it(client: Client) -> None:
    client.send("POST", MAPS, config_map(data={"a": "on"}))
    answer = client.get(f"{MAPS}/settings", accept="application/yaml")
    assert answer.kind == "application/yaml"
    assert 'a: "on"' in answer.body
    assert client.get(f"{MAPS}/none", accept="application/yaml").kind == "application/yaml"


# ── subresources ────────────────────────────────────────────────────────────────────────────────
def test_status_has_its_own_path(client: Client) -> None:
    client.send("POST", DEPLOYMENTS, deployment())
    patch = {"spec": {"replicas": 9}, "status": {"replicas": 3}}
    changed = client.send("PATCH", f"{DEPLOYMENTS}/web/status", patch, content_type=MERGE).body
    assert (changed["spec"]["replicas"], changed["status"]["replicas"]) == (1, 3)
    assert client.get(f"{MAPS}/settings/status").code == 404


def test_replicas_are_read_and_written_as_a_scale(client: Client) -> None:
    client.send("POST", DEPLOYMENTS, deployment(replicas=2))
    scale = client.get(f"{DEPLOYMENTS}/web/scale").body
    assert (scale["kind"], scale["spec"], scale["status"]["selector"]) == ("Scale", {"replicas": 2}, "app=web")
    scale["spec"]["replicas"] = 5
    assert client.send("PUT", f"{DEPLOYMENTS}/web/scale", scale).body["spec"] == {"replicas": 5}
    assert client.get(f"{DEPLOYMENTS}/web").body["spec"]["replicas"] == 5
    assert client.send("PUT", f"{DEPLOYMENTS}/web/scale", scale).code == 409
    assert client.send("PUT", f"{DEPLOYMENTS}/web/scale", {**scale, "spec": {"replicas": -1}}).code == 422


# ── paths and methods ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/api/v1/namespaces/default/odds", 404),
        ("GET", "/apis/none.io/v1/things", 404),
        ("GET", "/api/v1/configmaps/settings", 404),
        ("GET", "/apis/demo.io/v1/namespaces/default/widgets/a/scale", 404),
        ("GET", "/nowhere", 404),
        ("POST", f"{MAPS}/settings", 405),
        ("PUT", MAPS, 405),
        ("POST", "/api/v1/configmaps", 405),
        ("POST", "/apis/apps/v1", 405),
        ("GET", f"{MAPS}?watch=0&resourceVersion=x", 400),
    ],
)
def test_what_there_is_not_is_not_found_or_not_allowed(client: Client, method: str, path: str, code: int) -> None:
    client.send("POST", WIDGETS, widget())
    assert client.send(method, path, config_map() if method != "GET" else None).code == code


def test_names_are_read_as_urls_carry_them(client: Client) -> None:
    role = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
    body = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "a:b c"}}
    assert client.send("POST", role, body).code == 201
    assert client.get(f"{role}/a%3Ab%20c").body["metadata"]["name"] == "a:b c"


def test_a_deprecated_version_says_so_in_every_answer(client: Client) -> None:
    for path in ("/api/v1/namespaces/default/endpoints", "/api/v1/namespaces/default/endpoints/none"):
        assert client.get(path).warnings == (
            "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
        )


# ── who asks ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("token", "path", "code"),
    [("", MAPS, 403), ("", "/version", 200), ("", "/healthz", 200), ("", "/apis", 403), ("wrong", "/version", 401)],
)
def test_who_has_no_token_may_only_ask_how_things_are(client: Client, token: str, path: str, code: int) -> None:
    assert client.send("GET", path, token=token).code == code


def test_a_service_account_has_a_token_that_may_read_nothing(client: Client) -> None:
    accounts = "/api/v1/namespaces/default/serviceaccounts"
    client.send("POST", accounts, {"metadata": {"name": "bot"}})
    issued = client.send("POST", f"{accounts}/bot/token", {"spec": {}})
    assert issued.code == 201
    token = issued.body["status"]["token"]
    refused = client.send("GET", MAPS, token=token)
    assert refused.code == 403
    assert 'User "system:serviceaccount:default:bot" cannot list resource "configmaps"' in refused.body["message"]
    client.send("DELETE", f"{accounts}/bot")
    assert client.send("GET", MAPS, token=token).code == 401


def test_a_review_is_answered_and_not_stored(client: Client) -> None:
    spec = {"resourceAttributes": {"verb": "get", "resource": "pods"}}
    body = {"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "spec": spec}
    answer = client.send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body)
    assert (answer.code, answer.body["status"]) == (201, {"allowed": True})


def test_an_object_that_would_be_too_large_is_refused(client: Client) -> None:
    answer = client.send("POST", WIDGETS, widget(spec={"tags": ["x" * 1_600_000]}))
    assert (answer.code, answer.body["message"]) == (500, "etcdserver: request is too large")
    assert client.get(f"{WIDGETS}/a").code == 404
