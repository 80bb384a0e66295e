"""The formats of Go's `printf`, parsed: texts, and directives with the numbers of their arguments."""

from __future__ import annotations

from functools import lru_cache

from ork.base.patterns import pattern
from ork.base.records import NamedTuple

MAX_WIDTH = 10_000
"""The widest field and the most digits that a format may ask for."""

VERBS = frozenset("vTtbcdoOqxXUeEfFgGs")
"""Those of Go, without `%p` and `%w`: data has neither pointers nor errors."""

_FLAGS = "#0+- "
_INDEX = pattern(r"\[([^\]]*)\]")
_DIGITS = pattern(r"[0-9]*")


class Directive(NamedTuple):
    """One verb of a format, with the numbers of its arguments."""

    verb: str
    flags: str
    width: int | None
    width_arg: int | None
    precision: int | None
    precision_arg: int | None
    arg: int


class Format(NamedTuple):
    """A parsed format: texts and directives in turn."""

    pieces: tuple[str | Directive, ...]
    takes: int
    """How many arguments."""
    reordered: bool
    """It names arguments by number, so that further ones are no fault."""


@lru_cache(512)
def parse(text: str) -> Format:
    """Parse a format. Raises ValueError."""
    return _Parser(text).format()


class _Parser:
    """Reads a format from left to right, counting arguments."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.arg = 0
        self.count = 0
        self.reordered = False

    def format(self) -> Format:
        pieces: list[str | Directive] = []
        while (percent := self.text.find("%", self.at)) >= 0:
            pieces.append(self.text[self.at : percent])
            self.at = percent + 1
            pieces.append(self.directive(percent))
        pieces.append(self.text[self.at :])
        return Format(tuple([piece for piece in pieces if piece]), self.count, self.reordered)

    def directive(self, start: int) -> str | Directive:
        flags = self.flags()
        indexed = self.index()
        width, width_arg = self.number(indexed)
        indexed = indexed and width_arg is None
        precision: int | None = None
        precision_arg: int | None = None
        if self.text.startswith(".", self.at) and self.at + 1 < len(self.text):
            self.refuse_index(indexed)
            self.at += 1
            indexed = self.index()
            precision, precision_arg = self.number(indexed)
            indexed = indexed and precision_arg is None
            precision = 0 if precision is None and precision_arg is None else precision
        if not indexed:
            self.index()
        verb = self.text[self.at : self.at + 1]
        self.at += 1
        if not verb:
            raise ValueError(f'the format ends inside "{self.text[start:]}"; write %% for a percent sign')
        if verb == "%":
            return "%"
        if verb not in VERBS:
            raise ValueError(f'"{self.text[start : self.at]}" is no verb of printf')
        return Directive(verb, flags, width, width_arg, precision, precision_arg, self.take())

    def flags(self) -> str:
        start = self.at
        while self.text[self.at : self.at + 1] and self.text[self.at] in _FLAGS:
            self.at += 1
        return self.text[start : self.at]

    def index(self) -> bool:
        """Read `[n]`, which says which argument is next."""
        found = _INDEX.match(self.text, self.at)
        if found is None:
            if self.text.startswith("[", self.at):
                raise ValueError('"[" is not closed in the format')
            return False
        if not _DIGITS.fullmatch(found[1]) or not 0 < int(found[1] or 0) <= MAX_WIDTH:
            raise ValueError(f'"{found[0]}" is no number of an argument')
        self.arg, self.at, self.reordered = int(found[1]) - 1, found.end(), True
        return True

    def refuse_index(self, indexed: bool) -> None:
        if indexed:
            raise ValueError('"[n]" must stand right before "*" or the verb')

    def number(self, indexed: bool) -> tuple[int | None, int | None]:
        """Read a width or precision: its value, or the number of the argument that holds it."""
        if self.text.startswith("*", self.at):
            self.at += 1
            return None, self.take()
        digits = _DIGITS.match(self.text, self.at)
        if digits is None or not digits[0]:
            return None, None
        self.refuse_index(indexed)
        self.at = digits.end()
        return limited(int(digits[0][:9])), None

    def take(self) -> int:
        self.arg += 1
        self.count = max(self.count, self.arg)
        return self.arg - 1


def limited(number: int) -> int:
    """Return a width or precision that is not too large. Raises ValueError."""
    if abs(number) > MAX_WIDTH:
        raise ValueError(f"a width or precision of more than {MAX_WIDTH}")
    return number
