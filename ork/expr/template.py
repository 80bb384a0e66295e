"""One parsed expression, compiled to a code object at its first call."""

from __future__ import annotations

from typing import Any, NamedTuple

from ork.base.findings import Locate
from ork.base.paths import Path
from ork.expr.env import Env, Place, Scope
from ork.expr.functions import Functions

Reads = frozenset[Path]
"""What an expression reads, as paths from the root of the scope (`("external", "plan", "body")`), plus the marks
`("@clock",)`, `("@random",)` and `("@sentinel", name)`. A step that only evaluation knows ends the path."""


class Use(NamedTuple):
    """One path that an expression reads, and where in its text: the compiler checks it against schema and scope."""

    path: Path
    """From the root of the scope. The element of a list that a `range` walks is the step `*`."""
    start: int
    end: int


class Omit:
    """The type of `MISSING`."""


MISSING = Omit()
"""What a lone action in a `VALUE` place gives where its path leads nowhere."""


class Template:
    """A parsed text. Calling it evaluates it."""

    text: str
    place: Place
    where: Locate | None
    reads: Reads
    uses: tuple[Use, ...]
    literal: bool
    """No action inside: its value is `text` itself and a call costs nothing."""
    lone: bool
    """Exactly one action and nothing around it: the value keeps its type."""

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Evaluate; raises EvaluationError (MissingError where the place needs a value that is missing)."""
        raise NotImplementedError


def parse(text: str, place: Place, functions: Functions, where: Locate | None = None) -> Template:
    """Parse a text with `{{ }}` actions. Raises ExpressionError with offsets in `text`."""
    raise NotImplementedError


def parse_field(text: str, functions: Functions, where: Locate | None = None) -> Template:
    """Parse a condition's `field`: a bare dot path or a template. Raises ExpressionError."""
    raise NotImplementedError
