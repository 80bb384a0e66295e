"""What a note is, and how notes read their arguments: nothing in gives nothing out, nonsense is a ValueError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.records import NamedTuple
from ork.expr.compare import number, plain, shown, type_name
from ork.expr.functions import Function

CLOCK = "@clock"
RANDOM = "@random"


class Example(NamedTuple):
    """An expression that shows a note at work; the tests run every one."""

    template: str
    scope: dict[str, Any]
    result: Any
    """What the expression gives, at Monday 2026-01-05 10:00 UTC."""


class Note(NamedTuple):
    """One built-in note."""

    name: str
    signature: str
    """As a call is written: `truncateName TEXT [LENGTH]`; a name with `...` stands for any number."""
    description: str
    example: Example
    domain: str
    function: Function


def note(
    signature: str,
    call: Callable[..., Any],
    description: str,
    example: Example,
    *,
    mark: str = "",
    in_order: bool = False,
) -> Note:
    """Make a note. Its signature says how many arguments it takes.

    `mark` is `CLOCK` or `RANDOM` for a note that reads more than its arguments: `call` then takes the `Env` first.
    `in_order` notes get a piped value last, as Go has it; the others get it as their first argument, their subject.
    """
    name, *arguments = signature.split()
    least = sum(not argument.startswith("[") for argument in arguments)
    most = None if "..." in signature else len(arguments)
    function = Function(
        name,
        call,
        least,
        most,
        needs_env=bool(mark),
        reads=frozenset({(mark,)} if mark else ()),
        subject_first=not in_order and most != 1,
    )
    return Note(name, signature, description, example, "", function)


def alias(name: str, of: Note) -> Note:
    """Give a note a second name, for those who know it by that."""
    shown_as = Example(of.example.template.replace(of.name, name, 1), of.example.scope, of.example.result)
    return Note(
        name,
        of.signature.replace(of.name, name, 1),
        f"Another name of `{of.name}`.",
        shown_as,
        "",
        of.function._replace(name=name),
    )


# ── arguments ───────────────────────────────────────────────────────────────────────────────────
text = plain
"""A value as text; missing is empty."""


def missing(value: Any) -> bool:
    """Tell whether nothing was handed in: a missing field or an empty text."""
    return value is None or value == ""


def numeric(value: Any) -> int | float:
    """Return a number, 0 for nothing. Raises ValueError."""
    if missing(value):
        return 0
    found = number(value)
    if found is None:
        raise ValueError(f"{_what(value)} is not a number")
    return found


def whole(value: Any) -> int:
    """Return a whole number, 0 for nothing. Raises ValueError."""
    found = numeric(value)
    if found != found // 1:
        raise ValueError(f"{_what(value)} is not a whole number")
    return int(found)


def items(value: Any) -> list[Any]:
    """Return a list, empty for nothing. Raises ValueError."""
    if missing(value):
        return []
    if not isinstance(value, list):
        raise ValueError(f"{_what(value)} is not a list")
    return value


def mapping(value: Any) -> dict[str, Any]:
    """Return a map, empty for nothing. Raises ValueError."""
    if missing(value):
        return {}
    if not isinstance(value, dict):
        raise ValueError(f"{_what(value)} is not a map")
    return value


def _what(value: Any) -> str:
    return shown(value) if value.__class__ in (str, int, float, bool) else f"a {type_name(value)}"
