"""The decoder and the shipped JSON Schemas accept the same blocks: generated ones, right, or wrong in places.
Included files are left out, since a schema cannot read them."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ork.base import yaml_writer
from ork.base.errors import UsageError
from ork.base.findings import Finding, Severity
from ork.katalog.decode import decode
from ork.katalog.describe import describe
from ork.katalog.documents import FORMS
from ork.katalog.grammar.shapes import (
    Choice,
    Either,
    Flag,
    Free,
    Length,
    List,
    Map,
    Number,
    Operand,
    Record,
    Shape,
    Text,
    Value,
)
from ork.katalog.json_schema import schema_of_record
from ork.katalog.simulate import load_simulate, problems
from ork.katalog.sources import Sources, in_memory

JUNK: tuple[Any, ...] = (None, True, 0, -1, 3, 1.5, "", "text", "5s", "A-b_c", [], [{}], {}, {"a": 1}, ["a"])
SAMPLES: dict[type, tuple[Any, ...]] = {
    Text: ("text", "{{ .spec.x }}", ""),
    Flag: (True, False),
    Length: ("5s", "1m30s", "0"),
    Value: (3, "3", True, "{{ .spec.x }}"),
    Operand: (3, "3", True, None),
    Free: JUNK,
}
PATTERNED = ("healthCheck", "my-app", "app", "2026-01-05T10:00:00Z")


def reachable(shape: Shape, found: dict[int, Record]) -> dict[int, Record]:
    """Every record at or below a shape."""
    if isinstance(shape, Record) and id(shape) not in found:
        found[id(shape)] = shape
        for field in shape.fields.values():
            reachable(field.shape, found)
    for inner in (getattr(shape, name, None) for name in ("item", "value", "scalar", "map", "list")):
        if inner is not None:
            reachable(inner, found)
    return found


RECORDS = [
    record for form in FORMS.values() for root in form if root is not None for record in reachable(root, {}).values()
]


# ── generating ──────────────────────────────────────────────────────────────────────────────────
@st.composite
def values(draw: DrawFn, shape: Shape, wrong: int) -> Any:
    """A value of a shape; each piece is junk once in `wrong` times (never, if that is 0)."""
    if wrong and draw(st.integers(1, wrong)) == 1:
        return draw(st.sampled_from(JUNK))
    if isinstance(shape, Record):
        return draw(maps(shape, wrong))
    if isinstance(shape, List):
        return draw(st.lists(values(shape.item, wrong), min_size=shape.least, max_size=2))
    if isinstance(shape, Map):
        names = st.sampled_from(("app", "my-app", "-a", "A_b") if wrong else ("app", "my-app"))
        return draw(st.dictionaries(names, values(shape.value, wrong), max_size=2))
    if isinstance(shape, Either):
        forms = [form for form in (shape.scalar, shape.map, shape.list) if form is not None]
        return draw(st.sampled_from(forms).flatmap(lambda form: values(form, wrong)))
    return draw(leaves(shape))


def leaves(shape: Shape) -> SearchStrategy[Any]:
    if isinstance(shape, Choice):
        return st.sampled_from((*shape.values, *shape.older))
    if isinstance(shape, Number):
        least = 0 if shape.least is None else int(shape.least)
        return st.integers(least, least + 5)
    if isinstance(shape, Text) and shape.pattern:
        return st.sampled_from([text for text in PATTERNED if re.fullmatch(shape.pattern, text)])
    return st.sampled_from(SAMPLES[shape.__class__])


@st.composite
def maps(draw: DrawFn, shape: Record, wrong: int) -> Any:
    """A map with the required keys and some others; where things may be wrong, a required key may be absent, and a key
    unknown or not supported yet."""
    optional = [name for name in shape.fields if name not in shape.required and name != "include"]
    chosen = st.lists(st.sampled_from(optional), max_size=3, unique=True) if optional else st.just([])
    names = [*shape.required, *draw(chosen)]
    if wrong and names and draw(st.integers(1, wrong)) == 1:
        names.pop(0)
    made = {name: draw(values(shape.fields[name].shape, wrong)) for name in names}
    if wrong and draw(st.integers(1, wrong)) == 1:
        older = [key for key, path in shape.older.items() if path[0] not in made]
        strays = ["qqq", "x-note", *older, *sorted(shape.later | shape.idle), *map(str.upper, shape.fields)]
        stray = draw(st.sampled_from([name for name in strays if name.lower() not in map(str.lower, made)]))
        made[stray] = draw(st.sampled_from(JUNK))
    return made


def blocks(wrong: int) -> SearchStrategy[tuple[int, Any]]:
    """A block of any kind of document, with its place in RECORDS."""
    indices = st.integers(0, len(RECORDS) - 1)
    return indices.flatmap(lambda index: values(RECORDS[index], wrong).map(lambda data: (index, data)))


# ── judging ─────────────────────────────────────────────────────────────────────────────────────
@cache
def validator(index: int) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema_of_record(RECORDS[index]))


def refused(shape: Record, data: Any) -> list[Finding]:
    findings: list[Finding] = []
    sources = Sources(in_memory({"k.yaml": yaml_writer.dump(data)}))
    decode(sources.documents("k.yaml", findings)[0], shape, sources, findings)
    return [finding for finding in findings if finding.severity is Severity.ERROR]


SLOW = settings(suppress_health_check=list(HealthCheck), max_examples=300, deadline=None)


@SLOW
@given(blocks(0))
def test_what_the_grammar_generates_is_accepted_by_both(block: tuple[int, Any]) -> None:
    index, data = block
    assert refused(RECORDS[index], data) == []
    validator(index).validate(data)


@SLOW
@given(blocks(12).filter(lambda block: block[1] is not None))
def test_decoder_and_schema_agree_on_wrong_blocks(block: tuple[int, Any]) -> None:
    index, data = block
    findings = refused(RECORDS[index], data)
    errors = [f"{error.json_path}: {error.message[:200]}" for error in validator(index).iter_errors(data)]
    assert bool(findings) == bool(errors), (RECORDS[index].name, findings, errors)


@SLOW
@given(values(FORMS["Simulate"].whole, 10))
def test_a_wrong_simulation_is_findings_and_never_an_exception(data: Any) -> None:
    head = {"apiVersion": "orkestra.orkspace.io/v1", "kind": "Simulate"}
    text = yaml_writer.dump({**data, **head} if isinstance(data, dict) else head)
    scenarios, findings = load_simulate("k.yaml", Sources(in_memory({"k.yaml": text, "text": "a: 1"})))
    assert findings or scenarios
    for scenario in scenarios:
        list(problems(scenario))


@given(st.lists(st.sampled_from(["spec", "crds", "app", "x", "", "0", "[0]", "Simulate", "é", "expect"])).map(".".join))
def test_any_path_is_described_or_is_the_caller_s_mistake(path: str) -> None:
    with suppress(UsageError):
        assert describe(path).doc
