"""Included files: in the place of a list item, or under the keys of a block; findings at their own file; cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ork.base.findings import Finding
from ork.katalog.documents import decoded
from ork.katalog.sources import Sources, in_memory

Entry = Callable[..., Any]
CALLS = "operatorBox: {onReconcile: {external: [{include: ./calls.yaml}, {name: last, url: x}]}}"
TWO = "calls:\n  - {name: a, url: x}\n  - {name: b, url: x}\n"


def names(found: Any) -> list[str]:
    return [call["name"] for call in found.data["operatorBox"]["onReconcile"]["external"]]


def test_the_items_take_the_place_of_the_include(entry: Entry) -> None:
    found = entry(CALLS, {"calls.yaml": "x-note: any\n" + TWO})
    assert found.codes == []
    assert names(found) == ["a", "b", "last"]


def test_an_included_file_may_include_others_from_the_katalog_s_directory(entry: Entry) -> None:
    files = {"shared/calls.yaml": "calls:\n- include: shared/more.yaml\n", "shared/more.yaml": TWO}
    found = entry(CALLS.replace("./calls", "./shared/calls"), files)
    assert found.codes == []
    assert names(found) == ["a", "b", "last"]


def test_a_fault_in_an_included_file_is_reported_there_once(entry: Entry) -> None:
    text = CALLS.replace("[{include", "[{include: ./calls.yaml}, {include", 1)
    found = entry(text, {"calls.yaml": "calls:\n  - name: a\n    ulr: x\n    url: z\n"})
    finding = found.only("ORK0101")
    assert str(finding.span) == "calls.yaml:3:5"
    assert finding.path == "calls[0].ulr"


def test_a_duplicate_key_in_an_included_file_is_reported_there(entry: Entry) -> None:
    found = entry(CALLS, {"calls.yaml": "calls: []\ncalls: []\n"})
    assert str(found.only("ORK0003").span) == "calls.yaml:2:1"


@pytest.mark.parametrize(
    ("block", "fragment", "expected"),
    [
        (
            "reconciler: {include: f.yaml, workers: 3}",
            "workers: 9\nresync: 1m\nhooks: {location: ./h.py, function: f}",
            {"reconciler": {"workers": 3, "resync": "1m", "hooks": {"location": "./h.py", "function": "f"}}},
        ),
        (
            "status: {include: f.yaml, fields: [{path: b, value: x}]}",
            "conditions: false\nfields: [{path: a, value: x}]",
            {"status": {"conditions": False, "fields": [{"path": "a", "value": "x"}, {"path": "b", "value": "x"}]}},
        ),
        (
            "status: {fields: [{include: f.yaml}, {path: b, value: x}]}",
            "fields: [{path: a, value: x}]",
            {"status": {"fields": [{"path": "a", "value": "x"}, {"path": "b", "value": "x"}]}},
        ),
        (
            "reconciler: {include: f.yaml, hooks: {location: l, function: f, managedResources: [a]}}",
            "hooks: {location: other, function: g, managedResources: [b], args: {x: z}}",
            {
                "reconciler": {
                    "hooks": {"location": "l", "function": "f", "managedResources": ["a"], "args": {"x": "z"}}
                }
            },
        ),
    ],
)
def test_a_block_lies_over_the_file_that_it_includes(entry: Entry, block: str, fragment: str, expected: Any) -> None:
    found = entry(f"operatorBox: {{{block}}}", {"f.yaml": fragment})
    assert found.codes == []
    assert found.data["operatorBox"] == expected


def test_included_rules_come_before_those_that_stand_here(entry: Entry) -> None:
    rules = "validation: {include: rules.yaml, rules: [{field: a, exists: true, message: here}]}"
    found = entry(rules, {"rules.yaml": "rules: [{field: b, exists: true, message: there}]"})
    assert [rule["message"] for rule in found.data["validation"]["rules"]] == ["there", "here"]


@pytest.mark.parametrize(
    ("files", "cycle"),
    [
        ({"calls.yaml": "calls: [{include: calls.yaml}]"}, "calls.yaml → calls.yaml"),
        (
            {"calls.yaml": "calls: [{include: ./b.yaml}]", "b.yaml": "calls: [{include: x/../calls.yaml}]"},
            "calls.yaml → b.yaml → calls.yaml",
        ),
        ({"calls.yaml": "calls: [{include: ./k.yaml}]"}, "k.yaml → calls.yaml → k.yaml"),
    ],
)
def test_a_cycle_is_refused_and_printed(entry: Entry, files: dict[str, str], cycle: str) -> None:
    assert cycle in entry(CALLS, files).only("ORK0202").message


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "ORK0201"), ("", "ORK0203"), ("- a", "ORK0203"), ("a: 1\n---\nb: 1", "ORK0203"), ("rules: []", "ORK0101")],
)
def test_a_file_that_cannot_be_used_is_reported(entry: Entry, content: str | None, code: str) -> None:
    found = entry(CALLS, {} if content is None else {"calls.yaml": content})
    assert code in found.codes
    assert names(found) == ["last"]


def test_other_keys_beside_an_include_are_refused(entry: Entry) -> None:
    found = entry(CALLS.replace("{include: ./calls.yaml}", "{include: ./calls.yaml, name: x}"), {"calls.yaml": TWO})
    found.only("ORK0108")
    assert names(found) == ["a", "b", "last"]


@pytest.mark.parametrize("target", ["5", "{a: b}", "[a]"])
def test_an_include_is_a_path(entry: Entry, target: str) -> None:
    assert set(entry(CALLS.replace("./calls.yaml", target)).codes) <= {"ORK0102", "ORK0103"}


@pytest.mark.parametrize(
    ("katalog", "target", "file"),
    [
        ("ops/k.yaml", "../shared/c.yaml", "shared/c.yaml"),
        ("/abs/k.yaml", "c.yaml", "/abs/c.yaml"),
        ("-", "c.yaml", "c.yaml"),
    ],
)
def test_a_path_is_relative_to_the_katalog(katalog: str, target: str, file: str) -> None:
    text = f"katalog: x\nexpect: {{ops: [{{include: {target}}}]}}"
    sources = Sources(in_memory({katalog: text, file: "ops: [{verb: create}]"}))
    findings: list[Finding] = []
    document = decoded(sources.documents(katalog, findings)[0], sources, findings)
    assert findings == []
    assert document is not None
    assert sources.files == (katalog, file)
