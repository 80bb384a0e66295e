"""What an expression reads: paths from the root of the scope, followed through variables, `with` and `range`."""

from __future__ import annotations

from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.expr import builtins, nodes

Reads = frozenset[Path]
"""What an expression reads, as paths from the root of the scope (`("external", "plan", "body")`), plus the marks
`("@clock",)`, `("@random",)` and `("@sentinel", name)`. A step that only evaluation knows ends the path, which then
stands for everything below it."""

ROOTS = (("apiVersion",), ("children",), ("cross",), ("external",), ("kind",), ("metadata",), ("spec",), ("status",))
"""What an expression reads that uses the root (`.` or `$`) as a value."""


_MOST_CALLS = 1000
"""How many different calls of templates are followed; what further ones are given is read as a whole."""


class Use(NamedTuple):
    """One path that an expression reads, and where in its text: the compiler checks it against schema and scope."""

    path: Path
    """From the root of the scope, never empty. The element of a list or map that a `range` walks is the step `*`."""
    start: int
    end: int


def trace(tree: nodes.Tree) -> tuple[tuple[Use, ...], Reads]:
    """Return every path that a template reads, in the order of the text, and all its reads."""
    tracer = _Tracer(tree)
    tracer.definition(tree.main, ())
    uses = tuple(tracer.uses)
    if len(uses) > 1:
        uses = tuple(sorted(set(uses), key=lambda use: (use.start, use.end, use.path)))
    return uses, frozenset([*(use.path for use in uses), *tracer.marks])


class _Tracer:
    """Walks the nodes with the path of the cursor; None is a value that is no path of the scope."""

    def __init__(self, tree: nodes.Tree) -> None:
        self.defined = tree.defined
        self.uses: list[Use] = []
        self.marks: set[Path] = set()
        self.variables: dict[nodes.Binding, Path | None] = {}
        self.running: list[str] = []
        """The templates being walked, so that a recursive one is walked once."""
        self.entered: set[tuple[str, Path | None]] = set()
        """The templates that were walked, with the path that they were given."""

    # ── statements ──────────────────────────────────────────────────────────────────────────────
    def definition(self, definition: nodes.Definition, dot: Path | None) -> None:
        self.bind(definition.root, dot)
        self.body(definition.body, dot)

    def body(self, body: nodes.Body, dot: Path | None) -> None:
        for statement in body:
            if isinstance(statement, nodes.Output | nodes.Assign):
                self.value(statement.value, dot)
            elif isinstance(statement, nodes.Choice):
                self.choice(statement, dot)
            elif isinstance(statement, nodes.Range):
                self.range(statement, dot)
            elif isinstance(statement, nodes.Invoke):
                self.invoke(statement, dot)

    def choice(self, choice: nodes.Choice, dot: Path | None) -> None:
        for branch in choice.branches:
            value = self.value(branch.value, dot)
            self.body(branch.body, value if branch.moves else dot)
        self.body(choice.orelse, dot)

    def range(self, loop: nodes.Range, dot: Path | None) -> None:
        value = self.value(loop.value, dot)
        element = None if value is None else (*value, "*")
        if loop.declares and loop.variables:
            self.bind(loop.variables[-1], element)
        self.body(loop.body, element)
        self.body(loop.orelse, dot)

    def invoke(self, call: nodes.Invoke, dot: Path | None) -> None:
        value = self.value(call.value, dot)
        if len(self.entered) > _MOST_CALLS:
            value = None
        if call.name not in self.running and (call.name, value) not in self.entered:
            self.entered.add((call.name, value))
            self.running.append(call.name)
            self.definition(self.defined[call.name], value)
            self.running.pop()

    # ── expressions ─────────────────────────────────────────────────────────────────────────────
    def bind(self, binding: nodes.Binding, path: Path | None) -> None:
        self.variables[binding] = None if binding.assigned else path

    def value(self, node: nodes.Expression, dot: Path | None) -> Path | None:
        """Record what the value of a node reads; return its own path, if it is one."""
        path = self.path(node, dot)
        if path is not None and not isinstance(node, nodes.Bind):
            if not path:
                self.marks.update(ROOTS)
            elif isinstance(node, nodes.Path | nodes.Call):
                self.uses.append(Use(path, node.start, node.end))
        return path

    def path(self, node: nodes.Expression, dot: Path | None) -> Path | None:
        """Return a node's path without recording it; what it reads besides is recorded."""
        if isinstance(node, nodes.Dot):
            return dot
        if isinstance(node, nodes.Variable):
            return self.variables.get(node.binding)
        if isinstance(node, nodes.Path):
            base = self.path(node.base, dot)
            return None if base is None else base + node.steps
        if isinstance(node, nodes.Bind):
            path = self.value(node.value, dot)
            if node.declares:
                self.bind(node.binding, path)
            return path
        if isinstance(node, nodes.Call):
            return self.call(node, dot)
        return None

    def call(self, call: nodes.Call, dot: Path | None) -> Path | None:
        self.marks.update(call.function.reads)
        if call.function.call is builtins.index:
            return self.index(call, dot)
        for arg in call.args:
            self.value(arg, dot)
        return None

    def index(self, call: nodes.Call, dot: Path | None) -> Path | None:
        """`index .metadata.labels "app"` is a path as long as its keys are literal."""
        base = self.path(call.args[0], dot)
        keys = [_key(arg) for arg in call.args[1:]]
        known = keys.index(None) if None in keys else len(keys)
        for arg in call.args[1 + known :]:
            self.value(arg, dot)
        if base is None:
            return None
        path = (*base, *(key for key in keys[:known] if key is not None))
        if known == len(keys):
            return path
        self.uses.append(Use(path, call.start, call.end)) if path else self.marks.update(ROOTS)
        return None


def _key(node: nodes.Expression) -> str | None:
    if isinstance(node, nodes.Literal) and type(node.value) in (str, int):
        return str(node.value)
    return None
