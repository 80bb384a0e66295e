"""Names and labels that Kubernetes takes."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind, Ref
from ork.engine.names import metadata_problem, name_problem
from tests.kinds import CONFIG_MAPS, NAMESPACES, SERVICES

ROLE = Kind("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", False)


@pytest.mark.parametrize(
    ("kind", "name", "good"),
    [
        (CONFIG_MAPS, "web", True),
        (CONFIG_MAPS, "web.example.org", True),
        (CONFIG_MAPS, "1-web", True),
        (CONFIG_MAPS, "a" * 253, True),
        (CONFIG_MAPS, "a" * 254, False),
        (CONFIG_MAPS, "", False),
        (CONFIG_MAPS, "Web", False),
        (CONFIG_MAPS, "web_", False),
        (CONFIG_MAPS, "-web", False),
        (CONFIG_MAPS, "web\n", False),
        (CONFIG_MAPS, "a..b", False),
        (SERVICES, "web", True),
        (SERVICES, "1web", False),
        (SERVICES, "web.org", False),
        (SERVICES, "a" * 64, False),
        (NAMESPACES, "1web", True),
        (NAMESPACES, "web.org", False),
        (ROLE, "system:Node_x", True),
        (ROLE, "a/b", False),
        (ROLE, "..", False),
    ],
)
def test_a_kind_has_its_own_rule_for_names(kind: Kind, name: str, good: bool) -> None:
    assert (name_problem(Ref(kind, "", name)) == "") is good


def test_a_namespace_is_a_label() -> None:
    assert name_problem(Ref(CONFIG_MAPS, "team-a", "web")) == ""
    assert '"team.a" is no namespace' in name_problem(Ref(CONFIG_MAPS, "team.a", "web"))


@pytest.mark.parametrize(
    ("labels", "good"),
    [
        ({"a": "b"}, True),
        ({"example.org/a": ""}, True),
        ({"a": "B_1.x-2"}, True),
        ({"a": "b" * 64}, False),
        ({"a": "two words"}, False),
        ({"a": "-b"}, False),
        ({"a b": "c"}, False),
        ({"": "c"}, False),
        ({"/a": "c"}, False),
        ({"Example.org/a": "c"}, False),
        ({"a": True}, False),
        ({"a": 5}, False),
    ],
)
def test_labels_have_keys_and_values_of_a_form(labels: dict[str, Any], good: bool) -> None:
    assert (metadata_problem({"labels": labels}) == "") is good


def test_annotations_take_any_text() -> None:
    assert metadata_problem({"annotations": {"a": "any text\nat all"}}) == ""
    assert "is no text" in metadata_problem({"annotations": {"a": 5}})


def test_the_domain_of_an_annotation_may_have_capitals() -> None:
    assert metadata_problem({"annotations": {"Example.org/a": "b"}}) == ""
    assert '"Example.org/" is no annotation key' in metadata_problem({"annotations": {"Example.org/": "b"}})
