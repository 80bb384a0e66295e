"""Why an API server refuses the schema of a CustomResourceDefinition: each row is what a real one answers."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi.problems import causes_of, problems

INT = {"type": "integer"}
TEXT = {"type": "string"}
NAMED = {"type": "object", "properties": {"k": TEXT}}
KEYS = "x-kubernetes-list-map-keys"
LIST = "x-kubernetes-list-type"


def crd(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def array(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


def lines(spec: dict[str, Any]) -> list[str]:
    """Return the problems of a schema with that `spec`, without the way to it."""
    return [line.removeprefix("properties[spec]").removeprefix(".") for line in problems(crd(spec=spec))]


@pytest.mark.parametrize(
    "spec",
    [
        {"type": "object", "additionalProperties": False},
        {"type": "string", "x-kubernetes-int-or-string": True},
        {"type": "string", "enum": [1]},
        {"type": "string", "format": "odd"},
        {"x-kubernetes-preserve-unknown-fields": True},
        {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True},
        obj(n={**INT, "default": 3}),
        array({**NAMED, "required": ["k"]}, **{LIST: "map", KEYS: ["k"]}),
        {
            "type": "object",
            "properties": {"n": INT},
            "anyOf": [{"required": ["n"]}, {"properties": {"n": {"minimum": 1}}}],
        },
        {**obj(n=INT), "x-kubernetes-validations": [{"rule": "self.n > 1", "message": "too few"}]},
    ],
)
def test_a_structural_schema_has_no_problems(spec: dict[str, Any]) -> None:
    assert problems(crd(spec=spec)) == []


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ({"properties": {"n": INT}}, "type: Required value: must not be empty for specified object fields"),
        (
            {"type": "thing"},
            'type: Unsupported value: "thing": supported values: '
            '"array", "boolean", "integer", "number", "object", "string"',
        ),
        (
            {**obj(n=INT), "additionalProperties": TEXT},
            "additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
        ),
        (
            array(TEXT, uniqueItems=True),
            "uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
        ),
        ({"$ref": "#/definitions/x"}, "$ref: Forbidden: $ref is not supported"),
        ({"type": "array"}, "items: Required value: must be specified"),
        (
            {"type": "string", "pattern": "["},
            'pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: '
            "error parsing regexp: missing closing ]: `[`",
        ),
    ],
)
def test_what_a_schema_may_not_say_is_named(spec: dict[str, Any], text: str) -> None:
    assert lines(spec) == [text]


@pytest.mark.parametrize(
    ("default", "text"),
    [
        (
            obj(n={**INT, "default": "text"}),
            'properties[n].default: Invalid value: "string":  in body must be of type integer: "string"',
        ),
        (
            obj(n={**INT, "maximum": 2, "default": 3}),
            "properties[n].default: Invalid value: 3:  in body should be less than or equal to 2",
        ),
        ({**obj(n=INT), "default": {"m": 1}}, 'default: Invalid value: {"m":1}: must not have unknown fields'),
    ],
)
def test_a_default_must_fit_its_schema(default: dict[str, Any], text: str) -> None:
    assert lines(default) == [text]


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (array(NAMED, **{LIST: "map"}), f"{KEYS}: Required value: must not be empty if {LIST} is map"),
        (
            array(NAMED, **{LIST: "map", KEYS: ["z"]}),
            f'{KEYS}: Invalid value: ["z"]: entries must all be names of item properties',
        ),
        (
            array(NAMED, **{LIST: "map", KEYS: ["k"]}),
            f"items.properties[k].default: Required value: this property is in {KEYS}, "
            "so it must have a default or be a required property",
        ),
        (
            array(NAMED, **{LIST: "set"}),
            f"items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with {LIST}=set",
        ),
        ({"type": "object", LIST: "set"}, f'type: Invalid value: "object": must be array if {LIST} is specified'),
    ],
)
def test_keyed_lists_need_their_keys(spec: dict[str, Any], text: str) -> None:
    assert text in lines(spec)


def test_branches_may_only_restrict() -> None:
    spec = {"type": "object", "anyOf": [obj(q=TEXT)]}
    assert lines(spec) == [
        "anyOf[0].properties[q].type: Forbidden: must be empty to be structural",
        "anyOf[0].type: Forbidden: must be empty to be structural",
    ]


def test_the_root_is_an_object_whose_metadata_is_left_alone() -> None:
    assert problems({"type": "string"}) == ['type: Invalid value: "string": must be object at the root']
    metadata = obj(labels={"type": "object", "additionalProperties": TEXT})
    text = "must not specify anything other than name and generateName, but metadata is implicitly specified"
    assert problems(crd(metadata=metadata)) == [f"properties[metadata]: Forbidden: {text}"]
    assert problems(crd(metadata=obj(name={**TEXT, "maxLength": 5}))) == []


def test_a_rule_must_be_there_to_be_checked() -> None:
    spec = {**obj(n=INT), "x-kubernetes-validations": [{"rule": ""}, {"rule": "true", "message": "a\nb"}]}
    assert lines(spec) == [
        "x-kubernetes-validations[0].rule: Required value: rule is not specified",
        'x-kubernetes-validations[1].message: Invalid value: "a\\nb": must not contain line breaks',
    ]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": 5}, 'type: Invalid value: "number": must be a text'),
        ({"type": "object", "properties": []}, 'properties: Invalid value: "list": must be a map'),
        ({"type": "object", "properties": {"a": 1}}, 'properties[a]: Invalid value: "number": must be a map'),
        ({"type": "object", "required": "a"}, 'required: Invalid value: "text": must be a list'),
        ({"additionalProperties": "x"}, 'additionalProperties: Invalid value: "text": must be a map or boolean'),
    ],
)
def test_what_is_no_schema_at_all_is_said_before_anything_else(schema: dict[str, Any], text: str) -> None:
    assert problems(schema) == [text]


def test_causes_stand_at_the_field_of_the_definition() -> None:
    here = "spec.versions[0].schema.openAPIV3Schema"
    (found,) = causes_of({"type": "string"}, here)
    assert (found.reason, found.field) == ("FieldValueInvalid", f"{here}.type")


def test_a_status_subresource_limits_the_root() -> None:
    schema = {**crd(spec=obj()), "minProperties": 1}
    assert causes_of(schema, "") == []
    (found,) = causes_of(schema, "x", status=True)
    assert found.field == "x"
    assert "at the root of the schema if the status subresource is enabled" in found.message
