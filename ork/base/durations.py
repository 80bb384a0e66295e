"""Go durations: `5s`, `1m30s`, `500ms`; and the longer units that only `ork`'s own fields take."""

from __future__ import annotations

from datetime import timedelta

from ork.base.patterns import pattern

_UNITS = {"ns": 1e-3, "us": 1.0, "µs": 1.0, "μs": 1.0, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6}
_LONG_UNITS = _UNITS | {"d": 86400e6, "w": 7 * 86400e6, "y": 365 * 86400e6}
_PART = pattern(r"([0-9]+\.?[0-9]*|\.[0-9]+)([a-zµμ]+)")
_LIMIT = 2**63 / 1e3
"""Go counts nanoseconds in 64 bits: about 292 years, here in microseconds."""


def parse(text: str, *, long_units: bool = False) -> timedelta:
    """Return the length of a Go duration; `long_units` also takes `d`, `w` and `y` (365 days).

    Raises ValueError with a text that says what a duration looks like.
    """
    body = text[1:] if text[:1] in "+-" else text
    if body == "0":
        return timedelta()
    units = _LONG_UNITS if long_units else _UNITS
    total, end = 0.0, 0
    for part in _PART.finditer(body):
        if part.start() != end or part[2] not in units:
            break
        total += float(part[1]) * units[part[2]]
        end = part.end()
    if not body or end != len(body):
        raise ValueError(f'"{text}" is not a duration; write a number with a unit, such as "30s", "5m" or "1h30m"')
    if total >= _LIMIT:
        raise ValueError(f'the duration "{text}" is too long; the longest is about 292 years')
    return timedelta(microseconds=-total if text[0] == "-" else total)


def text(length: timedelta) -> str:
    """Return the duration as Go prints it: `1m30s`, `500ms`, `0s`."""
    micros = length // timedelta(microseconds=1)
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    if micros == 0:
        return "0s"
    if micros < 1_000_000:
        return sign + (f"{micros}µs" if micros < 1000 else f"{_trim(micros / 1000)}ms")
    minutes, rest = divmod(micros, 60_000_000)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{_trim(rest / 1_000_000)}s"
    if hours:
        return f"{sign}{hours}h{minutes}m{seconds}"
    return f"{sign}{minutes}m{seconds}" if minutes else sign + seconds


def _trim(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")
