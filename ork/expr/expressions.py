"""Expressions to Python: each node becomes one `ast` expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ork.expr import builtins, nodes, printf
from ork.expr.functions import Function
from ork.expr.python import DELETE, LOAD, STR, At, X, local, safe

_STRINGS = frozenset((printf.sprint, printf.sprintf, printf.sprintln, builtins.html, builtins.js, builtins.urlquery))


class Frame:
    """One Python function while it is being made."""

    def __init__(self) -> None:
        self.owned: set[str] = set()
        """Names that it declares; what it sets besides belongs to a function around it."""
        self.foreign: set[str] = set()
        self.loops = 0


class Expressions:
    """Makes expressions, and keeps the names that they and the statements around them use."""

    def __init__(self, careful: bool, text: str) -> None:
        self.careful = careful
        self.text = text
        """The helper that writes a value as text."""
        self.globals: dict[str, Any] = {}
        """The functions that expressions call, by the names that they have in the code."""
        self.functions: dict[int, str] = {}
        self.names: dict[nodes.Binding, str] = {}
        self.count = 0
        self.stack: list[Frame] = []
        self.block: list[ast.stmt] = []
        """The statements that are being made."""
        self.dot = "s"
        """The name that holds the cursor."""
        self.maybe = 0
        """How many `and`s and `or`s around may leave the expression out."""
        self.broken = False
        """Some text may hold half characters, which `mend` joins in the end."""

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def own(self, letter: str) -> str:
        """Return a new name that belongs to the function being made."""
        name = self.fresh(letter)
        self.stack[-1].owned.add(name)
        return name

    def touch(self, name: str) -> str:
        """Note that the function being made sets a name."""
        if name not in self.stack[-1].owned:
            self.stack[-1].foreign.add(name)
        return name

    def output(self, node: nodes.Expression) -> ast.expr:
        """Return an expression of type string."""
        value, at = self.expression(node), At.of(node)
        if isinstance(node, nodes.Call) and node.function.call in _STRINGS:
            return value
        if isinstance(value, ast.Name):
            return at.either(at.is_a(STR, value), value, at.call(self.text, value))
        return at.either(at.is_a(STR, at.kept("x", value)), X, at.call(self.text, X))

    def expression(self, node: nodes.Expression) -> ast.expr:
        return _EXPRESSIONS[type(node)](self, node)

    def literal(self, node: nodes.Literal) -> ast.expr:
        self.broken |= isinstance(node.value, str) and not whole(node.value)
        return At.of(node).constant(node.value)

    def cursor(self, _: nodes.Dot) -> ast.expr:
        return local(self.dot)

    def variable(self, node: nodes.Variable) -> ast.expr:
        return At.of(node).name(self.names[node.binding])

    def path(self, node: nodes.Path) -> ast.expr:
        at, value = At.of(node), self.expression(node.base)
        if self.careful or not isinstance(value, ast.Name | ast.Call | ast.Subscript):
            return at.call("walk", value, *map(safe, node.steps))
        for step in node.steps:
            value = at.subscript(value, step)
        return value

    def bind(self, node: nodes.Bind) -> ast.expr:
        value = self.expression(node.value)
        if node.declares:
            self.names[node.binding] = self.own("v")
            if self.maybe:
                self.unset(node)
        return At.of(node).kept(self.touch(self.names[node.binding]), value)

    def unset(self, node: nodes.Bind) -> None:
        """A declaration that `and` or `or` may skip: until it runs, the name means what it meant before."""
        at, name = At.of(node), self.names[node.binding]
        outer = self.names.get(node.binding.outer) if node.binding.outer else None
        self.block.append(at.store(name, at.name(outer) if outer else at.constant(None)))
        if not outer:
            self.block.append(ast.Delete([ast.Name(name, DELETE, **at.place)], **at.place))

    def call(self, node: nodes.Call) -> ast.expr:
        self.broken |= node.function.call is builtins.part
        special = _SPECIAL.get(node.function.call)
        if node.piped and len(node.args) > 1 and (special is Expressions.logic or any(map(_binds, node.args))):
            return self.piped(node)
        made = special(self, node) if special else None
        return self.plain_call(node, [self.expression(arg) for arg in node.args]) if made is None else made

    def piped(self, node: nodes.Call) -> ast.expr:
        """`(w1 := value, f(…, w1))[1]`: what comes through the pipe is evaluated first."""
        at, binding = At.of(node), nodes.Binding("")
        where = 0 if node.function.subject_first else len(node.args) - 1
        first = self.bind(nodes.Bind(binding, True, node.args[where], node.start, node.end))
        args = list(node.args)
        args[where] = nodes.Variable(binding, node.start, node.end)
        value = self.expression(node._replace(args=tuple(args), piped=False))
        return at.subscript(ast.Tuple([first, value], LOAD, **at.place), 1)

    def plain_call(self, node: nodes.Call, args: list[ast.expr]) -> ast.expr:
        at, function = At.of(node), node.function
        if function.needs_env or function.needs_scope:
            args.insert(0, at.name("e"))
        if function.needs_scope:
            args.insert(0, at.name("s"))
        return at.call(self.function(function), *args)

    def function(self, function: Function) -> str:
        """Return the name by which the code knows a function."""
        name = self.functions.get(id(function.call))
        if name is None:
            name = self.functions[id(function.call)] = self.fresh("f")
            self.globals[name] = function.call
        return name

    def logic(self, node: nodes.Call) -> ast.expr:
        """`and`, `or`: Python's own stop where Go's do."""
        first, *rest = node.args
        operands = [self.expression(first)]
        self.maybe += 1
        operands += [self.expression(arg) for arg in rest]
        self.maybe -= 1
        operator = ast.And() if node.function.call is builtins.every else ast.Or()
        return ast.BoolOp(operator, operands, **At.of(node).place) if rest else operands[0]

    def negation(self, node: nodes.Call) -> ast.expr:
        return ast.UnaryOp(ast.Not(), self.expression(node.args[0]), **At.of(node).place)

    def equality(self, node: nodes.Call) -> ast.expr | None:
        """`x == "gold" if (x := …).__class__ is str else eq(x, "gold")`"""
        first, second = node.args[0], node.args[-1]
        if len(node.args) != 2 or not isinstance(second, nodes.Literal) or type(second.value) is not str:
            return None
        at, operator = At.of(node), ast.Eq() if node.function.call is builtins.equal else ast.NotEq()
        test = at.is_a(STR, at.kept("x", self.expression(first)))
        quick = at.compare(X, operator, self.literal(second))
        return at.either(test, quick, self.plain_call(node, [X, self.literal(second)]))


_EXPRESSIONS: dict[type, Callable[[Expressions, Any], ast.expr]] = {
    nodes.Literal: Expressions.literal,
    nodes.Dot: Expressions.cursor,
    nodes.Variable: Expressions.variable,
    nodes.Path: Expressions.path,
    nodes.Bind: Expressions.bind,
    nodes.Call: Expressions.call,
}
_SPECIAL: dict[Callable[..., Any], Callable[[Expressions, nodes.Call], ast.expr | None]] = {
    builtins.every: Expressions.logic,
    builtins.some: Expressions.logic,
    builtins.negated: Expressions.negation,
    builtins.equal: Expressions.equality,
    builtins.unequal: Expressions.equality,
}


def whole(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _binds(node: nodes.Expression) -> bool:
    """Tell whether evaluating a node sets a variable."""
    if isinstance(node, nodes.Call):
        return any(map(_binds, node.args))
    return isinstance(node, nodes.Bind) or (isinstance(node, nodes.Path) and _binds(node.base))
