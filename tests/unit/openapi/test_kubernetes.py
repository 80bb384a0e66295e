"""The shipped description of Kubernetes' own kinds: what is served, under which names, with which fields."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ork.base.objects import Kind, Object
from ork.openapi import kubernetes, schema


def kind(api_version: str, name: str) -> Kind:
    group, _, version = api_version.rpartition("/")
    return kubernetes.kinds()[group, version, name]


def field(api_version: str, name: str, path: str) -> Object:
    whole = kubernetes.schema_of(kind(api_version, name))
    assert whole is not None
    found = schema.at(whole, tuple(path.split(".")))
    assert found is not None, path
    return found


@pytest.mark.parametrize(
    ("api_version", "name", "plural", "namespaced"),
    [
        *(("v1", "Pod", "pods", True), ("v1", "Namespace", "namespaces", False), ("v1", "Event", "events", True)),
        *(("v1", "Endpoints", "endpoints", True), ("v1", "Node", "nodes", False), ("v1", "Secret", "secrets", True)),
        ("apps/v1", "Deployment", "deployments", True),
        ("apps/v1", "ControllerRevision", "controllerrevisions", True),
        ("batch/v1", "CronJob", "cronjobs", True),
        ("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", True),
        ("networking.k8s.io/v1", "IngressClass", "ingressclasses", False),
        ("coordination.k8s.io/v1", "Lease", "leases", True),
        ("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", True),
        ("events.k8s.io/v1", "Event", "events", True),
        ("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", True),
        ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", False),
        ("storage.k8s.io/v1", "StorageClass", "storageclasses", False),
        ("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", True),
        ("scheduling.k8s.io/v1", "PriorityClass", "priorityclasses", False),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions", False),
    ],
)
def test_kinds_are_found_by_what_a_manifest_says(api_version: str, name: str, plural: str, namespaced: bool) -> None:
    found = kind(api_version, name)
    assert (found.plural, found.namespaced, found.api_version) == (plural, namespaced, api_version)


def test_kinds_have_the_names_that_people_type() -> None:
    deployment = kubernetes.resource(kind("apps/v1", "Deployment"))
    assert deployment is not None
    assert (deployment.singular, deployment.short_names, deployment.categories) == ("deployment", ("deploy",), ("all",))
    assert deployment.verbs == ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")
    assert deployment.subresources["status"].verbs == ("get", "patch", "update")
    assert deployment.subresources["scale"][:2] == ("autoscaling/v1", "Scale")


def test_some_kinds_can_only_be_created() -> None:
    review = kubernetes.resource(kind("authorization.k8s.io/v1", "SubjectAccessReview"))
    assert review is not None
    assert review.verbs == ("create",)


@pytest.mark.parametrize(
    ("api_version", "name", "path", "type_name"),
    [
        ("apps/v1", "Deployment", "spec.replicas", "integer"),
        ("apps/v1", "Deployment", "spec.template.spec.containers.*.image", "string"),
        ("apps/v1", "Deployment", "spec.template.spec.containers.*.ports.*.containerPort", "integer"),
        ("apps/v1", "Deployment", "metadata.labels.app", "string"),
        ("v1", "Service", "spec.ports.0.targetPort", "int-or-string"),
        ("v1", "ConfigMap", "data.key", "string"),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions.*.name", "string"),
    ],
)
def test_fields_are_found_by_their_paths(api_version: str, name: str, path: str, type_name: str) -> None:
    assert schema.type_of(field(api_version, name, path)) == type_name


def test_amounts_and_lists_tell_what_they_are() -> None:
    container = "spec.template.spec.containers.*"
    assert field("apps/v1", "Deployment", f"{container}.resources.limits.cpu")["format"] == "quantity"
    assert kubernetes.list_keys(field("apps/v1", "Deployment", f"{container}.ports")) == ("containerPort", "protocol")
    assert kubernetes.list_keys(field("v1", "Service", "spec.ports")) == ("port", "protocol")
    assert field("v1", "Pod", "spec.containers")["x-kubernetes-patch-merge-key"] == "name"


def test_a_definition_contains_itself() -> None:
    root = field("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec.versions.*.schema.openAPIV3Schema")
    assert schema.at(root, ("properties", "a", "properties", "b")) is root


def test_the_same_struct_is_the_same_value() -> None:
    deployment, job = field("apps/v1", "Deployment", "spec.template"), field("batch/v1", "Job", "spec.template")
    assert deployment["properties"] is job["properties"]


def test_every_kind_has_a_schema() -> None:
    for found in kubernetes.kinds().values():
        whole = kubernetes.schema_of(found)
        assert whole is not None
        assert {"apiVersion", "kind", "metadata"} <= whole["properties"].keys() or found.kind.endswith("Review"), found


def test_a_list_of_kinds_reads_no_schema() -> None:
    code = (
        "import sys\n"
        "from ork.openapi import kubernetes\n"
        "assert len(kubernetes.kinds()) > 60\n"
        "assert not kubernetes._package.cache_info().currsize\n"
        "assert not {'ork.openapi.builtin', 're2', 'jsonschema', 'asyncio'} & sys.modules.keys()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
