"""Older spellings: each works, is noticed once, and reads as today's from then on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Entry = Callable[..., Any]
NOTES = {"ORK0110"}


@pytest.mark.parametrize(
    ("older", "today"),
    [
        ("workers: 4", {"operatorBox": {"reconciler": {"workers": 4}}}),
        ("resync: 1m", {"operatorBox": {"reconciler": {"resync": "1m"}}}),
        (
            "workers: 4\nresync: 1m\noperatorBox: {status: {}}",
            {"operatorBox": {"status": {}, "reconciler": {"workers": 4, "resync": "1m"}}},
        ),
        ("operatorBox: {default: false}", {"operatorBox": {"reconciler": {"default": False}}}),
        (
            "operatorBox: {default: true, reconciler: {workers: 2}}",
            {"operatorBox": {"reconciler": {"default": True, "workers": 2}}},
        ),
        (
            "operatorBox: {preReconcile: {enqueueGate: {anyOf: [{field: a, equals: b, valueType: integer}]}}}",
            {
                "operatorBox": {
                    "preReconcile": {"enqueueGate": {"or": [{"field": "a", "equals": "b", "valueType": "int"}]}}
                }
            },
        ),
        (
            "operatorBox: {onCreate: {configMaps: [{labels: [{key: a, value: b}, {key: c, value: d}]}]}}",
            {"operatorBox": {"onCreate": {"configMaps": [{"labels": {"a": "b", "c": "d"}}]}}},
        ),
    ],
)
def test_an_older_spelling_reads_as_today_s(entry: Entry, older: str, today: Any) -> None:
    found = entry(older)
    assert set(found.codes) == NOTES
    assert found.data == today


@pytest.mark.parametrize(("older", "today"), [("integer", "int"), ("str", "string"), ("boolean", "bool")])
def test_value_types_have_older_names(entry: Entry, older: str, today: str) -> None:
    found = entry(f"mutation: {{rules: [{{field: spec.x, default: 1, valueType: {older}}}]}}")
    assert found.only("ORK0110").hint == f'write "{today}"'
    assert found.data["mutation"]["rules"][0]["valueType"] == today


def test_the_value_keeps_its_own_place(entry: Entry) -> None:
    found = entry("workers: many")
    assert set(found.codes) == {"ORK0110", "ORK0102"}
    wrong = found.findings[-1]
    assert (wrong.span.line, wrong.span.column) == (7, 16)
    assert wrong.path == "spec.crds.app.operatorBox.reconciler.workers"


@pytest.mark.parametrize(
    "text",
    [
        "workers: 1\noperatorBox: {reconciler: {workers: 2}}",
        "operatorBox: {default: true, reconciler: {default: false}}",
        "operatorBox: {preReconcile: {enqueueGate: {anyOf: [], or: []}}}",
    ],
)
def test_both_spellings_at_once_are_refused(entry: Entry, text: str) -> None:
    entry(text).only("ORK0108")


def test_crds_may_be_a_list_with_names(decode: Entry) -> None:
    head = "apiVersion: orkestra.konductor.io/v1Alpha\nkind: Katalog\nmetadata: {name: k}\n"
    found = decode(head + "spec: {crds: [{name: app, description: x}, {name: route}]}")
    assert found.codes == ["ORK0110", "ORK0110"]
    assert found.data["apiVersion"] == "orkestra.orkspace.io/v1"
    assert found.data["spec"]["crds"] == {"app": {"description": "x"}, "route": {}}


@pytest.mark.parametrize("item", ["{key: a}", "{value: b}", "{key: 1, value: b}", "{key: a, value: b, c: d}", "a"])
def test_an_item_of_another_form_is_refused(entry: Entry, item: str) -> None:
    assert "ORK0102" in entry(f"operatorBox: {{onCreate: {{configMaps: [{{labels: [{item}]}}]}}}}").codes


def test_a_key_that_is_listed_twice_is_refused(entry: Entry) -> None:
    text = "operatorBox: {onCreate: {configMaps: [{labels: [{key: a, value: b}, {key: a, value: c}]}]}}"
    assert "ORK0003" in entry(text).codes
