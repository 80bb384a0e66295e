"""Every built-in note, by name and by domain."""

from __future__ import annotations

from collections.abc import Mapping

from ork.expr.builtins import BUILTINS
from ork.expr.functions import Functions
from ork.expr.notes import (
    access,
    checks,
    collections,
    conditional,
    cron,
    data,
    kubernetes,
    math,
    network,
    provenance,
    quantities,
    random,
    semver,
    strings,
    time,
    types,
    workloads,
)
from ork.expr.notes.note import Note

DOMAINS: Mapping[str, tuple[Note, ...]] = {
    domain: tuple(each._replace(domain=domain) for each in notes)
    for domain, notes in (
        ("strings", strings.NOTES),
        ("math", math.NOTES),
        ("conditional", conditional.NOTES),
        ("types", types.NOTES),
        ("data", data.NOTES),
        ("lists and maps", collections.NOTES),
        ("safe access", access.NOTES),
        ("time", time.NOTES),
        ("cron", cron.NOTES),
        ("semver", semver.NOTES),
        ("network", network.NOTES),
        ("quantities", quantities.NOTES),
        ("input checks", checks.NOTES),
        ("random", random.NOTES),
        ("kubernetes", kubernetes.NOTES),
        ("workloads", workloads.NOTES),
        ("provenance", provenance.NOTES),
    )
}
"""The notes of each domain, in the order in which they are listed."""

CATALOGUE: Mapping[str, Note] = {each.name: each for notes in DOMAINS.values() for each in notes}
"""Every built-in note by name."""


def functions() -> Functions:
    """Return what every expression may call: Go's functions and the built-in notes."""
    return {**BUILTINS, **{name: each.function for name, each in CATALOGUE.items()}}


def search(word: str) -> list[Note]:
    """Return the notes in whose name, description, domain or example a word stands, in any letter case."""
    wanted = word.lower()
    return [
        each
        for each in CATALOGUE.values()
        if any(wanted in part.lower() for part in (each.name, each.description, each.domain, each.example.template))
    ]
