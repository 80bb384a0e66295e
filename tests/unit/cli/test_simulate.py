"""`ork simulate`: its flags, formats and exit codes. What happens in a run is tested in tests/unit/simulate."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.unit.cli.conftest import Ork
from tests.unit.simulate.conftest import BOX, CR, CRD, katalog

Files = Callable[[Mapping[str, str]], None]

GATE = "preReconcile: {reconcileGate: {when: [{field: spec.active, equals: 'true'}]}}\n"
GOOD = {
    "katalog.yaml": katalog(GATE + BOX),
    "crd.yaml": CRD,
    "cr.yaml": CR,
    "simulate.yaml": "cr: cr.yaml\nexpect:\n  ops: [{cycle: 1, verb: create, resource: deployments, name: web}]\n",
}
WRONG = {**GOOD, "simulate.yaml": GOOD["simulate.yaml"].replace("web", "wbe")}


def test_a_run_that_passes_shows_its_writes(ork: Ork, files: Files) -> None:
    files(GOOD)
    answer = ork("simulate")
    assert answer.code == 0
    assert answer.out == (
        "PASS simulate (simulate.yaml)\n"
        "  cycle 1   create deployments/web  (app default/web)\n"
        "            update status/web  (app default/web)\n"
        "  steady from cycle 2 of 10\n"
        "\n"
        "1 run with 1 expectation: passed\n"
    )


def test_a_run_that_fails_says_what_happened_instead(ork: Ork, files: Files) -> None:
    files(WRONG)
    answer = ork("simulate")
    assert answer.code == 1
    assert (
        "  failed: simulate.yaml:3:10: expect.ops[0]: create deployments/wbe in cycle 1: it did not happen\n"
        "      cycle 1 wrote create deployments/web, update status/web\n"
        "      did you mean web?\n"
    ) in answer.out
    assert answer.out.endswith("1 run with 1 expectation: 1 failed\n")


def test_what_failed_is_counted_in_expectations(ork: Ork, files: Files) -> None:
    files({**WRONG, "simulate.yaml": f"{WRONG['simulate.yaml']}  status: {{phase: Gone}}\n  gated: false\n"})
    assert ork("simulate").out.endswith("1 run with 3 expectations: 2 failed\n")


def test_cycles_that_fail_alike_are_shown_in_one_line(ork: Ork, files: Files) -> None:
    change = "changes: [{cycle: 4, patch: {resource: apps, name: web, patch: {spec: {image: b}}}}]\n"
    broken = katalog(BOX.replace(".spec.image", "div 1 0"))
    files({**GOOD, "katalog.yaml": broken, "simulate.yaml": f"cr: cr.yaml\n{change}expect: {{gated: false}}\n"})
    lines = [line[:21] for line in ork("simulate").out.splitlines()]
    assert [line for line in lines if line.startswith("  cycle")] == [
        "  cycle 1   update st",
        "  cycle 2–3 the same ",
        "  cycle 4   update st",
        "  cycle 5–10 the same",
    ]


def test_a_held_object_is_shown_with_its_reason(ork: Ork, files: Files) -> None:
    disabled = CR.replace("spec: {", "spec: {active: false, ")
    files({**GOOD, "simulate.yaml": "cr: cr.yaml\nexpect: {gated: true}\n", "cr.yaml": disabled})
    answer = ork("simulate", "--explain")
    assert answer.code == 0
    assert "  cycle 1   gated app default/web at reconcileGate: spec.active is false" in answer.out
    assert "reconcileGate when: spec.active equals true: does not hold, spec.active is false" in answer.out


def test_json_has_the_documented_shape(ork: Ork, files: Files) -> None:
    files(WRONG)
    document = json.loads(ork("simulate", "-o", "json").out)
    (run,) = document["runs"]
    assert (document["version"], document["passed"]) == (1, False)
    assert (run["name"], run["file"], run["target"]) == ("simulate", "simulate.yaml", None)
    assert (run["passed"], run["steady"], run["steadyAt"]) == (False, True, 2)
    assert run["cycles"][0]["ops"][0] == {
        "verb": "create",
        "via": "apply",
        "resource": "deployments",
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "namespace": "default",
        "name": "web",
        "crd": "app",
        "owner": "default/web",
    }
    assert run["cycles"][9] == {"cycle": 10, "ops": [], "gated": [], "calls": [], "errors": []}
    assert run["status"][0]["status"]["conditions"][0]["reason"] == "ReconcileSucceeded"
    (expectation,) = run["expectations"]
    assert (expectation["path"], expectation["line"], expectation["passed"]) == ("expect.ops[0]", 3, False)


def test_an_error_is_shown_at_its_place_in_the_katalog(ork: Ork, files: Files) -> None:
    box = BOX.replace(".spec.image", "div 1 .spec.size")
    files({**GOOD, "katalog.yaml": katalog(box), "cr.yaml": CR.replace("spec: {", "spec: {size: 0, ")})
    document = json.loads(ork("simulate", "-o", "json").out)
    (error,) = document["runs"][0]["cycles"][0]["errors"]
    assert (error["crd"], error["object"], error["file"]) == ("app", "default/web", "katalog.yaml")
    assert "zero" in error["message"]
    assert (error["line"], error["column"]) == (12, 26)


def test_junit_has_a_case_per_expectation(ork: Ork, files: Files) -> None:
    files(WRONG)
    document = ElementTree.fromstring(ork("simulate", "-o", "junit").out)
    assert (document.get("tests"), document.get("failures")) == ("1", "1")
    assert document[0].get("name") == "simulate.yaml: simulate"


@pytest.mark.parametrize("form", [["-f", "simulate.yaml"], ["simulate.yaml"], ["./..."], ["."]])
def test_a_file_may_be_named_in_several_ways(ork: Ork, files: Files, form: list[str]) -> None:
    files(GOOD)
    assert ork("simulate", *form).code == 0


def test_all_files_below_are_found(ork: Ork, files: Files) -> None:
    one = {f"one/{name}": text for name, text in GOOD.items()}
    two = {f"two/{name.replace('simulate', 'simulate-two')}": text for name, text in GOOD.items()}
    three = "apiVersion: orkestra.orkspace.io/v1\nkind: Simulate\nmetadata: {name: three}\n"
    three += "spec: {katalog: one/katalog.yaml, cr: one/cr.yaml, expect: {steady: true}}\n"
    files({**one, **two, "three.yaml": three, ".hidden/simulate.yaml": "nonsense"})
    document = json.loads(ork("simulate", "./...", "-o", "json").out)
    assert [run["file"] for run in document["runs"]] == ["three.yaml", "one/simulate.yaml", "two/simulate-two.yaml"]


def test_a_cr_alone_is_shown(ork: Ork, files: Files) -> None:
    files(GOOD)
    answer = ork("simulate", "--cr", "cr.yaml", "--katalog", "katalog.yaml", "--cycles", "2")
    assert answer.code == 0
    assert "create deployments/web" in answer.out
    assert "steady from cycle 2 of 2" in answer.out


def test_the_clock_can_be_set(ork: Ork, files: Files) -> None:
    files({**GOOD, "katalog.yaml": katalog(BOX + '  configMaps: [{name: c, data: {now: "{{ now }}"}}]\n')})
    answer = ork("simulate", "--cycles", "1", "--at", "2026-12-24T08:00:00Z", "--snapshot", "end.yaml")
    assert answer.code == 0
    assert 'now: "2026-12-24T08:00:00Z"' in Path("end.yaml").read_text()


def test_a_snapshot_fed_back_in_writes_nothing(ork: Ork, files: Files) -> None:
    files(GOOD)
    assert ork("simulate", "--snapshot", "out/end.yaml").code == 0
    answer = ork("simulate", "--cr", "out/end.yaml", "-o", "json")
    assert [cycle["ops"] for cycle in json.loads(answer.out)["runs"][0]["cycles"]] == [[]] * 10


def test_a_katalog_that_does_not_compile_shows_its_findings(ork: Ork, files: Files) -> None:
    files({**GOOD, "katalog.yaml": katalog(BOX.replace("deployments", "deploymentz"))})
    answer = ork("simulate")
    assert answer.code == 1
    assert "error[ORK0101]" in answer.out
    assert json.loads(ork("simulate", "-o", "json").out)["findings"][0]["code"] == "ORK0101"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["--target", "moon"], 'there is no target "moon"'),
        (["--at", "noon"], '"noon" is no time'),
        (["--cycles", "0"], "0 is not in the range"),
        (["--hook", "a=b.py"], "--hook is not in this version yet"),
        (["--cr", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["--katalog", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["empty"], "there is no Simulate file in empty"),
    ],
)
def test_a_wrong_call_is_exit_code_2(ork: Ork, files: Files, args: list[str], says: str) -> None:
    files(GOOD)
    Path("empty").mkdir()
    answer = ork("simulate", *args)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


def test_without_the_programs_of_an_api_server_one_line_says_how_to_get_them(
    ork: Ork, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(GOOD)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(Path.cwd()))
    answer = ork("simulate", "--envtest")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.splitlines() == [
        "error: this needs a real API server: run `make controlplane` (with Go), "
        "or set KUBEBUILDER_ASSETS (setup-envtest)"
    ]


def test_without_any_file_the_call_says_what_could_be_meant(ork: Ork) -> None:
    answer = ork("simulate")
    assert answer.code == 2
    assert "there is no simulate.yaml here" in answer.err


def test_strict_fails_on_what_is_only_noted_otherwise(ork: Ork, files: Files) -> None:
    files({**GOOD, "simulate.yaml": "cr: cr.yaml\nexpect: {absent: [{resource: secrets}]}\n"})
    assert ork("simulate").code == 0
    assert ork("simulate", "--strict").code == 1
