"""One parsed expression, compiled to a code object at its first call."""

from __future__ import annotations

from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ork.base.findings import Locate
from ork.base.patterns import pattern
from ork.base.text import cut
from ork.expr import nodes
from ork.expr.env import Env, Place, Scope
from ork.expr.errors import EvaluationError, ExpressionError, MissingError
from ork.expr.functions import Functions
from ork.expr.lexer import OPEN
from ork.expr.parser import parse as parse_tree
from ork.expr.reader import MAX_NESTING
from ork.expr.runtime import FILENAME, StepError
from ork.expr.usage import Reads as Reads
from ork.expr.usage import Use as Use
from ork.expr.usage import trace
from ork.expr.values import named

if TYPE_CHECKING:
    from ork.expr.code import Run


class Omit:
    """The type of `MISSING`."""

    def __repr__(self) -> str:
        """`MISSING`."""
        return "MISSING"


MISSING = Omit()
"""What a lone action in a `VALUE` place gives where its path leads nowhere."""

_FAULTS = (ValueError, TypeError, ArithmeticError, LookupError, NameError, RecursionError)
"""What evaluation may raise for data that does not fit; anything else is a bug of ours."""
_LENIENT = frozenset((Place.STATUS, Place.CONDITION))
_ABSENT = {Place.VALUE: MISSING, Place.STATUS: "", Place.CONDITION: None}
"""The places where a lone action keeps its type, and what it gives there for a missing value."""
_PATH = pattern(r"[.$\w]+")
_BARE_PATH = pattern(r"\.?[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Template:
    """A parsed text. Calling it evaluates it; it is immutable for its callers, and may be called by many threads.

    Its code takes every path by plain subscripts until one is missing; from then on it steps with care.
    """

    __slots__ = ("_careful", "_run", "_spans", "_tree", "literal", "lone", "place", "reads", "text", "uses", "where")

    text: str
    place: Place
    where: Locate | None
    reads: Reads
    uses: tuple[Use, ...]
    literal: bool
    """No action inside: its value is `text` itself and a call costs nothing."""
    lone: bool
    """Exactly one action and nothing around it: the value keeps its type."""

    def __init__(self, text: str, place: Place, tree: nodes.Tree, where: Locate | None) -> None:
        self.text, self.place, self.where = text, place, where
        self.uses, self.reads = trace(tree)
        self.literal = tree.main.body == ((nodes.Text(text),) if text else ())
        self.lone = len(tree.main.body) == 1 and isinstance(tree.main.body[0], nodes.Output)
        self._tree = tree
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        self._careful: Run | None = None
        self._run: Run = (lambda _scope, _env: text) if self.literal else self._first

    def __call__(self, scope: Scope, env: Env) -> Any:
        """Evaluate; raises EvaluationError (MissingError where the place needs a value that is missing).

        A string, but the value itself where the template is `lone` and its place is VALUE, STATUS or CONDITION.
        """
        run = self._run
        try:
            return run(scope, env)
        except Exception as error:
            if run is self._careful:
                self._explain(error)
                raise
        self._run = self._careful or self._generate(careful=True)
        return self(scope, env)

    def __repr__(self) -> str:
        """`Template('{{ .spec.image }}', VALUE)`."""
        return f"Template({self.text!r}, {self.place.name})"

    def _first(self, scope: Scope, env: Env) -> Any:
        # A random note must not be asked twice, so its template does not begin with code that may have to start over.
        self._run = self._generate(careful=("@random",) in self.reads)
        return self._run(scope, env)

    def _generate(self, careful: bool) -> Run:
        from ork.expr.code import Result, generate

        result = Result.LENIENT if self.place in _LENIENT else Result.STRICT
        typed = self.lone and self.place in _ABSENT
        run = generate(self._tree, Result.VALUE if typed else result, careful, _ABSENT.get(self.place))
        if careful:
            self._careful = run
        return run

    def _explain(self, error: Exception) -> None:
        """Say in an error where in the text it arose, or raise one that does."""
        if isinstance(error, MissingError) and not error.path:
            self._place(error)
        elif isinstance(error, _FAULTS):
            raise self._located(error) from error

    def _place(self, error: MissingError) -> None:
        error.start, error.end = self._span(error.__traceback__)
        error.where, error.path = self.where, self.text[error.start : error.end]
        reason = error.message and f": {error.message}"
        lead = " is not set" if _PATH.fullmatch(error.path) else " gives nothing"
        error.message = f"{cut(error.path, 80)}{reason or lead}"

    def _located(self, error: Exception) -> EvaluationError:
        """Return the error that says which piece of the text failed, and why."""
        start, end = self._span(error.__traceback__)
        source = self.text[start:end]
        if isinstance(error, StepError):
            reached = source[: -len("." + ".".join(error.left))]
            message = f"{reached} is {named(error.value)}, so it has no field {error.left[0]}"
        elif isinstance(error, NameError):
            message = f"{source} has no value here"
        elif isinstance(error, RecursionError):
            message = "the data is nested too deeply"
        else:
            message = f"{cut(source, 80)}: {error}" if end else str(error)
        return EvaluationError(message, start, end or len(self.text), self.where)

    def _span(self, traceback: TracebackType | None) -> tuple[int, int]:
        """Return the stretch of the text that the innermost generated code was at; an empty one is the whole."""
        code, instruction = None, 0
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == FILENAME:
                code, instruction = traceback.tb_frame.f_code, traceback.tb_lasti
            traceback = traceback.tb_next
        known = self._spans.get((id(code), instruction))
        if known is None:
            _, _, start, end = next(islice(code.co_positions(), instruction // 2, None)) if code else (0, 0, 0, 0)
            known = self._spans[id(code), instruction] = (start or 0, end or 0)
        return known


def parse(text: str, place: Place, functions: Functions, where: Locate | None = None) -> Template:
    """Parse a text with `{{ }}` actions. Raises ExpressionError with offsets in `text`."""
    return Template(text, place, parse_tree(text, functions), where)


def parse_field(text: str, functions: Functions, where: Locate | None = None) -> Template:
    """Parse a condition's `field`: a bare dot path or a template. Raises ExpressionError."""
    if OPEN in text:
        return parse(text, Place.CONDITION, functions, where)
    if not _BARE_PATH.fullmatch(text):
        hint = 'write a path such as spec.image, or a template such as {{ index .metadata.labels "app" }}'
        raise ExpressionError(f'"{text}" is neither a path nor a template', 0, len(text), hint)
    steps = tuple(text.removeprefix(".").split("."))
    if len(steps) > MAX_NESTING:
        raise ExpressionError(f"a path of more than {MAX_NESTING} steps", 0, len(text))
    path = nodes.Path(nodes.Dot(0, 0), steps, 0, len(text))
    tree = nodes.Tree(nodes.Definition((nodes.Output(path),), nodes.Binding("$")), {})
    return Template(text, Place.CONDITION, tree, where)
