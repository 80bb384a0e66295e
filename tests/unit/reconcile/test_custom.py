"""`custom` entries: whole objects, and a status of their own (resources, section 10)."""

from __future__ import annotations

from typing import Any

import pytest

from ork.program import CRD_LEVEL
from ork.reconcile.ports import OutcomeKind

CUSTOM = """
operatorBox:
  onReconcile:
    custom:
      - apiVersion: demo.io/v1
        kind: App
        metadata: {name: "{{ .metadata.name }}-child", labels: {team: blue}}
        spec: {size: "{{ .spec.size }}", parent: "{{ .metadata.name }}"}
        EXTRA
"""


def with_status(w: Any, *, has_status: bool = True) -> Any:
    """Let the entry declare a status as well."""
    box = w.crd.boxes[CRD_LEVEL]
    entry = box.entries[0]

    def build(scope: Any, env: Any) -> Any:
        return {**entry.build(scope, env), "status": {"phase": scope["spec"]["phase"]}}

    changed = entry._replace(build=build, has_status=has_status)
    w.crd = w.crd._replace(boxes={CRD_LEVEL: box._replace(entries=(changed,))})
    return w


def test_a_custom_object_is_kept_as_declared(world: Any) -> None:
    w = world(CUSTOM.replace("EXTRA", ""))
    w.cr(spec={"size": 3, "phase": "x"})
    w.settle()
    child = w.get("apps", "web-child")
    assert child["spec"] == {"size": 3, "parent": "web"}
    assert child["metadata"]["labels"]["team"] == "blue"
    w.patch("apps", "web-child", {"spec": {"size": 4}})
    w.settle()
    assert w.get("apps", "web-child")["spec"]["size"] == 3


def test_its_status_is_written_to_the_subresource_once_it_is_there(world: Any) -> None:
    w = with_status(world(CUSTOM.replace("EXTRA", "")))
    w.cr(spec={"size": 3, "phase": "x"})
    w.turn()
    assert w.requests == ["apply apps/default/web-child", "status"]
    w.turn()
    assert w.requests == ["apply apps/default/web-child"]
    assert w.get("apps", "web-child")["status"] == {"phase": "x"}
    w.cr(spec={"size": 3, "phase": "y"})
    w.settle()
    assert w.get("apps", "web-child")["status"] == {"phase": "y"}


def test_has_status_false_forbids_it(world: Any) -> None:
    w = with_status(world(CUSTOM.replace("EXTRA", "hasStatus: false")), has_status=False)
    w.cr(spec={"size": 3, "phase": "x"})
    assert w.settle().kind is OutcomeKind.SETTLED
    assert "status" not in w.get("apps", "web-child")


@pytest.mark.parametrize("size", [None, 5])
def test_a_lone_action_without_a_value_is_an_error_where_no_schema_says_it_may_be(world: Any, size: Any) -> None:
    w = world(CUSTOM.replace("EXTRA", ""))
    w.cr(spec={"phase": "x"} | ({} if size is None else {"size": size}))
    assert w.turn().kind is (OutcomeKind.FAILED if size is None else OutcomeKind.SETTLED)
