"""Notes on cron expressions: minute, hour, day of the month, month, day of the week; and macros such as `@daily`."""

from __future__ import annotations

from typing import Any

from ork.base.clock import rfc3339
from ork.expr.compare import shown
from ork.expr.env import Env
from ork.expr.notes import moments
from ork.expr.notes.note import CLOCK, Example, alias, mapping, missing, note, text, whole

_FIELDS = ("minute", "hour", "dayOfMonth", "month", "dayOfWeek")
_MACROS = {
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
}  # fmt: skip


def _fields(value: Any) -> list[str]:
    """Return the five fields, macros expanded; none for nothing. Raises ValueError."""
    if missing(value):
        return []
    written = text(value).strip()
    fields = _MACROS.get(written.lower(), written).replace("?", "*").split()
    if len(fields) != len(_FIELDS):
        raise ValueError(f'{shown(value)} is not a cron expression; write five fields, such as "0 9 * * 1-5"')
    return fields


def _schedule(value: Any, now: Any) -> Any:
    from cronsim import CronSim, CronSimError

    try:
        return CronSim(" ".join(_fields(value)), now)
    except CronSimError as error:
        raise ValueError(f"{shown(value)} is not a cron expression: {str(error).lower()}") from None


def _valid(value: Any) -> bool:
    from datetime import UTC, datetime

    try:
        return not missing(value) and _schedule(value, datetime(2000, 1, 1, tzinfo=UTC)) is not None
    except ValueError:
        return False


def _next(env: Env, value: Any, zone: Any = None) -> str:
    if missing(value):
        return ""
    found = next(_schedule(value, env.now.astimezone(moments.zone(zone))), None)
    return rfc3339(found) if found else ""


def _describe(value: Any) -> str:
    if missing(value):
        return ""
    from datetime import UTC, datetime

    described: str = _schedule(value, datetime(2000, 1, 1, tzinfo=UTC)).explain()
    return described


def _normalize(value: Any) -> str:
    return " ".join(_fields(value))


def _field(value: Any, index: Any) -> str:
    fields, at = _fields(value), whole(index)
    if not 0 <= at < len(_FIELDS):
        raise ValueError(f"a cron expression has fields 0 to 4, not {at}")
    return fields[at] if fields else ""


def _to_map(value: Any) -> dict[str, str]:
    return dict(zip(_FIELDS, _fields(value), strict=False))


def _from_map(value: Any) -> str:
    parts = mapping(value)
    return " ".join(text(parts.get(name)) or "*" for name in _FIELDS) if parts else ""


def _from_any(value: Any) -> str:
    return _from_map(value) if isinstance(value, dict) else _normalize(value)


def _one(name: str, index: int, meaning: str, result: str) -> Any:
    return note(
        f"{name} CRON",
        lambda value: _field(value, index),
        f"The {meaning} of a cron expression.",
        Example(f"{{{{ {name} .spec.schedule }}}}", {"spec": {"schedule": "*/5 2 15 6 1"}}, result),
    )


_next_note = note(
    "nextCron CRON [ZONE]",
    _next,
    "When the schedule is due next, in UTC; the schedule itself is read in UTC or that zone.",
    Example('{{ nextCron "0 2 * * 0" }}', {}, "2026-01-11T02:00:00Z"),
    mark=CLOCK,
)

NOTES = (
    note(
        "cronValid TEXT",
        _valid,
        "Whether the text is a cron expression.",
        Example("{{ cronValid .spec.schedule }}", {"spec": {"schedule": "0 25 * * *"}}, False),
    ),
    _next_note,
    alias("cronNext", _next_note),
    note(
        "cronDescribe CRON",
        _describe,
        "The schedule in words.",
        Example("{{ cronDescribe .spec.schedule }}", {"spec": {"schedule": "0 9 * * *"}}, "At 09:00 every day"),
    ),
    note(
        "cronNormalize CRON",
        _normalize,
        "The five fields, macros expanded, one space between them.",
        Example("{{ cronNormalize .spec.schedule }}", {"spec": {"schedule": "@daily"}}, "0 0 * * *"),
    ),
    note(
        "cronExpr MINUTE HOUR DAY MONTH WEEKDAY",
        lambda *parts: " ".join(text(part) or "*" for part in parts),
        "The cron expression of five fields; a missing one is `*`.",
        Example('{{ cronExpr "*/5" .spec.hour "*" "*" "1-5" }}', {"spec": {"hour": 9}}, "*/5 9 * * 1-5"),
        in_order=True,
    ),
    note(
        "cronToMap CRON",
        _to_map,
        "The fields by name: `minute hour dayOfMonth month dayOfWeek`.",
        Example("{{ (cronToMap .spec.schedule).hour }}", {"spec": {"schedule": "30 4 * * *"}}, "4"),
    ),
    note(
        "cronFromMap MAP",
        _from_map,
        "The cron expression of fields by name; a missing one is `*`.",
        Example("{{ cronFromMap .spec.schedule }}", {"spec": {"schedule": {"minute": "0", "hour": 4}}}, "0 4 * * *"),
    ),
    note(
        "cronFromAny VALUE",
        _from_any,
        "The cron expression of a text or of fields by name.",
        Example("{{ cronFromAny .spec.schedule }}", {"spec": {"schedule": "@hourly"}}, "0 * * * *"),
    ),
    note(
        "cronField CRON INDEX",
        _field,
        "One field of a cron expression, counted from 0.",
        Example("{{ cronField .spec.schedule 1 }}", {"spec": {"schedule": "0 4 * * *"}}, "4"),
    ),
    _one("cronMinute", 0, "minute", "*/5"),
    _one("cronHour", 1, "hour", "2"),
    _one("cronDom", 2, "day of the month", "15"),
    _one("cronMonth", 3, "month", "6"),
    _one("cronDow", 4, "day of the week", "1"),
)
