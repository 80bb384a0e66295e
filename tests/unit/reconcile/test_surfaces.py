"""Targets: which box works on a CR, and what a switch of the surface sweeps (language, sections 3.1 and 12)."""

from __future__ import annotations

from typing import Any

import pytest

TARGET = "orkestra.orkspace.io/serve-target"
ALIAS = "orkestra.orkspace.io/serve-alias"
LAST = "orkestra.orkspace.io/last-surface"

TARGETS = """
operatorBox:
  onReconcile:
    configMaps:
      - {name: "{{ .metadata.name }}-plain"}
      - {name: "{{ .metadata.name }}-both"}
serve:
  enabled: true
  apply: {overrides: {keepPreviousSurface: KEEP}}
  target:
    regional:
      primary: true
      operatorBox:
        onReconcile:
          configMaps:
            - {name: "{{ .metadata.name }}-{{ .item }}", forEach: {field: spec.regions, as: region}}
            - {name: "{{ .metadata.name }}-both"}
    global:
      operatorBox:
        onReconcile: {configMaps: [{name: "{{ .metadata.name }}-global"}]}
"""
DROP = TARGETS.replace("KEEP", "false")


def names(w: Any) -> list[str]:
    uid = w.store.get(w.crd.kind, "default", "web")["metadata"]["uid"]
    return [child.ref.name for child in w.ports.view.owned(uid)]


def last(w: Any) -> str | None:
    found: str | None = w.store.get(w.crd.kind, "default", "web")["metadata"].get("annotations", {}).get(LAST)
    return found


@pytest.mark.parametrize(
    ("annotations", "children", "surface"),
    [
        ({}, ["web-both", "web-plain"], ""),
        ({TARGET: "regional"}, ["web-both", "web-eu", "web-us"], "regional"),
        ({TARGET: "global"}, ["web-global"], "global"),
        ({TARGET: "regional", ALIAS: "global"}, ["web-global"], "global"),
        ({TARGET: "regional", ALIAS: "unknown"}, ["web-both", "web-eu", "web-us"], "regional"),
        ({TARGET: "unknown"}, ["web-both", "web-plain"], ""),
    ],
)
def test_the_box_is_the_alias_then_the_targets_then_the_crd_levels(
    world: Any, annotations: dict[str, str], children: list[str], surface: str
) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu", "us"]}, annotations=annotations)
    w.settle()
    assert names(w) == children
    assert last(w) == surface


def test_the_surface_is_noted_before_the_first_child_in_one_request(world: Any) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.turn()
    assert w.requests[0] == "mark"
    assert w.requests.count("mark") == 1


def test_a_switch_sweeps_the_previous_surface_first_and_is_noted_last(world: Any) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu", "us"]}, annotations={TARGET: "regional"})
    w.settle()
    w.cr(spec={}, annotations={TARGET: "global"})
    w.turn()
    assert w.requests == [
        "delete configmaps/default/web-both",
        "delete configmaps/default/web-eu",
        "delete configmaps/default/web-us",
        "apply configmaps/default/web-global",
        "mark",
        "status",
    ]
    assert (names(w), last(w)) == (["web-global"], "global")
    w.turn()
    assert w.requests == []


def test_a_switch_leaves_alone_what_the_new_box_renders_under_the_same_name(world: Any) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    before = w.get("configmaps", "web-both")["metadata"]
    w.cr(spec={}, annotations={})
    w.turn()
    after = w.get("configmaps", "web-both")["metadata"]
    assert (after["uid"], after["labels"]["orkestra-owner"]) == (before["uid"], "web")
    assert names(w) == ["web-both", "web-plain"]


def test_the_same_goes_for_what_is_created_once(world: Any) -> None:
    w = world(DROP.replace("onReconcile", "onCreate"))
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    w.patch("configmaps", "web-both", {"data": {"by": "hand"}})
    w.cr(spec={}, annotations={})
    w.settle()
    obj = w.get("configmaps", "web-both")
    assert (obj["metadata"]["labels"]["orkestra-owner"], obj["data"]) == ("web", {"by": "hand"})
    assert names(w) == ["web-both", "web-plain"]


def test_keep_previous_surface_keeps_the_old_children(world: Any) -> None:
    w = world(TARGETS.replace("KEEP", "true"))
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    w.cr(spec={}, annotations={TARGET: "global"})
    w.settle()
    assert names(w) == ["web-both", "web-eu", "web-global"]
    assert last(w) == "global"


def test_kept_children_are_not_pruned_later(world: Any) -> None:
    w = world(TARGETS.replace("KEEP", "true"))
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    w.cr(spec={"other": 1}, annotations={TARGET: "global"})
    w.settle()
    w.cr(spec={"other": 2}, annotations={TARGET: "global"})
    w.settle()
    assert names(w) == ["web-both", "web-eu", "web-global"]


def test_a_switch_waits_as_a_whole_for_a_rendering_without_faults(world: Any) -> None:
    w = world(DROP.replace('"{{ .metadata.name }}-global"', '"{{ .spec.name }}"'))
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    w.cr(spec={}, annotations={TARGET: "global"})
    w.turn()
    assert names(w) == ["web-both", "web-eu"]
    assert last(w) == "regional"
    w.cr(spec={"name": "web-late"}, annotations={TARGET: "global"})
    w.settle()
    assert (names(w), last(w)) == (["web-late"], "global")


def test_a_crash_after_the_sweep_is_made_up_for(world: Any) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    w.cr(spec={}, annotations={TARGET: "global"})
    for name in ("web-eu", "web-both"):
        w.delete("configmaps", name)
    w.restart()
    w.settle()
    assert (names(w), last(w)) == (["web-global"], "global")


def test_without_targets_no_surface_is_noted_and_an_old_note_is_swept_and_taken_away(world: Any) -> None:
    w = world(DROP)
    w.cr(spec={"regions": ["eu"]}, annotations={TARGET: "regional"})
    w.settle()
    plain = world('operatorBox: {onReconcile: {configMaps: [{name: "{{ .metadata.name }}-plain"}]}}')
    w.crd = plain.crd
    w.settle()
    assert (names(w), last(w)) == (["web-plain"], None)
    w.cr("fresh", spec={})
    w.turn("fresh")
    assert "mark" not in w.requests


def test_status_fields_of_the_old_surface_go(world: Any) -> None:
    w = world(
        """
        operatorBox: {status: {fields: [{path: phase, value: plain}]}}
        serve:
          enabled: true
          target:
            special:
              primary: true
              operatorBox: {status: {fields: [{path: zone, value: x}]}}
        """
    )
    w.cr(spec={})
    w.settle()
    assert w.status()["phase"] == "plain"
    w.cr(spec={}, annotations={TARGET: "special"})
    w.settle()
    assert "phase" not in w.status()
    assert w.status()["zone"] == "x"
