"""Tokens to nodes: the grammar of Go's `text/template`, with variables and functions resolved."""

from __future__ import annotations

from collections.abc import Callable

from ork.base.text import closest, did_you_mean
from ork.expr import literals, nodes
from ork.expr.elsewhere import ELSEWHERE
from ork.expr.errors import ExpressionError
from ork.expr.functions import Function, Functions
from ork.expr.lexer import Kind, Token
from ork.expr.reader import INSTEAD, MAX_NESTING, Reader
from ork.expr.values import counted

_LITERALS: dict[Kind, Callable[[str], object]] = {
    Kind.NUMBER: literals.number,
    Kind.RUNE: literals.character,
    Kind.STRING: literals.unquote,
    Kind.RAW: literals.unquote,
}
_BARE = frozenset((Kind.DOT, Kind.NIL, Kind.TRUTH))
_OPERANDS = frozenset((*_LITERALS, Kind.FIELD, Kind.DOT, Kind.VARIABLE, Kind.NIL, Kind.TRUTH, Kind.WORD, Kind.LEFT))


def parse(text: str, functions: Functions) -> nodes.Tree:
    """Parse a text with actions. Raises ExpressionError."""
    return _Parser(text, functions).tree()


class _Parser(Reader):
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, functions: Functions) -> None:
        super().__init__(text)
        self.functions = functions
        self.operand_end = 0
        """Where the last operand ends, its closing parenthesis included."""
        self.root = nodes.Binding("$")
        self.scope = [self.root]
        self.opened: list[Token] = []
        """The keywords whose `end` is still to come."""
        self.loops = 0
        self.defined: dict[str, nodes.Definition] = {}
        self.invoked: list[nodes.Invoke] = []

    # ── statements ──────────────────────────────────────────────────────────────────────────────
    def tree(self) -> nodes.Tree:
        body: list[nodes.Statement] = []
        while (token := self.next()).kind is not Kind.END:
            if token.kind is Kind.OPEN and self.peek().value == "define" and self.peek().kind is Kind.KEYWORD:
                self.define(self.next())
            elif isinstance(found := self.statement(token), Token):
                hint = "remove it, or begin an if, with, range or block before it"
                self.fail(f"unexpected {{{{ {found.value} }}}}: nothing is open here", found, hint)
            else:
                body.append(found)
        for call in self.invoked:
            if call.name not in self.defined:
                hint = did_you_mean(call.name, self.defined)
                raise ExpressionError(f'there is no template "{call.name}"', call.start, call.end, hint)
        return nodes.Tree(nodes.Definition(tuple(body), self.root), self.defined)

    def body(self) -> tuple[nodes.Body, Token]:
        """Parse statements up to `end` or `else`, which is returned too."""
        found: list[nodes.Statement] = []
        while True:
            statement = self.statement(self.next())
            if isinstance(statement, Token):
                return tuple(found), statement
            found.append(statement)

    def statement(self, token: Token) -> nodes.Statement | Token:
        """Parse one text or action; gives the keyword where the action is `end` or `else`."""
        if token.kind is Kind.TEXT:
            return nodes.Text(token.value)
        if token.kind is Kind.END and self.opened:
            opened = self.opened[-1]
            self.fail(f"{{{{ {opened.value} }}}} is not closed", opened, "add {{ end }}")
        if token.kind is not Kind.OPEN:
            self.unexpected(token, f"{{{{ {self.opened[-1].value} }}}}" if self.opened else "the text")
        keyword = self.peek()
        action = _ACTIONS.get(keyword.value) if keyword.kind is Kind.KEYWORD else None
        if action is not None:
            self.at += 1
            return action(self, keyword)
        declares = self.peek().kind is Kind.VARIABLE
        value = self.pipeline("an action", Kind.CLOSE)
        return nodes.Assign(value) if declares and isinstance(value, nodes.Bind) else nodes.Output(value)

    def end(self, keyword: Token) -> Token:
        self.expect(Kind.CLOSE, "{{ end }}")
        return keyword

    def otherwise(self, keyword: Token) -> Token:
        """`else`; an `if` or `with` behind it is left to the construct that it continues."""
        following = self.peek()
        if following.kind is not Kind.KEYWORD or following.value not in ("if", "with"):
            self.expect(Kind.CLOSE, "{{ else }}")
        return keyword

    def choice(self, keyword: Token) -> nodes.Choice:
        """`if` or `with`, its chain of `else if`s, and `else`."""
        self.deeper(keyword)
        self.opened.append(keyword)
        scope = len(self.scope)
        branches: list[nodes.Branch] = []
        orelse: nodes.Body = ()
        while True:
            value = self.pipeline(f"{{{{ {keyword.value} }}}}", Kind.CLOSE)
            body, stop = self.scoped_body()
            branches.append(nodes.Branch(value, keyword.value == "with", body))
            if stop.value == "end":
                break
            following = self.peek()
            if following.kind is not Kind.KEYWORD or following.value != keyword.value:
                orelse = self.orelse()
                break
            self.next()
            self.deeper(following)
        self.close(scope)
        self.depth -= len(branches)
        plain = all(map(_only_writes, orelse)) and all(
            _only_writes(part) for branch in branches for part in branch.body
        )
        return nodes.Choice(tuple(branches), orelse, plain)

    def range(self, keyword: Token) -> nodes.Range:
        self.deeper(keyword)
        self.opened.append(keyword)
        scope = len(self.scope)
        names, declares = self.declarations("{{ range }}", 2)
        value = self.commands("{{ range }}", Kind.CLOSE)
        variables = tuple(self.bound(name, declares) for name in names)
        self.loops += 1
        body, stop = self.scoped_body()
        self.loops -= 1
        orelse = self.orelse() if stop.value == "else" else ()
        self.close(scope)
        self.depth -= 1
        return nodes.Range(value, variables, declares, body, orelse)

    def scoped_body(self) -> tuple[nodes.Body, Token]:
        scope = len(self.scope)
        body, stop = self.body()
        del self.scope[scope:]
        return body, stop

    def orelse(self) -> nodes.Body:
        body, stop = self.body()
        if stop.value != "end":
            self.fail("a second {{ else }}", stop, "only one {{ else }} may stand before {{ end }}")
        return body

    def close(self, scope: int) -> None:
        del self.scope[scope:]
        self.opened.pop()

    def leave(self, keyword: Token) -> nodes.Break | nodes.Continue:
        self.expect(Kind.CLOSE, f"{{{{ {keyword.value} }}}}")
        if not self.loops:
            self.fail(f"{{{{ {keyword.value} }}}} outside of {{{{ range }}}}", keyword)
        return nodes.Break() if keyword.value == "break" else nodes.Continue()

    def define(self, keyword: Token) -> None:
        token, name = self.name(keyword)
        self.expect(Kind.CLOSE, "{{ define }}")
        self.definition(keyword, token, name)

    def block(self, keyword: Token) -> nodes.Invoke:
        """A definition that is invoked where it stands."""
        token, name = self.name(keyword)
        value = self.pipeline("{{ block }}", Kind.CLOSE)
        self.definition(keyword, token, name)
        return self.invocation(token, name, value)

    def template(self, keyword: Token) -> nodes.Invoke:
        token, name = self.name(keyword)
        if self.peek().kind is Kind.CLOSE:
            self.next()
            return self.invocation(token, name, nodes.Literal(None, token.start, token.end))
        return self.invocation(token, name, self.pipeline("{{ template }}", Kind.CLOSE))

    def name(self, keyword: Token) -> tuple[Token, str]:
        token = self.next()
        if token.kind is not Kind.STRING and token.kind is not Kind.RAW:
            self.unexpected(token, f"{{{{ {keyword.value} }}}}: a quoted name is expected")
        return token, str(self.literal(token).value)

    def invocation(self, token: Token, name: str, value: nodes.Expression) -> nodes.Invoke:
        call = nodes.Invoke(name, value, token.start, token.end)
        self.invoked.append(call)
        return call

    def definition(self, keyword: Token, token: Token, name: str) -> None:
        """Parse a body of its own: it sees no variables and no loop of the text around it."""
        self.deeper(keyword)
        self.opened.append(keyword)
        scope, loops, root = self.scope, self.loops, nodes.Binding("$")
        self.scope, self.loops = [root], 0
        body, stop = self.body()
        if stop.value != "end":
            self.fail(f"unexpected {{{{ else }}}} in {{{{ {keyword.value} }}}}", stop)
        self.scope, self.loops = scope, loops
        self.opened.pop()
        self.depth -= 1
        known = self.defined.get(name)
        if known and not _blank(known.body) and not _blank(body):
            self.fail(f'the template "{name}" is defined twice', token)
        if known is None or _blank(known.body):
            self.defined[name] = nodes.Definition(body, root)

    # ── expressions ─────────────────────────────────────────────────────────────────────────────
    def pipeline(self, context: str, end: Kind) -> nodes.Expression:
        """Parse `$x := command | command …` up to and with `end`."""
        start = self.peek().start
        names, declares = self.declarations(context, 1)
        value = self.commands(context, end)
        for name in names:
            value = nodes.Bind(self.bound(name, declares), declares, value, start, value.end)
        return value

    def declarations(self, context: str, most: int) -> tuple[list[Token], bool]:
        """Take the variables before `:=` or `=`, if there are any; tell whether they are new."""
        names: list[Token] = []
        while (token := self.peek()).kind is Kind.VARIABLE:
            mark = self.at
            self.at += 1
            following = self.next()
            if following.kind is Kind.DECLARE or following.kind is Kind.ASSIGN:
                return [*names, token], following.kind is Kind.DECLARE
            if following.value != ",":
                self.at = mark
                break
            names.append(token)
            if len(names) >= most:
                self.fail(f"too many variables in {context}", token)
            if self.peek().kind is not Kind.VARIABLE:
                self.unexpected(self.peek(), f"{context}: a second variable is expected")
        return names, True

    def bound(self, name: Token, declares: bool) -> nodes.Binding:
        """Return the binding that `name := …` makes, or that `name = …` changes."""
        if declares:
            binding = nodes.Binding(name.value, self.lookup(name.value))
            self.scope.append(binding)
            return binding
        known = self.variable(name)
        known.assigned = True
        return known

    def lookup(self, name: str) -> nodes.Binding | None:
        return next((binding for binding in reversed(self.scope) if binding.name == name), None)

    def variable(self, token: Token) -> nodes.Binding:
        found = self.lookup(token.value)
        if found is None:
            near = did_you_mean(token.value, [binding.name for binding in self.scope[1:]])
            self.fail(f"{token.value} is not declared", token, near or f"write {{{{ {token.value} := … }}}} before it")
        return found

    def commands(self, context: str, end: Kind) -> nodes.Expression:
        value: nodes.Expression | None = None
        stages = 0
        while (token := self.peek()).kind is not end:
            if token.kind not in _OPERANDS:
                self.unexpected(token, context)
            if value is not None:
                self.deeper(token)
                stages += 1
            value = self.command(value)
        self.at += 1
        self.depth -= stages
        if value is None:
            self.fail(f"a value is missing in {context}", token)
        return value

    def command(self, piped: nodes.Expression | None) -> nodes.Expression:
        """Parse a function with its arguments, or a lone value."""
        first = self.peek()
        if first.kind is Kind.WORD and not self.has_fields(self.at + 1):
            self.at += 1
            return self.call(first, self.function(first), self.operands(), piped)
        value = self.operand()
        rest = self.operands()
        if rest:
            hint = "a function's name comes first; print joins values"
            raise ExpressionError("only a function takes arguments", value.start, self.operand_end, hint)
        if piped is not None:
            hint = "after | comes the name of a function"
            raise ExpressionError("a value can only be piped into a function", value.start, value.end, hint)
        if isinstance(value, nodes.Literal) and value.value is None:
            raise ExpressionError("nil alone is no value; it can only be an argument", value.start, value.end)
        return value

    def operands(self) -> list[nodes.Expression]:
        """Parse operands, each after a space, up to a pipe (which is taken) or the end of the pipeline."""
        found: list[nodes.Expression] = []
        while (token := self.tokens[self.at]).spaced and token.kind in _OPERANDS:
            found.append(self.operand())
        if token.kind is Kind.PIPE:
            self.at += 1
        elif token.kind is not Kind.CLOSE and token.kind is not Kind.RIGHT:
            self.unexpected(token, "an action")
        return found

    def function(self, token: Token) -> Function:
        found = self.functions.get(token.value)
        if found is None:
            self.fail(f'there is no function "{token.value}"', token, self.meant(token, None))
        return found

    def call(
        self, word: Token, function: Function, args: list[nodes.Expression], piped: nodes.Expression | None
    ) -> nodes.Call:
        end = self.operand_end if args else word.end
        if piped is not None:
            args.insert(0 if function.subject_first else len(args), piped)
        if len(args) < function.least or (function.most is not None and len(args) > function.most):
            raise ExpressionError(_wrong_count(function, len(args)), word.start, end)
        if function.check is not None:
            try:
                function.check([arg.value if isinstance(arg, nodes.Literal) else None for arg in args])
            except ValueError as fault:
                raise ExpressionError(str(fault), word.start, end) from None
        return nodes.Call(function, tuple(args), piped is not None, word.start, end)

    def has_fields(self, at: int) -> bool:
        """Tell whether the token there is a path that belongs to the term right before it."""
        token = self.tokens[at]
        return token.kind is Kind.FIELD and not token.spaced

    def operand(self) -> nodes.Expression:
        """Parse a term and the fields behind it."""
        token = self.next()
        term = _TERMS[token.kind](self, token)
        if self.has_fields(self.at):
            fields = self.next()
            if token.kind in _LITERALS or token.kind in _BARE:
                self.unexpected(fields, f"an action: {token.value} has no fields")
            term = self.path(term, fields, token.start)
        self.operand_end = self.tokens[self.at - 1].end
        return term

    def field(self, token: Token) -> nodes.Path:
        return self.path(nodes.Dot(token.start, token.start), token, token.start)

    def path(self, base: nodes.Expression, fields: Token, start: int) -> nodes.Path:
        steps = tuple(fields.value[1:].split("."))
        if len(steps) > MAX_NESTING:
            self.fail(f"a path of more than {MAX_NESTING} steps", fields)
        return nodes.Path(base, steps, start, fields.end)

    def dot(self, token: Token) -> nodes.Dot:
        return nodes.Dot(token.start, token.end)

    def used(self, token: Token) -> nodes.Variable:
        return nodes.Variable(self.variable(token), token.start, token.end)

    def called(self, token: Token) -> nodes.Call:
        function = self.function(token)
        if function.least:
            raise ExpressionError(_wrong_count(function, 0), token.start, token.end, self.meant(token, function))
        return self.call(token, function, [], None)

    def meant(self, token: Token, function: Function | None) -> str:
        """Return what a function's name that has no arguments was meant to be, as far as that can be seen."""
        if self.has_fields(self.at):
            return f"a path begins with a dot: .{token.value}{self.peek().value}"
        if function is None:
            near = ELSEWHERE.get(token.value) or closest(token.value, self.functions)
            return f'did you mean "{near}"?' if near else "`ork notes search WORD` finds functions"
        return f"a function's name comes first; as an argument, it stands in parentheses: ({token.value} .a)"

    def truth(self, token: Token) -> nodes.Literal:
        return nodes.Literal(token.value == "true", token.start, token.end)

    def nil(self, token: Token) -> nodes.Literal:
        return nodes.Literal(None, token.start, token.end)

    def literal(self, token: Token) -> nodes.Literal:
        try:
            return nodes.Literal(_LITERALS[token.kind](token.value), token.start, token.end)
        except ValueError as fault:
            self.fail(str(fault), token, INSTEAD.get(token.value, ""))

    def parenthesised(self, token: Token) -> nodes.Expression:
        self.deeper(token)
        value = self.pipeline("parentheses", Kind.RIGHT)
        self.depth -= 1
        return value


_TERMS: dict[Kind, Callable[[_Parser, Token], nodes.Expression]] = {
    **dict.fromkeys(_LITERALS, _Parser.literal),
    Kind.FIELD: _Parser.field,
    Kind.DOT: _Parser.dot,
    Kind.VARIABLE: _Parser.used,
    Kind.NIL: _Parser.nil,
    Kind.TRUTH: _Parser.truth,
    Kind.WORD: _Parser.called,
    Kind.LEFT: _Parser.parenthesised,
}
_ACTIONS: dict[str, Callable[[_Parser, Token], nodes.Statement | Token]] = {
    "if": _Parser.choice,
    "with": _Parser.choice,
    "range": _Parser.range,
    "else": _Parser.otherwise,
    "end": _Parser.end,
    "break": _Parser.leave,
    "continue": _Parser.leave,
    "block": _Parser.block,
    "template": _Parser.template,
}


def _only_writes(part: nodes.Statement) -> bool:
    return part.plain if isinstance(part, nodes.Choice) else isinstance(part, nodes.Text | nodes.Output | nodes.Invoke)


def _blank(body: nodes.Body) -> bool:
    """Tell whether a definition holds nothing but space, so that another may replace it."""
    return all(isinstance(part, nodes.Text) and not part.value.strip() for part in body)


def _wrong_count(function: Function, got: int) -> str:
    wanted = counted(function.least, "argument")
    if function.most is None:
        wanted = f"at least {wanted}"
    elif function.most != function.least:
        wanted = f"{function.least} to {function.most} arguments"
    return f"{function.name} takes {wanted}, not {got}"
