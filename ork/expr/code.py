"""Nodes to a Python function, by `ast` nodes alone: no text of a template becomes source.

Generated names are letters with numbers, `.__class__` is the only attribute, and the globals are an allow-list without
builtins. Every node's column is its offset in the template, so that a traceback tells which piece failed.
"""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import lru_cache
from typing import Any, TypedDict

from ork.expr import builtins, nodes, printf, runtime, values
from ork.expr.functions import Function

Run = Callable[[Any, Any], Any]
"""Generated code: takes scope and env."""


class Result(Enum):
    """What a template's function returns where its value is missing."""

    STRICT = "strict"
    """A string; missing is an error."""
    LENIENT = "lenient"
    """A string; missing is empty."""
    VALUE = "value"
    """The one action's value, None where it is missing."""


_LOAD, _STORE, _DEL = ast.Load(), ast.Store(), ast.Del()
_LOOPS_IN_A_FUNCTION = 12
"""Python allows 20 nested blocks in one function; deeper loops move to a function inside."""
_BY_RETURN = "return"
_PIECES = 200
"""How many pieces are joined at once."""
_STRINGS = frozenset((printf.sprint, printf.sprintf, printf.sprintln, builtins.html, builtins.js, builtins.urlquery))
_HELPERS = {
    "str": str,
    "list": list,
    "len": len,
    "enumerate": enumerate,
    "walk": runtime.walk,
    "each": runtime.each,
    "pairs": runtime.pairs,
    "enter": runtime.enter,
    "too_long": runtime.too_long,
    "mend": values.mend,
}


def generate(tree: nodes.Tree, result: Result, careful: bool, absent: Any = None) -> Run:
    """Return the function of a template; `absent` is what a VALUE result gives where there is none.

    Code that is not `careful` takes every step by a plain subscript and raises where a path is missing, whatever the
    place; the caller then asks for careful code, which tells a missing path from a step into a scalar.
    """
    generator = _Generator(result, careful, absent is not None)
    with _collector_paused():
        module = ast.Module([*generator.definitions(tree)], [])
        code = compile(module, runtime.FILENAME, "exec", dont_inherit=True)
    names: dict[str, Any] = {"__builtins__": {}, "absent": absent, **generator.globals}
    exec(code, names)
    return names["t"]  # type: ignore[no-any-return]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Collect nothing inside: a large template makes a million nodes, all of which are needed until the end."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Function:
    """One Python function while it is being made."""

    def __init__(self) -> None:
        self.owned: set[str] = set()
        """Names that it declares; what it sets besides belongs to a function around it."""
        self.foreign: set[str] = set()
        self.loops = 0


class _Place(TypedDict):
    """Where a node stands: its columns are offsets in the template."""

    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int


_NOWHERE = _Place(lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)


class _At:
    """Makes `ast` nodes that stand at one stretch of the template."""

    def __init__(self, start: int = 0, end: int = 0) -> None:
        self.place = _Place(lineno=1, col_offset=start, end_lineno=1, end_col_offset=max(start, end))

    def name(self, name: str) -> ast.Name:
        return ast.Name(name, _LOAD, **self.place)

    def constant(self, value: Any) -> ast.Constant:
        return ast.Constant(value, **self.place)

    def call(self, function: str, *args: ast.expr) -> ast.Call:
        return ast.Call(_local(function), list(args), [], **self.place)

    def subscript(self, value: ast.expr, key: Any) -> ast.Subscript:
        return ast.Subscript(value, _safe(key), _LOAD, **self.place)

    def kept(self, name: str, value: ast.expr) -> ast.NamedExpr:
        """`(name := value)`"""
        return ast.NamedExpr(ast.Name(name, _STORE, **_NOWHERE), value, **self.place)

    def is_a(self, kind: ast.expr, value: ast.expr) -> ast.Compare:
        """`value.__class__ is kind`"""
        return self.compare(ast.Attribute(value, "__class__", _LOAD, **self.place), _IS, kind)

    def compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
        return ast.Compare(left, [operator], [right], **self.place)

    def either(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.IfExp:
        return ast.IfExp(test, yes, no, **self.place)

    def store(self, name: str, value: ast.expr) -> ast.Assign:
        return ast.Assign([ast.Name(name, _STORE, **self.place)], value, **self.place)

    def evaluate(self, value: ast.expr) -> ast.Expr:
        return ast.Expr(value, **self.place)

    def give(self, value: ast.expr) -> ast.Return:
        return ast.Return(value, **self.place)

    def when(self, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt] = ()) -> ast.If:
        return ast.If(test, list(body) or [ast.Pass(**self.place)], list(orelse), **self.place)

    def function(self, name: str, parameters: Iterable[str], body: Sequence[ast.stmt]) -> ast.FunctionDef:
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(parameter, **self.place) for parameter in parameters],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        return ast.FunctionDef(name, arguments, list(body), [], **self.place)


@lru_cache(1024, typed=True)
def _safe(value: Any) -> ast.Constant:
    """Return a node for a constant. What cannot fail needs no place, so that one node serves everywhere."""
    return ast.Constant(value, **_NOWHERE)


@lru_cache(1024, typed=True)
def _local(name: str) -> ast.Name:
    """Return a node for a name that surely has a value."""
    return ast.Name(name, _LOAD, **_NOWHERE)


_HERE = _At()
_IS, _STR, _X = ast.Is(), _local("str"), _local("x")


class _Generator:
    """Makes the functions of one template. `self.block` takes the statements that are being made."""

    def __init__(self, result: Result, careful: bool, has_absent: bool) -> None:
        self.result, self.careful, self.has_absent = result, careful, has_absent
        self.text = "text_or_empty" if result is Result.LENIENT else "text"
        self.globals: dict[str, Any] = {**_HELPERS, self.text: getattr(values, self.text)}
        self.functions: dict[int, str] = {}
        self.templates: dict[str, str] = {}
        self.names: dict[nodes.Binding, str] = {}
        self.count = 0
        self.block: list[ast.stmt] = []
        self.pieces: list[str | ast.expr] = []
        """Output that is not written yet: texts, and expressions of type string."""
        self.stack: list[_Function] = []
        self.dot = "s"
        self.maybe = 0
        """How many `and`s and `or`s around may leave the expression out."""
        self.onward = ""
        """How `continue` is written: inside the `else` of a loop it may set this name, or return."""
        self.free = True
        """The function being made is the template's own, whose outer loops are bounded by the data."""
        self.counted = False
        """Something is counted against the budget: calls of templates, and loops inside of loops."""
        self.broken = False
        """Some text may hold half characters, which `mend` joins in the end."""

    # ── functions ───────────────────────────────────────────────────────────────────────────────
    def definitions(self, tree: nodes.Tree) -> Iterable[ast.stmt]:
        """Yield the function `t` and those of the templates that it defines."""
        self.templates = {name: self.fresh("t") for name in tree.defined}
        self.free = False
        for name, definition in tree.defined.items():
            yield self.template(self.templates[name], definition)
        self.free = True
        yield self.main(tree.main)

    def template(self, name: str, definition: nodes.Definition) -> ast.FunctionDef:
        """`def t1(s, e, b, n, d)`: scope, env, budget, depth and the cursor, which `$` is too."""
        self.open("d", definition.root)
        self.block.append(_HERE.evaluate(_HERE.call("enter", _HERE.name("n"), _HERE.name("b"))))
        self.block.append(_HERE.store("o", _HERE.constant("")))
        self.body(definition.body)
        self.block.append(_HERE.give(_HERE.either(_too_much(), _HERE.call("too_long"), _HERE.name("o"))))
        return _HERE.function(name, "sebnd", self.close())

    def main(self, definition: nodes.Definition) -> ast.FunctionDef:
        """`def t(s, e)`"""
        self.open("s", definition.root)
        body = definition.body
        if self.result is Result.VALUE:
            assert isinstance(body[0], nodes.Output)
            value = self.present(body[0].value)
        elif all(map(_inline, body)) and len(body) <= _PIECES:
            value = self.joined(body)
        else:
            self.block.append(_HERE.store("o", _HERE.constant("")))
            self.body(body)
            value = _HERE.either(_too_much(), _HERE.call("too_long"), _HERE.name("o"))
        if self.counted:
            self.block.insert(0, _HERE.store("n", _HERE.constant(0)))
            self.block.insert(0, _HERE.store("b", ast.List([_HERE.constant(runtime.MAX_STEPS)], _LOAD, **_HERE.place)))
        self.block.append(_HERE.give(_HERE.call("mend", value) if self.broken else value))
        return _HERE.function("t", "se", self.close())

    def open(self, dot: str, root: nodes.Binding) -> None:
        self.stack.append(_Function())
        self.block, self.dot = [], dot
        self.names[root] = dot
        if root.assigned:
            self.names[root] = self.own("v")
            self.block.append(_HERE.store(self.names[root], _HERE.name(dot)))

    def close(self) -> list[ast.stmt]:
        self.stack.pop()
        return self.block

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

    # ── statements ──────────────────────────────────────────────────────────────────────────────
    def joined(self, body: nodes.Body) -> ast.expr:
        """Return the output of a body that only writes as one expression."""
        around, self.pieces = self.pieces, []
        for part in body:
            _WRITERS[type(part)](self, part)
        made, self.pieces = _join(self.pieces), around
        return made

    def write_text(self, part: nodes.Text) -> None:
        self.say(part.value)

    def write_output(self, part: nodes.Output) -> None:
        if isinstance(part.value, nodes.Literal):
            self.say(values.text(part.value.value))
        else:
            self.pieces.append(self.output(part.value))

    def write_choice(self, part: nodes.Choice) -> None:
        """`body if test else …`"""
        tests: list[tuple[ast.expr, ast.expr, _At]] = []
        outer = self.dot
        for branch in part.branches:
            test = self.test(branch)
            tests.append((test, self.joined(branch.body), _at(branch.value)))
            self.dot = outer
        value = self.joined(part.orelse)
        for test, body, at in reversed(tests):
            value = at.either(test, body, value)
        self.pieces.append(value)

    def test(self, branch: nodes.Branch) -> ast.expr:
        """Return the condition of a branch; one that moves the cursor to its value has done so after this."""
        test = self.expression(branch.value)
        if branch.moves:
            self.dot = self.own("w")
            return _at(branch.value).kept(self.dot, test)
        return test

    def write_call(self, part: nodes.Invoke) -> None:
        at = _at(part)
        self.counted = True
        deeper = ast.BinOp(at.name("n"), ast.Add(), at.constant(1), **at.place)
        passed = (at.name("s"), at.name("e"), at.name("b"), deeper, self.expression(part.value))
        self.pieces.append(at.call(self.templates[part.name], *passed))

    def say(self, text: str) -> None:
        self.broken |= not _whole(text)
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, str):
            self.pieces[-1] = last + text
        else:
            self.pieces.append(text)

    def flush(self) -> None:
        """`o += …` with all the pieces so far."""
        if self.pieces:
            pieces, self.pieces = self.pieces, []
            output = ast.Name(self.touch("o"), _STORE, **_HERE.place)
            self.block.append(ast.AugAssign(output, ast.Add(), _join(pieces), **_HERE.place))

    def body(self, body: nodes.Body) -> None:
        for part in body:
            if _inline(part):
                _WRITERS[type(part)](self, part)
                if len(self.pieces) >= _PIECES:
                    self.flush()
            else:
                self.flush()
                _STATEMENTS[type(part)](self, part)
        self.flush()

    def nested(self, body: nodes.Body) -> list[ast.stmt]:
        """Return the statements of a body."""
        block, self.block = self.block, []
        self.body(body)
        made, self.block = self.block, block
        return made

    def assign(self, part: nodes.Assign) -> None:
        self.block.append(_HERE.evaluate(self.expression(part.value)))

    def choice(self, part: nodes.Choice) -> None:
        outer, dot = self.block, self.dot
        for branch in part.branches:
            chosen = _at(branch.value).when(self.test(branch), self.nested(branch.body))
            self.block.append(chosen)
            self.block, self.dot = chosen.orelse, dot
        self.body(part.orelse)
        self.block = outer

    def range(self, part: nodes.Range) -> None:
        if self.stack[-1].loops < _LOOPS_IN_A_FUNCTION:
            self.stack[-1].loops += 1
            self.loop(part)
            self.stack[-1].loops -= 1
            return
        name, block, onward = self.own("r"), self.block, self.onward
        self.stack.append(_Function())
        self.block, self.onward = [], _BY_RETURN
        self.loop(part)
        made, inner = self.block, self.stack.pop()
        self.block, self.onward = block, onward
        if inner.foreign:
            made.insert(0, ast.Nonlocal(sorted(inner.foreign), **_HERE.place))
        for foreign in inner.foreign:
            self.touch(foreign)
        call = _HERE.call(name)
        ran = _HERE.when(call, self.nested((nodes.Continue(),))) if _has(part.orelse, nodes.Continue) else None
        self.block += (_HERE.function(name, "", made), ran or _HERE.evaluate(call))

    def loop(self, part: nodes.Range) -> None:
        at = _at(part.value)
        value = self.expression(part.value)
        if part.variables and (part.orelse or not part.declares):
            value = self.held(at, value)
            for binding in part.variables:
                self.set(part, binding, value.id)
        elements = self.elements(part, value)
        if part.orelse:
            found = self.held(at, elements)
            self.block.append(at.when(found, [self.walked(part, found)], self.otherwise(part.orelse)))
        else:
            self.block.append(self.walked(part, elements))

    def elements(self, part: nodes.Range, value: ast.expr) -> ast.expr:
        """Return what a loop walks. A loop inside of another, or of a template, is counted; for the others a list is
        taken as it is: `x if (x := value).__class__ is list else each(x)`."""
        at, walk = _at(part.value), "pairs" if len(part.variables) == 2 else "each"
        if not self.free or len(self.stack) > 1 or self.stack[0].loops > 1:
            self.counted = True
            return at.call(walk, value, _local("b"))
        if part.orelse:
            return at.call(walk, value)
        listed: ast.expr = at.call("enumerate", _X) if walk == "pairs" else _X
        return at.either(at.is_a(_local("list"), at.kept("x", value)), listed, at.call(walk, _X))

    def otherwise(self, body: nodes.Body) -> list[ast.stmt]:
        """Return the `else` of a loop. In Go, a `break` in there leaves the `else` and nothing more, while `continue`
        goes on with the loop around it: so it is a loop of one turn, and a name that says which of them it was."""
        if not _has(body, nodes.Break):
            return self.nested(body)
        onward, self.onward = self.onward, self.own("w")
        inside, skipped = self.nested(body), self.onward
        self.onward = onward
        once = ast.Tuple([_HERE.constant(0)], _LOAD, **_HERE.place)
        turn = ast.For(ast.Name("x", _STORE, **_NOWHERE), once, inside, [], None, **_HERE.place)
        after = self.nested((nodes.Continue(),)) if _has(body, nodes.Continue) else []
        return [_HERE.store(skipped, _HERE.constant(False)), turn, _HERE.when(_HERE.name(skipped), after)]

    def held(self, at: _At, value: ast.expr) -> ast.Name:
        """Store a value under a name of its own."""
        name = self.own("w")
        self.block.append(at.store(name, value))
        return at.name(name)

    def walked(self, part: nodes.Range, source: ast.expr) -> ast.For:
        """`for k, d in …`, with the limit on output first."""
        elements = [self.own("d") for _ in part.variables or "d"]
        names: list[ast.expr] = [ast.Name(element, _STORE, **_HERE.place) for element in elements]
        target = names[0] if len(names) == 1 else ast.Tuple(names, _STORE, **_HERE.place)
        block, dot, onward = self.block, self.dot, self.onward
        self.block, self.dot, self.onward = [], elements[-1], ""
        self.block.append(_HERE.when(_too_much(), [_HERE.evaluate(_HERE.call("too_long"))]))
        for binding, element in zip(part.variables, elements, strict=False):
            self.set(part, binding, element)
        self.body(part.body)
        body, self.block, self.dot, self.onward = self.block, block, dot, onward
        return ast.For(target, source, body, [], None, **_HERE.place)

    def set(self, part: nodes.Range, binding: nodes.Binding, element: str) -> None:
        """Give a loop variable its value: one that nothing else sets is the element itself."""
        if part.declares and not binding.assigned and not part.orelse:
            self.names[binding] = element
            return
        if binding not in self.names:
            self.names[binding] = self.own("v")
        self.block.append(_HERE.store(self.touch(self.names[binding]), _HERE.name(element)))

    def leave(self, _: nodes.Break) -> None:
        self.block.append(ast.Break(**_HERE.place))

    def skip(self, _: nodes.Continue) -> None:
        if self.onward == _BY_RETURN:
            self.block.append(_HERE.give(_HERE.constant(True)))
        elif self.onward:
            self.block += (_HERE.store(self.onward, _HERE.constant(True)), ast.Break(**_HERE.place))
        else:
            self.block.append(ast.Continue(**_HERE.place))

    # ── expressions ─────────────────────────────────────────────────────────────────────────────
    def output(self, node: nodes.Expression) -> ast.expr:
        """Return an expression of type string."""
        value, at = self.expression(node), _at(node)
        if isinstance(node, nodes.Call) and node.function.call in _STRINGS:
            return value
        if isinstance(value, ast.Name):
            return at.either(at.is_a(_STR, value), value, at.call(self.text, value))
        return at.either(at.is_a(_STR, at.kept("x", value)), _X, at.call(self.text, _X))

    def present(self, node: nodes.Expression) -> ast.expr:
        """Return a value, or what stands for a missing one."""
        value, at = self.expression(node), _at(node)
        if not self.has_absent:
            return value
        found = at.compare(at.kept("x", value), ast.IsNot(), at.constant(None))
        return at.either(found, _X, at.name("absent"))

    def expression(self, node: nodes.Expression) -> ast.expr:
        return _EXPRESSIONS[type(node)](self, node)

    def literal(self, node: nodes.Literal) -> ast.expr:
        self.broken |= isinstance(node.value, str) and not _whole(node.value)
        return _at(node).constant(node.value)

    def cursor(self, _: nodes.Dot) -> ast.expr:
        return _local(self.dot)

    def variable(self, node: nodes.Variable) -> ast.expr:
        return _at(node).name(self.names[node.binding])

    def path(self, node: nodes.Path) -> ast.expr:
        at, value = _at(node), self.expression(node.base)
        if self.careful or not isinstance(value, ast.Name | ast.Call | ast.Subscript):
            return at.call("walk", value, *map(_safe, node.steps))
        for step in node.steps:
            value = at.subscript(value, step)
        return value

    def bind(self, node: nodes.Bind) -> ast.expr:
        value = self.expression(node.value)
        if node.declares:
            self.names[node.binding] = self.own("v")
            if self.maybe:
                self.unset(node)
        return _at(node).kept(self.touch(self.names[node.binding]), value)

    def unset(self, node: nodes.Bind) -> None:
        """A declaration that `and` or `or` may skip: until it runs, the name means what it meant before."""
        at, name = _at(node), self.names[node.binding]
        outer = self.names.get(node.binding.outer) if node.binding.outer else None
        self.block.append(at.store(name, at.name(outer) if outer else at.constant(None)))
        if not outer:
            self.block.append(ast.Delete([ast.Name(name, _DEL, **at.place)], **at.place))

    def call(self, node: nodes.Call) -> ast.expr:
        self.broken |= node.function.call is builtins.part
        special = _SPECIAL.get(node.function.call)
        if node.piped and len(node.args) > 1 and (special is _Generator.logic or any(map(_binds, node.args))):
            return self.piped(node)
        made = special(self, node) if special else None
        return self.plain_call(node, [self.expression(arg) for arg in node.args]) if made is None else made

    def piped(self, node: nodes.Call) -> ast.expr:
        """`(w1 := value, f(…, w1))[1]`: what comes through the pipe is evaluated first."""
        at, binding = _at(node), nodes.Binding("")
        where = 0 if node.function.subject_first else len(node.args) - 1
        first = self.bind(nodes.Bind(binding, True, node.args[where], node.start, node.end))
        args = list(node.args)
        args[where] = nodes.Variable(binding, node.start, node.end)
        value = self.expression(node._replace(args=tuple(args), piped=False))
        return at.subscript(ast.Tuple([first, value], _LOAD, **at.place), 1)

    def plain_call(self, node: nodes.Call, args: list[ast.expr]) -> ast.expr:
        at, function = _at(node), node.function
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
        return ast.BoolOp(operator, operands, **_at(node).place) if rest else operands[0]

    def negation(self, node: nodes.Call) -> ast.expr:
        return ast.UnaryOp(ast.Not(), self.expression(node.args[0]), **_at(node).place)

    def equality(self, node: nodes.Call) -> ast.expr | None:
        """`x == "gold" if (x := …).__class__ is str else eq(x, "gold")`"""
        first, second = node.args[0], node.args[-1]
        if len(node.args) != 2 or not isinstance(second, nodes.Literal) or type(second.value) is not str:
            return None
        at, operator = _at(node), ast.Eq() if node.function.call is builtins.equal else ast.NotEq()
        test = at.is_a(_STR, at.kept("x", self.expression(first)))
        quick = at.compare(_X, operator, self.literal(second))
        return at.either(test, quick, self.plain_call(node, [_X, self.literal(second)]))


_Expression = Callable[[_Generator, Any], ast.expr]
_STATEMENTS: dict[type, Callable[[_Generator, Any], None]] = {
    nodes.Assign: _Generator.assign,
    nodes.Choice: _Generator.choice,
    nodes.Range: _Generator.range,
    nodes.Break: _Generator.leave,
    nodes.Continue: _Generator.skip,
}
_WRITERS: dict[type, Callable[[_Generator, Any], None]] = {
    nodes.Text: _Generator.write_text,
    nodes.Output: _Generator.write_output,
    nodes.Choice: _Generator.write_choice,
    nodes.Invoke: _Generator.write_call,
}
_EXPRESSIONS: dict[type, _Expression] = {
    nodes.Literal: _Generator.literal,
    nodes.Dot: _Generator.cursor,
    nodes.Variable: _Generator.variable,
    nodes.Path: _Generator.path,
    nodes.Bind: _Generator.bind,
    nodes.Call: _Generator.call,
}
_SPECIAL: dict[Callable[..., Any], Callable[[_Generator, nodes.Call], ast.expr | None]] = {
    builtins.every: _Generator.logic,
    builtins.some: _Generator.logic,
    builtins.negated: _Generator.negation,
    builtins.equal: _Generator.equality,
    builtins.unequal: _Generator.equality,
}


def _inline(part: nodes.Statement) -> bool:
    """Tell whether a part's output is one expression."""
    return part.plain if isinstance(part, nodes.Choice) else type(part) in _WRITERS


def _at(node: Any) -> _At:
    return _At(node.start, node.end)


def _join(pieces: list[str | ast.expr]) -> ast.expr:
    parts = [_HERE.constant(piece) if isinstance(piece, str) else piece for piece in pieces or [""]]
    if len(parts) == 1:
        return parts[0]
    return ast.JoinedStr(
        [
            part if isinstance(part, ast.Constant) else ast.FormattedValue(part, -1, None, **_HERE.place)
            for part in parts
        ],
        **_HERE.place,
    )


def _has(body: nodes.Body, wanted: type[nodes.Break | nodes.Continue]) -> bool:
    """Tell whether a body has a `break` or `continue` that is not meant for a loop in it."""
    return any(
        isinstance(part, wanted)
        or (isinstance(part, nodes.Range) and wanted is nodes.Continue and _has(part.orelse, wanted))
        or (isinstance(part, nodes.Choice) and any(_has(inner, wanted) for inner in _bodies(part)))
        for part in body
    )


def _bodies(choice: nodes.Choice) -> tuple[nodes.Body, ...]:
    return (*(branch.body for branch in choice.branches), choice.orelse)


def _too_much() -> ast.expr:
    """`len(o) > …`"""
    return _HERE.compare(_HERE.call("len", _HERE.name("o")), ast.Gt(), _HERE.constant(values.MAX_OUTPUT))


def _whole(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _binds(node: nodes.Expression) -> bool:
    """Tell whether evaluating a node sets a variable."""
    if isinstance(node, nodes.Call):
        return any(map(_binds, node.args))
    return isinstance(node, nodes.Bind) or (isinstance(node, nodes.Path) and _binds(node.base))
