"""`ork eval`: tries expressions."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any

import click
import typer

from ork.base.errors import OrkError, UsageError, in_words
from ork.cli import terminal
from ork.cli.command import command
from ork.expr.env import Env, Place
from ork.expr.errors import EvaluationError, ExpressionError
from ork.expr.functions import Functions
from ork.expr.template import MISSING, parse

_PLACES = {place.value: place for place in (Place.TEXT, Place.VALUE, Place.STATUS, Place.CONDITION)}


def evaluate(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="The expression.", show_default=False)] = "",
    cr: Annotated[str, typer.Option("--cr", metavar="FILE", help="The object that it reads.")] = "",
    data: Annotated[str, typer.Option("--data", metavar="FILE", help="The same: any map.")] = "",
    place: Annotated[
        str, typer.Option("--place", click_type=click.Choice(list(_PLACES)), help="Where its value goes.")
    ] = "text",
    batch: Annotated[
        str, typer.Option("--batch", metavar="FILE", help='JSON lines of {"template", "data"}; a JSON line for each.')
    ] = "",
) -> int:
    """Try one expression."""
    if batch:
        return _batch(batch, _PLACES[place])
    if not template:
        raise UsageError("which expression? Write it as the argument: ork eval '{{ .metadata.name }}' --cr cr.yaml")
    if cr and data:
        raise UsageError("--cr and --data both name the object that is read; give one of them")
    return _one(template, _object(cr or data), _PLACES[place])


def _object(path: str) -> dict[str, Any]:
    if not path:
        return {}
    from ork.cli.inputs import read_object

    return read_object(path)


def _one(template: str, data: dict[str, Any], place: Place) -> int:
    try:
        value = parse(template, place, _functions())(data, _env())
    except (ExpressionError, EvaluationError) as error:
        terminal.complain(_pointed(template, error), hint=getattr(error, "hint", ""))
        return 1
    terminal.say(_shown(value))
    return 0


def _shown(value: Any) -> str:
    """Return a value as text; what is left out is shown as nothing, and says so beside the result."""
    if value is MISSING or value is None:
        terminal.notice("(nothing: the path leads nowhere)")
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pointed(template: str, error: ExpressionError | EvaluationError) -> str:
    """Return the message, the line of the expression and a caret under the piece that is at fault."""
    line, column = _position(template, error.start)
    text = template.splitlines()[line - 1] if template else ""
    width = max(1, min(error.end - error.start, len(text) - column + 1))
    return f"{error.message}\n  {terminal.visible(text)}\n  {' ' * (column - 1)}{'^' * width}"


def _position(template: str, offset: int) -> tuple[int, int]:
    before = template[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


# ── many at once ────────────────────────────────────────────────────────────────────────────────
def _batch(path: str, place: Place) -> int:
    """Answer every line by one; what is wrong with an expression is its answer, not the call's failure."""
    functions, env, well = _functions(), _env(), True
    for number, line in enumerate(_lines(path), start=1):
        try:
            case = json.loads(line)
            template, data = case["template"], case.get("data")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            well = False
            answer = _refusal(f'line {number} is no JSON object with "template"', "parse", 1, 1)
        else:
            answer = _answer(template, data, place, functions, env)
        terminal.say(json.dumps(answer, ensure_ascii=False))
    return 0 if well else 1


def _answer(template: Any, data: Any, place: Place, functions: Functions, env: Env) -> dict[str, Any]:
    if not isinstance(template, str):
        return _refusal("the template is no text", "parse", 1, 1)
    try:
        compiled = parse(template, place, functions)
    except ExpressionError as error:
        return _refusal(error.message, "parse", *_position(template, error.start))
    try:
        value = compiled(data, env)
    except EvaluationError as error:
        return _refusal(error.message, "run", *_position(template, error.start))
    return {"output": None if value is MISSING else value}


def _refusal(message: str, stage: str, line: int, column: int) -> dict[str, Any]:
    return {"error": message, "stage": stage, "line": line, "column": column}


def _lines(path: str) -> Iterator[str]:
    try:
        text = _content(path).decode()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {in_words(error)}") from error
    except UnicodeDecodeError as error:
        raise OrkError(f"{path} cannot be read: it is not UTF-8") from error
    return (line for line in text.split("\n") if line.strip())


def _content(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _functions() -> Functions:
    from ork.expr.notes import functions

    return functions()


def _env() -> Env:
    from random import Random

    return Env(datetime.now(UTC), random=Random())


COMMAND = command(evaluate, example="ork eval '{{ .metadata.name }}-{{ len .spec.regions }}' --cr cr.yaml")
