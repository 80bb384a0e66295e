"""User notes: compiled once, evaluated in the caller's scope, calling each other; cycles, overrides and faults
(language, section 4.5)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.base.findings import Span
from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError, MissingError
from ork.expr.functions import Function
from ork.expr.notes import Definition, UserNotes, functions, user_notes
from ork.expr.template import parse

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


def notes(**expressions: str) -> UserNotes:
    return user_notes([Definition(name, text) for name, text in expressions.items()], functions())


def evaluate(found: UserNotes, template: str, place: Place = Place.CONDITION, **scope: Any) -> Any:
    return parse(template, place, found.functions)(scope, ENV)


def test_a_note_is_evaluated_in_the_scope_of_its_caller() -> None:
    found = notes(tier="{{ if eq .spec.plan `gold` }}10{{ else }}1{{ end }}")
    assert evaluate(found, "{{ tier }}", spec={"plan": "gold"}) == "10"
    assert evaluate(found, "{{ range .spec.zones }}{{ tier }}{{ end }}", spec={"plan": "x", "zones": [1, 2]}) == "11"


def test_a_note_that_is_one_action_keeps_its_type() -> None:
    found = notes(replicas="{{ add .spec.base 1 }}", open="{{ and weekday (timeInWindow `09:00` `18:00`) }}")
    assert evaluate(found, "{{ replicas }}", Place.VALUE, spec={"base": 2}) == 3
    assert evaluate(found, "{{ open }}", Place.VALUE) is True
    assert evaluate(found, "{{ mul replicas 2 }}", Place.VALUE, spec={"base": 2}) == 6


def test_white_space_around_a_note_does_not_count() -> None:
    assert evaluate(notes(size="\n  {{ .spec.size }}\n"), "{{ size }}", Place.VALUE, spec={"size": 3}) == 3


def test_notes_call_notes_in_whatever_order_they_stand() -> None:
    found = notes(a="{{ b }}-{{ c }}", b="{{ c }}{{ c }}", c="{{ .x }}")
    assert found.faults == ()
    assert evaluate(found, "{{ a }}", x=1) == "11-1"


def test_a_note_reads_what_it_and_its_callees_read() -> None:
    found = notes(outer="{{ inner }}{{ .spec.a }}", inner="{{ .status.b }}{{ now }}")
    assert parse("{{ outer }}", Place.TEXT, found.functions).reads == {("spec", "a"), ("status", "b"), ("@clock",)}
    assert [use.path for use in found.templates["inner"].uses] == [("status", "b")]


def test_a_note_can_read_a_sentinel_that_is_among_its_functions() -> None:
    changed = Function(
        "specChanged", lambda env: "true", 0, 0, needs_env=True, reads=frozenset({("@sentinel", "specChanged")})
    )
    found = user_notes([Definition("moved", "{{ specChanged }}")], {**functions(), "specChanged": changed})
    assert found.functions["moved"].reads == {("@sentinel", "specChanged")}


def test_what_a_note_lacks_means_what_the_place_of_the_call_says() -> None:
    found = notes(team="{{ .spec.team }}", full="{{ .spec.team }}-{{ .spec.env }}")
    for name in ("team", "full"):
        assert evaluate(found, f"{{{{ {name} }}}}", Place.CONDITION, spec={"env": "x"}) is None
        assert evaluate(found, f"[{{{{ {name} }}}}]", Place.STATUS, spec={"env": "x"}) == "[]"
        assert evaluate(found, f"{{{{ {name} | default `none` }}}}", spec={"env": "x"}) == "none"
        with pytest.raises(MissingError):
            evaluate(found, f"{{{{ {name} }}}}", Place.IDENTITY, spec={"env": "x"})


def test_an_error_in_a_note_is_placed_in_the_note() -> None:
    def where(start: int, end: int) -> Span:
        return Span("katalog.yaml", 3, 10 + start, 3, 10 + end)

    found = user_notes([Definition("ratio", " {{ div 1 .spec.n }}", where)], functions())
    with pytest.raises(EvaluationError, match="division by zero") as caught:
        evaluate(found, "{{ ratio }}", spec={"n": 0})
    assert str(caught.value.span) == "katalog.yaml:3:14"


@pytest.mark.parametrize(
    ("expressions", "cycle", "at"),
    [
        ({"a": "{{ a }}"}, "a → a", "a"),
        ({"a": "x{{ b }}", "b": "{{ c }}", "c": "{{ a }}"}, "a → b → c → a", "b"),
        ({"x": "{{ a }}", "a": "{{ b }}", "b": "{{ .b }}{{ a }}"}, "a → b → a", "b"),
        ({"inBusinessHours": "{{ inBusinessHours }}"}, "inBusinessHours → inBusinessHours", "inBusinessHours"),
    ],
)
def test_recursion_is_one_fault_that_prints_the_cycle(expressions: dict[str, str], cycle: str, at: str) -> None:
    found = notes(**expressions)
    (fault,) = found.faults
    assert fault.message == f"a note may not call itself: {cycle}"
    assert fault.definition.expression[fault.start : fault.end] == at
    assert set(found.functions) == set(functions()) | set(expressions)


def test_a_user_note_may_take_the_name_of_a_built_in_one() -> None:
    found = notes(inBusinessHours="{{ timeInWindow `20:00` `22:00` }}", mine="{{ inBusinessHours }}")
    assert found.overridden == ("inBusinessHours",)
    assert evaluate(found, "{{ inBusinessHours }}") is False
    assert evaluate(found, "{{ mine }}") is False


@pytest.mark.parametrize(
    ("expression", "message", "at"),
    [
        ("{{ nosuch .x }}", 'there is no function "nosuch"', "nosuch"),
        ("  {{ lowr .x }}", 'there is no function "lowr"', "lowr"),
        ("{{ .x", None, None),
        ("{{ lower }}", "lower takes 1 argument", "lower"),
    ],
)
def test_a_faulty_note_is_reported_at_the_spot_and_spares_its_callers(
    expression: str, message: str | None, at: str | None
) -> None:
    found = notes(bad=expression, good="{{ bad }}")
    (fault,) = found.faults
    assert (fault.definition.name, fault.about) == ("bad", "expression")
    if message:
        assert message in fault.message
        assert expression[fault.start : fault.end] == at
    assert evaluate(found, "{{ good }}") is None


def test_an_unknown_function_in_a_note_may_be_meant_for_another_note() -> None:
    (fault,) = notes(teamName="x", a="{{ teamname }}").faults
    assert fault.hint == 'did you mean "teamName"?'


@pytest.mark.parametrize("name", ["if", "nil", "true", "with", "9lives", "a-b", "a.b", ""])
def test_a_name_that_no_expression_could_call_is_refused(name: str) -> None:
    (fault,) = user_notes([Definition(name, "x")], functions()).faults
    assert fault.about == "name"
    assert f'a note cannot be called "{name}"' in fault.message


def test_of_two_notes_of_one_name_the_second_is_refused() -> None:
    first, second = Definition("a", "1"), Definition("a", "2")
    found = user_notes([first, second], functions())
    assert [(fault.definition, fault.about) for fault in found.faults] == [(second, "name")]
    assert evaluate(found, "{{ a }}") == "1"


@pytest.mark.parametrize("names", [range(400), range(399, -1, -1)], ids=["callers first", "callees first"])
def test_a_long_chain_of_notes_is_refused_and_spares_the_stack(names: range) -> None:
    chain = [Definition(f"n{at}", f"{{{{ n{at + 1} }}}}" if at < 399 else "end") for at in names]
    found = user_notes(chain, functions())
    assert found.faults
    assert all("more than 50 deep" in fault.message for fault in found.faults)
    for at in range(400):
        evaluate(found, f"{{{{ n{at} }}}}")


def test_no_notes_leave_the_functions_as_they_are() -> None:
    assert dict(notes().functions) == dict(functions())
