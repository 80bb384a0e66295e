"""Which pods a service selects, and which services have no address (resources.md)."""

from __future__ import annotations

import pytest

from ork.labels import OWNER_LABEL

from .conftest import Compile, cr


def test_a_service_selects_the_pods_of_the_only_workload(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onCreate: {deployments: [{name: "{{ .metadata.name }}-x", image: nginx}]}
          onReconcile: {services: [{port: 80}]}
    """)
    service = made.built(cr(), 1)
    assert service["spec"] == {"ports": [{"port": 80}], "selector": {"app": "web-x", OWNER_LABEL: "web"}}
    assert ("metadata", "name") in made.entry(1).reads


def test_a_service_selects_the_workload_that_it_is_named_after(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments: [{name: front, image: a}, {name: back, image: b}]
            services: [{name: back-svc, port: 80}]
    """)
    assert made.built(cr(), 2)["spec"]["selector"] == {"app": "back", OWNER_LABEL: "web"}


@pytest.mark.parametrize(
    "workloads",
    [
        "",
        "deployments: [{name: front, image: a}, {name: back, image: b}]",
        "deployments: [{name: '{{ .item }}', image: a, forEach: {field: spec.regions}}]",
    ],
)
def test_a_service_whose_pods_are_not_clear_is_an_error(compiled: Compile, workloads: str) -> None:
    made = compiled(f"""
        operatorBox:
          onReconcile:
            {workloads}
            services: [{{port: 80}}]
    """)
    assert made.codes == ["ORK0610"]


def test_a_service_over_the_same_list_selects_each_items_pods(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments: [{name: "{{ .item }}", image: a, forEach: {field: spec.regions}}]
            services: [{name: "{{ .item }}-svc", port: 80, forEach: {field: spec.regions}}]
    """)
    assert made.built(cr(), 1, item="eu", index=0)["spec"]["selector"] == {"app": "eu", OWNER_LABEL: "web"}


@pytest.mark.parametrize("service", ["{port: 80, selector: {a: b}}", "{port: 80, spec: {selector: {a: b}}}"])
def test_a_declared_selector_is_kept(compiled: Compile, service: str) -> None:
    made = compiled(f"operatorBox: {{onReconcile: {{services: [{service}]}}}}")
    assert made.built(cr())["spec"]["selector"] == {"a": "b"}


@pytest.mark.parametrize(
    ("headless", "address"),
    [("true", "None"), ("'true'", "None"), ("false", None), ("'{{ .spec.enabled }}'", "None"), ("'{{ 1 }}'", None)],
)
def test_a_headless_service_has_no_address(compiled: Compile, headless: str, address: str | None) -> None:
    made = compiled(
        f"operatorBox: {{onReconcile: {{services: [{{port: 80, headless: {headless}, selector: {{a: b}}}}]}}}}"
    )
    assert made.built(cr(enabled=True))["spec"].get("clusterIP") == address
