"""The log of `ork run`: lines for people, or JSON for machines. No known secret passes, whoever wrote the line."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from datetime import UTC, datetime
from textwrap import indent
from typing import Any

from ork.base.requests import redact
from ork.cli.terminal import Palette, visible

FIELDS = ("crd", "object", "outcome", "reason", "steps", "code", "place")
"""What a record may carry beside its words."""

_SHORTEST = 4
"""Shorter values of the environment are no secrets, and blotting them out would blot out half the log."""

_STYLES = {"DEBUG": "dim", "INFO": "green", "WARNING": "yellow", "ERROR": "red", "CRITICAL": "red"}


class Formatter(logging.Formatter):
    """What both forms share: the time, the words, and the secrets that stay out of them."""

    def __init__(self, hidden: Collection[str]) -> None:
        super().__init__()
        self._hidden = [secret for secret in hidden if len(secret) >= _SHORTEST]

    def redacted(self, value: Any) -> Any:
        """Return a text, or a list of texts, without the secrets that this process knows."""
        if isinstance(value, list):
            return [self.redacted(item) for item in value]
        return redact(value, self._hidden) if isinstance(value, str) else value

    def traceback(self, record: logging.LogRecord) -> str:
        """Return what was raised, if anything."""
        return redact(self.formatException(record.exc_info), self._hidden) if record.exc_info else ""


class TextFormatter(Formatter):
    """`2026-01-05T10:00:00.123Z INFO    apps/default/web: settled`."""

    def __init__(self, hidden: Collection[str], paint: Palette) -> None:
        super().__init__(hidden)
        self._paint = paint

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, and below it a traceback if there is one."""
        # Text from a CR or a response must not be able to write a line of its own.
        message = visible(self.redacted(record.getMessage())).replace("\n", "\\n")
        level = self._paint(_STYLES[record.levelname], f"{record.levelname:7}")
        trace = indent(f"\n{self.traceback(record)}", "    ") if record.exc_info else ""
        return f"{self._paint('dim', _time(record))} {level} {message}{trace}"


class JsonFormatter(Formatter):
    """One JSON object a line: `time`, `level`, `message`, and those of `FIELDS` that the line has."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        found = {"time": _time(record), "level": record.levelname.lower(), "message": record.getMessage()}
        found |= {key: value for key in FIELDS if (value := getattr(record, key, None))}
        if trace := self.traceback(record):
            found["traceback"] = trace
        return json.dumps({key: self.redacted(value) for key, value in found.items()}, ensure_ascii=False)


def configure(form: str, verbose: bool, hidden: Collection[str], paint: Palette) -> logging.Logger:
    """Send the log of the process to stderr as `text` or `json`; return the one of `ork`."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(hidden) if form == "json" else TextFormatter(hidden, paint))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    found = logging.getLogger("ork")
    found.setLevel(logging.DEBUG if verbose else logging.INFO)
    return found


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
