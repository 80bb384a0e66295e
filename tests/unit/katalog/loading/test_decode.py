"""What the decoder makes of documents: wrong forms, unknown keys, retyped texts, required keys, closed lists, numbers.
Older spellings and includes have files of their own; the exact words are in tests/golden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Entry = Callable[..., Any]

KATALOG = "apiVersion: orkestra.orkspace.io/v1\nkind: Katalog\nmetadata: {name: k}\nspec: {crds: {}}\n"


def test_a_right_document_is_left_as_it_is(decode: Entry) -> None:
    found = decode(KATALOG)
    assert found.codes == []
    assert found.data["metadata"] == {"name": "k"}


def test_every_fault_is_reported_at_once(entry: Entry) -> None:
    found = entry("enabld: true\ndescription: 5\noperatorBox: {status: {fields: [{path: phase}]}}")
    assert sorted(found.codes) == ["ORK0101", "ORK0103", "ORK0104"]


def test_what_is_wrong_is_left_out_and_the_rest_stays(entry: Entry) -> None:
    found = entry("enabled: perhaps\ndescription: x\nnamespaced: false")
    assert found.data == {"description": "x", "namespaced": False}


def test_a_finding_knows_its_path(entry: Entry) -> None:
    box = "operatorBox: {preReconcile: {enqueueGate: {when: [{field: a, equals: b}, {feld: x}]}}}"
    assert entry(box).only("ORK0101").path == "spec.crds.app.operatorBox.preReconcile.enqueueGate.when[1].feld"


# ── unknown keys ────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("operatorBox: {preReconcle: {}}", 'did you mean "preReconcile"?'),
        ("operatorBox: {onReconcile: {deployment: []}}", 'did you mean "deployments"?'),
        ("operatorBox: {onReconcile: {podTemplates: []}}", "any other kind is written whole, under `custom`"),
        ("endpoints: {qqq: 1}", "known keys: enabled, health, info"),
        ("qqq: 1", "`ork explain spec.crds.app` lists the keys"),
    ],
)
def test_an_unknown_key_gets_a_hint(entry: Entry, text: str, hint: str) -> None:
    assert entry(text).only("ORK0101").hint == hint


def test_keys_that_begin_with_x_are_ignored_at_the_top_only(decode: Entry, entry: Entry) -> None:
    assert decode(KATALOG + "x-anything: {on: [1]}\n").codes == []
    entry("x-anything: 1").only("ORK0101")


@pytest.mark.parametrize("group", ["configMaps", "configmaps", "ConfigMaps", "CONFIGMAPS"])
def test_a_group_may_be_written_in_any_letter_case(entry: Entry, group: str) -> None:
    found = entry(f"operatorBox: {{onReconcile: {{{group}: [{{name: x}}]}}}}")
    assert found.codes == []
    assert found.data["operatorBox"]["onReconcile"] == {"configMaps": [{"name": "x"}]}


@pytest.mark.parametrize(
    "text",
    [
        "labels: {a: b}",
        "normalize: {}",
        "operatorBox: {cross: []}",
        "operatorBox: {onDelete: {}}",
        "operatorBox: {requeue: []}",
        "operatorBox: {reconciler: {profile: small}}",
        "operatorBox: {reconciler: {queue: {shared: true}}}",
        "operatorBox: {onCreate: {Pods: []}}",
        "operatorBox: {onCreate: {deployments: [{sleep: 5s}]}}",
        "operatorBox: {onCreate: {secrets: [{rotateAfter: 90d}]}}",
        "operatorBox: {onCreate: {custom: [{apiVersion: v1, kind: X, metadata: {name: x}, sleep: 1s}]}}",
        "operatorBox: {onCreate: {external: [{name: a, url: b, protocol: grpc}]}}",
        "lifecycle: {}",
    ],
)
def test_what_is_not_supported_yet_is_never_an_unknown_key(entry: Entry, text: str) -> None:
    entry(text).only("ORK0111")


def test_what_speaks_to_a_go_program_is_a_notice(entry: Entry) -> None:
    found = entry("apiTypes: {group: a.b, version: v1, kind: App, object: App, objectList: AppList}")
    assert found.codes == ["ORK0112", "ORK0112"]
    assert found.data == {"apiTypes": {"group": "a.b", "version": "v1", "kind": "App"}}


# ── forms ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ('enabled: "true"', "write true without quotes"),
        ('operatorBox: {reconciler: {workers: "4"}}', "write 4 without quotes"),
        ("operatorBox: {reconciler: {resync: 30}}", 'write "30s" if seconds are meant'),
        ("operatorBox: {preReconcile: {enqueueGate: {when: {field: a}}}}", "begin each item with `- `"),
    ],
)
def test_a_wrong_form_gets_the_remedy(entry: Entry, text: str, hint: str) -> None:
    assert entry(text).only("ORK0102").hint == hint


@pytest.mark.parametrize("value", ["yes", "on", "3", "0644", "1.5", "~", "null", ""])
@pytest.mark.parametrize(
    "text",
    [
        "description: {}",
        "operatorBox: {{onReconcile: {{configMaps: [{{labels: {{a: {}}}}}]}}}}",
        "operatorBox: {{onReconcile: {{configMaps: [{{annotations: {{a: {}}}}}]}}}}",
        "operatorBox: {{onReconcile: {{deployments: [{{env: [{{name: A, value: {}}}]}}]}}}}",
        "operatorBox: {{onReconcile: {{configMaps: [{{data: {{a: {}}}}}]}}}}",
    ],
)
def test_what_yaml_retypes_is_refused_where_a_text_is_meant(entry: Entry, text: str, value: str) -> None:
    found = entry(text.format(value)).only("ORK0103")
    assert ("quote it" in found.hint) if value else ('""' in found.hint)


@pytest.mark.parametrize("value", ["3", '"3"', '"{{ .spec.replicas }}"', "true", "1.5"])
def test_numbers_of_resources_may_be_texts_and_templates(entry: Entry, value: str) -> None:
    assert entry(f"operatorBox: {{onReconcile: {{deployments: [{{replicas: {value}}}]}}}}").codes == []


@pytest.mark.parametrize("value", ["yes", "3", "x", "[1, a]", "~", '""'])
def test_an_operand_takes_any_scalar(entry: Entry, value: str) -> None:
    assert (
        entry(f"operatorBox: {{preReconcile: {{enqueueGate: {{when: [{{field: a, equals: {value}}}]}}}}}}").codes == []
    )


def test_nothing_where_a_map_or_list_is_meant_is_as_if_the_key_were_absent(entry: Entry) -> None:
    found = entry("operatorBox:\n  onReconcile:\n  preReconcile:\n    sentinels:\n")
    assert found.codes == []
    assert found.data == {"operatorBox": {"preReconcile": {}}}


def test_an_empty_list_says_none_where_a_block_may_be_none(entry: Entry) -> None:
    found = entry("operatorBox: {onReconcile: [], status: [], preReconcile: []}")
    assert found.codes == []
    assert found.data == {"operatorBox": {"onReconcile": {}, "status": {}, "preReconcile": {}}}
    entry("endpoints: []").only("ORK0102")


def test_a_name_with_nothing_behind_it_is_an_empty_map(entry: Entry) -> None:
    found = entry("serve: {target: {regional: , canary: {}}}")
    assert found.codes == []
    assert found.data == {"serve": {"target": {"regional": {}, "canary": {}}}}


def test_nothing_as_an_item_is_refused(entry: Entry) -> None:
    entry("operatorBox: {onReconcile: {configMaps: [~]}}").only("ORK0102")


# ── values ──────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("operatorBox: {preReconcile: {enqueueGate: {failPolicy: closd}}}", "ORK0105"),
        ("operatorBox: {reconciler: {workers: 0}}", "ORK0106"),
        ("operatorBox: {reconciler: {workers: 1.5}}", "ORK0102"),
        ("operatorBox: {reconciler: {resync: 5 minutes}}", "ORK0106"),
        ("operatorBox: {reconciler: {resync: -5s}}", "ORK0106"),
        ("operatorBox: {reconciler: {resync: 300000000000h}}", "ORK0106"),
        ("serve: {target: {My_Target: {}}}", "ORK0107"),
        ("operatorBox: {onCreate: {external: [{name: a-b, url: x}]}}", "ORK0106"),
        ("operatorBox: {onCreate: {external: [{name: a, url: x, expectedStatus: 700}]}}", "ORK0106"),
    ],
)
def test_a_value_out_of_its_range_is_refused(entry: Entry, text: str, code: str) -> None:
    entry(text).only(code)


@pytest.mark.parametrize("value", ["0", "0s", "5s", "1m30s", "500ms", "1.5h", ".5s", "1µs"])
def test_durations_are_go_s(entry: Entry, value: str) -> None:
    assert entry(f'operatorBox: {{reconciler: {{resync: "{value}"}}}}').codes == []


def test_every_field_of_the_seed_s_external_call_is_taken(entry: Entry) -> None:
    call = """
operatorBox:
  onReconcile:
    external:
      - name: healthCheck
        url: "{{ .spec.serviceUrl }}/health"
        method: get
        body: ""
        token: "$API_TOKEN"
        headers:
          X-Request-Source: orkestra
        timeout: 5s
        expectedStatus: 200
        continueOnError: false
        when:
          - field: status.phase
            notEquals: "Ready"
        sleep: ""
        retryBackoff: {initial: 1s, max: 30s, multiplier: 2, maxAttempts: 3}
        fires: {reconcile: true}
"""
    found = entry(call)
    assert found.codes == []
    made = found.data["operatorBox"]["onReconcile"]["external"][0]
    assert made["method"] == "GET"
    assert "sleep" not in made


@pytest.mark.parametrize("text", ["5", "- a", "x"])
def test_a_document_that_is_no_map_is_refused(decode: Entry, text: str) -> None:
    assert decode(text).codes == ["ORK0109"]


def test_a_missing_head_is_named_key_by_key(decode: Entry) -> None:
    found = decode("spec: {crds: {}}")
    assert found.codes == ["ORK0104"] * 3
    assert [finding.hint for finding in found.findings][:2] == [
        "add `apiVersion: orkestra.orkspace.io/v1`",
        "add `kind: Katalog`",
    ]
