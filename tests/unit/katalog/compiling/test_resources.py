"""Resource entries: what the short form builds, lists and identity (language, section 6; resources.md).

Native fields, services and custom entries stand in files of their own, expressions and their scopes in `test_scope.py`;
what becomes of the objects afterwards is the engine's.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

from ork.labels import OWNER_LABEL
from ork.program import Keep

from .conftest import ENV, Compile, cr


def test_a_deployment_has_one_container_that_is_named_like_it(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - name: "{{ .metadata.name }}"
                image: "{{ .spec.image }}"
                replicas: "3"
                port: 8080
                env: [{name: MODE, value: "{{ .spec.tier }}"}]
    """)
    assert made.findings == []
    assert made.built(cr(tier="gold")) == {
        "spec": {
            "replicas": 3,
            "template": {
                "metadata": {"labels": {"app": "web", OWNER_LABEL: "web"}},
                "spec": {
                    "containers": [
                        {
                            "name": "web",
                            "image": "nginx:1",
                            "ports": [{"containerPort": 8080}],
                            "env": [{"name": "MODE", "value": "gold"}],
                        }
                    ]
                },
            },
            "selector": {"matchLabels": {"app": "web", OWNER_LABEL: "web"}},
        }
    }


def test_labels_go_to_the_object_and_its_pods_but_never_into_the_selector(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                labels: {tier: "{{ .spec.tier }}", app: mine}
                annotations: {note: x}
    """)
    built = made.built(cr(tier="gold"))
    assert built["metadata"] == {"labels": {"tier": "gold", "app": "mine"}, "annotations": {"note": "x"}}
    selected = {"app": "web-deployment", OWNER_LABEL: "web"}
    assert built["spec"]["template"]["metadata"]["labels"] == {"tier": "gold", **selected}
    assert built["spec"]["selector"]["matchLabels"] == selected


@pytest.mark.parametrize(
    ("group", "fields", "name"),
    [
        ("deployments", "{image: x}", "web-deployment"),
        ("services", "{port: 80, selector: {a: b}}", "web-svc"),
        ("configMaps", "{data: {a: b}}", "web-config"),
        ("secrets", "{data: {a: b}}", "web-secret"),
        ("serviceAccounts", "{}", "web-sa"),
        ("namespaces", "{}", "web-ns"),
        ("jobs", "{image: x}", "web-job"),
    ],
)
def test_an_entry_without_a_name_has_its_groups_default(compiled: Compile, group: str, fields: str, name: str) -> None:
    made = compiled(f"operatorBox: {{onReconcile: {{{group}: [{fields}]}}}}")
    entry = made.entry()
    assert entry.name(cr(), ENV) == name
    assert entry.id == f"{group}/{entry.name.text}"


def test_group_names_are_taken_in_any_letter_case(compiled: Compile) -> None:
    made = compiled("operatorBox: {onReconcile: {ConfigMaps: [{data: {a: b}}]}}")
    assert made.entry().group == "configMaps"


def test_a_job_is_created_once_wherever_it_stands(compiled: Compile) -> None:
    made = compiled("operatorBox: {onReconcile: {jobs: [{image: x, command: run, args: [a, '{{ .spec.tier }}']}]}}")
    entry = made.entry()
    assert entry.keep is Keep.ONCE
    spec = made.built(cr(tier="gold"))["spec"]
    assert spec["backoffLimit"] == 3
    assert spec["template"]["spec"]["restartPolicy"] == "Never"
    container = spec["template"]["spec"]["containers"][0]
    assert (container["command"], container["args"]) == (["run"], ["a", "gold"])


@pytest.mark.parametrize(
    ("block", "extra", "keep"),
    [
        ("onCreate", "", Keep.ONCE),
        ("onCreate", ", reconcile: true", Keep.SYNC),
        ("onReconcile", "", Keep.SYNC),
        ("onReconcile", ", reconcile: false", Keep.SYNC),
    ],
)
def test_drift_is_corrected_under_on_reconcile_and_where_it_is_asked_for(
    compiled: Compile, block: str, extra: str, keep: Keep
) -> None:
    entry = compiled(f"operatorBox: {{{block}: {{configMaps: [{{data: {{a: b}}{extra}}}]}}}}").entry()
    assert entry.keep is keep
    assert entry.on_create is (block == "onCreate")


def test_the_data_of_a_secret_is_encoded_and_never_string_data(compiled: Compile) -> None:
    made = compiled("""
        operatorBox: {onReconcile: {secrets: [{data: {fixed: plain, made: "{{ .spec.image }}!"}}]}}
    """)
    built = made.built(cr())
    assert "stringData" not in built
    assert {key: b64decode(value).decode() for key, value in built["data"].items()} == {
        "fixed": "plain",
        "made": "nginx:1!",
    }


def test_env_from_names_whole_sources_with_or_without_a_prefix(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                envFrom:
                  secretRef: [{name: keys, prefix: K_}]
                  configMapRef: [{name: "{{ .metadata.name }}-config"}, plain]
    """)
    container = made.built(cr())["spec"]["template"]["spec"]["containers"][0]
    assert container["envFrom"] == [
        {"secretRef": {"name": "keys"}, "prefix": "K_"},
        {"configMapRef": {"name": "web-config"}},
        {"configMapRef": {"name": "plain"}},
    ]


def test_probes_ask_the_containers_port_unless_they_name_one(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                port: "8080"
                probes:
                  liveness: {path: /healthz, periodSeconds: "5"}
                  readiness: {type: tcp, port: 9000}
    """)
    container = made.built(cr())["spec"]["template"]["spec"]["containers"][0]
    assert container["livenessProbe"] == {"periodSeconds": 5, "httpGet": {"path": "/healthz", "port": 8080}}
    assert container["readinessProbe"] == {"tcpSocket": {"port": 9000}}


def test_what_an_entry_reads_is_known(compiled: Compile) -> None:
    entry = compiled("""
        operatorBox:
          onReconcile:
            external: [{name: plan, url: "http://p.example.com"}]
            configMaps:
              - name: "{{ .metadata.name }}"
                when: [{field: spec.tier, equals: gold}]
                forEach: {field: spec.regions}
                data: {a: "{{ .external.plan.body }}", at: "{{ now }}"}
    """).entry()
    assert entry.reads == {
        ("metadata", "name"),
        ("spec", "tier"),
        ("spec", "regions"),
        ("external", "plan", "body"),
        ("@clock",),
    }


def test_equal_input_builds_equal_output_and_shares_nothing_it_could_change(
    compiled: Compile, app: Callable[..., Any]
) -> None:
    made = compiled("operatorBox: {onReconcile: {configMaps: [{labels: {a: b}, data: {a: '{{ .spec.image }}'}}]}}")
    assert made.built(app()) == made.built(app())


# ── forEach ─────────────────────────────────────────────────────────────────────────────────────
def test_for_each_adds_its_names_to_the_scope(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onCreate:
            configMaps:
              - name: "{{ .metadata.name }}-{{ .region }}"
                forEach: {field: spec.regions, as: region}
                data: {place: "{{ .item }} {{ .index }}"}
    """)
    assert made.findings == []
    entry = made.entry()
    assert entry.each is not None
    assert entry.each.name == "region"
    assert entry.each.field(cr(regions=["eu"]), ENV) == ["eu"]
    assert made.built(cr(), item="eu", region="eu", index=0)["data"] == {"place": "eu 0"}


@pytest.mark.parametrize(
    ("field", "reads", "codes"),
    [
        ("spec.regions", ".item", []),
        ("spec.regions", ".key", ["ORK0303"]),
        ("spec.limits", ".key }}{{ .value", []),
        ("spec.replicas", ".item", []),
        ("spec.replicas", ".value", ["ORK0303"]),
        ("spec.free.things", ".item.a }}{{ .key }}{{ .value.b", []),
        ("spec.ports", ".item.port", []),
        ("spec.ports", ".item.prt", ["ORK0304"]),
        ("spec.regions", ".item.name", ["ORK0305"]),
        ("spec.image", ".item", ["ORK0606"]),
    ],
)
def test_the_type_of_the_list_says_what_its_elements_have(
    compiled: Compile, field: str, reads: str, codes: list[str]
) -> None:
    made = compiled(f"""
        operatorBox:
          onReconcile:
            configMaps: [{{name: "{{{{ .index }}}}", forEach: {{field: {field}}}, data: {{a: "{{{{ {reads} }}}}"}}}}]
    """)
    assert made.codes == codes


def test_the_name_of_an_item_may_not_hide_the_cr(compiled: Compile) -> None:
    made = compiled(
        "operatorBox: {onReconcile: {configMaps: [{name: '{{ .index }}', forEach: {field: spec.regions, as: spec}}]}}"
    )
    assert "ORK0605" in made.codes


# ── identity ────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("first", "second", "clash"),
    [
        ("{name: a}", "{name: b}", False),
        ("{name: a}", "{name: a}", True),
        ("{name: a}", "{name: a, namespace: other}", False),
        ("{name: a}", "{name: a, id: two}", False),
        ("{id: one, name: a}", "{id: one, name: b}", True),
        ("{name: a, when: [{field: spec.tier, equals: gold}]}", "{name: a}", True),
        (
            "{name: a, when: [{field: spec.tier, equals: gold}]}",
            "{name: a, when: [{field: spec.tier, equals: silver}]}",
            False,
        ),
        (
            "{name: a, when: [{field: spec.tier, equals: gold}]}",
            "{name: a, when: [{field: spec.tier, equals: gold}]}",
            True,
        ),
        (
            "{name: '{{ .item }}', forEach: {field: spec.regions}}",
            "{name: '{{ .item }}', forEach: {field: spec.ports}}",
            False,
        ),
    ],
)
def test_two_entries_of_one_identity_clash_unless_conditions_tell_them_apart(
    compiled: Compile, first: str, second: str, clash: bool
) -> None:
    made = compiled(f"operatorBox: {{onCreate: {{configMaps: [{first}]}}, onReconcile: {{configMaps: [{second}]}}}}")
    assert made.codes == (["ORK0609"] if clash else [])
    if not clash:
        assert made.entry(0).id != made.entry(1).id


def test_common_fields_reach_the_entry(compiled: Compile) -> None:
    entry = compiled("""
        forceConflict: false
        operatorBox:
          onReconcile:
            deployments:
              - {image: x, adopt: true, prune: false, ignore: [spec.replicas, 'metadata.annotations["a/b"]'], id: it}
    """).entry()
    assert (entry.id, entry.adopt, entry.prune, entry.force) == ("it", True, False, False)
    assert entry.ignore == (("spec", "replicas"), ("metadata", "annotations", "a/b"))


@pytest.mark.parametrize("path", ["spec.replica", "spec..x", ""])
def test_an_ignored_path_is_a_field_of_the_object(compiled: Compile, path: str) -> None:
    made = compiled(f"operatorBox: {{onReconcile: {{deployments: [{{image: x, ignore: ['{path}']}}]}}}}")
    assert made.codes == ["ORK0607"]


def test_a_random_value_in_what_is_corrected_each_cycle_is_an_error(compiled: Compile) -> None:
    text = "operatorBox: {%s: {secrets: [{data: {key: '{{ randomHex 8 }}'}}]}}"
    assert compiled(text % "onReconcile").codes == ["ORK0311"]
    assert compiled(text % "onCreate").codes == []
