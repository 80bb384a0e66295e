"""What an expression reads: every path and its place, followed through variables, `with`, `range` and templates."""

from __future__ import annotations

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Place
from ork.expr.functions import Function
from ork.expr.template import Use, parse
from ork.expr.usage import ROOTS
from tests.unit.expr.evaluate import template


def paths(text: str) -> str:
    """Return the paths that a text reads, in its order, each with the piece of the text that reads it."""
    return "; ".join(f"{'.'.join(use.path)} < {text[use.start : use.end]}" for use in template(text).uses)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ""),
        ("{{ .spec.image }}", "spec.image < .spec.image"),
        ("{{ $.spec.image }}", "spec.image < $.spec.image"),
        ("{{ (.spec).image }}", "spec.image < (.spec).image"),
        ("{{ .a }}{{ .b }}{{ .a }}", "a < .a; b < .b; a < .a"),
        ("{{ printf `%s` .a | print (len .b) }}", "a < .a; b < .b"),
        (
            "{{ if .a }}{{ .b }}{{ else if .c }}{{ .d }}{{ else }}{{ .e }}{{ end }}",
            "a < .a; b < .b; c < .c; d < .d; e < .e",
        ),
        ("{{ and .a .b }}{{ or .c .d }}", "a < .a; b < .b; c < .c; d < .d"),
        # with, range
        ("{{ with .spec }}{{ .image }}{{ . }}{{ end }}{{ .name }}", "spec < .spec; spec.image < .image; name < .name"),
        ("{{ with .spec }}{{ $.name }}{{ else }}{{ .b }}{{ end }}", "spec < .spec; name < $.name; b < .b"),
        ("{{ range .items }}{{ .name }}{{ else }}{{ .b }}{{ end }}", "items < .items; items.*.name < .name; b < .b"),
        (
            "{{ range $i, $e := .items }}{{ $e.name }}{{ .x }}{{ $i }}{{ end }}",
            "items < .items; items.*.name < $e.name; items.*.x < .x",
        ),
        ("{{ range .a }}{{ range .b }}{{ .c }}{{ end }}{{ end }}", "a < .a; a.*.b < .b; a.*.b.*.c < .c"),
        ("{{ with index .a `k` }}{{ .b }}{{ end }}", "a.k < index .a `k`; a.k.b < .b"),
        ("{{ with print .a }}{{ .b }}{{ end }}", "a < .a"),
        # index
        (
            "{{ index .labels `app.kubernetes.io/name` }}",
            "labels.app.kubernetes.io/name < index .labels `app.kubernetes.io/name`",
        ),
        ("{{ index .list 0 `name` }}", "list.0.name < index .list 0 `name`"),
        ("{{ (index .list 0).name.first }}", "list.0.name.first < (index .list 0).name.first"),
        ("{{ index .m .key `x` }}", "m < index .m .key `x`; key < .key"),
        ("{{ (index .m .key).x }}", "m < index .m .key; key < .key"),
        # variables
        ("{{ $x := .spec }}{{ $x.image }}{{ $x }}", "spec < .spec; spec.image < $x.image"),
        ("{{ $x := .a }}{{ $y := $x.b }}{{ $y.c }}", "a < .a; a.b < $x.b; a.b.c < $y.c"),
        ("{{ $x := .a }}{{ $x = .b }}{{ $x.c }}", "a < .a; b < .b"),
        ("{{ with $x := .a }}{{ $x.b }}{{ .c }}{{ end }}", "a < .a; a.b < $x.b; a.c < .c"),
        ("{{ ($x := .a) }}{{ $x.b }}", "a < .a; a.b < $x.b"),
        ("{{ with .a }}{{ $ = . }}{{ $.b }}{{ end }}", "a < .a"),
        # templates
        ('{{ define "t" }}{{ .b }}{{ $.c }}{{ end }}{{ template "t" .a }}', "a.b < .b; a.c < $.c; a < .a"),
        (
            '{{ define "t" }}{{ .b }}{{ end }}{{ template "t" .x }}{{ template "t" .y }}',
            "x.b < .b; y.b < .b; x < .x; y < .y",
        ),
        ('{{ define "t" }}{{ .b }}{{ end }}{{ template "t" }}', ""),
        ('{{ define "t" }}{{ .b }}{{ end }}', ""),
        ('{{ block "t" .a }}{{ .b }}{{ end }}', "a < .a; a.b < .b"),
        (
            '{{ define "t" }}{{ .v }}{{ template "t" .next }}{{ end }}{{ template "t" .a }}',
            "a.v < .v; a.next < .next; a < .a",
        ),
    ],
)
def test_every_path_is_followed_as_far_as_the_text_tells(text: str, expected: str) -> None:
    assert paths(text) == expected


@pytest.mark.parametrize(
    "text", ["{{ . }}", "{{ $ }}", "{{ print . }}", "{{ with . }}a{{ end }}", "{{ index . .key }}"]
)
def test_the_root_as_a_value_reads_everything(text: str) -> None:
    made = template(text)
    assert made.reads >= frozenset(ROOTS)
    assert all(use.path for use in made.uses)


def test_reads_are_the_paths_and_the_marks_of_functions() -> None:
    functions = {
        **BUILTINS,
        "now": Function("now", lambda: 0, 0, 0, reads=frozenset({("@clock",)})),
        "tier": Function("tier", lambda: 0, 0, 0, reads=frozenset({("spec", "plan"), ("@random",)})),
        "labelsChanged": Function("labelsChanged", lambda: 0, 0, 0, reads=frozenset({("@sentinel", "labelsChanged")})),
    }
    made = parse("{{ if labelsChanged }}{{ print now .spec.image | print tier }}{{ end }}", Place.TEXT, functions)
    assert made.reads == {
        ("@sentinel", "labelsChanged"),
        ("@clock",),
        ("@random",),
        ("spec", "plan"),
        ("spec", "image"),
    }
    assert made.uses == (Use(("spec", "image"), 35, 46),)


def test_templates_that_call_each_other_without_end_are_walked_in_time() -> None:
    doubled = "".join(
        f'{{{{ define "t{i}" }}}}{{{{ template "t{i - 1}" .a }}}}{{{{ template "t{i - 1}" .b }}}}{{{{ end }}}}'
        for i in range(1, 40)
    )
    made = template(f'{{{{ define "t0" }}}}{{{{ .c }}}}{{{{ end }}}}{doubled}{{{{ template "t39" .x }}}}')
    assert ("x",) in made.reads
