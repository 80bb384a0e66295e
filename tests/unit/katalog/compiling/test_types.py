"""Comparisons that the schema makes pointless, in conditions and inside expressions (language, section 4.6)."""

from __future__ import annotations

import pytest

from .conftest import Compile


def condition(body: str) -> str:
    return f"operatorBox: {{preReconcile: {{reconcileGate: {{when: [{body}]}}}}}}"


@pytest.mark.parametrize(
    ("body", "doubted"),
    [
        ("{field: spec.enabled, equals: 'yes'}", True),
        ("{field: spec.enabled, equals: 'true'}", False),
        ("{field: spec.enabled, equals: true}", False),
        ("{field: spec.enabled, notEquals: ''}", False),
        ("{field: '{{ .spec.enabled }}', equals: 'on'}", True),
        ("{field: '{{ not .spec.enabled }}', equals: 'on'}", False),
        ("{field: spec.tier, equals: gold}", False),
        ("{field: spec.tier, equals: golden}", True),
        ("{field: spec.tier, in: [gold, bronze]}", True),
        ("{field: spec.tier, in: 'gold,'}", False),
        ("{field: spec.tier, equals: '{{ .spec.image }}'}", False),
        ("{field: spec.tier, prefix: golden}", False),
        ("{field: spec.replicas, equals: many}", True),
        ("{field: spec.replicas, equals: '3'}", False),
        ("{field: spec.replicas, gt: 3}", False),
        ("{field: spec.image, gt: 3}", True),
        ("{field: spec.memory, gt: 1Gi, valueType: quantity}", False),
        ("{field: spec.image, equals: anything}", False),
        ("{field: spec.free.x, equals: anything}", False),
        ("{field: metadata.generation, equals: none}", True),
    ],
)
def test_a_comparison_in_a_condition_fits_the_type_of_its_field(compiled: Compile, body: str, doubted: bool) -> None:
    made = compiled(condition(body))
    assert made.codes == (["ORK0404"] if doubted else [])
    assert made.program is not None


@pytest.mark.parametrize(
    ("expression", "doubted"),
    [
        ('if eq .spec.enabled "yes" }}x{{ end', True),
        ("if eq .spec.enabled true }}x{{ end", False),
        ('if eq .spec.enabled "true" }}x{{ end', False),
        ('if (eq .spec.tier "golden") }}x{{ end', True),
        ("if ne .spec.tier `silver` }}x{{ end", False),
        ('if eq .spec.tier .spec.image "x" }}x{{ end', False),
        ("if eq .spec.replicas 3 }}x{{ end", False),
        ('if eq .spec.replicas "three" }}x{{ end', True),
        ('if eq .spec.image "three" }}x{{ end', False),
    ],
)
def test_a_comparison_inside_an_expression_fits_too(compiled: Compile, expression: str, doubted: bool) -> None:
    text = f"operatorBox: {{onReconcile: {{configMaps: [{{data: {{a: '{{{{ {expression} }}}}'}}}}]}}}}"
    assert compiled(text).codes == (["ORK0404"] if doubted else [])


def test_a_doubt_points_at_its_place(compiled: Compile) -> None:
    found = compiled(condition("{field: spec.tier, equals: golden}")).only
    assert (found.message, found.hint) == ('`.spec.tier` never has the value "golden"', 'did you mean "gold"?')
    assert found.span.end_column - found.span.column == len("golden")
