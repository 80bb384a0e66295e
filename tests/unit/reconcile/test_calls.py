"""External calls within a turn: order, conditions, failures, secrets, what expressions read of them (seed external.md;
language, section 7). Attempts and sockets are tested with ork.calls."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from ork.base.findings import FaultKind
from ork.base.requests import CallResult
from ork.reconcile.ports import OutcomeKind

CHILD = 'configMaps: [{name: web, data: {body: "{{ .external.a.body }}"}}]'


def box(*calls: str, child: str = CHILD, extra: str = "") -> str:
    listed = "\n".join(f"      - {call}" for call in calls)
    return f"""
operatorBox:
  onReconcile:
    external:
{listed}
    {child}
  {extra}
"""


A = 'name: a, url: "http://a.example.org/{{ .spec.path }}"'


def test_the_rendered_request_has_everything_that_is_declared(world: Any, ok: Any) -> None:
    w = world(
        box(
            "{"
            + A
            + ', method: POST, body: "{{ toJSON .spec.payload }}", token: "$TOKEN", timeout: 3s, expectedStatus: 201, '
            'headers: {X-Key: "${KEY}-{{ .spec.path }}"}, sleep: 2s, when: [{field: spec.on, equals: true}], '
            "retryBackoff: {initial: 1s, max: 9s, multiplier: 3, maxAttempts: 4}}"
        )
    )
    w.environ = {"TOKEN": "t0ken\n", "KEY": "k3y"}
    w.answers = {"a": ok({}, 201)}
    w.cr(spec={"path": "x", "payload": {"b": [1]}, "on": True})
    w.turn()
    call = w.calls[0]
    assert (call.method, call.url, call.body) == ("POST", "http://a.example.org/x", b'{"b":[1]}')
    assert call.headers == {
        "X-Key": "k3y-x",
        "Content-Type": "application/json",
        "Authorization": "Bearer t0ken",
    }
    assert (call.timeout.total_seconds(), call.delay.total_seconds(), call.expect) == (3.0, 2.0, 201)
    assert (call.attempts, call.backoff.total_seconds(), call.backoff_limit.total_seconds(), call.multiplier) == (
        4,
        1.0,
        9.0,
        3.0,
    )
    assert {"t0ken", "k3y", "k3y-x"} <= set(call.hidden)


def test_an_empty_body_and_an_unset_token_leave_no_header(world: Any, ok: Any) -> None:
    w = world(box("{" + A + ', token: "$TOKEN"}'))
    w.answers = {"a": ok()}
    w.cr(spec={"path": "x"})
    w.turn()
    assert w.calls[0].headers == {}


def test_a_variable_in_the_text_of_a_cr_is_never_expanded(world: Any, ok: Any) -> None:
    w = world(box("{" + A + ', token: "{{ .spec.token }}", headers: {X-A: "{{ .spec.token }}"}}'))
    w.environ = {"HOME": "/secret"}
    w.answers = {"a": ok()}
    w.cr(spec={"path": "x", "token": "$HOME ${HOME}"})
    w.turn()
    assert w.calls[0].headers == {"X-A": "$HOME ${HOME}", "Authorization": "Bearer $HOME ${HOME}"}


def test_a_line_break_in_a_header_is_that_calls_failure(world: Any) -> None:
    w = world(box("{" + A + ', headers: {X-A: "{{ .spec.value }}"}}'))
    w.cr(spec={"path": "x", "value": "a\r\nX-Evil: 1"})
    outcome = w.turn()
    assert outcome.reason == (
        'external call "a" failed: the value of X-A has a line break in it, which no header can carry'
    )
    assert w.calls == []


def test_calls_run_in_order_and_see_the_results_of_those_before(world: Any, ok: Any) -> None:
    w = world(
        box(
            "{" + A + "}",
            '{name: b, url: "http://b.example.org/{{ .external.a.next }}", token: "{{ .external.a.body }}"}',
        )
    )
    w.answers = {"a": ok({"next": "two"}), "b": ok()}
    w.cr(spec={"path": "x"})
    w.turn()
    assert [call.url for call in w.calls] == ["http://a.example.org/x", "http://b.example.org/two"]
    assert w.calls[1].headers["Authorization"] == 'Bearer {"next": "two"}'


def test_a_failure_halts_the_turn_before_any_write_and_says_so(world: Any, ok: Any) -> None:
    w = world(
        box(
            "{" + A + "}",
            '{name: b, url: "http://b.example.org/"}',
            extra="status: {fields: [{path: seen, value: x, when: [{field: external.a.status, equals: '503'}]}, "
            "{path: b, value: skipped, when: [{field: external.b.called, equals: 'false'}]}]}",
        )
    )
    w.answers = {"a": ok(status=503)}
    w.cr(spec={"path": "x"})
    outcome = w.turn()
    assert outcome.faults[0].kind is FaultKind.CALL
    assert [call.name for call in w.calls] == ["a"]
    assert w.ops == ["update status/default/web"]
    status = w.status()
    assert (status["Ready"]["reason"], status["Ready"]["message"]) == (
        "ExternalCallFailed",
        'external call "a" failed: answered 503',
    )
    assert (status["seen"], status["b"]) == ("x", "skipped"), "conditional fields read the records"


def test_a_failure_that_may_be_is_read_and_the_turn_goes_on(world: Any, ok: Any) -> None:
    w = world(
        box(
            "{" + A + ", continueOnError: true}",
            child='configMaps: [{name: web, data: {e: "{{ .external.a.error }}"}}]',
        )
    )
    w.answers = {"a": ok(status=503)}
    w.cr(spec={"path": "x"})
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.get("configmaps", "web")["data"] == {"e": "answered 503"}


@pytest.mark.parametrize(("go_on", "kind"), [("true", OutcomeKind.SETTLED), ("false", OutcomeKind.FAILED)])
def test_what_cannot_be_rendered_is_that_calls_failure(world: Any, go_on: str, kind: OutcomeKind) -> None:
    child = 'configMaps: [{name: web, data: {c: "{{ .external.a.called }}", e: "{{ .external.a.error }}"}}]'
    w = world(box("{" + A + f", continueOnError: {go_on}}}", child=child))
    w.cr(spec={})
    outcome = w.turn()
    assert outcome.kind is kind
    assert w.calls == []
    if kind is OutcomeKind.FAILED:
        assert outcome.reason == 'external call "a" failed: .spec.path is not set'
    else:
        assert w.get("configmaps", "web")["data"] == {"c": "false", "e": ".spec.path is not set"}


def test_a_skipped_call_has_a_record_of_empty_texts(world: Any) -> None:
    child = 'configMaps: [{name: web, data: {all: "{{ toJSON .external.a }}"}}]'
    w = world(box("{" + A + ", when: [{field: spec.on, equals: true}]}", child=child))
    w.cr(spec={"path": "x"})
    w.turn()
    assert json.loads(w.get("configmaps", "web")["data"]["all"]) == {
        "status": "",
        "body": "",
        "error": "",
        "called": "false",
    }


def test_keys_of_a_response_that_its_record_hides_are_said_and_reachable(world: Any, ok: Any) -> None:
    child = (
        'configMaps: [{name: web, data: {mine: "{{ .external.a.status }}", theirs: "{{ .external.a.json.status }}"}}]'
    )
    w = world(box("{" + A + "}", child=child))
    w.answers = {"a": ok({"status": "green", "x": 1})}
    w.cr(spec={"path": "x"})
    outcome = w.turn()
    assert w.get("configmaps", "web")["data"] == {"mine": "200", "theirs": "green"}
    assert outcome.notices == (
        'the response of the external call "a" has its own "status": read that as .external.a.json.status',
    )


# ── onCreate.external ───────────────────────────────────────────────────────────────────────────
CREATE = """
operatorBox:
  onCreate:
    external: [{name: seed, url: "http://seed.example.org/"}]
    configMaps: [{name: "{{ .metadata.name }}", data: {seed: "{{ .external.seed.value }}"}, EXTRA}]
  onReconcile:
    configMaps: [{name: always, data: {called: "{{ .external.seed.called }}"}}]
"""


def test_calls_of_on_create_run_only_while_something_of_it_is_absent(world: Any, ok: Any) -> None:
    w = world(CREATE.replace(", EXTRA", ""))
    w.answers = {"seed": ok({"value": "s"})}
    w.cr(spec={})
    w.turn()
    assert [call.name for call in w.calls] == ["seed"]
    assert w.get("configmaps", "web")["data"] == {"seed": "s"}
    w.turn()
    assert w.calls == []
    assert w.get("configmaps", "always")["data"] == {"called": "false"}
    w.delete("configmaps", "web")
    w.turn()
    assert [call.name for call in w.calls] == ["seed"]


def test_a_drift_corrected_child_that_reads_such_a_call_is_left_as_it_is_without_it(world: Any, ok: Any) -> None:
    w = world(CREATE.replace("EXTRA", "reconcile: true"))
    w.answers = {"seed": ok({"value": "s"})}
    w.cr(spec={})
    w.turn()
    assert w.turn().kind is OutcomeKind.SETTLED
    assert w.get("configmaps", "web")["data"] == {"seed": "s"}


@pytest.mark.parametrize(
    "extra", ["when: [{field: external.seed.status, equals: '200'}]", 'namespace: "{{ .external.seed.ns }}"']
)
def test_what_an_entry_reads_of_the_call_itself_does_not_hide_that_it_is_absent(
    world: Any, ok: Any, extra: str
) -> None:
    w = world(CREATE.replace("EXTRA", extra))
    w.answers = {"seed": ok({"value": "s", "ns": "default"})}
    w.cr(spec={})
    w.turn()
    assert w.get("configmaps", "web")["data"] == {"seed": "s"}
    w.turn()
    assert w.calls == []


def test_an_entry_whose_conditions_are_false_is_not_missed(world: Any) -> None:
    w = world(CREATE.replace("EXTRA", "when: [{field: spec.on, equals: true}]"))
    w.cr(spec={})
    w.turn()
    assert w.calls == []


# ── auth.secretRef ──────────────────────────────────────────────────────────────────────────────
SECRET_REF = "{" + A + ", auth: {secretRef: {name: api, key: token}}}"


def secret(data: dict[str, str]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "api", "namespace": "default"}, "data": data}


def test_a_token_is_read_from_a_secret(world: Any, ok: Any) -> None:
    w = world(box(SECRET_REF))
    w.put(secret({"token": base64.b64encode(b"s3cret\n").decode()}))
    w.answers = {"a": ok()}
    w.cr(spec={"path": "x"})
    w.turn()
    assert w.calls[0].headers["Authorization"] == "Bearer s3cret"
    assert "s3cret" in w.calls[0].hidden


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "the token's secrets/default/api does not exist"),
        ({"other": "eA=="}, 'the token\'s secrets/default/api has no key "token"'),
        ({"token": "/w=="}, 'the key "token" of the token\'s secrets/default/api is no text in base64'),
    ],
)
def test_a_token_that_cannot_be_read_is_that_calls_failure(
    world: Any, data: dict[str, str] | None, problem: str
) -> None:
    w = world(box(SECRET_REF))
    if data is not None:
        w.put(secret(data))
    w.cr(spec={"path": "x"})
    assert w.turn().reason == f'external call "a" failed: {problem}'


@pytest.mark.parametrize(("headers", "seconds"), [({"Retry-After": "120"}, 120), ({}, None)])
def test_an_endpoint_that_asks_to_be_left_in_peace_is(world: Any, headers: dict[str, str], seconds: Any) -> None:
    w = world(box("{" + A + "}"))
    w.answers = {"a": CallResult(503, headers, b"", "answered 503")}
    w.cr(spec={"path": "x"})
    outcome = w.turn()
    assert (outcome.after.total_seconds() if outcome.after else None) == seconds
