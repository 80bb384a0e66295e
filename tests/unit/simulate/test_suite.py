"""Which scenarios a call means, what is vacuous, and what is told of files that are wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ork.base.errors import OrkError, UsageError
from ork.katalog.sources import Sources, in_memory
from ork.simulate.report import Run
from ork.simulate.run import Options
from ork.simulate.suite import Request, Simulated, simulate_all
from tests.unit.simulate.conftest import BOX, CR, CRD, Simulate, failures, katalog

FILES = {"katalog.yaml": katalog(BOX), "crd.yaml": CRD, "cr.yaml": CR}
GOOD = "cr: cr.yaml\nexpect: {steady: true}\n"


def ad_hoc(files: Mapping[str, str]) -> Run:
    found = simulate_all(Request(objects=("cr.yaml",)), Sources(in_memory({**FILES, **files})), Options())
    (run,) = found.runs
    return run


def call(files: Mapping[str, str], *names: str) -> Simulated:
    request = Request(files=names or ("simulate.yaml",))
    return simulate_all(request, Sources(in_memory({**FILES, **files})), Options())


def test_imports_are_run_after_the_file_that_names_them_and_once() -> None:
    found = call(
        {
            "simulate.yaml": f"{GOOD}imports: [a.yaml, b.yaml]\n",
            "a.yaml": f"{GOOD}imports: [simulate.yaml, b.yaml]\n",
            "b.yaml": GOOD,
        }
    )
    assert [run.file for run in found.runs] == ["simulate.yaml", "a.yaml", "b.yaml"]


def test_a_file_of_imports_alone_is_no_run_of_its_own() -> None:
    found = call({"simulate.yaml": "imports: [a.yaml]\n", "a.yaml": GOOD})
    assert [run.file for run in found.runs] == ["a.yaml"]


def test_a_file_that_imports_only_itself_runs_nothing_and_says_so() -> None:
    with pytest.raises(OrkError, match="there is nothing in it to run"):
        call({"simulate.yaml": "imports: [simulate.yaml]\n"})


def test_a_file_with_two_documents_has_two_runs() -> None:
    document = (
        "apiVersion: orkestra.orkspace.io/v1\nkind: Simulate\nmetadata: {name: NAME}\n"
        "spec: {cr: cr.yaml, expect: {steady: true}}\n"
    )
    found = call({"simulate.yaml": document.replace("NAME", "one") + "---\n" + document.replace("NAME", "two")})
    assert [run.name for run in found.runs] == ["one", "two"]


def test_a_katalog_that_does_not_compile_gives_its_findings_and_no_run() -> None:
    found = call({"simulate.yaml": GOOD, "katalog.yaml": katalog("onReconcile: {deployment: []}")})
    assert found.runs == ()
    assert {finding.code for finding in found.findings} == {"ORK0101"}


def test_a_simulate_file_that_is_wrong_gives_its_findings_and_no_run() -> None:
    found = call({"simulate.yaml": GOOD.replace("steady", "stedy")})
    assert found.runs == ()
    assert [finding.code for finding in found.findings] == ["ORK0101"]


@pytest.mark.parametrize("name", ["nowhere.yaml", "katalog: nowhere.yaml\n" + GOOD])
def test_a_file_that_is_not_there_is_a_wrong_call(name: str) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.yaml cannot be read"):
        call({"simulate.yaml": name}, *(() if "\n" in name else (name,)))


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("cr: cr.yaml\n", "expect: this file expects nothing"),
        ("cr: cr.yaml\nexpect: {}\n", "expect: this file expects nothing"),
        (GOOD + "changes: [{cycle: 99, restart: true}]\n", "changes[0]: cycle 99 did not run"),
        (GOOD + "changes: [{cycle: 5, fail: {verb: patch, resource: secrets}}]\n", "changes[0]: no such request"),
        ("cr: cr.yaml\nexpect: {ops: [{cycle: 11, verb: create}]}\n", "expect.ops[0]: create anything in cycle 11"),
        ("cr: cr.yaml\nexpect: {absent: [{resource: deploymentz}]}\n", "expect.absent[0]: no write of deploymentz"),
        (
            "cr: cr.yaml\nexpect: {ops: [{resource: deploymentz, count: 0}]}\n",
            "expect.ops[0]: any write of deploymentz",
        ),
        (
            "cr: cr.yaml\nexpect: {ops: [{cycle: 1, name: web}]}\n",
            "expect.ops[0]: any write of anything/web in cycle 1",
        ),
        ("cr: cr.yaml\nexpect: {crds: {app: {}}}\n", "expect: this file expects nothing"),
        ("cr: cr.yaml\nexpect: {noErrors: false, status: {}}\n", "expect: this file expects nothing"),
        ("cr: cr.yaml\nexpect: {crds: {ap: {steady: true}}}\n", "expect.crds.ap: there is no object of a CRD entry ap"),
    ],
)
def test_a_test_that_tests_nothing_is_never_green(text: str, failure: str) -> None:
    (run,) = call({"simulate.yaml": text}).runs
    assert not run.passed
    assert failures(run)[0].startswith(failure)


def test_an_absence_that_can_never_fail_is_a_warning(simulate: Simulate) -> None:
    text = "expect: {absent: [{resource: secrets}], ops: [{resource: secrets, count: 0}]}"
    assert [notice.split(": ")[0] for notice in simulate(text).notices if "no box can create secrets" in notice] == [
        "expect.absent[0]",
        "expect.ops[0]",
    ]
    assert not simulate(text, options=Options(strict=True)).passed


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"cr.yaml": CR.replace("kind: App", "kind: Other")}, "have no App (demo.io/v1); they have Other (demo.io/v1)"),
        ({"katalog.yaml": katalog(BOX, "enabled: false")}, "every entry of the Katalog is disabled"),
    ],
)
def test_a_run_without_a_cr_says_why_there_is_none(files: dict[str, str], reason: str) -> None:
    run = ad_hoc(files)
    assert not run.passed
    assert [reason in result.message for result in run.results] == [True]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("allowedNamespaces: [shop]", "its namespace is left out"),
        ("restrictedNamespaces: [default]", "its namespace is left out"),
        ("labelSelector: tier=gold", "a selector leaves it out"),
    ],
)
def test_a_cr_that_nobody_looks_after_is_told_of(simulate: Simulate, entry: str, reason: str) -> None:
    run = simulate("cycles: 1\nexpect: {ops: [{resource: deployments, count: 0}]}", entry=entry)
    assert run.notices == (f"App default/web is not looked at: {reason} by the entry app",)


def test_the_crd_of_a_custom_object_is_asked_for(simulate: Simulate) -> None:
    box = "onReconcile: {custom: [{apiVersion: acme.io/v1, kind: Order, metadata: {name: a}}]}"
    hint = "nobody serves Order (acme.io/v1), which a box makes; name its CRD under `crdFiles`"
    assert hint in simulate("expect: {noErrors: false}", box).notices


def test_a_cr_that_the_call_gives_twice_is_a_finding() -> None:
    request = Request(objects=("cr.yaml", "cr.yaml"))
    found = simulate_all(request, Sources(in_memory(FILES)), Options())
    assert [finding.code for finding in found.findings] == ["ORK0905"]


def test_hooks_that_are_not_run_are_told_of(simulate: Simulate) -> None:
    text = "hooks: {myorg/hooks: ./hooks.py}\nexpect: {steady: true}"
    assert any("`hooks` (myorg/hooks) binds nothing" in notice for notice in simulate(text).notices)
    assert not simulate(text, options=Options(strict=True)).passed


def test_a_cr_without_a_file_is_shown_and_expects_nothing() -> None:
    run = ad_hoc({})
    assert (run.tested, run.passed, run.results) == (False, True, ())
    assert [str(op) for op in run.cycles[0].ops] == ["create deployments/web", "update status/web"]


def test_a_cr_without_a_file_fails_on_a_notice_where_the_call_is_strict() -> None:
    hook = "reconciler: {hooks: {location: h.py, function: f}}\n"
    files = {**FILES, "katalog.yaml": katalog(hook + BOX)}
    for strict in (False, True):
        (run,) = simulate_all(Request(objects=("cr.yaml",)), Sources(in_memory(files)), Options(strict=strict)).runs
        assert run.passed is not strict


def test_a_cr_without_a_file_fails_on_an_error() -> None:
    broken = katalog(BOX.replace(".spec.image", "div 1 0"))
    assert not ad_hoc({"katalog.yaml": broken}).passed


OTHER_BOX = BOX.replace("{{ .spec.image }}", "{{ .spec.image }}-x")


@pytest.mark.parametrize(
    ("overrides", "cycles", "image"),
    [
        ({"cycles": 2}, 2, "nginx:1"),
        ({"objects": ("other.yaml",)}, 10, "other:1"),
        ({"katalog": "other-katalog.yaml"}, 10, "nginx:1-x"),
    ],
)
def test_the_call_overrides_the_file(overrides: dict[str, Any], cycles: int, image: str) -> None:
    files = {
        **FILES,
        "simulate.yaml": GOOD,
        "other.yaml": CR.replace("nginx:1", "other:1"),
        "other-katalog.yaml": katalog(OTHER_BOX),
    }
    request = Request(files=("simulate.yaml",))._replace(**overrides)
    (run,) = simulate_all(request, Sources(in_memory(files)), Options()).runs
    assert len(run.cycles) == cycles
    assert run.cycles[0].ops[0].written["spec"]["template"]["spec"]["containers"][0]["image"] == image
