"""How findings look in each format. Which findings there are is the compiler's business."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from ork.base.findings import Finding, Related, Severity, Span
from ork.cli.render import github, junit, sarif, text
from ork.cli.render import json as json_format
from ork.cli.render.checked import Checked, Render, in_order
from ork.cli.terminal import Palette, visible

LINE = '      image: "{{ .spec.imag }}"'
FIELD = Finding(
    "ORK0301",
    Severity.ERROR,
    Span("katalog.yaml", 12, 18, 12, 28),
    'the schema has no field "imag"',
    'did you mean "image"?',
    "spec.crds.app.operatorBox.onCreate.deployments[0].image",
)
TWICE = Finding(
    "ORK0003",
    Severity.WARNING,
    Span("b,c:d.yaml", 3, 1, 4, 2),
    "50% of\nit",
    related=(Related(Span("a.yaml", 1, 2, 1, 3), "the first is here"),),
)


def checked(*findings: Finding, files: tuple[str, ...] = ("katalog.yaml",), line: str = LINE) -> Checked:
    return Checked(findings, files, lambda span: line)


def test_people_see_place_message_line_caret_and_hint() -> None:
    assert text.render(checked(FIELD)) == (
        'katalog.yaml:12:18: error[ORK0301]: the schema has no field "imag"\n'
        '  12 |       image: "{{ .spec.imag }}"\n'
        "     |                  ^^^^^^^^^^\n"
        '  help: did you mean "image"?\n'
        "1 error, 0 warnings in 1 file"
    )


def test_people_see_nothing_but_a_summary_where_all_is_well() -> None:
    assert text.render(checked(files=("a.yaml", "b.yaml"))) == "0 errors, 0 warnings in 2 files"


def test_people_see_related_places() -> None:
    assert "  a.yaml:1:2: the first is here" in text.render(checked(TWICE))


@pytest.mark.parametrize(
    ("line", "span", "carets"),
    [
        ("\tx: 1", (1, 2, 1, 3), " ^"),
        ("名前: bad", (1, 5, 1, 8), "      ^^^"),
        ("e\u0301: bad", (1, 5, 1, 8), "   ^^^"),
        ("a: [", (1, 4, 3, 2), "   ^"),
        ("a: b", (1, 5, 1, 5), "    ^"),
    ],
    ids=["a tab is one cell", "wide characters take two", "combining ones none", "many lines", "an empty span"],
)
def test_the_caret_stands_under_the_span(line: str, span: tuple[int, int, int, int], carets: str) -> None:
    finding = FIELD._replace(span=Span("f", *span), hint="")
    assert text.render(checked(finding, line=line)).splitlines()[2] == f"    | {carets}"


def test_a_long_line_is_cut_around_the_span() -> None:
    finding = FIELD._replace(span=Span("f", 1, 5001, 1, 5004), hint="")
    _, shown, carets, _ = text.render(checked(finding, line="x" * 5000 + "bad" + "y" * 5000)).splitlines()
    assert len(shown) < 120
    assert shown[carets.index("^") :].startswith("bad")


def test_colours_are_used_where_a_person_looks() -> None:
    painted = checked(FIELD)._replace(paint=Palette(coloured=True))
    assert "\x1b[31merror[ORK0301]\x1b[0m" in text.render(painted)


def test_text_from_outside_cannot_steer_a_terminal() -> None:
    finding = FIELD._replace(message="evil \x1b[2J\u202e")
    for render in (text.render, github.render):
        assert "evil \\x1b[2J\\u202e" in render(checked(finding))


def test_json_has_every_fact() -> None:
    document = json.loads(json_format.render(checked(FIELD, TWICE)))
    assert document["summary"] == {"errors": 1, "warnings": 1, "files": 1}
    assert document["version"] == 1
    assert document["findings"][0] == {
        "code": "ORK0301",
        "severity": "error",
        "message": 'the schema has no field "imag"',
        "hint": 'did you mean "image"?',
        "file": "katalog.yaml",
        "line": 12,
        "column": 18,
        "endLine": 12,
        "endColumn": 28,
        "path": "spec.crds.app.operatorBox.onCreate.deployments[0].image",
        "related": [],
    }
    assert document["findings"][1]["hint"] is None
    assert document["findings"][1]["related"] == [
        {"file": "a.yaml", "line": 1, "column": 2, "message": "the first is here"}
    ]


def test_sarif_counts_columns_in_characters_and_names_each_rule_once() -> None:
    (run,) = json.loads(sarif.render(checked(FIELD, TWICE, FIELD)))["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["rules"] == [{"id": "ORK0003"}, {"id": "ORK0301"}]
    assert [(found["ruleIndex"], found["level"]) for found in run["results"]] == [
        (1, "error"),
        (0, "warning"),
        (1, "error"),
    ]
    location = run["results"][1]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "b%2Cc%3Ad.yaml"
    assert location["region"] == {"startLine": 3, "startColumn": 1, "endLine": 4, "endColumn": 2}
    assert run["results"][1]["relatedLocations"][0]["message"]["text"] == "the first is here"


def test_workflow_commands_are_escaped() -> None:
    assert github.render(checked(FIELD, TWICE)).splitlines() == [
        "::error file=katalog.yaml,line=12,endLine=12,col=18,endColumn=28,title=ORK0301::"
        'the schema has no field "imag"%0Adid you mean "image"?',
        "::warning file=b%2Cc%3Ad.yaml,line=3,endLine=4,col=1,endColumn=2,title=ORK0003::50%25 of%0Ait",
    ]


def test_junit_fails_for_errors_only_and_has_a_case_for_a_clean_file() -> None:
    document = ElementTree.fromstring(junit.render(checked(FIELD, TWICE, files=("katalog.yaml", "clean.yaml"))))
    assert (document.get("tests"), document.get("failures")) == ("3", "1")
    assert [(suite.get("name"), suite.get("failures")) for suite in document] == [
        ("katalog.yaml", "1"),
        ("clean.yaml", "0"),
        ("b,c:d.yaml", "0"),
    ]


def test_junit_can_hold_any_text() -> None:
    finding = FIELD._replace(message='<&> "quoted" \x00\x1b')
    (suite,) = ElementTree.fromstring(junit.render(checked(finding)))
    (failure,) = suite[0]
    assert failure.get("message", "").endswith('<&> "quoted" \\x00\\x1b')


def test_findings_are_shown_by_file_line_column_and_code() -> None:
    later = FIELD._replace(span=Span("katalog.yaml", 12, 20, 12, 21))
    other = FIELD._replace(code="ORK0100")
    assert in_order([later, FIELD, TWICE, other]) == [TWICE, other, FIELD, later]


@pytest.mark.parametrize("render", [text.render, json_format.render, sarif.render, github.render, junit.render])
def test_every_format_takes_any_finding(render: Render) -> None:
    assert isinstance(render(checked(FIELD, TWICE, line="")), str)


def test_printable_text_is_left_alone() -> None:
    assert visible("Grüße, 名前\n\tok") == "Grüße, 名前\n\tok"
