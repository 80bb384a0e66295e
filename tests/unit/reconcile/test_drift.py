"""What happens to a child that somebody changed: drift, create-once, ignored fields, servers that rewrite."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ork.reconcile.ports import OutcomeKind

CONFIG = """
operatorBox:
  onReconcile:
    configMaps:
      - name: "{{ .metadata.name }}"
        data: {mode: "{{ .spec.mode }}", tier: gold}
"""


def test_a_changed_field_is_put_back(world: Any) -> None:
    w = world(CONFIG)
    w.cr(spec={"mode": "fast"})
    w.turn()
    w.patch("configmaps", "web", {"data": {"mode": "slow", "extra": "kept"}})
    w.turn()
    assert w.requests == ["apply configmaps/default/web"]
    assert w.get("configmaps", "web")["data"] == {"mode": "fast", "tier": "gold", "extra": "kept"}
    w.turn()
    assert w.requests == []


def test_a_deleted_child_comes_back(world: Any) -> None:
    w = world(CONFIG)
    w.cr(spec={"mode": "fast"})
    w.turn()
    w.delete("configmaps", "web")
    w.turn()
    assert w.ops == ["create configmaps/default/web"]


def test_a_field_that_is_no_longer_declared_is_taken_away(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            configMaps:
              - name: "{{ .metadata.name }}"
                data: {mode: fast, note: "{{ .spec.note }}"}
        """
    )
    w.cr(spec={"note": "x"})
    w.turn()
    w.crd = w.crd._replace(
        boxes=world(CONFIG.replace("{{ .spec.mode }}", "fast").replace(", tier: gold", "")).crd.boxes
    )
    w.turn()
    assert w.get("configmaps", "web")["data"] == {"mode": "fast"}


def test_the_labels_by_which_a_child_is_known_are_put_back(world: Any) -> None:
    w = world(CONFIG)
    w.cr(spec={"mode": "fast"})
    w.turn()
    w.patch("configmaps", "web", {"metadata": {"labels": {"orkestra.orkspace.io/owner-uid": None}}})
    w.turn()
    assert w.requests[0] == "apply configmaps/default/web", "no cache shows it: it is created, and found"
    assert "read configmaps/default/web" in w.requests
    w.turn()
    assert w.requests == []


@pytest.mark.parametrize(
    ("declared", "live"),
    [
        ("cpu: 1000m", {"cpu": "1"}),
        ("cpu: '1'", {"cpu": "1000m"}),
        ("memory: 1024Mi", {"memory": "1Gi"}),
    ],
)
def test_one_quantity_spelt_in_two_ways_is_no_drift(world: Any, declared: str, live: dict[str, str]) -> None:
    w = world(
        f"""
        operatorBox:
          onReconcile:
            deployments:
              - {{name: web, image: x, resources: {{requests: {{{declared}}}}}}}
        """
    )
    w.cr(spec={})
    w.turn()
    w.patch(
        "deployments",
        "web",
        [{"op": "replace", "path": "/spec/template/spec/containers/0/resources/requests", "value": live}],
    )
    w.turn()
    assert w.requests == []


def test_what_others_add_to_a_keyed_list_is_no_drift_and_stays(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            deployments:
              - {name: web, image: x, env: [{name: A, value: "1"}]}
        """
    )
    w.cr(spec={})
    w.turn()
    sidecar = {"name": "sidecar", "image": "proxy"}
    w.patch("deployments", "web", [{"op": "add", "path": "/spec/template/spec/containers/0", "value": sidecar}])
    w.turn()
    assert w.requests == []
    assert len(w.get("deployments", "web")["spec"]["template"]["spec"]["containers"]) == 2


def test_an_ignored_field_is_left_to_others_after_creation(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            deployments:
              - {name: web, image: "{{ .spec.image }}", replicas: "{{ .spec.replicas }}", ignore: [spec.replicas]}
        """
    )
    w.cr(spec={"image": "a", "replicas": 2})
    w.turn()
    assert w.get("deployments", "web")["spec"]["replicas"] == 2
    w.patch("deployments", "web", {"spec": {"replicas": 7}})
    w.turn()
    assert w.requests == []
    w.cr(spec={"image": "b", "replicas": 3})
    w.turn()
    assert w.get("deployments", "web")["spec"]["replicas"] == 7


@pytest.mark.parametrize("extra", ["", "reconcile: false"])
def test_a_child_under_on_create_is_created_once_and_then_left_alone(world: Any, extra: str) -> None:
    w = world(
        f"""
        operatorBox:
          onCreate:
            configMaps:
              - name: "{{{{ .metadata.name }}}}"
                data: {{mode: "{{{{ .spec.mode }}}}"}}
                {extra}
        """
    )
    w.cr(spec={"mode": "fast"})
    w.turn()
    w.patch("configmaps", "web", {"data": {"mode": "slow"}})
    w.cr(spec={"mode": "other"})
    w.turn()
    assert w.requests == ["status"]
    w.cr(spec={})
    assert w.turn().kind is OutcomeKind.SETTLED, "its body is not even rendered any more"


def test_reconcile_true_under_on_create_corrects_drift(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onCreate:
            configMaps:
              - {name: "{{ .metadata.name }}", data: {mode: fast}, reconcile: true}
        """
    )
    w.cr(spec={})
    w.turn()
    w.patch("configmaps", "web", {"data": {"mode": "slow"}})
    w.turn()
    assert w.get("configmaps", "web")["data"] == {"mode": "fast"}


def test_a_server_that_rewrites_what_it_is_sent_is_told_once_and_then_left_in_peace(world: Any) -> None:
    w = world(
        """
        operatorBox:
          onReconcile:
            custom:
              - apiVersion: v1
                kind: Secret
                metadata: {name: "{{ .metadata.name }}"}
                stringData: {token: "{{ .spec.token }}"}
        """
    )
    w.cr(spec={"token": "abc"})
    outcome = w.turn()
    assert [request for request in w.requests if request.startswith("event")] == [
        "event Warning FieldsRewritten: secrets/default/web: the server does not keep what "
        "spec.crds.app.operatorBox.onReconcile.custom[0] declares for stringData"
    ]
    assert outcome.notices
    w.turn()
    assert w.requests == []
    w.patch("secrets", "web", {"data": {"token": "eA=="}})
    w.cr(spec={"token": "xyz"})
    w.turn()
    assert "apply secrets/default/web" in w.requests, "a new rendering is sent again"
    assert "abc" not in json.dumps(w.requests)
