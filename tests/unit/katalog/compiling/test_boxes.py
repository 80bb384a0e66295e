"""Effective boxes: which blocks a target inherits, which it replaces, which targets count (language, section 3.1)."""

from __future__ import annotations

import pytest

from ork.program import CRD_LEVEL, box_of

from .conftest import ENV, Compile, cr

BASE = """
    operatorBox:
      preReconcile:
        sentinels: [specChanged]
        external: [{name: shared, url: "http://a.example.com"}]
        enqueueGate: {when: [{field: "{{ specChanged }}", equals: "true"}]}
      onCreate: {configMaps: [{name: created, data: {a: b}}]}
      onReconcile: {configMaps: [{name: kept, data: {a: b}}]}
      status: {conditions: false, fields: [{path: phase, value: Ready}]}
      reconciler:
        workers: 3
        hooks: {location: ./hooks.py, function: base, args: {a: "1", b: "2"}}
    serve:
      enabled: true
      target:
        plain: {primary: true}
"""


def with_target(box: str) -> str:
    return f"{BASE}        other: {{operatorBox: {box}}}\n"


def test_a_target_without_a_box_has_the_crd_levels(compiled: Compile) -> None:
    made = compiled(BASE, hooks__py="")
    assert made.findings == []
    assert set(made.crd.boxes) == {CRD_LEVEL, "plain"}
    assert made.box("plain")._replace(surface=CRD_LEVEL).entries[0].id == made.box().entries[0].id
    assert made.box("plain").surface == "plain"
    assert made.box("plain").hook is not None


@pytest.mark.parametrize(
    ("box", "replaced"),
    [
        ("{onCreate: {}}", "create"),
        ("{onReconcile: {}}", "main"),
        ("{preReconcile: {}}", "pre"),
        ("{status: {}}", "status"),
        ("{reconciler: {hooks: {}}}", "hook"),
        ("{}", ""),
    ],
)
def test_an_empty_block_means_none_and_others_fall_back(compiled: Compile, box: str, replaced: str) -> None:
    other = compiled(with_target(box), hooks__py="").box("other")
    blocks = {
        "create": [entry for entry in other.entries if entry.on_create],
        "main": [entry for entry in other.entries if not entry.on_create],
        "pre": [*other.sentinels, *other.shared, *other.enqueue.guard.every],
        "status": other.status,
        "hook": other.hook,
    }
    assert {name for name, block in blocks.items() if not block} == ({replaced} if replaced else set())


def test_a_reconcile_gate_alone_removes_the_enqueue_gate(compiled: Compile) -> None:
    box = "{preReconcile: {reconcileGate: {when: [{field: spec.enabled, equals: 'true'}]}}}"
    other = compiled(with_target(box), hooks__py="").box("other")
    assert not other.enqueue.guard.every
    assert other.reconcile.guard.every
    assert other.sentinels == ()
    assert other.shared == ()


def test_sentinels_belong_to_their_block(compiled: Compile) -> None:
    box = "{preReconcile: {reconcileGate: {when: [{field: '{{ specChanged }}', equals: 'true'}]}}}"
    assert compiled(with_target(box), hooks__py="").codes == ["ORK0501"]


def test_the_arguments_of_a_hook_are_replaced_whole(compiled: Compile) -> None:
    box = "{reconciler: {hooks: {location: ./hooks.py, function: base, args: {c: '3'}}}}"
    hook = compiled(with_target(box), hooks__py="").box("other").hook
    assert hook is not None
    assert hook.args(cr(), ENV) == {"c": "3"}


def test_a_hook_that_says_no_arguments_has_the_crd_levels(compiled: Compile) -> None:
    box = "{reconciler: {hooks: {location: ./hooks.py, function: other}}}"
    hook = compiled(with_target(box), hooks__py="").box("other").hook
    assert hook is not None
    assert (hook.function, hook.args(cr(), ENV)) == ("other", {"a": "1", "b": "2"})


@pytest.mark.parametrize("key", ["workers: 2", "resync: 5s", "queue: {maxDepth: 3}"])
def test_settings_of_a_target_have_no_effect(compiled: Compile, key: str) -> None:
    made = compiled(with_target(f"{{reconciler: {{{key}}}}}"), hooks__py="")
    assert made.codes == ["ORK0806"]
    assert made.crd.settings.workers == 3


def test_a_fault_of_an_inherited_block_is_said_once(compiled: Compile) -> None:
    made = compiled("""
        operatorBox: {onReconcile: {configMaps: [{data: {a: "{{ .spec.imge }}{{ .external.no.body }}"}}]}}
        serve: {enabled: true, target: {one: {primary: true}, two: {}}}
    """)
    assert made.codes == ["ORK0304", "ORK0702"]


def test_an_inherited_block_is_held_to_the_targets_own_calls(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          preReconcile: {external: [{name: flags, url: "http://a.example.com"}]}
          onReconcile: {configMaps: [{data: {a: "{{ .external.flags.body }}"}}]}
        serve:
          enabled: true
          target:
            one: {primary: true}
            two: {operatorBox: {preReconcile: {}}}
    """)
    assert made.only.code == "ORK0702"
    assert made.only.message == "no external call is named `flags` in the box of the target `two`"


def test_a_services_pods_are_those_of_the_targets_workload(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onCreate: {deployments: [{name: base, image: a}]}
          onReconcile: {services: [{port: 80}]}
        serve:
          enabled: true
          target:
            one: {primary: true, operatorBox: {onCreate: {deployments: [{name: mine, image: b}]}}}
    """)
    assert made.built(cr(), 1)["spec"]["selector"]["app"] == "base"
    assert made.box("one").entries[1].build(cr(), ENV)["spec"]["selector"]["app"] == "mine"


@pytest.mark.parametrize(
    ("serve", "surfaces"),
    [
        ("{enabled: true, target: {a: {primary: true}, b: {}}}", {"", "a", "b"}),
        ("{enabled: true, target: {a: {primary: true}, b: {enabled: false}}}", {"", "a"}),
        ("{enabled: false, target: {a: {primary: true}}}", {""}),
        ("{target: {a: {primary: true}}}", {""}),
        ("{enabled: true, target: web}", {"", "web"}),
        ("{enabled: true}", {""}),
    ],
)
def test_a_target_counts_where_serving_and_itself_are_enabled(
    compiled: Compile, serve: str, surfaces: set[str]
) -> None:
    assert set(compiled(f"serve: {serve}").crd.boxes) == surfaces


def test_a_target_that_does_not_count_is_checked_all_the_same(compiled: Compile) -> None:
    made = compiled("""
        serve:
          enabled: false
          target:
            a: {primary: true, operatorBox: {onReconcile: {configMaps: [{data: {a: "{{ .spec.imge }}"}}]}}}
    """)
    assert made.codes == ["ORK0304"]


@pytest.mark.parametrize("target", ["{a: {}, b: {}}", "{a: {primary: true}, b: {primary: true}}"])
def test_exactly_one_target_is_primary(compiled: Compile, target: str) -> None:
    assert compiled(f"serve: {{enabled: true, target: {target}}}").codes == ["ORK0803"]


@pytest.mark.parametrize(
    ("level", "target", "kept"),
    [
        ("", "", False),
        ("", "true", True),
        ("true", "", True),
        ("true", "false", True),
        ("false", "true", False),
    ],
)
def test_the_crd_level_decides_first_whether_the_previous_surface_is_kept(
    compiled: Compile, level: str, target: str, kept: bool
) -> None:
    def said(value: str) -> str:
        return f", apply: {{overrides: {{keepPreviousSurface: {value}}}}}" if value else ""

    made = compiled(f"serve: {{enabled: true{said(level)}, target: {{a: {{primary: true{said(target)}}}}}}}")
    assert made.crd.keep_previous["a"] is kept  # type: ignore[index]


def test_annotations_choose_the_box(compiled: Compile) -> None:
    made = compiled("serve: {enabled: true, target: {a: {primary: true}, b: {}}}")
    for marks, surface in [
        ({}, ""),
        ({"serve-target": "b"}, "b"),
        ({"serve-target": "b", "serve-alias": "a"}, "a"),
        ({"serve-target": "unknown"}, ""),
    ]:
        obj = cr()
        named = {f"orkestra.orkspace.io/{key}": value for key, value in marks.items()}
        obj = {**obj, "metadata": {**obj["metadata"], "annotations": named}}
        assert box_of(made.crd, obj).surface == surface


def test_the_arguments_of_a_hook_that_is_not_found_are_parsed_but_not_held_to_calls(compiled: Compile) -> None:
    hooks = "operatorBox: {reconciler: {hooks: {location: github.com/a/b, function: F, args: {a: '{{ %s }}'}}}}"
    assert compiled(hooks % ".external.nobody.body").codes == ["ORK0204"]
    assert compiled(hooks % "uper .spec.image").codes == ["ORK0204", "ORK0301"]


def test_the_arguments_of_a_hook_that_is_found_are_held_to_calls(compiled: Compile) -> None:
    hooks = "operatorBox: {reconciler: {hooks: {location: h.py, function: F, args: {a: '{{ .external.x.body }}'}}}}"
    assert compiled(hooks, h__py="").codes == ["ORK0702"]


def test_a_box_knows_everything_that_it_reads(compiled: Compile) -> None:
    box = compiled("""
        validation: {rules: [{field: spec.tier, equals: gold}]}
        operatorBox:
          preReconcile: {reconcileGate: {when: [{field: spec.enabled, equals: "true"}]}}
          onReconcile: {configMaps: [{data: {a: "{{ .spec.image }}"}}]}
          status: {fields: [{path: phase, value: "{{ now }}"}]}
    """).box()
    assert box.reads >= {("spec", "tier"), ("spec", "enabled"), ("spec", "image"), ("metadata", "name"), ("@clock",)}
