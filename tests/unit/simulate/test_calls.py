"""Scripted answers to external calls: which answers, how time passes, and what is told of a call."""

from __future__ import annotations

import pytest

from ork.simulate.report import Run
from tests.unit.simulate.conftest import CR, Simulate, failures

BOX = """
onReconcile:
  external:
    - name: check
      url: "{{ .spec.url }}/health"
      timeout: 5s
      continueOnError: true
      token: "$API_TOKEN"
    - name: second
      url: "https://second.example.com"
      method: POST
      body: "{}"
      continueOnError: true
      when: [{field: external.check.status, equals: "200"}]
  configMaps:
    - name: "{{ .metadata.name }}"
      data:
        status: '{{ .external.check.status | default "none" }}'
        error: '{{ .external.check.error | default "none" }}'
"""
URL = CR.replace("{image", "{url: 'https://first.example.com', image")


def answered(simulate: Simulate, responses: str, box: str = BOX) -> Run:
    expect = "expect: {noErrors: true, ops: [{verb: create, resource: configmaps}]}"
    return simulate(f"cycles: 2\nexternalResponses: {responses}\n{expect}", box=box, cr=URL)


def data(run: Run) -> tuple[str, str]:
    """Return status and error of the first call, as the ConfigMap has them after the first cycle."""
    (written,) = [op.written["data"] for op in run.cycles[0].ops if op.resource == "configmaps"]
    return written["status"], written["error"]


BOTH = "{status: 200}"
URLS = "{url: 'https://first.example.com/health', status: 200}, {url: 'https://second.example.com', status: 201}"


@pytest.mark.parametrize(
    ("responses", "status"),
    [
        (f"[{BOTH}]", "200"),
        ("[{name: check, status: 503}]", "503"),
        (f"[{URLS}]", "200"),
        ("[{method: post, status: 500}, {method: GET, status: 200}]", "200"),
        ("[{cycle: 1, status: 500}, {cycle: 2, status: 200}]", "500"),
        ("[{name: check, status: 201}, {name: check, cycle: 9, status: 202}]", "201"),
    ],
    ids=["any call", "by name", "by URL", "by method", "by cycle", "the first that matches"],
)
def test_which_answer_a_call_gets(simulate: Simulate, responses: str, status: str) -> None:
    assert data(answered(simulate, responses))[0] == status


@pytest.mark.parametrize(
    ("response", "error"),
    [
        ("{refused: true}", "connection refused"),
        ("{delay: 9s, status: 200}", "no answer within 5s"),
        ("{delay: 1s, status: 200}", "none"),
        ("{status: 404}", "answered 404"),
        ("{name: second}", "no answer is scripted"),
    ],
)
def test_what_is_wrong_with_an_answer(simulate: Simulate, response: str, error: str) -> None:
    assert error in data(answered(simulate, f"[{response}]"))[1]


def test_calls_can_be_left_out(simulate: Simulate) -> None:
    run = simulate("skipExternal: true\nexpect: {steady: true}", box=BOX, cr=URL)
    assert data(run) == ("none", "none")
    assert not any(call.called for cycle in run.cycles for call in cycle.calls)


def test_a_call_is_told_with_url_status_and_whether_it_was_made(simulate: Simulate) -> None:
    first, second = answered(simulate, "[{name: check, status: 503}]").cycles[0].calls
    assert first == (
        "app", "default/web", "check", "GET", "https://first.example.com/health", "503", True,
        "GET https://first.example.com/health: answered 503",
    )  # fmt: skip
    assert second == ("app", "default/web", "second", "POST", "", "", False, "")


def test_an_answer_that_no_call_asked_for_fails(simulate: Simulate) -> None:
    run = answered(simulate, "[{name: check, status: 200}, {name: second, status: 200}, {name: third, status: 200}]")
    assert failures(run) == ["externalResponses[2]: the answer to third: no call asked for it"]


def test_a_call_without_an_answer_is_told(simulate: Simulate) -> None:
    notices = answered(simulate, "[]").notices
    assert any("no answer is scripted for the external call check" in notice for notice in notices)


def test_sleeping_in_a_turn_does_not_move_later_cycles(simulate: Simulate) -> None:
    box = BOX.replace("timeout: 5s", "timeout: 5s\n      retryBackoff: {initial: 3s, maxAttempts: 3}")
    slow = answered(simulate, "[{name: check, status: 503, delay: 4s}]", box)
    quick = answered(simulate, "[{name: check, status: 503}]")
    assert [cycle.at for cycle in slow.cycles] == [cycle.at for cycle in quick.cycles]


def test_a_body_may_be_written_as_data(simulate: Simulate) -> None:
    box = BOX.replace(".external.check.error", ".external.check.queue.length")
    assert data(answered(simulate, "[{status: 200, body: {queue: {length: 7}}}]", box))[1] == "7"
