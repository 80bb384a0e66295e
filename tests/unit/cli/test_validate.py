"""`ork validate`: which files it reads, what it shows, its exit codes. What it finds is tested elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Ork
from tests.unit.simulate.conftest import BOX, CR, CRD, katalog

Files = Callable[[Mapping[str, str]], None]

GOOD = {"katalog.yaml": katalog(BOX), "crd.yaml": CRD, "cr.yaml": CR}
WRONG = katalog(BOX.replace(".spec.image", ".spec.imag"))
DOUBTFUL = katalog('preReconcile: {reconcileGate: {when: [{field: "{{ print 1 }}", equals: "2"}]}}\n' + BOX)


def codes(out: str) -> list[str]:
    """Return the codes of the findings in JSON output."""
    return [finding["code"] for finding in json.loads(out)["findings"]]


def test_all_well_is_exit_code_0_and_one_line(ork: Ork, files: Files) -> None:
    files(GOOD)
    answer = ork("validate")
    assert (answer.code, answer.out, answer.err) == (0, "0 errors, 0 warnings in 3 files\n", "")


def test_an_error_is_exit_code_1_with_place_and_hint(ork: Ork, files: Files) -> None:
    files({**GOOD, "katalog.yaml": WRONG})
    answer = ork("validate")
    assert answer.code == 1
    assert answer.out.startswith("katalog.yaml:")
    assert 'did you mean "image"?' in answer.out.replace("`", '"')


def test_a_warning_fails_only_under_strict(ork: Ork, files: Files) -> None:
    files({**GOOD, "katalog.yaml": DOUBTFUL})
    assert codes(ork("validate", "-o", "json").out) == ["ORK0503"]
    assert ork("validate").code == 0
    assert ork("validate", "--strict").code == 1


@pytest.mark.parametrize(
    ("flags", "left"),
    [
        (["--select", "ORK05"], ["ORK0503"]),
        (["--select", "ORK05,ORK03"], ["ORK0503"]),
        (["--select", "ORK0503", "--select", "ORK01"], ["ORK0503"]),
        (["--select", "ORK06"], []),
        (["--ignore", "ork0503"], []),
        (["--ignore", "ORK"], []),
        (["--select", "ORK", "--ignore", "ORK05"], []),
    ],
)
def test_codes_are_chosen_by_prefix(ork: Ork, files: Files, flags: list[str], left: list[str]) -> None:
    files({**GOOD, "katalog.yaml": DOUBTFUL})
    answer = ork("validate", "--strict", "-o", "json", *flags)
    assert codes(answer.out) == left
    assert answer.code == (1 if left else 0)


def test_a_folder_is_searched_and_what_is_not_ours_is_passed_over(ork: Ork, files: Files) -> None:
    files({f"operators/a/{name}": text for name, text in GOOD.items()} | {"operators/values.yaml": "replicas: 3\n"})
    answer = ork("validate", "operators", "-o", "json")
    assert answer.code == 0
    assert json.loads(answer.out)["summary"]["files"] == 4


def test_the_shipped_version_of_kubernetes_may_be_asked_for(ork: Ork, files: Files) -> None:
    files(GOOD)
    assert ork("validate", "--kubernetes-version", "v1.37.2").code == 0


@pytest.mark.parametrize("path", [".", "./", "./...", "a", "a/..."])
def test_a_folder_is_named_as_for_simulate(ork: Ork, files: Files, path: str) -> None:
    files({f"a/{name}": text for name, text in GOOD.items()})
    assert ork("validate", path).out == ork("validate", "a").out


def test_without_a_path_folders_below_are_left_alone(ork: Ork, files: Files) -> None:
    files({**GOOD, "below/katalog.yaml": WRONG})
    assert ork("validate").code == 0


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "ork init --pack beginner"),
        (["nowhere.yaml"], "nowhere.yaml cannot be read: there is no such file"),
        (["empty"], "there is no YAML file in empty"),
        (["--select", "E501"], 'no finding code is or begins with "E501"'),
        (["--ignore", "ORK0502,ORK99"], 'no finding code is or begins with "ORK99"'),
        (["-o", "yaml"], "'yaml' is not one of"),
        (["--kubernetes-version", "1.20"], "the schemas of Kubernetes 1.37 only, not of 1.20"),
    ],
)
def test_a_wrong_call_is_exit_code_2(ork: Ork, args: list[str], says: str) -> None:
    Path("empty").mkdir()
    answer = ork("validate", *args)
    assert answer.code == 2
    assert says in answer.err


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe\x00", "ORK0002"),
        (b"a: [", "ORK0001"),
        (b"\x00\x01\x02", "ORK0001"),
        (b"", "ORK0109"),
        (b"hello", "ORK0109"),
    ],
)
def test_a_named_file_that_is_not_ours_is_told_of(ork: Ork, content: bytes, code: str) -> None:
    Path("file.yaml").write_bytes(content)
    answer = ork("validate", "file.yaml", "-o", "json")
    assert answer.code == 1
    assert code in codes(answer.out)


def test_a_file_is_named_as_the_user_named_it(ork: Ork, files: Files) -> None:
    files({f"a/{name}": text for name, text in GOOD.items()} | {"a/katalog.yaml": WRONG})
    for name in ("a/katalog.yaml", "./a/katalog.yaml", str(Path("a/katalog.yaml").resolve())):
        answer = ork("validate", name, "-o", "json")
        assert json.loads(answer.out)["findings"][0]["file"] == name


@pytest.mark.parametrize("output", ["sarif", "junit", "github"])
def test_the_other_formats_are_there(ork: Ork, files: Files, output: str) -> None:
    files({**GOOD, "katalog.yaml": WRONG})
    answer = ork("validate", "-o", output)
    assert answer.code == 1
    assert "ORK0" in answer.out


def test_a_cr_is_held_to_the_crd_of_its_own_folder(ork: Ork, files: Files) -> None:
    stricter = CRD.replace("size: {type: integer, minimum: 0}", "size: {type: integer, minimum: 5}")
    cr = CR.replace("{image", "{size: 1, image")
    for folder, crd in (("a", CRD), ("b", stricter), ("c", CRD)):
        files({f"{folder}/{name}": text for name, text in {**GOOD, "crd.yaml": crd, "cr.yaml": cr}.items()})
    answer = ork("validate", ".", "-o", "json")
    assert [finding["file"] for finding in json.loads(answer.out)["findings"]] == ["b/cr.yaml"]
