"""Native fields of resource entries, and the values that templates give them (language, section 6; resources.md)."""

from __future__ import annotations

import pytest

from ork.expr.errors import EvaluationError, MissingError
from ork.labels import OWNER_LABEL

from .conftest import Compile, cr


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
