"""`.children`: which objects it has, under which keys."""

from __future__ import annotations

from typing import Any

import pytest

from ork.base.objects import Kind, Ref
from ork.base.requests import Child
from ork.engine.children import Children, children
from ork.engine.turn import entry_mark
from ork.labels import ENTRY_LABEL
from ork.program import CRD_LEVEL, Box, Crd, Entry, EntryId
from tests.kinds import CONFIG_MAPS

JOB = Kind("batch", "v1", "CronJob", "cronjobs", True)
ENDPOINTS = Kind("", "v1", "Endpoints", "endpoints", True)


def entry(id: str, kind: Kind) -> Entry:
    """An entry of which only identity and kind matter."""
    unused: Any = None
    values = dict.fromkeys(Entry._fields, unused) | {"id": EntryId(id), "kind": kind}
    return Entry(**values)


def crd(*entries: Entry) -> tuple[Crd, Box]:
    box = Box(CRD_LEVEL, entries=entries)
    unused: Any = None
    values = dict.fromkeys(Crd._fields, unused) | {"name": "app", "boxes": {CRD_LEVEL: box}}
    return Crd(**values), box


def child(kind: Kind, name: str, id: str, namespace: str = "default") -> Child:
    obj = {"metadata": {"name": name, "labels": {ENTRY_LABEL: entry_mark("app", EntryId(id))}}}
    return Child(Ref(kind, namespace, name), obj)


def names(found: Any) -> Any:
    return found["metadata"]["name"]


def test_a_child_is_found_by_kind_and_by_plural_and_name() -> None:
    found = children(*crd(entry("a", JOB)), [child(JOB, "nightly", "a")])
    assert names(found["cronjob"]) == "nightly"
    assert names(found["cronjobs"]["nightly"]) == "nightly"


@pytest.mark.parametrize("key", ["cronJob", "CronJob", "CRONJOB", "cronjob"])
def test_keys_are_found_in_any_letter_case(key: str) -> None:
    found = children(*crd(entry("a", JOB)), [child(JOB, "nightly", "a")])
    assert names(found[key]) == names(found.get(key)) == "nightly"
    assert key in found


def test_what_is_not_there_is_missing_in_any_letter_case() -> None:
    found = Children()
    assert found.get("cronJob") is None
    assert "cronJob" not in found
    for key in ("cronJob", "cronjob"):
        with pytest.raises(KeyError):
            found[key]


def test_the_singular_is_the_child_of_the_entry_declared_first() -> None:
    live = [child(CONFIG_MAPS, "a-second", "second"), child(CONFIG_MAPS, "z-first", "first")]
    found = children(*crd(entry("first", CONFIG_MAPS), entry("second", CONFIG_MAPS)), live)
    assert names(found["configmap"]) == "z-first"
    assert sorted(found["configmaps"]) == ["a-second", "z-first"]


def test_children_of_other_boxes_are_not_there() -> None:
    found = children(*crd(entry("a", CONFIG_MAPS)), [child(CONFIG_MAPS, "old", "gone")])
    assert dict(found) == {}


def test_a_kind_that_is_its_own_plural_is_read_as_the_object() -> None:
    found = children(*crd(entry("a", ENDPOINTS)), [child(ENDPOINTS, "web", "a")])
    assert names(found["endpoints"]) == "web"
