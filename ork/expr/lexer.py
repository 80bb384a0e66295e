"""Text to tokens: the scanner of Go's `text/template`, with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

OPEN = "{{"
CLOSE = "}}"
SPACE = " \t\r\n"
"""The characters that Go's scanner takes for space."""


class Kind(Enum):
    """What a token is."""

    TEXT = "text"
    OPEN = "{{"
    CLOSE = "}}"
    SPACE = "space"
    DECLARE = ":="
    ASSIGN = "="
    PIPE = "|"
    LEFT = "("
    RIGHT = ")"
    CHAR = "character"
    FIELD = "field"
    DOT = "."
    VARIABLE = "variable"
    WORD = "word"
    KEYWORD = "keyword"
    NUMBER = "number"
    RUNE = "character constant"
    STRING = "string"
    RAW = "raw string"
    ERROR = "error"
    END = "end of the text"


class Token(NamedTuple):
    """A piece of the text. `value` is as written; of an ERROR it is the message."""

    kind: Kind
    value: str
    start: int
    end: int


KEYWORDS = frozenset(["block", "break", "continue", "define", "else", "end", "if", "nil", "range", "template", "with"])

_NUMBER = (
    r"[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?"
    r"|0[oO][0-7_]*(?:\.[0-7_]*)?"
    r"|0[bB][01_]*(?:\.[01_]*)?"
    r"|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?"
)
_TOKEN = re.compile(
    r"(?P<CLOSE>\}\}|[ \t\r\n]+-\}\}[ \t\r\n]*)"
    r"|(?P<SPACE>[ \t\r\n]+)"
    r"|(?P<FIELD>\.(?![0-9])\w+)"
    rf"|(?P<NUMBER>(?=[+-]|\.?[0-9]){_NUMBER}(?:(?=[+-]){_NUMBER})?)"
    r"|(?P<DOT>\.)"
    r"|(?P<VARIABLE>\$\w*)"
    r"|(?P<WORD>\w+)"
    r'|(?P<STRING>"(?:[^"\\\n]|\\[^\n])*")'
    r"|(?P<RAW>`[^`]*`)"
    r"|(?P<RUNE>'(?:[^'\\\n]|\\[^\n])*')"
    r"|(?P<DECLARE>:=)|(?P<ASSIGN>=)|(?P<PIPE>\|)|(?P<LEFT>\()|(?P<RIGHT>\))"
    r"|(?P<CHAR>[!#-&*+,/;<>?@\[\]^{}~\\%-])"
)
_ONE_NUMBER = re.compile(_NUMBER)
_KINDS = {name: Kind[name] for name in _TOKEN.groupindex}
_NAMES = frozenset({Kind.FIELD, Kind.DOT, Kind.VARIABLE, Kind.WORD})
_AFTER_NAME = re.compile(r"[ \t\r\n.,|:()]|\}\}|\Z")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_COMMENT_END = re.compile(r"\}\}|[ \t\r\n]-\}\}[ \t\r\n]*")
_TRIM_LEFT = re.compile(r"-(?=[ \t\r\n])")
_UNFINISHED = {
    '"': "unterminated quoted string",
    "`": "unterminated raw quoted string",
    "'": "unterminated character constant",
}


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text; after a fault an ERROR token is the last, else an END token."""
    at = 0
    while (start := text.find(OPEN, at)) >= 0:
        inside = start + len(OPEN)
        trim = _TRIM_LEFT.match(text, inside)
        before = text[at:start].rstrip(SPACE) if trim else text[at:start]
        if before:
            yield Token(Kind.TEXT, before, at, at + len(before))
        if text.startswith("/*", trim.end() + 1 if trim else inside):
            at, fault = _comment(text, trim.end() + 1 if trim else inside)
            if fault:
                yield fault
                return
            continue
        yield Token(Kind.OPEN, OPEN, start, inside)
        for token in _action(text, trim.end() + 1 if trim else inside):
            yield token
            at = token.end
        if token.kind is Kind.ERROR:
            return
    if at < len(text):
        yield Token(Kind.TEXT, text[at:], at, len(text))
    yield Token(Kind.END, "", len(text), len(text))


def _comment(text: str, start: int) -> tuple[int, Token | None]:
    """Return where the text goes on after a comment, or the fault in it."""
    body = _COMMENT.match(text, start)
    if body is None:
        return start, Token(Kind.ERROR, "unclosed comment", start, start + 2)
    close = _COMMENT_END.match(text, body.end())
    if close is None:
        return start, Token(Kind.ERROR, "a comment must end right before its closing }}", start, body.end())
    return close.end(), None


def _action(text: str, at: int) -> Iterator[Token]:
    """Yield the tokens inside one action, up to its CLOSE or an ERROR."""
    depth, start = 0, at
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            yield _unreadable(text, at, start)
            return
        kind, at = _KINDS[found.lastgroup or ""], found.end()
        token = Token(kind, found[0], found.start(), at)
        if kind in _NAMES:
            token = _named(text, token)
        elif kind is Kind.NUMBER:
            token = _number(text, token)
        elif kind is Kind.LEFT:
            depth += 1
        elif kind is Kind.RIGHT or kind is Kind.CLOSE:
            depth -= kind is Kind.RIGHT
            token = _balanced(token, depth)
        yield token
        if token.kind is Kind.CLOSE or token.kind is Kind.ERROR:
            return


def _balanced(token: Token, depth: int) -> Token:
    if depth < 0:
        return token._replace(kind=Kind.ERROR, value='unexpected ")" without a "("')
    if token.kind is Kind.CLOSE and depth > 0:
        return token._replace(kind=Kind.ERROR, value='"(" is not closed')
    return token


def _named(text: str, token: Token) -> Token:
    """Check what Go checks after a name, and tell keywords from other words."""
    name = token.value.lstrip(".$")
    if not name.isascii():
        for offset, letter in enumerate(token.value):
            if letter not in "_.$" and not letter.isalpha() and not letter.isdecimal():
                at = token.start + offset
                return Token(Kind.ERROR, f"unexpected character {letter!r}", at, at + 1)
    if not _AFTER_NAME.match(text, token.end):
        message = f"unexpected character {text[token.end]!r} after {token.value}"
        return Token(Kind.ERROR, message, token.end, token.end + 1)
    if token.kind is Kind.WORD and token.value in KEYWORDS:
        return token._replace(kind=Kind.KEYWORD)
    return token


def _number(text: str, token: Token) -> Token:
    after = text[token.end : token.end + 1]
    pair = not _ONE_NUMBER.fullmatch(token.value)
    if after == "_" or after.isalnum() or (after and after in "+-") or (pair and not token.value.endswith("i")):
        return token._replace(kind=Kind.ERROR, value=f'"{token.value}{after}" is not a number')
    return token


def _unreadable(text: str, at: int, start: int) -> Token:
    """Say why no token begins here."""
    if at >= len(text):
        return Token(Kind.ERROR, "an action is not closed; }} is missing", start - len(OPEN), at)
    letter = text[at]
    if letter == ":":
        return Token(Kind.ERROR, 'expected ":="', at, at + 1)
    return Token(Kind.ERROR, _UNFINISHED.get(letter, f"unexpected character {letter!r}"), at, at + 1)
