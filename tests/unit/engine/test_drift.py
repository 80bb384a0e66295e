"""Whether a live object holds what is declared: subsets, lists, quantities, what servers leave out."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind
from ork.engine.drift import differences
from tests.kinds import CONFIG_MAPS, PODS, SERVICES

CUSTOM = Kind("example.org", "v1", "Widget", "widgets", True)


def container(**fields: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "a", **fields}]}}


@pytest.mark.parametrize(
    ("kind", "declared", "live"),
    [
        (CUSTOM, {"spec": {"a": 1}}, {"spec": {"a": 1, "b": 2}, "status": {}}),
        (CUSTOM, {"spec": {"a": [1, 2]}}, {"spec": {"a": [1, 2]}}),
        (CUSTOM, {"spec": {"a": [{"x": 1}]}}, {"spec": {"a": [{"x": 1, "default": 2}]}}),
        (CUSTOM, {"spec": {"a": None}}, {"spec": {}}),
        (CUSTOM, {"spec": {"a": 1}}, {"spec": {"a": 1.0}}),
        (CUSTOM, {"apiVersion": "example.org/v1"}, {"apiVersion": "example.org/v1beta1"}),
        (PODS, container(image="x"), container(image="x", imagePullPolicy="Always")),
        (PODS, container(env=[]), container()),
        (PODS, container(workingDir="", stdin=False), container()),
        (
            PODS,
            {"spec": {"hostNetwork": False, "volumes": [{"name": "v", "emptyDir": {}}]}},
            {"spec": {"volumes": [{"name": "v", "emptyDir": {}}]}},
        ),
        (PODS, container(resources={"limits": {"cpu": "1000m"}}), container(resources={"limits": {"cpu": "1"}})),
        (
            PODS,
            container(resources={"limits": {"memory": "1Gi"}}),
            container(resources={"limits": {"memory": "1024Mi"}}),
        ),
        (
            PODS,
            {"spec": {"containers": [{"name": "a"}, {"name": "b"}]}},
            {"spec": {"containers": [{"name": "sidecar"}, {"name": "b"}, {"name": "a"}]}},
        ),
        (
            SERVICES,
            {"spec": {"ports": [{"port": 80}]}},
            {"spec": {"ports": [{"port": 90, "protocol": "TCP"}, {"port": 80, "protocol": "TCP"}]}},
        ),
        (
            CONFIG_MAPS,
            {"metadata": {"ownerReferences": [{"uid": "me", "name": "x"}]}},
            {"metadata": {"ownerReferences": [{"uid": "other", "name": "y"}, {"uid": "me", "name": "x"}]}},
        ),
        (PODS, {"metadata": {"finalizers": ["a"]}}, {"metadata": {"finalizers": ["b", "a"]}}),
    ],
)
def test_what_the_server_or_others_add_is_no_difference(kind: Kind, declared: Any, live: Any) -> None:
    assert differences(kind, declared, live) == ()


@pytest.mark.parametrize(
    ("kind", "declared", "live", "path", "value"),
    [
        (CUSTOM, {"spec": {"a": 1}}, {"spec": {"a": 2}}, "spec.a", "2"),
        (CUSTOM, {"spec": {"a": 1}}, {"spec": {}}, "spec.a", ""),
        (CUSTOM, {"spec": {"a": 1}}, {}, "spec", ""),
        (CUSTOM, {"spec": {"a": {"b": 1}}}, {"spec": {"a": "text"}}, "spec.a", '"text"'),
        (CUSTOM, {"spec": {"a": False}}, {"spec": {}}, "spec.a", ""),
        (CUSTOM, {"spec": {"a": []}}, {"spec": {}}, "spec.a", ""),
        (CUSTOM, {"spec": {"a": "1000m"}}, {"spec": {"a": "1"}}, "spec.a", '"1"'),
        (CUSTOM, {"spec": {"a": [1]}}, {"spec": {"a": [1, 2]}}, "spec.a", "[1, 2]"),
        (CONFIG_MAPS, {"data": {"a": "1000m"}}, {"data": {"a": "1"}}, "data.a", '"1"'),
        (PODS, container(args=["a"]), container(args=["a", "b"]), "spec.containers[0].args", '["a", "b"]'),
        (PODS, container(image="x"), container(image="y"), "spec.containers[0].image", '"y"'),
        (PODS, container(), {"spec": {"containers": [{"name": "b"}]}}, "spec.containers[0]", ""),
        (PODS, {"metadata": {"labels": {"a/b": "1"}}}, {"metadata": {}}, "metadata.labels", ""),
    ],
)
def test_a_field_that_does_not_hold_is_named(kind: Kind, declared: Any, live: Any, path: str, value: str) -> None:
    found = differences(kind, declared, live)
    assert [(each.path, each.live) for each in found] == [(path, value)]


def test_every_difference_is_found_not_only_the_first() -> None:
    found = differences(CUSTOM, {"spec": {"a": 1, "b": 2}, "x": 1}, {"spec": {"a": 9, "b": 9}})
    assert [each.path for each in found] == ["spec.a", "spec.b", "x"]
