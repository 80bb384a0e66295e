"""What evaluating a template costs, against Jinja2 and against Go's text/template."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from shutil import which
from time import perf_counter
from typing import Any, NamedTuple

import jinja2

from ork.expr.builtins import BUILTINS
from ork.expr.env import Env, Place
from ork.expr.errors import MissingError
from ork.expr.template import Template, parse
from ork.expr.tree import compile_tree

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))
CR: dict[str, Any] = {
    "metadata": {"name": "web"},
    "spec": {"image": "nginx", "tier": "bronze", "regions": ["eu", "us", "ap"], "replicas": 3},
}
ROUNDS, CALLS = 100, 1000
"""Short rounds, so that the best of them ran undisturbed."""


class Case(NamedTuple):
    """One expression in both languages, and the largest part of Jinja2's time that it may take."""

    name: str
    template: str
    jinja: str
    most: float


CASES = (
    Case("two paths", "{{ .metadata.name }}-{{ .spec.image }}", "{{ metadata.name }}-{{ spec.image }}", 1 / 20),
    Case(
        "if chain",
        '{{ if eq .spec.tier "gold" }}3{{ else if eq .spec.tier "silver" }}2{{ else }}1{{ end }}',
        '{% if spec.tier == "gold" %}3{% elif spec.tier == "silver" %}2{% else %}1{% endif %}',
        1 / 12,
    ),
    Case(
        "range over 3",
        "{{ range $i, $r := .spec.regions }}{{ if $i }},{{ end }}{{ $r }}{{ end }}",
        "{% for r in spec.regions %}{% if loop.index0 %},{% endif %}{{ r }}{% endfor %}",
        1 / 12,
    ),
)
GO = """package main

import ("encoding/json"; "fmt"; "io"; "os"; "text/template"; "time")

func main() {
	var job struct{ Templates []string; Data any; Rounds, Calls int }
	json.NewDecoder(os.Stdin).Decode(&job)
	for _, text := range job.Templates {
		parsed, best := template.Must(template.New("t").Parse(text)), time.Hour
		for i := 0; i < job.Rounds; i++ {
			start := time.Now()
			for j := 0; j < job.Calls; j++ {
				parsed.Execute(io.Discard, job.Data)
			}
			best = min(best, time.Since(start))
		}
		fmt.Println(best.Seconds() / float64(job.Calls))
	}
}
"""


def main() -> None:
    """Print each figure as a ratio, with its goal."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    theirs = _go([case.template for case in CASES])
    for number, case in enumerate(CASES):
        made, other = parse(case.template, Place.TEXT, BUILTINS), environment.from_string(case.jinja)
        assert made(CR, ENV) == other.render(CR)
        ours, jinja = _best(lambda made=made: made(CR, ENV)), _best(lambda other=other: other.render(CR))  # type: ignore[misc]
        line = f"  {case.name:22} {ours * 1e6:6.2f} µs  1/{jinja / ours:.0f} of Jinja2 (at most 1/{1 / case.most:.0f})"
        print(line + (f"  {ours / theirs[number]:.2f} × Go's (at most 0.6)" if theirs else "  (Go is not installed)"))
    for place in (Place.VALUE, Place.CONDITION, Place.STATUS, Place.TEXT):
        _miss(place)
    _rest()


def _miss(place: Place) -> None:
    """Compare a missing path with one that is there."""
    made = parse("{{ .metadata.name }}" if place is Place.VALUE else CASES[0].template, place, BUILTINS)
    missing: dict[str, Any] = {"metadata": {}, "spec": {}}
    hit = _best(lambda: made(CR, ENV))
    miss = _best(lambda: _evaluate(made, missing))
    kind = "an error" if place in (Place.TEXT, Place.IDENTITY) else "a value"
    print(f"  {'missing in ' + place.value:22} {miss * 1e6:6.2f} µs  {miss / hit:.1f} × a hit, {kind} (at most 10)")


def _evaluate(made: Template, scope: dict[str, Any]) -> None:
    try:
        made(scope, ENV)
    except MissingError:
        return


def _rest() -> None:
    """What has no counterpart elsewhere: parsing, making code, a whole tree."""
    text = CASES[0].template
    parsing = _best(lambda: parse(text, Place.TEXT, BUILTINS), 100)
    first = _best(lambda: parse(text, Place.TEXT, BUILTINS)(CR, ENV), 50)
    print(f"  {'parse':22} {parsing * 1e6:6.1f} µs")
    print(f"  {'make code':22} {(first - parsing) * 1e6:6.1f} µs")
    leaf = [parse(f"{{{{ .metadata.name }}}}-{number}", Place.VALUE, BUILTINS) for number in range(20)]
    build = compile_tree({"spec": {f"k{number}": {"value": one, "constant": 1} for number, one in enumerate(leaf)}})
    print(f"  {'tree of 20 leaves':22} {_best(lambda: build(CR, ENV), 100) * 1e6:6.1f} µs")


def _best(call: Callable[[], Any], calls: int = CALLS) -> float:
    """Return the seconds of one call, in the best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = perf_counter()
        for _ in range(calls):
            call()
        times.append(perf_counter() - start)
    return min(times) / calls


def _go(templates: list[str]) -> list[float] | None:
    """Return the seconds of one call in Go for each template; None without Go."""
    if which("go") is None:
        return None
    job = {"Templates": templates, "Data": CR, "Rounds": 20, "Calls": 20_000}  # long enough for its collector to run
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.go").write_text(GO)
        Path(folder, "go.mod").write_text("module bench\n\ngo 1.22\n")
        subprocess.run(["go", "build", "-o", "bench", "."], cwd=folder, check=True)
        done = subprocess.run([f"{folder}/bench"], input=json.dumps(job), capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


if __name__ == "__main__":
    main()
