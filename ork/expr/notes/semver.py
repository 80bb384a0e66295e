"""Notes on semantic versions; `v1.2` is read as 1.2.0."""

from __future__ import annotations

from typing import Any

from ork.expr import versions
from ork.expr.compare import shown
from ork.expr.notes.note import Example, missing, note, text


def _valid(value: Any) -> bool:
    try:
        versions.parse(text(value))
    except ValueError:
        return False
    return True


def _component(name: str) -> Any:
    return lambda value: None if missing(value) else getattr(versions.parse(text(value)), name)


def _compare(left: Any, right: Any) -> int:
    first, second = versions.parse(text(left)), versions.parse(text(right))
    return int(first > second) - int(first < second)


def _bump(value: Any, part: Any) -> str:
    if text(part) not in ("major", "minor", "patch"):
        raise ValueError(f"{shown(part)} is no part of a version; write major, minor or patch")
    return "" if missing(value) else str(getattr(versions.parse(text(value)), f"next_{text(part)}")())


NOTES = (
    note(
        "semverValid TEXT",
        _valid,
        "Whether the text is a version.",
        Example("{{ semverValid .spec.version }}", {"spec": {"version": "latest"}}, False),
    ),
    note(
        "semverMajor VERSION",
        _component("major"),
        "The first number of a version.",
        Example("{{ semverMajor .spec.version }}", {"spec": {"version": "v2.7.1"}}, 2),
    ),
    note(
        "semverMinor VERSION",
        _component("minor"),
        "The second number of a version.",
        Example("{{ semverMinor .spec.version }}", {"spec": {"version": "v2.7.1"}}, 7),
    ),
    note(
        "semverPatch VERSION",
        _component("patch"),
        "The third number of a version.",
        Example("{{ semverPatch .spec.version }}", {"spec": {"version": "2.7"}}, 0),
    ),
    note(
        "semverCompare A B",
        _compare,
        "-1 where A is the older version, 1 where it is the newer, 0 where they are alike.",
        Example('{{ semverCompare .spec.version "1.10.0" }}', {"spec": {"version": "1.9.0"}}, -1),
    ),
    note(
        "semverBump VERSION PART",
        _bump,
        "The next `major`, `minor` or `patch` version.",
        Example('{{ semverBump .spec.version "minor" }}', {"spec": {"version": "1.4.2"}}, "1.5.0"),
    ),
    note(
        "semverConstraint VERSION RANGE",
        lambda value, wanted: versions.within(text(wanted))(text(value)),
        "Whether the version lies in a range, as npm writes it.",
        Example('{{ semverConstraint .spec.version ">=1.2 <2" }}', {"spec": {"version": "1.4.2"}}, True),
    ),
)
