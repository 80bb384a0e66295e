"""The commands that answer one question: eval, template, explain, notes, schema, version."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from tests.unit.cli.conftest import Ork
from tests.unit.simulate.conftest import BOX, CR, CRD, katalog

Files = Callable[[Mapping[str, str]], None]

KATALOG = {"katalog.yaml": katalog(BOX), "crd.yaml": CRD, "cr.yaml": CR}


# ── eval ────────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("args", "out"),
    [
        (["{{ .metadata.name }}-{{ len .metadata.name }}"], "web-3\n"),
        (["{{ .spec }}"], '{"image":"nginx:1"}\n'),
        (["{{ .spec }}", "--place", "value"], '{"image": "nginx:1"}\n'),
        (["{{ len .metadata.name }}", "--place", "value"], "3\n"),
        (["{{ .spec.nothing }}", "--place", "status"], ""),
        (["plain"], "plain\n"),
        (["{{ .spec.image | upper }}"], "NGINX:1\n"),
    ],
)
def test_an_expression_is_evaluated_on_a_cr(ork: Ork, files: Files, args: list[str], out: str) -> None:
    files(KATALOG)
    answer = ork("eval", *args, "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (0, out)


@pytest.mark.parametrize(
    ("template", "says"),
    [
        ("{{ .spec.imag }}", ".spec.imag is not set\n  {{ .spec.imag }}\n     ^^^^^^^^^^\n"),
        ("{{ nope }}", 'there is no function "nope"'),
        ("{{ if }}", "error: "),
        ("a\nb {{ .x", "error: "),
    ],
)
def test_what_is_wrong_is_pointed_at(ork: Ork, files: Files, template: str, says: str) -> None:
    files(KATALOG)
    answer = ork("eval", template, "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (1, "")
    assert says in answer.err
    assert "^" in answer.err


def test_a_batch_gets_a_line_for_each_line(ork: Ork) -> None:
    lines = [
        {"template": "{{ .a }}", "data": {"a": 1}},
        {"template": "x\n  {{ .b }}", "data": {}},
        {"template": "{{ .a"},
        {"template": '{{ printf "%d" 7 }}', "data": None},
        {"template": "é{{ div 1 0 }}", "data": {}},
    ]
    Path("batch.jsonl").write_text("\n".join(map(json.dumps, lines)))
    answer = ork("eval", "--batch", "batch.jsonl")
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert answer.code == 0
    assert found[0] == {"output": "1"}
    assert (found[1]["stage"], found[1]["line"], found[1]["column"]) == ("run", 2, 6)
    assert found[2]["stage"] == "parse"
    assert found[3] == {"output": "7"}
    assert (found[4]["stage"], found[4]["column"]) == ("run", 5)


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"data": {}}', "3", "[" * 100_000])
def test_a_line_that_is_no_case_is_answered_and_fails_the_call(ork: Ork, line: str) -> None:
    Path("batch.jsonl").write_text(line + '\n{"template": "ok"}\n')
    answer = ork("eval", "--batch", "batch.jsonl")
    first, second = map(json.loads, answer.out.splitlines())
    assert answer.code == 1
    assert first["error"].startswith("line 1 is no JSON object")
    assert second == {"output": "ok"}


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "which expression?"),
        (["x", "--cr", "a", "--data", "b"], "give one of them"),
        (["x", "--cr", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["--batch", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
        (["x", "--place", "moon"], "'moon' is not one of"),
    ],
)
def test_a_wrong_call_of_eval_is_exit_code_2(ork: Ork, args: list[str], says: str) -> None:
    answer = ork("eval", *args)
    assert answer.code == 2
    assert says in answer.err


@pytest.mark.parametrize("content", [b"\xff", b"a: [", b"- a list", b""])
def test_data_that_is_no_map_is_exit_code_1(ork: Ork, content: bytes) -> None:
    Path("data.yaml").write_bytes(content)
    answer = ork("eval", "x", "--data", "data.yaml")
    assert answer.code == 1
    assert "data.yaml" in answer.err


# ── template ────────────────────────────────────────────────────────────────────────────────────
def test_the_children_of_a_cr_are_printed(ork: Ork, files: Files) -> None:
    files(KATALOG)
    answer = ork("template", "-f", "katalog.yaml", "--cr", "cr.yaml")
    assert answer.code == 0
    assert answer.out.startswith("apiVersion: apps/v1\nkind: Deployment\n")
    assert "image: nginx:1" in answer.out


def test_what_others_read_has_no_findings_in_it(ork: Ork, files: Files) -> None:
    files({**KATALOG, "katalog.yaml": katalog(BOX.replace("image:", "imag:"))})
    answer = ork("template", "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (1, "")
    assert "error[ORK0101]" in answer.err


def test_a_printed_child_has_its_name_before_its_content(ork: Ork, files: Files) -> None:
    files(KATALOG)
    assert [*yaml.safe_load(ork("template", "--cr", "cr.yaml").out)][:3] == ["apiVersion", "kind", "metadata"]


def test_why_nothing_is_printed_is_said_beside_it(ork: Ork, files: Files) -> None:
    gate = "preReconcile: {enqueueGate: {when: [{field: spec.active, equals: 'no'}]}}\n"
    files({**KATALOG, "katalog.yaml": katalog(gate + BOX)})
    answer = ork("template", "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "app default/web is held at enqueueGate: spec.active is true\n"


def test_why_a_cr_is_refused_is_said_beside_it(ork: Ork, files: Files) -> None:
    rule = "validation: {rules: [{field: spec.image, operator: prefix, value: acme/, message: not ours}]}\n"
    files({**KATALOG, "katalog.yaml": katalog(BOX, rule)})
    answer = ork("template", "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "note: apps/default/web Warning ValidationFailed: not ours\n"


def test_answers_of_calls_come_from_a_file(ork: Ork, files: Files) -> None:
    call = '  external: [{name: plan, url: "https://example.com"}]\n'
    box = BOX.replace("onReconcile:\n", "onReconcile:\n" + call).replace(".spec.image", ".external.plan.image")
    files({**KATALOG, "katalog.yaml": katalog(box), "answers.yaml": "externalResponses: [{body: {image: 'x:7'}}]\n"})
    assert "image: x:7" in ork("template", "--cr", "cr.yaml", "--external", "answers.yaml").out
    answer = ork("template", "--cr", "cr.yaml")
    assert (answer.code, answer.out) == (1, "")
    assert "no answer is scripted" in answer.err


@pytest.mark.parametrize(
    ("args", "says"), [([], "Missing option '--cr'"), (["--cr", "nowhere.yaml"], "nowhere.yaml cannot be read")]
)
def test_a_wrong_call_of_template_is_exit_code_2(ork: Ork, args: list[str], says: str) -> None:
    answer = ork("template", *args)
    assert answer.code == 2
    assert says in answer.err


# ── explain, notes, schema, version ─────────────────────────────────────────────────────────────
def test_a_code_is_explained_with_a_bad_and_a_good_example(ork: Ork) -> None:
    answer = ork("explain", "ork0101")
    assert answer.code == 0
    assert answer.out.startswith("ORK0101: unknown key (error)\n")
    assert "\nwrong\n" in answer.out
    assert "\nright\n" in answer.out


@pytest.mark.parametrize("path", ["ops[0].verb", "ops.0.verb", "ops.verb", "crds.app.ops.verb", "crds.ops.verb"])
def test_names_and_indices_in_a_path_may_stand_or_be_left_out(ork: Ork, path: str) -> None:
    assert "ops[].verb\n" in ork("explain", f"Simulate.spec.expect.{path}").out


def test_a_field_is_explained_with_its_keys(ork: Ork) -> None:
    answer = ork("explain", "spec.crds.app.operatorBox.preReconcile")
    assert answer.code == 0
    assert "reconcileGate" in answer.out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["explain", "ORK9999"], 'there is no code "ORK9999"'),
        (["explain", "spec.crdz"], 'did you mean "crds"?'),
        (["explain", "forEach"], "did you mean spec.crds.<name>.operatorBox.onCreate.deployments[].forEach?"),
        (["explain", "onReconcile.jobs"], "did you mean spec.crds.<name>.operatorBox.onReconcile.jobs?"),
        (["explain", "spec.crds.app.onReconcile.jobs"], "did you mean spec.crds.<name>.operatorBox.onReconcile.jobs?"),
        (["explain", "spec.expect.ops"], "did you mean Simulate.spec.expect.ops?"),
        (["explain", "zzz"], "it has apiVersion, kind, metadata, spec, notes, gateway, security\n"),
        (["notes", "show", "defalt"], 'did you mean "default"?'),
        (["schema", "Katalogue"], 'did you mean "katalog"?'),
        (["schema"], "Missing argument 'KIND'"),
        (["notes", "shew"], "No such command 'shew'"),
    ],
)
def test_what_is_not_there_is_a_wrong_call(ork: Ork, args: list[str], says: str) -> None:
    answer = ork(*args)
    assert answer.code == 2
    assert says in answer.err


def test_notes_are_listed_searched_and_shown(ork: Ork) -> None:
    listed = ork("notes")
    assert listed.code == 0
    assert listed.out == ork("notes", "list").out
    assert "  default VALUE FALLBACK" in listed.out
    found = ork("notes", "search", "business")
    assert "inBusinessHours" in found.out
    assert len(found.out) < len(listed.out)
    assert "{{ .spec.replicas | default 2 }}" in ork("notes", "show", "default").out


def test_a_search_that_finds_nothing_is_exit_code_1(ork: Ork) -> None:
    assert ork("notes", "search", "zzz").code == 1


@pytest.mark.parametrize("kind", ["Katalog", "simulate", "E2E"])
def test_a_schema_is_json(ork: Ork, kind: str) -> None:
    answer = ork("schema", kind)
    assert answer.code == 0
    assert json.loads(answer.out)["$schema"].startswith("https://json-schema.org/")


def test_the_version_is_told_as_text_and_json(ork: Ork) -> None:
    assert ork("version").out.startswith("ork 0.")
    assert set(json.loads(ork("version", "-o", "json").out)) == {"version", "python", "platform"}
