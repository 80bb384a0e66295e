"""Nodes to a Python function, by `ast` nodes alone: no text of a template becomes source.

Generated names are letters with numbers, `.__class__` is the only attribute, and the globals are an allow-list without
builtins. Every node's column is its offset in the template, so that a traceback tells which piece failed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from ork.base.pause import paused_collector
from ork.expr import nodes, runtime, values
from ork.expr.expressions import Expressions, Frame, whole
from ork.expr.python import HERE, LIST, LOAD, STORE, At, X, local

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


_LOOPS_IN_A_FUNCTION = 12
"""Python allows 20 nested blocks in one function; deeper loops move to a function inside."""
_BY_RETURN = "return"
_PIECES = 200
"""How many pieces are joined at once."""
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
    with paused_collector():  # a large template makes a million nodes
        module = ast.Module([*generator.definitions(tree)], [])
        code = compile(module, runtime.FILENAME, "exec", dont_inherit=True)
    names: dict[str, Any] = {"__builtins__": {}, "absent": absent, **generator.globals}
    exec(code, names)
    return names["t"]  # type: ignore[no-any-return]


class _Generator(Expressions):
    """Makes the functions of one template."""

    def __init__(self, result: Result, careful: bool, has_absent: bool) -> None:
        super().__init__(careful, "text_or_empty" if result is Result.LENIENT else "text")
        self.result, self.has_absent = result, has_absent
        self.globals |= {**_HELPERS, self.text: getattr(values, self.text)}
        self.templates: dict[str, str] = {}
        self.pieces: list[str | ast.expr] = []
        """Output that is not written yet: texts, and expressions of type string."""
        self.onward = ""
        """How `continue` is written: inside the `else` of a loop it may set this name, or return."""
        self.free = True
        """The function being made is the template's own, whose outer loops are bounded by the data."""
        self.counted = False
        """Something is counted against the budget: calls of templates, and loops inside of loops."""

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
        self.block.append(HERE.evaluate(HERE.call("enter", HERE.name("n"), HERE.name("b"))))
        self.block.append(HERE.store("o", HERE.constant("")))
        self.body(definition.body)
        self.block.append(HERE.give(HERE.either(_too_much(), HERE.call("too_long"), HERE.name("o"))))
        return HERE.function(name, "sebnd", self.close())

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
            self.block.append(HERE.store("o", HERE.constant("")))
            self.body(body)
            value = HERE.either(_too_much(), HERE.call("too_long"), HERE.name("o"))
        if self.counted:
            self.block.insert(0, HERE.store("n", HERE.constant(0)))
            self.block.insert(0, HERE.store("b", ast.List([HERE.constant(runtime.MAX_STEPS)], LOAD, **HERE.place)))
        self.block.append(HERE.give(HERE.call("mend", value) if self.broken else value))
        return HERE.function("t", "se", self.close())

    def open(self, dot: str, root: nodes.Binding) -> None:
        self.stack.append(Frame())
        self.block, self.dot = [], dot
        self.names[root] = dot
        if root.assigned:
            self.names[root] = self.own("v")
            self.block.append(HERE.store(self.names[root], HERE.name(dot)))

    def close(self) -> list[ast.stmt]:
        self.stack.pop()
        return self.block

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
        tests: list[tuple[ast.expr, ast.expr, At]] = []
        outer = self.dot
        for branch in part.branches:
            test = self.test(branch)
            tests.append((test, self.joined(branch.body), At.of(branch.value)))
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
            return At.of(branch.value).kept(self.dot, test)
        return test

    def write_call(self, part: nodes.Invoke) -> None:
        at = At.of(part)
        self.counted = True
        deeper = ast.BinOp(at.name("n"), ast.Add(), at.constant(1), **at.place)
        passed = (at.name("s"), at.name("e"), at.name("b"), deeper, self.expression(part.value))
        self.pieces.append(at.call(self.templates[part.name], *passed))

    def say(self, text: str) -> None:
        self.broken |= not whole(text)
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, str):
            self.pieces[-1] = last + text
        else:
            self.pieces.append(text)

    def flush(self) -> None:
        """`o += …` with all the pieces so far."""
        if self.pieces:
            pieces, self.pieces = self.pieces, []
            output = ast.Name(self.touch("o"), STORE, **HERE.place)
            self.block.append(ast.AugAssign(output, ast.Add(), _join(pieces), **HERE.place))

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
        self.block.append(HERE.evaluate(self.expression(part.value)))

    def choice(self, part: nodes.Choice) -> None:
        outer, dot = self.block, self.dot
        for branch in part.branches:
            chosen = At.of(branch.value).when(self.test(branch), self.nested(branch.body))
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
        self.stack.append(Frame())
        self.block, self.onward = [], _BY_RETURN
        self.loop(part)
        made, inner = self.block, self.stack.pop()
        self.block, self.onward = block, onward
        if inner.foreign:
            made.insert(0, ast.Nonlocal(sorted(inner.foreign), **HERE.place))
        for foreign in inner.foreign:
            self.touch(foreign)
        call = HERE.call(name)
        ran = HERE.when(call, self.nested((nodes.Continue(),))) if _has(part.orelse, nodes.Continue) else None
        self.block += (HERE.function(name, "", made), ran or HERE.evaluate(call))

    def loop(self, part: nodes.Range) -> None:
        at = At.of(part.value)
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
        at, walk = At.of(part.value), "pairs" if len(part.variables) == 2 else "each"
        if not self.free or len(self.stack) > 1 or self.stack[0].loops > 1:
            self.counted = True
            return at.call(walk, value, local("b"))
        if part.orelse:
            return at.call(walk, value)
        listed: ast.expr = at.call("enumerate", X) if walk == "pairs" else X
        return at.either(at.is_a(LIST, at.kept("x", value)), listed, at.call(walk, X))

    def otherwise(self, body: nodes.Body) -> list[ast.stmt]:
        """Return the `else` of a loop. In Go, a `break` in there leaves the `else` and nothing more, while `continue`
        goes on with the loop around it: so it is a loop of one turn, and a name that says which of them it was."""
        if not _has(body, nodes.Break):
            return self.nested(body)
        onward, self.onward = self.onward, self.own("w")
        inside, skipped = self.nested(body), self.onward
        self.onward = onward
        once = ast.Tuple([HERE.constant(0)], LOAD, **HERE.place)
        turn = ast.For(ast.Name("x", STORE, **HERE.place), once, inside, [], None, **HERE.place)
        after = self.nested((nodes.Continue(),)) if _has(body, nodes.Continue) else []
        return [HERE.store(skipped, HERE.constant(False)), turn, HERE.when(HERE.name(skipped), after)]

    def held(self, at: At, value: ast.expr) -> ast.Name:
        """Store a value under a name of its own."""
        name = self.own("w")
        self.block.append(at.store(name, value))
        return at.name(name)

    def walked(self, part: nodes.Range, source: ast.expr) -> ast.For:
        """`for k, d in …`, with the limit on output first."""
        elements = [self.own("d") for _ in part.variables or "d"]
        names: list[ast.expr] = [ast.Name(element, STORE, **HERE.place) for element in elements]
        target = names[0] if len(names) == 1 else ast.Tuple(names, STORE, **HERE.place)
        block, dot, onward = self.block, self.dot, self.onward
        self.block, self.dot, self.onward = [], elements[-1], ""
        self.block.append(HERE.when(_too_much(), [HERE.evaluate(HERE.call("too_long"))]))
        for binding, element in zip(part.variables, elements, strict=False):
            self.set(part, binding, element)
        self.body(part.body)
        body, self.block, self.dot, self.onward = self.block, block, dot, onward
        return ast.For(target, source, body, [], None, **HERE.place)

    def set(self, part: nodes.Range, binding: nodes.Binding, element: str) -> None:
        """Give a loop variable its value: one that nothing else sets is the element itself."""
        if part.declares and not binding.assigned and not part.orelse:
            self.names[binding] = element
            return
        if binding not in self.names:
            self.names[binding] = self.own("v")
        self.block.append(HERE.store(self.touch(self.names[binding]), HERE.name(element)))

    def leave(self, _: nodes.Break) -> None:
        self.block.append(ast.Break(**HERE.place))

    def skip(self, _: nodes.Continue) -> None:
        if self.onward == _BY_RETURN:
            self.block.append(HERE.give(HERE.constant(True)))
        elif self.onward:
            self.block += (HERE.store(self.onward, HERE.constant(True)), ast.Break(**HERE.place))
        else:
            self.block.append(ast.Continue(**HERE.place))

    def present(self, node: nodes.Expression) -> ast.expr:
        """Return a value, or what stands for a missing one."""
        value, at = self.expression(node), At.of(node)
        if not self.has_absent:
            return value
        found = at.compare(at.kept("x", value), ast.IsNot(), at.constant(None))
        return at.either(found, X, at.name("absent"))


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


def _inline(part: nodes.Statement) -> bool:
    """Tell whether a part's output is one expression."""
    return part.plain if isinstance(part, nodes.Choice) else type(part) in _WRITERS


def _join(pieces: list[str | ast.expr]) -> ast.expr:
    parts = [HERE.constant(piece) if isinstance(piece, str) else piece for piece in pieces or [""]]
    if len(parts) == 1:
        return parts[0]
    return ast.JoinedStr(
        [
            part if isinstance(part, ast.Constant) else ast.FormattedValue(part, -1, None, **HERE.place)
            for part in parts
        ],
        **HERE.place,
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
    return HERE.compare(HERE.call("len", HERE.name("o")), ast.Gt(), HERE.constant(values.MAX_OUTPUT))
