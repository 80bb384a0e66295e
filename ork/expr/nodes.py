"""The parsed form of a template: expressions that give values, statements that write output."""

from __future__ import annotations

from typing import Any

from ork.base.records import NamedTuple
from ork.expr.functions import Function


class Binding:
    """One declaration of a variable. `$` is bound at the start of every template body."""

    __slots__ = ("assigned", "name", "outer")

    def __init__(self, name: str, outer: Binding | None = None) -> None:
        self.name = name
        self.outer = outer
        """What the name meant before."""
        self.assigned = False
        """Whether `=` gives it another value somewhere."""


# ── expressions ─────────────────────────────────────────────────────────────────────────────────
class Literal(NamedTuple):
    """A constant; None is `nil`."""

    value: Any
    start: int
    end: int


class Dot(NamedTuple):
    """The cursor."""

    start: int
    end: int


class Variable(NamedTuple):
    """The value of a variable."""

    binding: Binding
    start: int
    end: int


class Path(NamedTuple):
    """Steps from a value into its maps: `.spec.image`, `$x.name`, `(index .list 0).name`."""

    base: Expression
    steps: tuple[str, ...]
    start: int
    end: int


class Call(NamedTuple):
    """A function and its arguments."""

    function: Function
    args: tuple[Expression, ...]
    piped: bool
    """One argument came through a pipe, and is evaluated before the others: the last, or the first where the
    function is `subject_first`."""
    start: int
    end: int


class Bind(NamedTuple):
    """`$x := value` or `$x = value`, which is also a value."""

    binding: Binding
    declares: bool
    value: Expression
    start: int
    end: int


Expression = Literal | Dot | Variable | Path | Call | Bind


# ── statements ──────────────────────────────────────────────────────────────────────────────────
class Text(NamedTuple):
    """Text outside actions."""

    value: str


class Output(NamedTuple):
    """An action whose value is written."""

    value: Expression


class Assign(NamedTuple):
    """An action that declares or sets a variable and writes nothing."""

    value: Bind


class Branch(NamedTuple):
    """`if` or `with` and what it guards; `with` moves the cursor to the value."""

    value: Expression
    moves: bool
    body: Body


class Choice(NamedTuple):
    """`if`/`with`, its `else if`s, and the rest."""

    branches: tuple[Branch, ...]
    orelse: Body
    plain: bool
    """It only writes: no loop, and no action of its own that sets a variable."""


class Range(NamedTuple):
    """A loop. `variables` has none, the element's, or the key's and the element's."""

    value: Expression
    variables: tuple[Binding, ...]
    declares: bool
    body: Body
    orelse: Body


class Invoke(NamedTuple):
    """`template "name" value`."""

    name: str
    value: Expression
    start: int
    end: int


class Break(NamedTuple):
    """Leave the loop."""


class Continue(NamedTuple):
    """Go on with the loop's next element."""


Statement = Text | Output | Assign | Choice | Range | Invoke | Break | Continue
Body = tuple[Statement, ...]


class Definition(NamedTuple):
    """The body of a template, and what `$` is bound to in it."""

    body: Body
    root: Binding


class Tree(NamedTuple):
    """A whole text: its own body, and the templates that it defines by name."""

    main: Definition
    defined: dict[str, Definition]
