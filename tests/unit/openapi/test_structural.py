"""Defaults, pruning and validation of custom resources; that all of it agrees with a real API server on random
schemas is tests/controlplane/test_kubernetes.py."""

from __future__ import annotations

from typing import Any

import pytest

from ork.openapi import structural

NAMED = {"type": "object", "properties": {"name": {"type": "string"}, "protocol": {"type": "string", "default": "TCP"}}}
WIDGET: dict[str, Any] = {
    "type": "object",
    "required": ["spec"],
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "size": {"type": "integer", "minimum": 1, "maximum": 10, "default": 1},
                "color": {"type": "string", "enum": ["red", "green"]},
                "code": {"type": "string", "pattern": "^[a-z]+$", "minLength": 2, "maxLength": 4},
                "ratio": {"type": "number", "multipleOf": 0.5, "minimum": 0, "exclusiveMinimum": True},
                "big": {"type": "integer", "format": "int32"},
                "when": {"type": "string", "format": "date-time"},
                "odd": {"type": "string", "format": "no-such-format"},
                "on": {"type": "boolean"},
                "port": {"x-kubernetes-int-or-string": True},
                "maybe": {"type": "string", "nullable": True},
                "filled": {"type": "string", "nullable": True, "default": "x"},
                "inner": {"type": "object", "default": {}, "properties": {"depth": {"type": "integer", "default": 7}}},
                "loose": {"type": "object", "properties": {"depth": {"type": "integer", "default": 3}}},
                "free": {
                    "type": "object",
                    "x-kubernetes-preserve-unknown-fields": True,
                    "properties": {"known": {"type": "object", "properties": {"a": {"type": "integer"}}}},
                },
                "params": {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 2},
                "open": {"type": "object", "additionalProperties": True},
                "closed": {"type": "object", "additionalProperties": False},
                "tags": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set", "minItems": 1},
                "ports": {
                    "type": "array",
                    "maxItems": 3,
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name", "protocol"],
                    "items": NAMED,
                },
                "list": {"type": "array", "items": {"type": "object", "properties": {"v": {"default": "d"}}}},
                "any": {
                    "type": "object",
                    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                    "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
                },
                "one": {
                    "type": "object",
                    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
                },
                "all": {"type": "integer", "allOf": [{"minimum": 2}, {"maximum": 4}]},
                "not": {"type": "string", "not": {"enum": ["bad"]}},
            },
        }
    },
}
COMPILED = structural.compile(WIDGET)


def widget(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec}


# ── defaults ──
@pytest.mark.parametrize(
    ("given", "filled"),
    [
        ({}, {"size": 1, "filled": "x", "inner": {"depth": 7}}),
        ({"size": 3, "filled": "y", "inner": {}}, {"size": 3, "filled": "y", "inner": {"depth": 7}}),
        ({"loose": {}}, {"size": 1, "filled": "x", "inner": {"depth": 7}, "loose": {"depth": 3}}),
        ({"list": [{}, {"v": 1}]}, {"list": [{"v": "d"}, {"v": 1}], "size": 1, "filled": "x", "inner": {"depth": 7}}),
    ],
)
def test_defaults_fill_what_is_missing(given: dict[str, Any], filled: dict[str, Any]) -> None:
    assert COMPILED.default(widget(**given))["spec"] == filled


@pytest.mark.parametrize(
    ("field", "kept"),
    [("size", {"size": 1}), ("code", {}), ("maybe", {"maybe": None}), ("filled", {"filled": None}), ("free", {})],
)
def test_a_null_gives_way_to_the_default_or_is_dropped_unless_it_is_allowed(field: str, kept: dict[str, Any]) -> None:
    full = {"size": 1, "filled": "x", "inner": {"depth": 7}}
    assert COMPILED.default(widget(**{field: None}))["spec"] == {**full, **kept}


def test_a_null_of_which_nothing_is_known_stays() -> None:
    found = COMPILED.default(widget(free={"x": None}, list=[None], params={"a": None}))["spec"]
    assert (found["free"], found["list"], found["params"]) == ({"x": None}, [None], {})


def test_an_object_that_is_complete_is_returned_as_it_is() -> None:
    whole = COMPILED.default(widget(loose={"depth": 1}))
    assert COMPILED.default(whole) is whole
    assert COMPILED.prune(whole) is whole


def test_what_does_not_change_is_shared() -> None:
    given = widget(free={"x": {"y": 1}}, bogus=1)
    pruned = COMPILED.prune(COMPILED.default(given))
    assert pruned["spec"]["free"] is given["spec"]["free"]
    assert pruned["metadata"] is given["metadata"]


# ── pruning ──
def test_undeclared_fields_are_dropped_and_named() -> None:
    given = {**widget(bogus=1, list=[{"x": 1}], free={"x": 1, "known": {"b": 2}}), "top": 1}
    assert COMPILED.prune(given) == widget(list=[{}], free={"x": 1, "known": {}})
    assert COMPILED.unknown(given) == ["spec.bogus", "spec.free.known.b", "spec.list[0].x", "top"]


def test_a_map_of_anything_keeps_its_keys_and_nothing_inside() -> None:
    assert COMPILED.prune(widget(open={"a": {"b": 1}, "c": [{"d": 1}], "e": 5}))["spec"]["open"] == {
        "a": {},
        "c": [{}],
        "e": 5,
    }


def test_a_preserving_list_prunes_what_its_items_declare() -> None:
    items = {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}
    found = structural.compile_part({"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": items})
    assert found.prune([{"x": 1, "a": {"y": 1}}]) == [{"x": 1, "a": {}}]


def test_the_metadata_of_an_embedded_object_keeps_its_known_fields() -> None:
    part = structural.compile_part({"type": "object", "x-kubernetes-embedded-resource": True, "properties": {}})
    given = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "bogus": 1}, "spec": {}}
    assert part.prune(given) == {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}


# ── validation ──
NAME = "spec.{0} in body"
TABLE = [
    ({"size": 0}, "spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1"),
    ({"size": 11}, "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10"),
    ({"size": "3"}, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'),
    ({"size": None}, 'spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"'),
    ({"color": "pink"}, 'spec.color: Unsupported value: "pink": supported values: "red", "green"'),
    ({"code": "ABC"}, "spec.code: Invalid value: \"ABC\": spec.code in body should match '^[a-z]+$'"),
    ({"code": "a"}, 'spec.code: Invalid value: "a": spec.code in body should be at least 2 chars long'),
    ({"code": "abcde"}, "spec.code: Too long: may not be more than 4 bytes"),
    ({"ratio": 0.7}, "spec.ratio: Invalid value: 0.7: spec.ratio in body should be a multiple of 0.5"),
    (
        {"when": "yesterday"},
        'spec.when: Invalid value: "yesterday": spec.when in body must be of type date-time: "yesterday"',
    ),
    ({"when": 5}, 'spec.when: Invalid value: "int64": spec.when in body must be of type date-time: "int64"'),
    ({"on": "true"}, 'spec.on: Invalid value: "string": spec.on in body must be of type boolean: "string"'),
    (
        {"port": True},
        'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
    ),
    (
        {"params": {"a": 1}},
        'spec.params.a: Invalid value: "integer": spec.params.a in body must be of type string: "integer"',
    ),
    ({"params": {"a": "", "b": "", "c": ""}}, "spec.params: Too many: 3: must have at most 2 items"),
    ({"closed": {"a": 1}}, 'spec.closed: Invalid value: "a": spec.closed.a in body is a forbidden property'),
    ({"tags": []}, "spec.tags: Invalid value: 0: spec.tags in body should have at least 1 items"),
    ({"tags": ["a", "a", "a"]}, 'spec.tags[1]: Duplicate value: "a"'),
    ({"ports": [{"name": "p", "protocol": "T"}] * 2}, 'spec.ports[1]: Duplicate value: {"name":"p","protocol":"T"}'),
    (
        {"ports": ["p"]},
        'spec.ports[0]: Invalid value: "string": spec.ports[0] in body must be of type object: "string"',
    ),
    (
        {"ports": [{}, {"name": "a"}, {"name": "b"}, {"name": "c"}]},
        "spec.ports: Too many: 4: must have at most 3 items",
    ),
    ({"all": 1}, "spec.all: Invalid value: 1: spec.all in body should be greater than or equal to 2"),
    ({"not": "bad"}, '<nil>: Invalid value: "": "spec.not" must not validate the schema (not)'),
    ({"any": {}}, '<nil>: Invalid value: "": "spec.any" must validate at least one schema (anyOf)'),
    (
        {"one": {"a": 1, "b": 1}},
        '<nil>: Invalid value: "": "spec.one" must validate one and only one schema (oneOf). '
        "Found 2 valid alternatives",
    ),
]


@pytest.mark.parametrize(("spec", "cause"), TABLE)
def test_what_does_not_fit_is_refused_in_the_servers_words(spec: dict[str, Any], cause: str) -> None:
    assert str(COMPILED.validate(widget(**spec))[0]) == cause


@pytest.mark.parametrize(
    "spec",
    [
        {"size": 2.0},
        {"ratio": 1.5},
        {"when": "2024-01-02T03:04:05Z"},
        {"odd": "anything"},
        {"port": 80},
        {"port": "http"},
        {"maybe": None},
        {"free": {"a": [1]}},
        {"any": {"b": 1}},
        {"one": {"b": 1}},
        {"all": 3},
        {"ports": [{"name": "p", "protocol": "T"}, {"name": "p", "protocol": "U"}]},
    ],
)
def test_what_fits_is_taken(spec: dict[str, Any]) -> None:
    assert COMPILED.validate(widget(**spec)) == []


def test_a_required_field_is_demanded_at_the_root_and_below() -> None:
    part = structural.compile_part({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}})
    assert [str(cause) for cause in part.validate({})] == ["a: Required value"]
    assert [str(cause) for cause in COMPILED.validate({"metadata": {}})] == ["spec: Required value"]


def test_a_number_beyond_its_format_is_refused_once_for_its_type_and_once_for_its_range() -> None:
    assert [str(cause) for cause in COMPILED.validate(widget(big=2**31))] == [
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.big'
    ]
    assert [cause.field for cause in COMPILED.validate(widget(size=2.5))] == ["spec.size", "<nil>"]


def test_the_alternative_that_fits_best_tells_why() -> None:
    kinds = {"oneOf": [{"properties": {"a": {"minimum": 5}}}, {"required": ["b"]}]}
    part = structural.compile_part({"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}, **kinds})
    assert [cause.field for cause in part.validate({"a": 1})] == ["<nil>", "a"]


# ── changes ──
def test_a_bad_value_that_did_not_change_is_tolerated() -> None:
    stored = widget(size=99, color="pink")
    assert COMPILED.validate(widget(size=99, color="pink", on=True), stored) == []
    assert [cause.field for cause in COMPILED.validate(widget(size=98, color="pink"), stored)] == ["spec.size"]


def test_an_element_of_a_list_map_is_found_again_by_its_keys() -> None:
    bad = {"name": "p", "protocol": 5}
    stored, changed = widget(ports=[bad, {"name": "q"}]), widget(ports=[{"name": "r"}, dict(bad)])
    assert COMPILED.validate(changed, stored) == []
    assert [cause.field for cause in COMPILED.validate(changed)] == ["spec.ports[1].protocol"]


def test_duplicates_that_were_there_are_tolerated() -> None:
    stored = widget(tags=["a", "a"])
    assert COMPILED.validate(widget(tags=["a", "a"], on=True), stored) == []


# ── parts ──
def test_the_causes_of_a_part_stand_below_its_field() -> None:
    status = structural.compile_part({"type": "object", "properties": {"phase": {"type": "string"}}})
    assert [str(cause) for cause in status.validate({"phase": 1}, field="status")] == [
        'status.phase: Invalid value: "integer": phase in body must be of type string: "integer"'
    ]
    assert [cause.field for cause in status.validate("x", field="status")] == ["status"]


def test_unchecked_rules_are_mentioned_where_a_wrong_type_keeps_them_from_running() -> None:
    rules = {**WIDGET, "x-kubernetes-validations": [{"rule": "true"}]}
    compiled = structural.compile(rules)
    assert [cause.field for cause in compiled.validate(widget(on=1))] == ["spec.on", "<nil>"]
    assert [cause.field for cause in compiled.validate(widget(size=0))] == ["spec.size"]
