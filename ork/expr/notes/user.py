"""User notes: named expressions of a katalog, compiled once and evaluated in the scope of whoever calls them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ork.base.errors import OrkError
from ork.base.findings import Locate
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.expr.env import Env, Place, Scope
from ork.expr.errors import ExpressionError, MissingError
from ork.expr.functions import Function, Functions, Layers, OnDemand
from ork.expr.template import Template, parse

_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = frozenset(
    ("if", "else", "end", "range", "with", "define", "template", "block", "break", "continue", "nil", "true", "false")
)
_DEEPEST = 50
"""Notes that call notes that call notes: beyond this nobody follows, and the stack is spared."""


class Definition(NamedTuple):
    """One entry of `notes:`, as written."""

    name: str
    expression: str
    where: Locate | None = None
    """Where a piece of the expression stands in its file."""


class NoteFault(NamedTuple):
    """What is wrong with one user note."""

    definition: Definition
    about: str
    """`name` or `expression`."""
    message: str
    hint: str = ""
    start: int = 0
    """Offsets in the expression; both 0 where all of it is meant."""
    end: int = 0


class UserNotes(NamedTuple):
    """The notes of a katalog, compiled."""

    functions: Functions
    """The functions that were given, with the user's notes over them. A faulty note is there and gives nothing, so
    that its callers are not faulty too."""
    templates: Mapping[str, Template]
    """The compiled expression of each sound note: `uses` tells what of the caller's scope it reads."""
    overridden: tuple[str, ...]
    """Built-in functions whose name a user note takes."""
    faults: tuple[NoteFault, ...]


def user_notes(definitions: Sequence[Definition], builtins: Functions) -> UserNotes:
    """Compile user notes.

    `builtins` are the functions that they may call beside each other; a compiler that lets notes read sentinels hands
    those in too, and finds in `reads` who may not be called where.
    """
    compiler = _Compiler(builtins)
    for each in definitions:
        compiler.declare(each)
    for name in compiler.definitions:
        compiler.compile(name)
    overridden = tuple(name for name in compiler.definitions if name in builtins)
    return UserNotes(compiler.functions, compiler.templates, overridden, tuple(compiler.faults))


class _Cycle(OrkError):
    """A note calls itself, by way of these notes."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(" → ".join(names))
        self.names = names


class _Compiler:
    """Compiles a note when the parser of another one asks for it, so that a note's reads are known to its callers, and
    a cycle is met where it closes."""

    def __init__(self, builtins: Functions) -> None:
        self.definitions: dict[str, Definition] = {}
        self.functions = Layers(OnDemand(self.definitions, self.compile), builtins)
        self.compiled: dict[str, Function] = {}
        self.templates: dict[str, Template] = {}
        self.heights: dict[str, int] = {}
        """How many notes deep a call of each compiled note goes."""
        self.open: dict[str, int] = {}
        """The notes being compiled, each called by the one before it, and their height as far as it is known."""
        self.faults: list[NoteFault] = []

    def declare(self, definition: Definition) -> None:
        """Take a definition in, unless its name cannot be called or is taken."""
        name = definition.name
        if not _NAME.fullmatch(name) or name in _KEYWORDS:
            hint = "write letters, digits and _, a letter first, and no word of the template language"
            self.faults.append(NoteFault(definition, "name", f'a note cannot be called "{name}"', hint))
        elif name in self.definitions:
            self.faults.append(NoteFault(definition, "name", f'there are two notes called "{name}"', "rename one"))
        else:
            self.definitions[name] = definition

    def compile(self, name: str) -> Function:
        """Return the function of a note, compiled when it is first asked for. Raises _Cycle while it is open."""
        if name in self.open:
            names = list(self.open)
            raise _Cycle([*names[names.index(name) :], name])
        if name not in self.compiled:
            self.open[name] = 1
            try:
                self.compiled[name] = self._function(self.definitions[name])
            finally:
                self.heights[name] = self.open.pop(name)
        for caller in list(self.open)[-1:]:
            self.open[caller] = max(self.open[caller], self.heights[name] + 1)
        return self.compiled[name]

    def _function(self, definition: Definition) -> Function:
        name = definition.name
        try:
            template = _parse(definition, self.functions) if len(self.open) <= _DEEPEST else None
        except ExpressionError as error:
            return self._faulty(definition, error.message, error.hint, error.start, error.end)
        except _Cycle as cycle:
            if cycle.names[0] != name:
                raise
            message = f"a note may not call itself: {cycle}"
            return self._faulty(definition, message, "", *_call_of(cycle.names[1], definition.expression))
        if template is None or self.open[name] > _DEEPEST:
            return self._faulty(definition, f"notes call each other more than {_DEEPEST} deep", "write some out")
        self.templates[name] = template
        return Function(name, _caller(template), 0, 0, needs_scope=True, reads=template.reads)

    def _faulty(self, definition: Definition, message: str, hint: str, start: int = 0, end: int = 0) -> Function:
        self.faults.append(NoteFault(definition, "expression", message, hint, start, end))
        self.open[definition.name] = 1
        return Function(definition.name, _nothing, 0, None, needs_scope=True)


def _parse(definition: Definition, functions: Functions) -> Template:
    """Parse a note: space around the expression does not count, since YAML's block scalars end in a line break.

    A lone action keeps its type and gives nothing where its path leads nowhere; in other text that is missing.
    """
    text = definition.expression.strip()
    offset = len(definition.expression) - len(definition.expression.lstrip())
    where = _shifted(definition.where, offset)
    try:
        template = parse(text, Place.CONDITION, functions, where)
        return template if template.lone else parse(text, Place.TEXT, functions, where)
    except ExpressionError as error:
        error.start, error.end = error.start + offset, error.end + offset
        raise


def _shifted(where: Locate | None, offset: int) -> Locate | None:
    if where is None or not offset:
        return where
    return lambda start, end: where(start + offset, end + offset)


def _caller(template: Template) -> Callable[[Scope, Env], Any]:
    """Return the function of a note. A text that needs a value that is missing is itself missing: the place of the
    call says what that means."""

    def call(scope: Scope, env: Env) -> Any:
        try:
            return template(scope, env)
        except MissingError:
            return None

    return call


def _nothing(*_: Any) -> None:
    return None


def _call_of(name: str, expression: str) -> tuple[int, int]:
    found = re.search(rf"(?<![\w.$]){name}(?!\w)", expression)
    return found.span() if found else (0, 0)
