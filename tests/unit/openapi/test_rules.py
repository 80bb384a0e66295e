"""What Kubernetes refuses in objects of its own kinds.

`refusals.json` holds what a real API server said to some 450 attempts, as tests/controlplane/kubernetes.py
recorded it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ork.base.objects import Kind, Object, split_api_version
from ork.openapi import kubernetes
from ork.openapi.builtin.rules import table
from ork.openapi.causes import Cause
from tests.controlplane.kubernetes import altered

RECORDED = json.loads((Path(__file__).parent / "refusals.json").read_text())
Row = tuple[str, dict[str, Any], list[list[str]]]
"""A base, the fields that are set in it, and the causes: reason, field and message."""

ELSEWHERE = {
    "disallowed by cluster policy": "which pods may be privileged is a setting of the server",
    "`selector` not auto-generated": "a Job's selector is made of its uid, when it is created",
    '"x23456789012345678901234567890123456789012345678901234567890123456789": must': "so are the labels of its pods",
    "invalid character 'o' in literal null": "Go tells what is wrong with JSON in other words than Python",
}
"""Messages that rest on something else than the object."""


def judged(rows: list[Row]) -> list[Row]:
    """Leave out the rows with messages from elsewhere."""
    return [row for row in rows if not any(known in cause[2] for known in ELSEWHERE for cause in row[2])]


def kind_of(obj: Object) -> Kind:
    return kubernetes.kinds()[(*split_api_version(obj["apiVersion"]), obj["kind"])]


def read(obj: Object) -> Object:
    return _with_stored_versions(kubernetes.defaults(kind_of(obj), obj))


def _with_stored_versions(obj: Object) -> Object:
    """Note the storage version of a CustomResourceDefinition, as each write does before validation."""
    if obj["kind"] != "CustomResourceDefinition":
        return obj
    status = obj.get("status", {})
    now = [version["name"] for version in obj["spec"]["versions"] or () if version.get("storage")][:1]
    stored = list(dict.fromkeys([*(status.get("storedVersions") or ()), *now]))
    return {**obj, "status": {**status, "storedVersions": stored or None}}


def told(causes: list[Cause] | list[list[str]]) -> list[tuple[str, str, str]]:
    return sorted((reason, field, _sayable(message)) for reason, field, message in causes)


def _sayable(message: str) -> str:
    """Leave out what only Go can print: structs with their internal names, and differences of two of them."""
    return re.sub(r"^(\w+ value): [\[{].*[]}](: |$)", r"\1\2", message.partition("\n")[0])


def within_reach(causes: list[list[str]], found: list[Cause]) -> list[list[str]]:
    """Leave out what holds for the metadata of every kind, which is not looked at here."""
    return [cause for cause in causes if not cause[1].startswith("metadata.") or Cause(*cause) in found]


@pytest.mark.parametrize("row", judged(RECORDED["creations"]), ids=lambda row: str(row[0]))
def test_a_creation_is_refused_for_the_causes_of_a_real_server(row: Row) -> None:
    base, fields, causes = row
    obj = read(altered(RECORDED["bases"][base], fields))
    found = kubernetes.validate_builtin(kind_of(obj), obj)
    assert told(found) == told(within_reach(causes, found))


@pytest.mark.parametrize("row", judged(RECORDED["changes"]), ids=lambda row: str(row[0]))
def test_a_change_is_refused_for_the_causes_of_a_real_server(row: Row) -> None:
    base, fields, causes = row
    old = RECORDED["stored"][base]
    obj = read(altered(old, fields))
    found = kubernetes.validate_builtin(kind_of(obj), obj, read(old))
    assert told(found) == told(within_reach(causes, found))


@pytest.mark.parametrize("base", RECORDED["stored"])
def test_an_object_that_does_not_change_is_never_refused(base: str) -> None:
    stored = read(RECORDED["stored"][base])
    assert kubernetes.validate_builtin(kind_of(stored), stored, stored) == []


# ── the status ──
def scaled(kind: str, **status: Any) -> Object:
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": "a"}, "spec": {}, "status": status}


@pytest.mark.parametrize(
    ("kind", "status", "field"),
    [
        ("Deployment", {"replicas": 1, "observedGeneration": -1}, "status.observedGeneration"),
        ("Deployment", {"replicas": 1, "updatedReplicas": 2}, "status.updatedReplicas"),
        ("Deployment", {"replicas": 1, "readyReplicas": 2}, "status.readyReplicas"),
        ("ReplicaSet", {"replicas": 1, "fullyLabeledReplicas": 2}, "status.fullyLabeledReplicas"),
        ("StatefulSet", {"replicas": 1, "currentReplicas": 2}, "status.currentReplicas"),
        ("StatefulSet", {"replicas": 2, "readyReplicas": 1, "availableReplicas": 2}, "status.availableReplicas"),
        ("DaemonSet", {"numberReady": -1}, "status.numberReady"),
    ],
)
def test_counts_in_a_status_must_make_sense(kind: str, status: dict[str, Any], field: str) -> None:
    old, obj = scaled(kind), scaled(kind, **status)
    found = kubernetes.validate_builtin(kind_of(obj), obj, old, "status")
    assert [cause.field for cause in found] == [field]


def test_a_write_to_the_status_is_not_judged_by_its_spec() -> None:
    obj = scaled("Deployment", replicas=1)
    assert kubernetes.validate_builtin(kind_of(obj), obj, obj, "status") == []
    assert kubernetes.validate_builtin(kind_of(obj), obj, obj) != []


# ── the table ──
def test_every_rule_is_about_a_field_that_there_is() -> None:
    structs = {name: struct for kind in kubernetes.kinds().values() for name, struct in _structs(kind)}
    for name, rules in table():
        assert {*rules.fields, *rules.needs} <= structs[name]["properties"].keys(), name


def _structs(kind: Kind) -> Iterator[tuple[str, Object]]:
    """Yield the structs of a kind; each once, since they may contain themselves."""
    seen: set[str] = set()
    left = [kubernetes.schema_of(kind)]
    while left:
        here = left.pop() or {}
        name = here.get(kubernetes.TYPE, "")
        if name and name not in seen:
            seen.add(name)
            yield name, here
            left += here["properties"].values()
        left += [here[key] for key in ("items", "additionalProperties") if key in here]


def test_kinds_that_kubernetes_does_not_have_are_not_judged() -> None:
    unknown = Kind("example.com", "v1", "Widget", "widgets", namespaced=True)
    assert kubernetes.validate_builtin(unknown, {"kind": "Widget"}) == []
    assert kubernetes.defaults(unknown, {"kind": "Widget"}) == {"kind": "Widget"}
    assert kubernetes.resource(unknown) is None
    assert kubernetes.schema_of(unknown) is None
