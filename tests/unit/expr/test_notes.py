"""The catalogue of notes: every example, how a note is called, and that each domain of the language is there (language,
section 4.5). What single notes do at their edges is in `test_notes_*.py` of each domain."""

from __future__ import annotations

import inspect
import subprocess
import sys
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Env, Place
from ork.expr.notes import CATALOGUE, DOMAINS, Note, functions, search
from ork.expr.template import parse

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC), random=Random(0))

PROMISED = """
default coalesce ternary boolTernary boolDefault eqTernary empty notEmpty get getOr getStringOr getIntOr getBoolOr
toJSON fromJSON toYAML toBase64 fromBase64 sha256sum slugify truncateName toInt toString lower upper trim replace split
join contains hasPrefix hasSuffix add sub mul div mod min max now timeAgo timeSince timeUntil timeFormat isExpired
durationAdd durationSeconds weekday weekend timeInWindow inBusinessHours cidrContains ipValid ipIsPrivate parseQuantity
formatQuantity sumQuantity subtractQuantity isValidEmail isValidURL isValidImageRef isValidJSON isValidPort
isDNS1123Subdomain meta name namespace labels annotations phase hasCondition conditionReason ownerName isTerminating
resourceExists getLabel getAnnotation hasLabel hasAnnotation allReplicasReady replicasReady desiredReplicas
readyReplicas availableReplicas jobSucceeded jobFailed jobActive serviceClusterIP containerImage getServeTarget
getServeAlias getServeSource hasServeTarget hasServeAlias isDirectApply
"""


def of(note: Note) -> Any:
    return parse(note.example.template, Place.CONDITION, functions())({**note.example.scope}, ENV)


@pytest.mark.parametrize("note", CATALOGUE.values(), ids=lambda note: note.name)
def test_the_example_of_a_note_gives_what_it_says(note: Note) -> None:
    result = of(note)
    assert result == note.example.result
    assert type(result) is type(note.example.result)


@pytest.mark.parametrize("note", CATALOGUE.values(), ids=lambda note: note.name)
def test_a_note_is_described_and_its_example_calls_it(note: Note) -> None:
    assert note.signature.split()[0] == note.name == note.function.name
    assert note.description.endswith(".")
    assert note.name in note.example.template


@pytest.mark.parametrize("note", CATALOGUE.values(), ids=lambda note: note.name)
def test_a_note_takes_the_arguments_of_its_signature(note: Note) -> None:
    function = note.function
    most = function.least + 3 if function.most is None else function.most
    for count in range(function.least, most + 1):
        inspect.signature(function.call).bind(*[None] * (count + function.needs_env))


def test_every_note_that_the_language_promises_is_there() -> None:
    assert [name for name in PROMISED.split() if name not in CATALOGUE] == []


def test_no_note_takes_the_name_of_a_function_of_go() -> None:
    assert set(CATALOGUE) & set(BUILTINS) == set()
    assert set(functions()) == set(CATALOGUE) | set(BUILTINS)


@pytest.mark.parametrize(("domain", "names"), DOMAINS.items(), ids=str)
def test_the_index_of_a_domain_names_its_notes_in_their_order(domain: str, names: tuple[str, ...]) -> None:
    homes = [CATALOGUE[name].function.call.__module__ for name in names]
    module = sys.modules[next(home for home in homes if home.startswith("ork.expr.notes."))]
    assert tuple(note.name for note in module.NOTES) == names
    assert {CATALOGUE[name].domain for name in names} == {domain}
    assert sum(map(len, DOMAINS.values())) == len(CATALOGUE)


def test_a_domain_is_loaded_only_when_one_of_its_notes_is_asked_for() -> None:
    code = (
        "import sys; from ork.expr.notes import functions; functions()['default']; "
        "print(*sorted(name for name in sys.modules if name.startswith('ork.expr.notes.')))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    domains = ["conditional", "types"]
    assert loaded == sorted(f"ork.expr.notes.{name}" for name in ["catalogue", "note", "user", *domains])


def test_notes_are_found_by_name_description_domain_and_example() -> None:
    assert "allReplicasReady" in [note.name for note in search("REPLICA")]
    assert "isExpired" in [note.name for note in search("has passed")]
    assert {note.domain for note in search("semver")} == {"semver"}
    assert search("no such word anywhere") == []


@pytest.mark.parametrize(
    ("name", "mark"),
    [("now", "@clock"), ("inBusinessHours", "@clock"), ("nextCron", "@clock"), ("randomHex", "@random")],
)
def test_a_note_that_reads_more_than_its_arguments_says_so(name: str, mark: str) -> None:
    args = {"nextCron": ' "@daily"', "randomHex": " 4"}.get(name, "")
    assert parse(f"{{{{ {name}{args} }}}}", Place.VALUE, functions()).reads == {(mark,)}


def test_other_notes_read_nothing_of_their_own() -> None:
    marked = {note.name for note in CATALOGUE.values() if note.function.needs_env}
    assert all(bool(note.function.reads) == (note.name in marked) for note in CATALOGUE.values())
    assert {note.domain for note in CATALOGUE.values() if note.name in marked} == {"time", "cron", "random"}
