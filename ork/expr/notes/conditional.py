"""Notes that choose between values. Empty is what Go calls false: nothing, `""`, 0, false, an empty list or map."""

from __future__ import annotations

from typing import Any

from ork.expr import values
from ork.expr.notes.note import Example, alias, note, text
from ork.expr.notes.types import to_bool


def default(value: Any, fallback: Any) -> Any:
    """Return the value, or the fallback where the value is empty."""
    return value if values.truth(value) else fallback


def _coalesce(*candidates: Any) -> Any:
    return next((each for each in candidates if values.truth(each)), None)


def _ternary(condition: Any, yes: Any, no: Any) -> Any:
    return yes if values.truth(condition) else no


def _bool_ternary(condition: Any, yes: Any, no: Any) -> Any:
    return yes if to_bool(condition) else no


def _bool_default(value: Any, fallback: Any) -> bool:
    try:
        return to_bool(fallback if value is None or value == "" else value)
    except ValueError:
        return to_bool(fallback)


def _eq_ternary(value: Any, wanted: Any, yes: Any, no: Any) -> Any:
    return yes if text(value) == text(wanted) else no


NOTES = (
    note(
        "default VALUE FALLBACK",
        default,
        "The value, or the fallback where the value is empty.",
        Example("{{ .spec.replicas | default 2 }}", {"spec": {}}, 2),
    ),
    note(
        "coalesce VALUE...",
        _coalesce,
        "The first value that is not empty.",
        Example('{{ coalesce .spec.image .spec.base "nginx" }}', {"spec": {"base": "busybox"}}, "busybox"),
        in_order=True,
    ),
    note(
        "ternary CONDITION YES NO",
        _ternary,
        "YES where the condition is not empty, else NO; the text `false` is not empty.",
        Example('{{ ternary .spec.debug "debug" "info" }}', {"spec": {"debug": True}}, "debug"),
    ),
    note(
        "boolTernary CONDITION YES NO",
        _bool_ternary,
        "YES where the condition says true, else NO; the text `false` says false.",
        Example('{{ boolTernary .spec.suspend "Suspended" "Active" }}', {"spec": {"suspend": "false"}}, "Active"),
    ),
    note(
        "boolDefault VALUE FALLBACK",
        _bool_default,
        "The truth value, or the fallback where there is none.",
        Example("{{ boolDefault .spec.suspend true }}", {"spec": {"suspend": False}}, False),
    ),
    note(
        "eqTernary VALUE WANTED YES NO",
        _eq_ternary,
        "YES where both are the same text, else NO.",
        Example('{{ eqTernary .spec.mode "production" 3 1 }}', {"spec": {"mode": "staging"}}, 1),
    ),
    _empty := note(
        "empty VALUE",
        lambda value: not values.truth(value),
        'Whether the value is empty: nothing, `""`, 0, false, an empty list or map.',
        Example("{{ empty .spec.image }}", {"spec": {}}, True),
    ),
    alias("Empty", _empty),
    note(
        "notEmpty VALUE",
        lambda value: values.truth(value),
        "Whether the value is not empty.",
        Example("{{ notEmpty .spec.regions }}", {"spec": {"regions": ["eu"]}}, True),
    ),
)
