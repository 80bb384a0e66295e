"""How the tests of templates parse, evaluate, and look at what went wrong."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from ork.expr.builtins import BUILTINS
from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError, ExpressionError
from ork.expr.template import Template, parse

ENV = Env(datetime(2026, 1, 5, 10, tzinfo=UTC))


def template(text: str, place: Place = Place.TEXT) -> Template:
    """Parse a text that calls Go's functions only."""
    return parse(text, place, BUILTINS)


def evaluate(text: str, scope: dict[str, Any] | None = None, place: Place = Place.TEXT) -> Any:
    """Parse and evaluate."""
    return template(text, place)(scope or {}, ENV)


def refused(text: str) -> ExpressionError:
    """Return why a text is no expression."""
    with pytest.raises(ExpressionError) as caught:
        template(text)
    return caught.value


def failed(text: str, scope: dict[str, Any] | None = None, place: Place = Place.TEXT) -> EvaluationError:
    """Return why an expression fails for this data."""
    made = template(text, place)
    with pytest.raises(EvaluationError) as caught:
        made(scope or {}, ENV)
    return caught.value


def piece(text: str, error: ExpressionError | EvaluationError) -> str:
    """Return the piece of the text that an error points at."""
    return text[error.start : error.end]
