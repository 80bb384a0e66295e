"""Resource entries: what short form, native overlay and templates build (language, section 6; resources.md).

What becomes of the objects afterwards is the engine's; expressions and their scopes are in `test_scope.py`.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

from ork.expr.errors import EvaluationError, MissingError
from ork.labels import OWNER_LABEL
from ork.program import Keep

from .conftest import ENV, Compile, cr

EMPTY: dict[str, Any] = {}


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


# ── native overlay ──────────────────────────────────────────────────────────────────────────────
def test_native_fields_are_merged_over_the_short_form(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                replicas: 2
                metadata: {labels: {own: "yes"}, finalizers: [a/b]}
                spec:
                  replicas: 5
                  minReadySeconds: "{{ .spec.replicas }}"
                  template: {spec: {terminationGracePeriodSeconds: 5}}
    """)
    built = made.built(cr(replicas=7))
    assert built["metadata"] == {"labels": {"own": "yes"}, "finalizers": ["a/b"]}
    assert built["spec"]["replicas"] == 5
    assert built["spec"]["minReadySeconds"] == 7
    pod = built["spec"]["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] == 5
    assert pod["containers"][0]["image"] == "nginx"


@pytest.mark.parametrize("name", ['"{{ .metadata.name }}"', "web", '"{{ .spec.image | trimSuffix `ginx:1` }}eb"'])
def test_lists_are_merged_by_their_key_even_if_it_is_known_only_when_it_is_rendered(
    compiled: Compile, name: str
) -> None:
    if "trimSuffix" in name:
        name = '"{{ printf `w%s` `eb` }}"'
    made = compiled(f"""
        operatorBox:
          onReconcile:
            deployments:
              - name: "{{{{ .metadata.name }}}}"
                image: nginx
                spec:
                  template:
                    spec:
                      containers:
                        - name: {name}
                          tty: true
                        - name: sidecar
                          image: envoy
    """)
    assert made.findings == []
    containers = made.built(cr())["spec"]["template"]["spec"]["containers"]
    assert containers == [
        {"name": "web", "image": "nginx", "tty": True},
        {"name": "sidecar", "image": "envoy"},
    ]
    assert {type(one) for one in containers} == {dict}, "a rendered object is plain data"


def test_a_list_without_keys_is_replaced(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                command: [a]
                name: x
                spec: {template: {spec: {containers: [{name: x, command: [b, c]}]}}}
    """)
    assert made.built(cr())["spec"]["template"]["spec"]["containers"][0]["command"] == ["b", "c"]


def test_an_image_may_stand_in_the_native_fields_only(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - spec: {template: {spec: {containers: [{name: main, image: nginx}]}}}
    """)
    assert made.findings == []
    assert made.built(cr())["spec"]["template"]["spec"]["containers"] == [{"name": "main", "image": "nginx"}]


def test_labels_that_the_native_selector_adds_stand_on_the_pods_too(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments:
              - image: nginx
                name: x
                spec: {selector: {matchLabels: {tier: "{{ .spec.tier }}"}}}
    """)
    spec = made.built(cr(tier="gold"))["spec"]
    assert spec["selector"]["matchLabels"] == {"app": "x", OWNER_LABEL: "web", "tier": "gold"}
    assert spec["template"]["metadata"]["labels"] == spec["selector"]["matchLabels"]


# ── values ──────────────────────────────────────────────────────────────────────────────────────
def test_an_optional_field_that_is_missing_leaves_its_destination_out(compiled: Compile) -> None:
    made = compiled("""
        operatorBox: {onReconcile: {deployments: [{image: x, replicas: "{{ .spec.replicas }}"}]}}
    """)
    assert "replicas" not in made.built(cr())["spec"]
    assert made.built(cr(replicas=4))["spec"]["replicas"] == 4


@pytest.mark.parametrize(
    ("expression", "typed"),
    [("{{ .spec.replicas }}", False), ("{{ .external.plan.size }}", True), ("{{ .spec.free.size }}", True)],
)
def test_what_no_schema_declares_optional_is_an_error_where_it_is_missing(
    compiled: Compile, expression: str, typed: bool
) -> None:
    made = compiled(
        f"""
        operatorBox:
          onReconcile:
            external: [{{name: plan, url: "http://plans.example.com"}}]
            deployments: [{{image: x, replicas: "{expression}"}}]
        """,
        typed=typed,
    )
    with pytest.raises(MissingError, match=r"gives nothing for `spec\.replicas`; write `default`"):
        made.built(cr(), external={"plan": {}})


def test_a_value_that_does_not_fit_names_field_value_and_type(compiled: Compile) -> None:
    made = compiled("""
        operatorBox: {onReconcile: {deployments: [{image: x, replicas: "{{ .spec.tier }}"}]}}
    """)
    with pytest.raises(EvaluationError, match=r'`spec\.replicas`: "gold" is not an integer'):
        made.built(cr(tier="gold"))


def test_a_number_becomes_text_where_a_text_is_wanted(compiled: Compile) -> None:
    made = compiled("""
        operatorBox: {onReconcile: {configMaps: [{data: {count: "{{ .spec.replicas }}"}}]}}
    """)
    assert made.built(cr(replicas=3))["data"] == {"count": "3"}


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("replicas: many", "ORK0603"),
        ("spec: {minReadySeconds: soon}", "ORK0603"),
        ("spec: {paused: 'yes'}", "ORK0603"),
        ("spec: {template: {spec: {volumes: {a: b}}}}", "ORK0603"),
        ("spec: {template: {spec: {hostname: 5}}}", "ORK0603"),
        ("spec: {template: {spec: {nodeSelector: {disk: true}}}}", "ORK0603"),
        ("metadata: {labels: {enabled: yes}}", "ORK0603"),
        ("spec: {replica: 2}", "ORK0604"),
        ("spec: {template: {spec: {volumes: [{emptyDir: {}}]}}}", "ORK0602"),
    ],
)
def test_a_literal_that_kubernetes_would_refuse_is_found(compiled: Compile, field: str, code: str) -> None:
    made = compiled(f"operatorBox: {{onReconcile: {{deployments: [{{image: x, {field}}}]}}}}")
    assert made.codes == [code]


def test_a_retyped_text_is_to_be_quoted(compiled: Compile) -> None:
    found = compiled("operatorBox: {onReconcile: {configMaps: [{metadata: {labels: {on: off}}}]}}").only
    assert (found.code, found.hint) == ("ORK0603", 'quote it: "off"')


def test_an_unknown_native_field_gets_a_suggestion(compiled: Compile) -> None:
    found = compiled("operatorBox: {onReconcile: {deployments: [{image: x, spec: {replica: 2}}]}}").only
    assert found.hint == 'did you mean "replicas"?'


@pytest.mark.parametrize(
    ("group", "entry", "field"),
    [("deployments", "{replicas: 1}", "image"), ("jobs", "{backoffLimit: 1}", "image"), ("services", "{}", "port")],
)
def test_an_entry_without_what_it_needs_says_so(compiled: Compile, group: str, entry: str, field: str) -> None:
    entry = entry.replace("{}", "{selector: {a: b}}")
    found = compiled(f"operatorBox: {{onReconcile: {{{group}: [{entry}]}}}}").only
    assert (found.code, found.message) == ("ORK0601", f"an entry of `{group}` needs `{field}`")


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


# ── services ────────────────────────────────────────────────────────────────────────────────────
def test_a_service_selects_the_pods_of_the_only_workload(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onCreate: {deployments: [{name: "{{ .metadata.name }}-x", image: nginx}]}
          onReconcile: {services: [{port: 80}]}
    """)
    service = made.built(cr(), 1)
    assert service["spec"] == {"ports": [{"port": 80}], "selector": {"app": "web-x", OWNER_LABEL: "web"}}
    assert ("metadata", "name") in made.entry(1).reads


def test_a_service_selects_the_workload_that_it_is_named_after(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments: [{name: front, image: a}, {name: back, image: b}]
            services: [{name: back-svc, port: 80}]
    """)
    assert made.built(cr(), 2)["spec"]["selector"] == {"app": "back", OWNER_LABEL: "web"}


@pytest.mark.parametrize(
    "workloads",
    [
        "",
        "deployments: [{name: front, image: a}, {name: back, image: b}]",
        "deployments: [{name: '{{ .item }}', image: a, forEach: {field: spec.regions}}]",
    ],
)
def test_a_service_whose_pods_are_not_clear_is_an_error(compiled: Compile, workloads: str) -> None:
    made = compiled(f"""
        operatorBox:
          onReconcile:
            {workloads}
            services: [{{port: 80}}]
    """)
    assert made.codes == ["ORK0610"]


def test_a_service_over_the_same_list_selects_each_items_pods(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            deployments: [{name: "{{ .item }}", image: a, forEach: {field: spec.regions}}]
            services: [{name: "{{ .item }}-svc", port: 80, forEach: {field: spec.regions}}]
    """)
    assert made.built(cr(), 1, item="eu", index=0)["spec"]["selector"] == {"app": "eu", OWNER_LABEL: "web"}


@pytest.mark.parametrize("service", ["{port: 80, selector: {a: b}}", "{port: 80, spec: {selector: {a: b}}}"])
def test_a_declared_selector_is_kept(compiled: Compile, service: str) -> None:
    made = compiled(f"operatorBox: {{onReconcile: {{services: [{service}]}}}}")
    assert made.built(cr())["spec"]["selector"] == {"a": "b"}


@pytest.mark.parametrize(
    ("headless", "address"),
    [("true", "None"), ("'true'", "None"), ("false", None), ("'{{ .spec.enabled }}'", "None"), ("'{{ 1 }}'", None)],
)
def test_a_headless_service_has_no_address(compiled: Compile, headless: str, address: str | None) -> None:
    made = compiled(
        f"operatorBox: {{onReconcile: {{services: [{{port: 80, headless: {headless}, selector: {{a: b}}}}]}}}}"
    )
    assert made.built(cr(enabled=True))["spec"].get("clusterIP") == address


def test_the_status_of_a_custom_object_is_not_written_yet(compiled: Compile) -> None:
    entry = "{apiVersion: a.io/v1, kind: A, metadata: {name: a}, status: {x: y}}"
    assert compiled(f"operatorBox: {{onReconcile: {{custom: [{entry}]}}}}").codes == ["ORK0111"]


# ── scope of kinds ──────────────────────────────────────────────────────────────────────────────
def test_a_namespaced_child_of_a_cluster_scoped_cr_says_its_namespace(compiled: Compile) -> None:
    text = "namespaced: false\noperatorBox: {onReconcile: {configMaps: [{data: {a: b}%s}]}}"
    assert compiled(text % "", typed=False).codes == ["ORK0608"]
    assert compiled(text % ", namespace: ops", typed=False).codes == []


def test_custom_entries_are_whole_objects(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            custom:
              - apiVersion: cache.example.com/v1
                kind: Cache
                metadata: {name: "{{ .metadata.name }}", labels: {a: "{{ .spec.tier }}"}, namespaced: false}
                spec: {size: "{{ .spec.replicas }}", name: "x-{{ .spec.tier }}", deep: [{a: 1}]}
                extra: {more: true}
                when: [{field: spec.tier, equals: gold}]
    """)
    assert made.findings == []
    entry = made.entry()
    assert (entry.kind.group, entry.kind.kind, entry.kind.plural) == ("cache.example.com", "Cache", "caches")
    assert not entry.kind.namespaced
    assert made.built(cr(tier="gold", replicas=2)) == {
        "metadata": {"labels": {"a": "gold"}},
        "spec": {"size": 2, "name": "x-gold", "deep": [{"a": 1}]},
        "extra": {"more": True},
    }


def test_custom_entries_of_known_kinds_have_their_scope_and_schema(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            custom:
              - apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: reader}
                rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
              - apiVersion: demo.io/v1
                kind: App
                metadata: {name: other}
                spec: {image: x, replicas: "2"}
    """)
    assert made.findings == []
    assert not made.entry(0).kind.namespaced
    assert made.built(cr(), 1)["spec"] == {"image": "x", "replicas": 2}


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("{apiVersion: v1, metadata: {name: a}}", "ORK0104"),
        ("{apiVersion: v1, kind: ConfigMap}", "ORK0601"),
        ("{apiVersion: v1, kind: '{{ .spec.tier }}', metadata: {name: a}}", "ORK0611"),
        ("{apiVersion: '{{ .spec.tier }}', kind: ConfigMap, metadata: {name: a}}", "ORK0611"),
    ],
)
def test_a_custom_entry_says_literally_what_it_is(compiled: Compile, entry: str, code: str) -> None:
    assert compiled(f"operatorBox: {{onReconcile: {{custom: [{entry}]}}}}").codes == [code]


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
