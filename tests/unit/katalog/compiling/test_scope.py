"""What expressions can read where they stand, and how they are typed (language, sections 4.3 to 4.6).

Parsing itself belongs to the expression room; here is what the compiler says about uses, results and children.
"""

from __future__ import annotations

import pytest

from .conftest import Compile

GATE = "operatorBox: {preReconcile: {reconcileGate: {when: [{field: '{{ %s }}', exists: true}]}}}"
RESOURCE = "operatorBox: {onReconcile: {configMaps: [{data: {a: '{{ %s }}'}}]}}"
EACH = "operatorBox: {onReconcile: {configMaps: [{forEach: {field: spec.ports, as: port}, name: '%s'}]}}"
NAME = "operatorBox: {onReconcile: {configMaps: [{name: '{{ %s }}'}]}}"
WHEN = "operatorBox: {onReconcile: {configMaps: [{when: [{field: '{{ %s }}', exists: true}]}]}}"
CALL = "operatorBox: {onReconcile: {external: [{name: x, url: 'http://a.example.com/{{ %s }}'}]}}"
STATUS = "operatorBox: {status: {fields: [{path: phase, value: '{{ %s }}'}]}}"
RULE = "validation: {rules: [{field: '{{ %s }}', exists: true}]}"
MUTATION = "mutation: {rules: [{field: spec.tier, default: '{{ %s }}'}]}"
SCALING = "operatorBox: {autoscale: {conditions: {when: [{field: '{{ %s }}', exists: true}]}}}"

EVERYWHERE = [GATE, RESOURCE, NAME, WHEN, CALL, STATUS, RULE, MUTATION, SCALING]


@pytest.mark.parametrize("place", EVERYWHERE)
@pytest.mark.parametrize("root", [".metadata.name", ".spec.image", ".status.phase", ".kind", ".apiVersion"])
def test_the_cr_is_read_everywhere(compiled: Compile, place: str, root: str) -> None:
    assert compiled(place % root).codes == []


@pytest.mark.parametrize(
    ("root", "places"),
    [
        (".request.user", [GATE, RULE, MUTATION]),
        (".health.state", [GATE, RULE, MUTATION, STATUS, SCALING]),
        (".metrics.queueDepth", [GATE, RULE, MUTATION, STATUS, SCALING]),
        (".old.spec.image", [RULE, MUTATION]),
        (".item", []),
        (".index", []),
        (".cross.database.found", []),
    ],
)
def test_other_names_are_read_where_their_scope_reaches(compiled: Compile, root: str, places: list[str]) -> None:
    for place in EVERYWHERE:
        assert compiled(place % root).codes == ([] if place in places else ["ORK0303"])


def test_children_are_known_to_resources_and_status_only(compiled: Compile) -> None:
    for place in (GATE, RULE, MUTATION, SCALING):
        assert compiled(place % ".children.configmap.data").codes == ["ORK0303"]
    assert compiled(RESOURCE % ".children.configmap.data").codes == []


def test_the_reason_says_why(compiled: Compile) -> None:
    assert compiled(GATE % ".children.job").only.message == (
        "`.children.job` cannot be read here: children are known to resources and status fields only, not to a gate"
    )


def test_an_unknown_name_gets_a_suggestion(compiled: Compile) -> None:
    assert compiled(RESOURCE % ".image").only.hint == "did you mean `.spec.image`?"
    assert compiled(RESOURCE % ".sepc.image").only.hint == 'did you mean "spec"?'
    assert compiled(RESOURCE % ".ports.name").only.hint == "did you mean `.spec.ports`?"
    assert compiled(EACH % "{{ .ports.name }}").only.hint == 'did you mean "port"?'


def test_a_fault_points_inside_the_expression(compiled: Compile) -> None:
    found = compiled("""
        operatorBox:
          onReconcile:
            configMaps:
              - data:
                  a: >-
                    folded
                    text {{ .spec.imge }}
    """).only
    assert (found.span.line, found.span.column, found.span.end_column) == (15, 27, 37)
    assert found.path == "spec.crds.app.operatorBox.onReconcile.configMaps[0]"


# ── types ───────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("expression", "codes"),
    [
        (".spec.image", []),
        (".spec.imge", ["ORK0304"]),
        (".spec.image.tag", ["ORK0305"]),
        (".spec.regions.first", ["ORK0305"]),
        ("index .spec.regions 0", []),
        ("range .spec.ports }}{{ .port }}{{ end", []),
        ("range .spec.ports }}{{ .prt }}{{ end", ["ORK0304"]),
        ("with .spec.image }}{{ . }}{{ end", []),
        ("range .spec.prts }}{{ .name }}{{ .port }}{{ end", ["ORK0304"]),
        (".spec.free.anything.at.all", []),
        (".spec.limits.cpu", []),
        (".spec.limits.cpu.max", ["ORK0305"]),
        (".metadata.labels.team", []),
        (".metadata.lables", ["ORK0304"]),
        (".metadata.generation", []),
        (".status.phase", []),
        (".status.fase", ["ORK0304"]),
        ("$x := .spec.image }}{{ $x.tag", ["ORK0305"]),
        ("$.spec.imge", ["ORK0304"]),
    ],
)
def test_paths_are_held_to_the_schema(compiled: Compile, expression: str, codes: list[str]) -> None:
    assert compiled(RESOURCE % expression).codes == codes


@pytest.mark.parametrize("expression", [".spec.anything", ".spec.image.tag", ".status.what.ever"])
def test_without_a_schema_any_path_may_be(compiled: Compile, expression: str) -> None:
    assert compiled(RESOURCE % expression, typed=False).codes == []


def test_the_fields_of_metadata_are_known_without_a_schema(compiled: Compile) -> None:
    assert compiled(RESOURCE % ".metadata.lables", typed=False).codes == ["ORK0304"]


# ── children ────────────────────────────────────────────────────────────────────────────────────
def status(value: str) -> str:
    return f"""
        operatorBox:
          onCreate:
            jobs: [{{name: one, image: a}}]
          onReconcile:
            deployments: [{{name: a, image: a}}, {{name: b, image: b}}]
            secrets: [{{name: "{{{{ .item }}}}", forEach: {{field: spec.regions}}, data: {{a: b}}}}]
            custom: [{{apiVersion: cache.io/v1, kind: Cache, metadata: {{name: c}}}}]
          status: {{fields: [{{path: phase, value: '{{{{ {value} }}}}'}}]}}
    """


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        (".children.job.status.succeeded", []),
        (".children.Job.status.succeeded", []),
        (".children.jobs", []),
        ("(index .children.jobs `one`).status.succeeded", []),
        (".children.jobs.one.status.succeeded", []),
        (".children.jobs.one.status.suceeded", ["ORK0308"]),
        ("range .children.jobs }}{{ .status.succeeded }}{{ end", []),
        (".children.configmap.data", ["ORK0306"]),
        (".children.deployment.status.readyReplicas", ["ORK0307"]),
        (".children.secret.data", ["ORK0307"]),
        (".children.deployments.a.status.readyReplicas", []),
        (".children.job.status.suceeded", ["ORK0308"]),
        (".children.cache.status.any", []),
        (".children.caches", []),
        ("allReplicasReady .children.deployments.a", []),
        ("toJSON .children", []),
        ("toJSON .", []),
    ],
)
def test_children_are_those_that_the_box_declares(compiled: Compile, value: str, codes: list[str]) -> None:
    assert compiled(status(value)).codes == codes


def test_the_kinds_that_a_hook_makes_are_children_too(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          reconciler: {hooks: {location: ./hooks.py, function: f, managedResources: [StatefulSet, configmaps]}}
          status: {fields: [{path: phase, value: "{{ len .children.statefulsets }}{{ len .children.configMaps }}"}]}
    """)
    assert made.codes == ["ORK0204"]


# ── external ────────────────────────────────────────────────────────────────────────────────────
def calls(reader: str) -> str:
    """Every list of a box has one call of its own; `reader` adds one read somewhere."""
    call = "{name: %s, url: 'http://a.example.com/%s'}"
    lists = {
        name: call % (name, "{{ .external.READ.body }}" if name == reader else "")
        for name in ("shared", "enqueue", "gate", "mutation", "validation", "create", "main", "hook")
    }
    value = "{{ .external.READ.body }}" if reader == "status" else "x"
    condition = "{{ .external.READ.body }}" if reader == "gateCondition" else "kind"
    return f"""
        mutation: {{external: [{lists["mutation"]}]}}
        validation: {{external: [{lists["validation"]}]}}
        operatorBox:
          preReconcile:
            external: [{lists["shared"]}]
            enqueueGate: {{failPolicy: open, external: [{lists["enqueue"]}]}}
            reconcileGate:
              failPolicy: open
              external: [{lists["gate"]}]
              when: [{{field: "{condition}", exists: true}}]
          onCreate: {{external: [{lists["create"]}]}}
          onReconcile: {{external: [{lists["main"]}]}}
          reconciler: {{hooks: {{location: h.py, function: f, external: [{lists["hook"]}]}}}}
          status: {{fields: [{{path: phase, value: '{value}'}}]}}
    """


ORDER = ["shared", "enqueue", "gate", "mutation", "validation", "create", "main", "hook"]
SEEN = {name: ORDER[:index] for index, name in enumerate(ORDER)} | {
    "gateCondition": ["shared", "enqueue", "gate"],
    "status": ORDER,
}


@pytest.mark.parametrize("reader", SEEN)
def test_a_result_is_read_only_after_its_call(compiled: Compile, reader: str) -> None:
    for name in ORDER:
        codes = compiled(calls(reader).replace("READ", name), h__py="").codes
        assert codes == ([] if name in SEEN[reader] else ["ORK0702"]), name


def test_calls_of_one_list_see_those_before_them(compiled: Compile) -> None:
    made = compiled("""
        operatorBox:
          onReconcile:
            external:
              - {name: first, url: "http://a.example.com/"}
              - {name: second, url: "http://a.example.com/{{ .external.first.id }}"}
              - {name: third, url: "http://a.example.com/{{ .external.third.id }}"}
    """)
    assert made.codes == ["ORK0702"]
    assert made.only.span.line == 14


def test_a_result_that_no_call_has_is_an_error_with_a_suggestion(compiled: Compile) -> None:
    found = compiled("""
        operatorBox:
          onReconcile:
            external: [{name: health, url: "http://a.example.com/"}]
            configMaps: [{data: {a: "{{ .external.helth.body }}"}}]
    """).only
    assert (found.code, found.hint) == ("ORK0702", 'did you mean "health"?')


# ── notes ───────────────────────────────────────────────────────────────────────────────────────
def test_a_note_reads_in_the_scope_of_its_caller(compiled: Compile) -> None:
    beside = "notes: [{name: place, expression: '{{ .item }}'}, {name: kids, expression: '{{ .children.job.kind }}'}]\n"
    assert compiled(RESOURCE % "place", beside=beside).codes == ["ORK0303"]
    maps = "[{name: '{{ .item }}', forEach: {field: spec.regions}, data: {a: '{{ place }}'}}]"
    inside = f"operatorBox: {{onReconcile: {{configMaps: {maps}}}}}"
    assert compiled(inside, beside=beside).codes == []
    assert compiled(STATUS % "kids", beside=beside).codes == ["ORK0306"]


def test_a_note_may_stand_in_spec_and_in_a_functions_block(compiled: Compile) -> None:
    inside = "notes: {functions: [{name: shout, expression: '{{ upper .spec.image }}'}]}\n"
    made = compiled(RESOURCE % "shout", inside=inside)
    assert made.codes == []
    assert ("spec", "image") in made.entry().reads


def test_a_note_of_a_built_in_name_takes_its_place(compiled: Compile) -> None:
    beside = "notes: [{name: inBusinessHours, expression: 'never'}]\n"
    made = compiled(RESOURCE % "inBusinessHours", beside=beside)
    assert made.codes == ["ORK0310"]


def test_a_sentinel_is_no_function_outside_of_gates(compiled: Compile) -> None:
    assert compiled(RESOURCE % "specChanged").codes == ["ORK0303"]
    beside = "notes: [{name: changed, expression: '{{ specChanged }}'}]\n"
    assert compiled(RESOURCE % "changed", beside=beside).codes == ["ORK0303"]
