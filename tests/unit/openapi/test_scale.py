"""The paths of the scale subresource, and objects embedded in a custom resource."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi import structural
from ork.openapi.scale import spec_causes, status_causes

SCALE = {
    "specReplicasPath": ".spec.replicas",
    "statusReplicasPath": ".status.n",
    "labelSelectorPath": ".status.selector",
}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({}, ""),
        ({"replicas": 3}, ""),
        ({"replicas": -1}, "Invalid value: -1: should be a non-negative integer"),
        ({"replicas": 2**31}, "Invalid value: 2147483648: should be less than or equal to 2147483647"),
        ({"replicas": "3"}, "Invalid value: 0: .spec.replicas accessor error: 3 is of the type string, expected int64"),
        (
            "text",
            "Invalid value: 0: .spec.replicas accessor error: text is of the type string, "
            "expected map[string]interface{}",
        ),
        (
            [1],
            "Invalid value: 0: .spec.replicas accessor error: [1] is of the type []interface {}, "
            "expected map[string]interface{}",
        ),
    ],
)
def test_replicas_are_a_number_that_is_not_negative(spec: Any, message: str) -> None:
    assert [cause.message for cause in spec_causes({"spec": spec}, SCALE)] == ([message] if message else [])


def test_the_selector_is_a_text() -> None:
    assert status_causes({"status": {"n": 1, "selector": "a=b"}}, SCALE) == []
    assert [cause.field for cause in status_causes({"status": {"n": "x", "selector": 1}}, SCALE)] == [
        ".status.n",
        ".status.selector",
    ]


@pytest.mark.parametrize(
    ("template", "causes"),
    [
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "labels": {"a": "b"}}}, []),
        ({}, ["spec.template.apiVersion: Required value", "spec.template.kind: Required value"]),
        (
            {"apiVersion": "", "kind": "Pod"},
            ['spec.template.apiVersion: Invalid value: "": must not be empty'],
        ),
        (
            {"apiVersion": "a/b/c", "kind": "Pod"},
            ['spec.template.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
        ),
        (
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}},
            ["spec.template.metadata.name: Invalid value: \"a/b\": may not contain '/'"],
        ),
        ({"apiVersion": 1, "kind": "Pod"}, ["spec.template.apiVersion: Invalid value: 1: must be a string"]),
    ],
)
def test_an_embedded_object_has_version_kind_and_sound_metadata(template: Any, causes: list[str]) -> None:
    embedded = {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}
    spec = {"type": "object", "properties": {"template": embedded}}
    compiled = structural.compile({"type": "object", "properties": {"spec": spec}})
    assert [str(cause) for cause in compiled.validate({"spec": {"template": template}})] == causes
