"""Simulate documents → scenarios: what is read from them and from the files that they name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ork.base.findings import Finding
from ork.katalog.scenario import Advanced, Applied, Deleted, Failing, Patched, Restarted, Scenario
from ork.katalog.simulate import load_simulate, problems
from ork.katalog.sources import ReadError, Sources, in_memory

APP = "apiVersion: demo.io/v1\nkind: App\nmetadata: {name: a}\nspec: {on: yes}\n"
CR = APP + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n"
Load = Callable[..., tuple[tuple[Scenario, ...], list[Finding]]]


@pytest.fixture
def load() -> Load:
    """Load `ops/simulate.yaml`; `ops/cr.yaml` is there."""

    def loading(text: str, **files: str) -> tuple[tuple[Scenario, ...], list[Finding]]:
        given = {"ops/simulate.yaml": text, "ops/cr.yaml": CR} | {
            f"ops/{name}.yaml": body for name, body in files.items()
        }
        return load_simulate("ops/simulate.yaml", Sources(in_memory(given)))

    return loading


def one(load: Load, text: str, **files: str) -> Scenario:
    scenarios, findings = load(text, **files)
    assert findings == []
    assert len(scenarios) == 1
    return scenarios[0]


def test_a_bare_document_has_all_the_defaults(load: Load) -> None:
    found = one(load, "cr: cr.yaml")
    assert (found.name, found.file, found.katalog) == ("simulate", "ops/simulate.yaml", "ops/katalog.yaml")
    assert (found.cycles, found.at, found.target, found.skip_external) == (10, None, "", False)
    assert (found.workloads, found.expect, found.imports) == ({"*": "ready"}, None, ())


def test_paths_are_relative_to_the_document(load: Load) -> None:
    found = one(load, "katalog: ../k.yaml\ncr: ./cr.yaml\nimports: [sub/other.yaml]", **{"sub/other": "cr: ../cr.yaml"})
    assert found.katalog == "k.yaml"
    assert found.imports == ("ops/sub/other.yaml",)


def test_an_import_that_is_missing_is_a_finding_where_it_is_named(load: Load) -> None:
    (found,), (finding,) = load("cr: cr.yaml\nimports: [cr.yaml, nowhere.yaml]")
    assert found.imports == ("ops/cr.yaml",)
    assert (finding.code, str(finding.span), finding.path) == ("ORK0205", "ops/simulate.yaml:2:20", "imports[1]")


def test_an_object_that_is_given_twice_is_a_finding(load: Load) -> None:
    _, (finding,) = load("crFiles: [one.yaml]", one=f"{APP}---\n{APP}---\n{APP.replace('name: a', 'name: b')}")
    assert (finding.code, finding.span.line) == ("ORK0905", 6)
    assert [str(related.span) for related in finding.related] == ["ops/one.yaml:1:1"]


def test_objects_are_read_as_kubectl_reads_them(load: Load) -> None:
    listed = "kind: List\napiVersion: v1\nitems:\n- " + APP.replace("name: a", "name: c").replace("\n", "\n  ")
    found = one(load, "cr: cr.yaml\ncrFiles: [more.yaml]", more=listed)
    assert [given.obj["kind"] for given in found.given] == ["App", "Namespace", "App"]
    assert found.given[0].obj["spec"] == {"true": True}
    assert str(found.given[1].span) == "ops/cr.yaml:6:1"


def test_time_is_read_with_its_zone(load: Load) -> None:
    assert one(load, "cr: cr.yaml\nat: 2026-12-24T08:00:00+02:00").at == datetime(2026, 12, 24, 6, tzinfo=UTC)


@pytest.mark.parametrize("at", ["2026-13-01T00:00:00Z", "tomorrow", "2026-01-05"])
def test_a_time_that_is_none_is_refused(load: Load, at: str) -> None:
    assert [finding.code for finding in load(f"cr: cr.yaml\nat: {at}")[1]] == ["ORK0106"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ready", {"*": "ready"}),
        ("never", {"*": "never"}),
        ("{jobs: fail, Deployments: never}", {"*": "ready", "jobs": "fail", "deployments": "never"}),
    ],
)
def test_workloads_are_by_plural(load: Load, text: str, expected: Any) -> None:
    assert one(load, f"cr: cr.yaml\nworkloads: {text}").workloads == expected


def test_each_change_is_one_action(load: Load) -> None:
    found = one(
        load,
        """
changes:
  - {cycle: 2, patch: {resource: Apps, name: a, namespace: ns, subresource: status, patch: {spec: {x: null}}}}
  - {cycle: 3, apply: cr.yaml}
  - {cycle: 4, apply: {apiVersion: v1, kind: Secret, metadata: {name: s}}}
  - {cycle: 5, delete: {resource: apps, name: a}}
  - {cycle: 6, advance: 10m}
  - {cycle: 7, restart: true}
  - {cycle: 8, fail: {verb: apply, resource: Deployments}}
""",
    )
    actions = [change.action for change in found.changes]
    assert [change.cycle for change in found.changes] == [2, 3, 4, 5, 6, 7, 8]
    assert actions[0] == Patched("apps", "a", "ns", "status", {"spec": {"x": None}})
    assert isinstance(actions[1], Applied)
    assert isinstance(actions[2], Applied)
    assert [len(actions[1].objects), actions[2].objects[0].obj["kind"]] == [2, "Secret"]
    assert actions[3:] == [
        Deleted("apps", "a", ""),
        Advanced(timedelta(minutes=10)),
        Restarted(),
        Failing("apply", "deployments", 409, 1),
    ]
    assert (found.changes[1].path, found.changes[1].span.line) == ("changes[1]", 4)


@pytest.mark.parametrize(
    "change", ["{cycle: 2}", "{cycle: 2, restart: true, advance: 1m}", "{cycle: 2, restart: false}"]
)
def test_a_change_without_exactly_one_action_is_refused(load: Load, change: str) -> None:
    assert [finding.code for finding in load(f"changes: [{change}]")[1]] == ["ORK0903"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("'{\"a\": 1}'", b'{"a": 1}'),
        ("{a: [1, true]}", b'{"a":[1,true]}'),
        ("maintenance", b"maintenance"),
        ("é", "é".encode()),
        ("5", b"5"),
        ("", b"null"),
    ],
)
def test_a_response_s_body_is_a_text_or_json(load: Load, body: str, expected: bytes) -> None:
    found = one(load, f"externalResponses:\n  - name: a\n    body: {body}")
    assert found.responses[0].body == expected


def test_a_response_has_all_that_it_says(load: Load) -> None:
    text = (
        "externalResponses: [{url: x, method: post, cycle: 2, status: 503, headers: {A: b}, delay: 5s, refused: true}]"
    )
    found = one(load, text).responses[0]
    assert (found.url, found.method, found.cycle, found.status) == ("x", "POST", 2, 503)
    assert (found.headers, found.delay, found.refused, found.body) == ({"A": "b"}, timedelta(seconds=5), True, b"")


def test_expectations_know_their_place(load: Load) -> None:
    found = one(
        load,
        """
expect:
  steady: false
  steadyAt: 3
  noErrors: false
  gated: true
  status: {phase: Ready}
  errors: [{cycle: 1, contains: boom}]
  ops:
    - {cycle: 1, verb: create, resource: Deployments, name: a, namespace: ns, count: 2, atLeast: 1,
       fields: {spec.x: 1}, absent: true}
    - include: more.yaml
  absent: [{resource: Namespaces, cycle: 2, verb: delete, name: z}]
  crds: {app: {gated: false}}
""",
        more="ops: [{verb: update}]",
    )
    expect = found.expect
    assert expect is not None
    claims = [expect.steady, expect.steady_at, expect.no_errors, expect.gated, expect.status]
    assert [claim.value for claim in claims if claim] == [False, 3, False, True, {"phase": "Ready"}]
    assert expect.ops[0][2:] == (1, "create", "deployments", "a", "ns", 2, 1, {"spec.x": 1}, True)
    assert [(op.path, op.span.file) for op in expect.ops] == [
        ("expect.ops[0]", "ops/simulate.yaml"),
        ("expect.ops[1]", "ops/more.yaml"),
    ]
    assert expect.absent[0][2:] == ("namespaces", 2, "delete", "z")
    assert (expect.errors[0].cycle, expect.errors[0].contains) == (1, "boom")
    inner = expect.crds["app"].gated
    assert inner is not None
    assert (inner.path, inner.span.line, expect.crd_spans["app"].column) == ("expect.crds.app.gated", 14, 10)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("cr: missing.yaml", "ORK0205"),
        ("crdFiles: [., cr.yaml]", "ORK0205"),
        ("cr: simulate.yaml", "ORK0206"),
        ("changes: [{cycle: 1, apply: missing.yaml}]", "ORK0205"),
        ("cr: cr.yaml\nexpect: {ops: [{verb: replace}]}", "ORK0105"),
        ("expect: {ops: [{resource: 5}]}", "ORK0103"),
        ("apiVersion: v1\nkind: Secret\nmetadata: {name: x}", "ORK0109"),
        ("", "ORK0109"),
    ],
)
def test_what_is_wrong_is_a_finding(load: Load, text: str, code: str) -> None:
    assert code in [finding.code for finding in load(text)[1]]


def test_a_file_that_is_not_there_is_the_caller_s_business() -> None:
    with pytest.raises(ReadError):
        load_simulate("nothing.yaml", Sources(in_memory({})))


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("cr: cr.yaml", ["ORK0901"]),
        ("expect: {}", ["ORK0901"]),
        ("imports: [cr.yaml]", []),
        ("expect: {steady: true}", []),
        ("cycles: 3\nexpect: {ops: [{cycle: 4, verb: create}, {cycle: 3, verb: create}]}", ["ORK0902"]),
        ("expect: {ops: [{cycle: 1, name: a}, {resource: secrets}]}", ["ORK0901"]),
        ("expect: {noErrors: false}", ["ORK0901"]),
        ("expect: {noErrors: true}", []),
        ("expect: {status: {}, crds: {app: {ops: []}}}", ["ORK0901"]),
        ("expect: {crds: {app: {gated: false}}}", []),
        ("cycles: 3\nexpect: {steady: true}\nchanges: [{cycle: 4, restart: true}]", ["ORK0902"]),
        ("cycles: 3\nexpect: {steadyAt: 4}", ["ORK0902"]),
        ("cycles: 3\nexpect: {crds: {app: {absent: [{resource: x, cycle: 9}]}}}", ["ORK0902"]),
    ],
)
def test_a_simulation_that_tests_nothing_is_told_so(load: Load, text: str, codes: list[str]) -> None:
    assert [finding.code for finding in problems(one(load, text))] == codes
