"""The two ways in which an expression is wrong: as written, and for this data."""

from __future__ import annotations

from ork.base.errors import OrkError
from ork.base.findings import Locate, Span


class ExpressionError(OrkError):
    """The text is no valid expression. `start` and `end` are offsets in it (end exclusive)."""

    def __init__(self, message: str, start: int, end: int, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.hint = message, start, end, hint


class EvaluationError(OrkError):
    """The expression fails for this data: `start` and `end` say at which piece of its text."""

    def __init__(self, message: str, start: int = 0, end: int = 0, where: Locate | None = None) -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.where = message, start, end, where

    @property
    def span(self) -> Span | None:
        """Where the failing piece stands in its file, if the compiler said where the expression comes from."""
        return self.where(self.start, self.end) if self.where else None


class MissingError(EvaluationError):
    """A path leads nowhere in a place that needs a value; `path` is how it is written (`.spec.image`).

    Functions raise it without saying where; the template that called them does.
    """

    def __init__(
        self, path: str = "", start: int = 0, end: int = 0, where: Locate | None = None, message: str = ""
    ) -> None:
        super().__init__(message or (path and f"{path} is not set"), start, end, where)
        self.path = path

    def __str__(self) -> str:
        """The message."""
        return self.message
