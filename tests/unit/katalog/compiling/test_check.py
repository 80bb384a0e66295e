"""`check`: what `ork validate` says of files, whatever kind of document they hold (cli)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ork.base.findings import Severity
from ork.katalog.check import Report, check
from ork.katalog.search import files_in
from ork.katalog.sources import ReadError, Sources, in_memory
from tests.documents import entry, katalog

from .conftest import CRD

KATALOG = katalog("demo", app=entry("onReconcile: {configMaps: [{data: {a: '{{ .spec.image }}'}}]}"))
CR = "apiVersion: demo.io/v1\nkind: App\nmetadata: {name: web}\nspec: {image: nginx}\n"


def checked(*named: str, searched: bool = False, **files: str) -> Report:
    content = {name.replace("__", "."): text for name, text in files.items()}
    return check(named or tuple(content), Sources(in_memory(content)), searched=searched)


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def test_documents_that_are_right_get_no_finding() -> None:
    report = checked(katalog__yaml=KATALOG, crd__yaml=CRD, cr__yaml=CR)
    assert report.findings == []
    assert report.files == ("katalog.yaml", "crd.yaml", "cr.yaml")
    assert report.documents == 3


def test_a_file_that_a_katalog_names_is_read_and_counted() -> None:
    report = checked("katalog.yaml", katalog__yaml=KATALOG, crd__yaml=CRD)
    assert report.files == ("katalog.yaml", "crd.yaml")
    assert report.documents == 1


@pytest.mark.parametrize("order", [("cr.yaml", "crd.yaml"), ("crd.yaml", "cr.yaml"), ("cr.yaml", "katalog.yaml")])
def test_a_cr_is_held_to_its_crd_wherever_that_stands(order: tuple[str, str]) -> None:
    bad = CR.replace("image: nginx", "replicas: many, imge: x")
    report = checked(*order, katalog__yaml=KATALOG, crd__yaml=CRD, cr__yaml=bad)
    assert codes(report) == ["ORK0630", "ORK0630", "ORK0631"]
    assert {finding.span.file for finding in report.findings} == {"cr.yaml"}


def test_every_item_of_a_list_is_checked() -> None:
    item = "{apiVersion: demo.io/v1, kind: App, metadata: {name: a}, spec: {}}"
    items = f"{CR}---\napiVersion: v1\nkind: List\nitems:\n- {item}\n"
    report = checked(crd__yaml=CRD, cr__yaml=items)
    assert codes(report) == ["ORK0630"]
    assert report.findings[0].span.line == 9


def test_kubernetes_own_kinds_are_checked() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 1}\ndatum: x\n"
    assert codes(checked(config__yaml=config)) == ["ORK0630", "ORK0631"]


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ("{}", "ORK0630"),
        ("", "ORK0630"),
        ('{name: ""}', "ORK0613"),
        ("{name: My_Name}", "ORK0613"),
        ('{name: a, labels: {"b c": x}}', "ORK0613"),
        ("{name: a, labels: {b: x y}}", "ORK0613"),
        ('{name: a, annotations: {"b c": x}}', "ORK0613"),
    ],
)
@pytest.mark.parametrize(
    "kind", ["apiVersion: demo.io/v1\nkind: App\nspec: {image: x}", "apiVersion: v1\nkind: Secret"]
)
def test_the_metadata_of_any_object_is_checked(kind: str, metadata: str, code: str) -> None:
    assert codes(checked(crd__yaml=CRD, object__yaml=f"{kind}\nmetadata: {metadata}\n")) == [code]


def test_an_object_may_have_its_name_made_up() -> None:
    text = "apiVersion: v1\nkind: Namespace\nmetadata: {generateName: my-}\n"
    assert codes(checked(object__yaml=text)) == []


def test_a_crd_of_a_type_error_does_not_break_the_check() -> None:
    for broken in ("spec: 5", "spec: {names: x, versions: y}", "spec: {versions: [1]}", "spec: []"):
        text = CRD[: CRD.index("spec:")] + broken
        assert checked(crd__yaml=text).findings


def test_documents_of_several_kinds_may_share_a_file() -> None:
    report = checked(all__yaml="---\n".join([KATALOG.replace("crd.yaml", "all.yaml"), CRD, CR]))
    assert report.findings == []
    assert report.documents == 3


def test_findings_are_ordered_and_said_once() -> None:
    faulty = KATALOG.replace(".spec.image", ".spec.b }}{{ .spec.a")
    report = checked("katalog.yaml", "katalog.yaml", katalog__yaml=faulty, crd__yaml=CRD)
    assert codes(report) == ["ORK0304", "ORK0304"]
    assert report.findings == sorted(report.findings, key=lambda found: found.span)


def test_a_comment_silences_a_code_on_its_line() -> None:
    faulty = KATALOG.replace("image }}'}}]}", "imge }}'}}]}  # ork: ignore ORK0304")
    assert checked("katalog.yaml", katalog__yaml=faulty, crd__yaml=CRD).findings == []
    other = faulty.replace("ORK0304", "ORK0301")
    assert codes(checked("katalog.yaml", katalog__yaml=other, crd__yaml=CRD)) == ["ORK0304"]


def test_text_that_is_no_yaml_cannot_be_silenced() -> None:
    assert codes(checked("k.yaml", k__yaml="a: b: c  # ork: ignore ORK0001\n")) == ["ORK0001"]


def test_a_named_file_that_is_not_there_is_the_callers_mistake() -> None:
    with pytest.raises(ReadError):
        checked("katalog.yaml", other__yaml=KATALOG)


def test_text_that_is_no_utf_8_is_a_finding() -> None:
    report = check(["k.yaml"], Sources(in_memory({"k.yaml": b"a: \xff"})))
    assert codes(report) == ["ORK0002"]


@pytest.mark.parametrize("text", ["", "# nothing\n", "a: 1\n", "[1]\n", "text\n"])
def test_what_is_no_document_is_said_of_named_files_and_passed_over_in_searched_ones(text: str) -> None:
    assert codes(checked(k__yaml=text)) == ["ORK0109"]
    searched = checked(searched=True, k__yaml=text)
    assert (searched.findings, searched.documents) == ([], 0)


def test_a_cr_without_its_crd_is_a_notice_only() -> None:
    report = checked(cr__yaml=CR)
    assert [(finding.code, finding.severity) for finding in report.findings] == [("ORK0632", Severity.INFO)]


def test_the_entries_in_an_expectation_are_those_of_the_katalog() -> None:
    simulate = "cr: cr.yaml\nexpect: {crds: {app: {steady: true}, ap: {steady: true}}}\n"
    report = checked("simulate.yaml", simulate__yaml=simulate, katalog__yaml=KATALOG, crd__yaml=CRD, cr__yaml=CR)
    assert codes(report) == ["ORK0904"]
    missing = checked("simulate.yaml", simulate__yaml=simulate, cr__yaml=CR)
    assert codes(missing) == ["ORK0205"]


def test_a_directory_offers_its_yaml_files_in_order(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "c.txt", ".hidden.yaml", "deep/d.yaml", ".git/e.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("a: 1")
    root = str(tmp_path)
    assert [Path(name).relative_to(root).as_posix() for name in files_in(root)] == ["a.yml", "b.yaml", "deep/d.yaml"]
    assert [Path(name).name for name in files_in(root, deep=False)] == ["a.yml", "b.yaml"]


def test_a_directory_offers_no_pipe_but_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "link.yaml").symlink_to("nowhere.yaml")
    assert files_in(str(tmp_path)) == [str(tmp_path / "link.yaml")]


def test_the_hint_for_an_unknown_key_names_no_place_that_explain_does_not_know() -> None:
    steps = "katalog: ./katalog.yaml\ncr: cr.yaml\nsteps: [{after: 1s, qqq: 1}]\n"
    found = [finding for finding in checked(e2e__yaml=steps).findings if finding.code == "ORK0101"]
    assert [finding.hint.startswith("known keys: path, ") for finding in found] == [True]


def test_files_of_the_current_directory_are_named_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.yaml", "deep/b.yaml"):
        (tmp_path / name).write_text("a: 1")
    monkeypatch.chdir(tmp_path)
    assert files_in(".") == ["a.yaml", "deep/b.yaml"]
    assert files_in("deep") == ["deep/b.yaml"]
