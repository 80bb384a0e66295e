"""Static questions to a schema: what stands at a path, and what a field may be."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi import schema

APP: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["image"],
            "properties": {
                "image": {"type": "string"},
                "replicas": {"type": "integer"},
                "mode": {"type": "string", "enum": ["fast", "slow"]},
                "port": {"x-kubernetes-int-or-string": True},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                "anything": {"type": "object", "additionalProperties": True},
                "nothing": {"type": "object", "additionalProperties": False},
                "regions": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
                "open": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": {"type": "boolean"}},
                },
                "empty": {"type": "object"},
                "untyped": {},
                "mounts": {
                    "type": "array",
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["path"],
                    "items": {"type": "object"},
                },
            },
        }
    },
}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("spec", "object"),
        ("spec.image", "string"),
        ("spec.port", "int-or-string"),
        ("spec.labels.any-key", "string"),
        ("spec.labels.*", "string"),
        ("spec.anything.a.b.c", "any"),
        ("spec.regions", "array"),
        ("spec.regions.*.name", "string"),
        ("spec.regions.0.name", "string"),
        ("spec.open.known", "boolean"),
        ("spec.open.unknown.deep", "any"),
        ("spec.untyped", "any"),
        ("spec.untyped.deep", "any"),
    ],
)
def test_a_path_leads_to_the_schema_of_what_stands_there(path: str, kind: str) -> None:
    found = schema.at(APP, tuple(path.split(".")))
    assert found is not None
    assert schema.type_of(found) == kind


@pytest.mark.parametrize(
    "path",
    [
        *("spec.imagee", "spec.image.tag", "spec.regions.first", "spec.regions.*.zone", "spec.empty.x"),
        *("spec.nothing.x", "status", "spec.port.x"),
    ],
)
def test_a_path_that_the_schema_does_not_have_leads_nowhere(path: str) -> None:
    assert schema.at(APP, tuple(path.split("."))) is None


def test_the_empty_path_is_the_schema_itself() -> None:
    assert schema.at(APP, ()) is APP


def test_known_names_come_in_order() -> None:
    spec = schema.at(APP, ("spec",))
    assert spec is not None
    assert schema.names(spec)[:3] == ["anything", "empty", "image"]
    assert schema.required(spec) == ["image"]
    assert schema.names({"type": "string"}) == []


def test_enumerations_and_list_keys_are_read() -> None:
    mode, mounts = schema.at(APP, ("spec", "mode")), schema.at(APP, ("spec", "mounts"))
    assert mode is not None
    assert mounts is not None
    assert schema.enum(mode) == ["fast", "slow"]
    assert schema.enum(mounts) is None
    assert schema.list_keys(mounts) == ("path",)
    assert schema.list_keys(mode) == ()


def test_a_map_has_the_schema_of_its_values() -> None:
    assert schema.extra({"type": "object", "additionalProperties": {"type": "string"}}) == {"type": "string"}
    assert schema.extra({"type": "object", "additionalProperties": True}) is schema.ANY
    assert schema.extra({"type": "object"}) is None


def test_a_complete_schema_knows_metadata() -> None:
    whole = schema.complete(APP)
    assert schema.at(whole, ("metadata", "labels", "app")) == {"type": "string"}
    assert schema.at(whole, ("metadata", "nam")) is None
    assert schema.at(whole, ("spec", "image")) == {"type": "string"}
