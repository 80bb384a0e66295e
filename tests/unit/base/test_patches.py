"""Merge patches and JSON patches, as an API server carries them out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from ork.base import patches
from ork.base.patches import PatchError


@pytest.mark.parametrize(
    ("document", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_merge_patch_is_laid_over_a_document(document: Any, patch: Any, result: Any) -> None:
    """The examples of RFC 7386."""
    before = copy.deepcopy((document, patch))
    assert patches.merge(document, patch) == result
    assert (document, patch) == before


def test_a_merge_patch_shares_what_it_does_not_change() -> None:
    document = {"spec": {"a": 1, "b": {"c": 2}}, "status": {"x": 1}}
    assert patches.merge(document, {}) is document
    assert patches.merge(document, {"none": None}) is document
    changed = patches.merge(document, {"spec": {"a": 2}})
    assert changed["status"] is document["status"]
    assert changed["spec"]["b"] is document["spec"]["b"]


DOCUMENT: dict[str, Any] = {"a": {"b": 1, "~/": 2}, "l": [1, 2, 3], "n": None}


def op(name: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": name, "path": path, **more}


@pytest.mark.parametrize(
    ("operation", "changed"),
    [
        (op("add", "/a/c", value=3), {"a": {"b": 1, "~/": 2, "c": 3}}),
        (op("add", "/a/b", value=3), {"a": {"b": 3, "~/": 2}}),
        (op("add", "/l/1", value=9), {"l": [1, 9, 2, 3]}),
        (op("add", "/l/-", value=9), {"l": [1, 2, 3, 9]}),
        (op("add", "/l/3", value=9), {"l": [1, 2, 3, 9]}),
        (op("replace", "/a/b", value=[]), {"a": {"b": [], "~/": 2}}),
        (op("replace", "/a/~0~1", value=0), {"a": {"b": 1, "~/": 0}}),
        (op("replace", "/l/0", value=0), {"l": [0, 2, 3]}),
        (op("remove", "/a/b"), {"a": {"~/": 2}}),
        (op("remove", "/l/1"), {"l": [1, 3]}),
        (op("copy", "/c", **{"from": "/l"}), {"c": [1, 2, 3]}),
        (op("move", "/l/0", **{"from": "/l/2"}), {"l": [3, 1, 2]}),
        (op("move", "/a/c", **{"from": "/a/b"}), {"a": {"~/": 2, "c": 1}}),
        (op("test", "/a/b", value=1), {}),
        (op("test", "/n", value=None), {}),
        (op("test", "/nowhere", value=None), {}),
    ],
)
def test_an_operation_changes_its_place_and_nothing_else(operation: dict[str, Any], changed: dict[str, Any]) -> None:
    before = copy.deepcopy(DOCUMENT)
    found = patches.apply(DOCUMENT, [operation])
    assert found == {**DOCUMENT, **changed}
    assert before == DOCUMENT
    assert all(found[key] is DOCUMENT[key] for key in DOCUMENT if key not in changed)


def test_operations_are_carried_out_in_order() -> None:
    steps = [op("add", "/x", value={}), op("add", "/x/y", value=1), op("test", "/x/y", value=1), op("remove", "/n")]
    assert patches.apply(DOCUMENT, steps) == {"a": DOCUMENT["a"], "l": DOCUMENT["l"], "x": {"y": 1}}
    assert patches.apply(DOCUMENT, []) is DOCUMENT
    assert patches.apply(DOCUMENT, [op("replace", "", value=1)]) == 1


@pytest.mark.parametrize(
    ("operations", "message"),
    [
        ({}, "must be a list of operations"),
        ([1], "Unexpected kind: unknown"),
        ([{"path": "/a"}], "Unexpected kind: unknown"),
        ([op("odd", "/a")], "Unexpected kind: odd"),
        ([op("add", "a", value=1)], "needs a path that begins with a slash"),
        ([{"op": "add", "value": 1}], "needs a path"),
        ([op("add", "/a")], "does not have a value: /a"),
        ([op("add", "/nowhere/x", value=1)], "missing path: nowhere"),
        ([op("add", "/a/b/c", value=1)], "doc is missing path"),
        ([op("add", "/l/9", value=1)], "Unable to access invalid index: 9"),
        ([op("add", "/l/x", value=1)], "Unable to access invalid index: x"),
        ([op("remove", "/nowhere")], "Unable to remove nonexistent key: nowhere"),
        ([op("remove", "/l/9")], "Unable to remove nonexistent key: 9"),
        ([op("replace", "/l/9", value=1)], "doc is missing key: /l/9"),
        ([op("copy", "/x")], "needs a from"),
        ([op("move", "/x", **{"from": "/nowhere"})], "missing from path: /nowhere"),
        ([op("test", "/a/b", value=2)], "testing value /a/b failed: test failed"),
        ([op("test", "/a", value=None)] * 10_001, "maximum operations in a JSON patch is 10000"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(operations: Any, message: str) -> None:
    with pytest.raises(PatchError, match=message):
        patches.apply(DOCUMENT, operations)
