"""Text to tokens: the scanner of Go's `text/template`, with offsets."""

from __future__ import annotations

import re
from enum import StrEnum

from ork.base.patterns import pattern
from ork.base.records import NamedTuple

OPEN = "{{"
SPACE = " \t\r\n"
"""The characters that Go's scanner takes for space."""


class Kind(StrEnum):
    """What a token is."""

    TEXT = "text"
    OPEN = "{{"
    CLOSE = "}}"
    FIELD = "field"
    """One or more steps: `.spec.image`."""
    NUMBER = "number"
    DOT = "."
    VARIABLE = "variable"
    KEYWORD = "keyword"
    NIL = "nil"
    TRUTH = "true or false"
    WORD = "word"
    STRING = "string"
    RAW = "raw string"
    RUNE = "character constant"
    DECLARE = ":="
    ASSIGN = "="
    PIPE = "|"
    LEFT = "("
    RIGHT = ")"
    CHAR = "character"
    ERROR = "error"
    END = "end of the text"


class Token(NamedTuple):
    """A piece of the text. `value` is as written; of an ERROR it is the message."""

    kind: Kind
    value: str
    start: int
    end: int
    spaced: bool = False
    """Space stands before it."""


_NUMBER = (
    r"[+-]?(?:0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?"
    r"|0[oO][0-7_]*(?:\.[0-7_]*)?"
    r"|0[bB][01_]*(?:\.[01_]*)?"
    r"|[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?)i?"
)
_ENDS = r"(?=[ \t\r\n.,|:()]|\}\}|\Z)"
"""What must follow a name."""
_NAME = r"(?:(?![0-9])\w+)"
_TOKEN = pattern(
    r"[ \t\r\n]*(?:"
    r"(?P<CLOSE>\}\}|(?<=[ \t\r\n])-\}\}[ \t\r\n]*)"
    rf"|(?P<FIELD>(?:\.{_NAME})+{_ENDS})"
    rf"|(?P<NUMBER>(?=[+-]|\.?[0-9]){_NUMBER}(?:(?=[+-]){_NUMBER})?)"
    rf"|(?P<DOT>\.{_ENDS})"
    rf"|(?P<VARIABLE>\$\w*{_ENDS})"
    rf"|(?P<KEYWORD>(?:block|break|continue|define|else|end|if|range|template|with){_ENDS})"
    rf"|(?P<NIL>nil{_ENDS})"
    rf"|(?P<TRUTH>(?:true|false){_ENDS})"
    rf"|(?P<WORD>\w+{_ENDS})"
    r'|(?P<STRING>"(?:[^"\\\n]|\\[^\n])*")'
    r"|(?P<RAW>`[^`]*`)"
    r"|(?P<RUNE>'(?:[^'\\\n]|\\[^\n])*')"
    r"|(?P<DECLARE>:=)|(?P<ASSIGN>=)|(?P<PIPE>\|)|(?P<LEFT>\()|(?P<RIGHT>\))"
    r"|(?P<CHAR>[!#-&*,/;<>?@\[\]^{}~\\%]))"
)
_KINDS = [Kind.ERROR, *(Kind[name] for name in _TOKEN.groupindex)]
_NAMES = frozenset((Kind.FIELD, Kind.VARIABLE, Kind.WORD))
_ONE_NUMBER = pattern(_NUMBER)
_COMMENT = pattern(r"/\*.*?\*/", re.DOTALL)
_COMMENT_END = pattern(r"\}\}|[ \t\r\n]-\}\}[ \t\r\n]*")
_TRIM_LEFT = pattern(r"-[ \t\r\n]")
_SPACES = pattern(r"[ \t\r\n]*")
_WRITTEN_NAME = pattern(r"[.$]?\w*")
_UNFINISHED = {
    '"': 'a string is not closed; " is missing',
    "`": "a raw string is not closed; ` is missing",
    "'": "a character is not closed; ' is missing",
}


def tokens(text: str) -> list[Token]:
    """Return the tokens of a text; after a fault an ERROR token is the last, else an END token."""
    found: list[Token] = []
    at = 0
    while (start := text.find(OPEN, at)) >= 0:
        inside = start + len(OPEN)
        before = text[at:start]
        if trim := _TRIM_LEFT.match(text, inside):
            before = before.rstrip(SPACE)
            inside = trim.end()
        if before:
            found.append(Token(Kind.TEXT, before, at, at + len(before)))
        if text.startswith("/*", inside):
            at = _comment(text, inside, found)
        else:
            found.append(Token(Kind.OPEN, OPEN, start, inside))
            at = _action(text, inside, found)
        if found and found[-1].kind is Kind.ERROR:
            return found
    if at < len(text):
        found.append(Token(Kind.TEXT, text[at:], at, len(text)))
    found.append(Token(Kind.END, "", len(text), len(text)))
    return found


def _comment(text: str, start: int, found: list[Token]) -> int:
    """Skip a comment; return where the text goes on."""
    body = _COMMENT.match(text, start)
    if body is None:
        found.append(Token(Kind.ERROR, "a comment is not closed; */}} is missing", start, start + 2))
        return start
    close = _COMMENT_END.match(text, body.end())
    if close is None:
        found.append(Token(Kind.ERROR, "a comment must end right before its closing }}", start, body.end()))
        return start
    return close.end()


def _action(text: str, at: int, found: list[Token]) -> int:
    """Add the tokens inside one action, up to its CLOSE or an ERROR; return where the text goes on."""
    begin, depth = at, 0
    while match := _TOKEN.match(text, at):
        group = match.lastindex or 0
        kind = _KINDS[group]
        start, end = match.span(group)
        token = Token(kind, match[group], start, end, start > at)
        if kind is Kind.LEFT:
            depth += 1
        elif kind is Kind.RIGHT or kind is Kind.CLOSE:
            depth -= kind is Kind.RIGHT
            token = _balanced(token, depth)
        elif kind is Kind.NUMBER:
            token = _number(text, token)
        elif kind in _NAMES and not token.value.isascii():
            token = _foreign(token)
        found.append(token)
        at = end
        if token.kind is Kind.CLOSE or token.kind is Kind.ERROR:
            return at
    found.append(_unreadable(text, _SPACES.match(text, at).end(), begin))  # type: ignore[union-attr]
    return at


def _balanced(token: Token, depth: int) -> Token:
    if depth < 0:
        return token._replace(kind=Kind.ERROR, value='unexpected ")" without a "("')
    if token.kind is Kind.CLOSE and depth > 0:
        return token._replace(kind=Kind.ERROR, value='"(" is not closed')
    return token


def _foreign(token: Token) -> Token:
    """Refuse what Python takes for a letter or digit, and Go does not."""
    for offset, letter in enumerate(token.value):
        if not letter.isascii() and not letter.isalpha() and not letter.isdecimal():
            at = token.start + offset
            return Token(Kind.ERROR, f"unexpected character {letter!r}", at, at + 1)
    return token


def _number(text: str, token: Token) -> Token:
    after = text[token.end : token.end + 1]
    pair = not _ONE_NUMBER.fullmatch(token.value)
    if after == "_" or after.isalnum() or (after and after in "+-") or (pair and not token.value.endswith("i")):
        return token._replace(kind=Kind.ERROR, value=f'"{token.value}{after}" is not a number')
    return token


def _unreadable(text: str, at: int, begin: int) -> Token:
    """Say why no token begins here."""
    name = _WRITTEN_NAME.match(text, at)
    stop = name.end() if name else at
    if at >= len(text):
        return Token(Kind.ERROR, "an action is not closed; }} is missing", begin - len(OPEN), at)
    if stop > at and stop < len(text):
        return Token(Kind.ERROR, f"unexpected character {text[stop]!r} after {text[at:stop]}", stop, stop + 1)
    if text[at] == ":":
        return Token(Kind.ERROR, 'expected ":="', at, at + 1)
    return Token(Kind.ERROR, _UNFINISHED.get(text[at], f"unexpected character {text[at]!r}"), at, at + 1)
