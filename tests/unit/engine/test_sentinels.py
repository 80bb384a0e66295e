"""What changed between two versions of an object."""

from __future__ import annotations

from typing import Any

import pytest

from ork.engine.sentinels import either, sentinels
from ork.program import SENTINELS


def obj(spec: Any = None, status: Any = None, **metadata: Any) -> dict[str, Any]:
    parts = {"spec": spec, "status": status}
    return {"metadata": {"name": "web", **metadata}} | {key: value for key, value in parts.items() if value is not None}


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("generationChanged", obj(generation=1), obj(generation=2)),
        ("labelsChanged", obj(labels={"a": "1"}), obj(labels={"a": "2"})),
        ("labelsChanged", obj(), obj(labels={"a": "2"})),
        ("annotationsChanged", obj(annotations={"a": "1"}), obj()),
        ("deletionStarted", obj(), obj(deletionTimestamp="now")),
        ("finalizersChanged", obj(finalizers=["a"]), obj(finalizers=["a", "b"])),
        ("nameChanged", obj(), obj(name="other")),
        ("namespaceChanged", obj(namespace="a"), obj(namespace="b")),
        ("generateNameChanged", obj(), obj(generateName="a-")),
        ("uidChanged", obj(uid="1"), obj(uid="2")),
        ("resourceVersionChanged", obj(resourceVersion="1"), obj(resourceVersion="2")),
        ("creationTimestampChanged", obj(creationTimestamp="a"), obj(creationTimestamp="b")),
        ("deletionGracePeriodSecondsChanged", obj(), obj(deletionGracePeriodSeconds=5)),
        ("ownerReferenceChanged", obj(), obj(ownerReferences=[{"uid": "1"}])),
        ("managedFieldsChanged", obj(), obj(managedFields=[{"manager": "x"}])),
        ("specChanged", obj(spec={"a": 1}), obj(spec={"a": 2})),
        ("statusChanged", obj(), obj(status={"a": 2})),
    ],
)
def test_each_sentinel_fires_for_its_own_change_only(name: str, old: Any, new: Any) -> None:
    fired = {each for each, fires in sentinels(SENTINELS, old, new).items() if fires}
    assert fired == {name}


def test_every_sentinel_of_the_language_can_be_computed() -> None:
    assert list(sentinels(SENTINELS, None, obj())) == list(SENTINELS)


def test_without_an_old_version_everything_is_new_but_no_deletion_started() -> None:
    found = sentinels(SENTINELS, None, obj())
    assert [name for name, fires in found.items() if not fires] == ["deletionStarted"]


@pytest.mark.parametrize("empty", [{}, None])
def test_empty_labels_and_none_are_the_same(empty: Any) -> None:
    assert sentinels(["labelsChanged"], obj(labels=empty), obj()) == {"labelsChanged": False}


def test_deletion_that_goes_on_does_not_start_again() -> None:
    going = obj(deletionTimestamp="now")
    assert sentinels(["deletionStarted"], going, going) == {"deletionStarted": False}
    assert sentinels(["deletionStarted"], None, going) == {"deletionStarted": True}


def test_two_events_together_changed_what_either_did() -> None:
    assert either({"a": True, "b": False}, {"b": False, "c": True}) == {"a": True, "b": False, "c": True}
