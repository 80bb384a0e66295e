"""`preReconcile`: sentinels, gates, failPolicy, and gates that never open (language, section 8)."""

from __future__ import annotations

import pytest

from ork.expr.conditions import holds
from ork.program import SENTINELS

from .conftest import ENV, Compile, cr


def gate(body: str, sentinels: str = "[]", name: str = "reconcileGate") -> str:
    return f"operatorBox: {{preReconcile: {{sentinels: {sentinels}, {name}: {body}}}}}"


@pytest.mark.parametrize("name", ["enqueueGate", "reconcileGate"])
def test_a_gate_holds_its_conditions(compiled: Compile, name: str) -> None:
    made = compiled(gate("{when: [{field: '{{ .spec.enabled }}', equals: 'true'}]}", name=name))
    found = made.box().enqueue if name == "enqueueGate" else made.box().reconcile
    assert found.name == name
    assert holds(found.guard, cr(enabled=True), ENV)
    assert not holds(found.guard, cr(enabled=False), ENV)


@pytest.mark.parametrize("key", ["equal", "isEqualTo", "opertor"])
def test_a_misspelled_operator_is_one_fault(compiled: Compile, key: str) -> None:
    assert compiled(gate(f"{{when: [{{field: spec.enabled, {key}: 'true'}}]}}")).codes == ["ORK0101"]


@pytest.mark.parametrize("sentinel", SENTINELS)
def test_a_declared_sentinel_is_a_function_in_gates(compiled: Compile, sentinel: str) -> None:
    made = compiled(gate(f"{{when: [{{field: '{{{{ {sentinel} }}}}', equals: 'true'}}]}}", f"[{sentinel}]"))
    assert made.findings == []
    guard = made.box().reconcile.guard
    assert made.box().reconcile.reads == {("@sentinel", sentinel)}
    assert not holds(guard, cr(), ENV)
    assert holds(guard, cr(), ENV._replace(sentinels={sentinel: True}))


def test_a_sentinel_may_be_read_in_the_calls_of_gates(compiled: Compile) -> None:
    url = "url: 'http://a.example.com/{{ specChanged }}'"
    made = compiled(f"""
        operatorBox:
          preReconcile:
            sentinels: [specChanged]
            external: [{{name: shared, {url}}}]
            reconcileGate: {{failPolicy: closed, external: [{{name: own, {url}}}]}}
    """)
    assert made.findings == []
    assert not made.box().reconcile.fail_open


def test_an_undeclared_sentinel_is_an_error_where_it_stands(compiled: Compile) -> None:
    found = compiled(gate("{when: [{field: '{{ not specChanged }}', equals: 'true'}]}")).only
    assert (found.code, found.hint) == ("ORK0501", "add it to `sentinels: [specChanged]`")
    assert found.span.end_column - found.span.column == len("specChanged")


def test_a_note_that_a_gate_calls_may_read_declared_sentinels(compiled: Compile) -> None:
    beside = "notes: [{name: changed, expression: '{{ or specChanged labelsChanged }}'}]\n"
    text = gate("{when: [{field: '{{ changed }}', equals: 'true'}]}", "[specChanged%s]")
    assert compiled(text % ", labelsChanged", beside=beside).codes == []
    assert compiled(text % "", beside=beside).codes == ["ORK0501"]


@pytest.mark.parametrize(
    ("policy", "codes", "opens"),
    [("", ["ORK0502"], True), ("failPolicy: open, ", [], True), ("failPolicy: closed, ", [], False)],
)
def test_a_gate_with_calls_says_what_their_failure_means(
    compiled: Compile, policy: str, codes: list[str], opens: bool
) -> None:
    made = compiled(gate(f"{{{policy}external: [{{name: a, url: 'http://a.example.com'}}]}}"))
    assert made.codes == codes
    assert made.box().reconcile.fail_open is opens


def test_shared_calls_want_no_fail_policy(compiled: Compile) -> None:
    made = compiled("operatorBox: {preReconcile: {external: [{name: a, url: 'http://a.example.com'}]}}")
    assert made.codes == []


@pytest.mark.parametrize(
    ("conditions", "never"),
    [
        ("when: [{field: '{{ specChanged }}', equals: 'true'}]", False),
        ("when: [{field: '{{ specChanged }}', equals: 'yes'}]", True),
        ("when: [{field: '{{ specChanged }}', equals: 'yes', negate: true}]", False),
        ("when: [{field: '{{ specChanged }}', in: 'no,false'}]", False),
        ("when: [{field: '{{ and specChanged (not specChanged) }}', equals: 'true'}]", True),
        ("when: [{field: '{{ or specChanged labelsChanged }}', equals: 'true'}]", False),
        ("when: [{field: '{{ 1 }}', equals: '2'}]", True),
        ("or: [{field: '{{ 1 }}', equals: '2'}, {field: spec.tier, equals: gold}]", False),
        ("or: [{field: '{{ 1 }}', equals: '2'}, {field: '{{ specChanged }}', equals: maybe}]", True),
        ("when: [{field: '{{ now }}', equals: '2'}]", False),
        ("when: [{field: '{{ div 1 0 }}', equals: '2'}]", False),
        ("when: []", False),
    ],
)
def test_a_gate_that_never_opens_is_a_warning(compiled: Compile, conditions: str, never: bool) -> None:
    made = compiled(gate(f"{{{conditions}}}", "[specChanged, labelsChanged]"))
    assert made.codes == (["ORK0503"] if never else [])
    assert made.program is not None
