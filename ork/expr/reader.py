"""Walks over the tokens of a text, and says what is wrong with the one that does not belong there."""

from __future__ import annotations

from typing import NoReturn

from ork.expr.errors import ExpressionError
from ork.expr.lexer import Kind, Token, tokens

MAX_NESTING = 100
"""How deep actions, parentheses, pipes and steps may nest."""

INSTEAD = {
    "(": "arguments stand behind a function's name, parted by spaces: {{ upper .spec.name }}",
    "=": "write eq .a .b to compare, $x := .a to name a value",
    "!": "write not .a, or ne .a .b",
    "&": "write and .a .b",
    "|": "one | passes a value on to a function; for a choice write or .a .b",
    "<": "write lt .a .b",
    ">": "write gt .a .b",
    "?": "write ternary .condition .yes .no",
    "[": "write index .list 0",
    "/": 'write index .metadata.labels "app.kubernetes.io/name" for a step that is no identifier, div .a .b to divide',
    "-": 'write index .map "some-key" for a step that is no identifier, sub .a .b to subtract',
    "+": "write add .a .b, or print .a .b to join text",
    "*": "write mul .a .b",
    ",": "separate arguments by spaces",
    "{": "an action begins with two braces",
    "}": "an action ends with two braces",
    "define": "a template is defined outside of if, with, range and of other definitions",
    "if": "{{ with }} goes on with {{ else with }}, {{ range }} only with {{ else }}",
    "with": "{{ if }} goes on with {{ else if }}, {{ range }} only with {{ else }}",
}
"""What to write instead, by the character or keyword that does not belong there."""
_COMMENT = "a comment touches the braces, or a space beside their trim markers: {{/* … */}}, {{- /* … */ -}}"


class Reader:
    """The tokens of one text, and how deep they are nested where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0

    def next(self) -> Token:
        """Take the next token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self) -> Token:
        """Look at the next token."""
        return self.tokens[self.at]

    def expect(self, kind: Kind, context: str) -> Token:
        token = self.next()
        if token.kind is not kind:
            self.unexpected(token, context)
        return token

    def fail(self, message: str, token: Token, hint: str = "") -> NoReturn:
        raise ExpressionError(message, token.start, token.end, hint)

    def unexpected(self, token: Token, context: str) -> NoReturn:
        sign = token.value if token.kind is Kind.KEYWORD else self.text[token.start : token.end]
        hint = INSTEAD.get(sign, "")
        if token.kind is Kind.ERROR:
            self.fail(token.value, token, hint)
        if self.text.startswith("/*", token.start):
            hint = _COMMENT
        shown = token.value if token.value[:1] == '"' else f'"{token.value}"' if token.value else token.kind.value
        self.fail(f"unexpected {shown} in {context}", token, hint)

    def deeper(self, token: Token) -> None:
        """Go one level down; the caller comes up again by `self.depth -= 1`."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested deeper than {MAX_NESTING} levels", token)
