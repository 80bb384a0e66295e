"""Templates and data for the comparison with Go: written by hand (`templates/*.txt`), crossed, and made at random."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

FOLDER = Path(__file__).with_name("templates")
TOPICS = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
_SIGNS = str.maketrans({"⏎": "\n", "→": "\t", "␍": "\r"})

RICH: dict[str, Any] = {
    "name": "web",
    "count": 3,
    "zero": 0,
    "large": 12345678901,
    "ratio": 1.5,
    "whole": 2.0,
    "tiny": 1e-7,
    "yes": True,
    "no": False,
    "null": None,
    "empty": "",
    "text": "héllo, <wörld> & 😀\n",
    "ünïcode": "ü",
    "a1": "one",
    "_x": "underscore",
    "if": "keyword",
    "nil": "nothing",
    "range": {"end": "keywords"},
    "list": [3, 1, 2],
    "nothing": [],
    "m": {"b": 2, "a": 1, "a b": "space", "app.kubernetes.io/name": "label"},
    "void": {},
    "items": [{"k": "v1", "n": 1}, {"k": "v2", "n": 2}],
    "o": {"name": "inner", "list": [{"k": "x"}, {"k": "y"}], "deep": {"er": {"x": "bottom"}}},
}
"""Every kind of value."""

OTHER: dict[str, Any] = RICH | {
    "name": "a-longer-name",
    "count": 0,
    "ratio": -0.25,
    "yes": "yes",
    "no": "",
    "text": "<a href='x'>\"&</a>",
    "list": ["b", "a"],
    "m": {"z": "26", "é": "accent", "10": "ten", "9": "nine"},
    "items": [{"k": [], "n": None}],
    "o": {"name": "", "list": [], "deep": {"er": {"x": 0}}},
}
"""The same keys with other values, some of another type."""

SPARSE: dict[str, Any] = {"name": "alone", "null": None, "o": {"name": "only"}}
"""Next to nothing."""


class Case(NamedTuple):
    """One template and what it reads."""

    template: str
    data: dict[str, Any]


def written(topic: str) -> list[Case]:
    """Return the templates of one file of the corpus, each with every data set."""
    lines = (FOLDER / f"{topic}.txt").read_text(encoding="utf-8").split("\n")
    templates = [line.translate(_SIGNS) for line in lines if line and not line.startswith("# ")]
    return [Case(template, data) for template in templates for data in (RICH, OTHER, SPARSE)]


_VALUES = (
    *("0", "1", "-42", "255", "9223372036854775807", "-9223372036854775808", "'é'", "1114112", "55296"),
    *("0.0", "-1.5", "3.14159", "1e6", "1e-7", "123456789.123", "1e21", "0.5", "2.5", "5e-324", "999999.5"),
    *('""', '"a"', '"héllo"', r'"a\tb\n\"q\""', r'"\xff"', r'"\u200b"', '"a`b"', "true", "1+2i", "-1.5-2.5i"),
    *(".list", ".m", ".nothing", ".o.deep"),
)
_VERBS = "vdboOxXcqUeEfFgGstT"
_FORMS = ("%{}", "%+{}", "%#{}", "% 8{}", "%08{}", "%-8{}", "%.2{}", "%+09.3{}", "%#.0{}", "%-#12.1{}")


def crossed() -> list[Case]:
    """Return `printf` directives with values of every kind: each directive with a third of them."""
    chosen = Random(1)
    return [
        Case(f'{{{{ printf "{form.format(verb)}|" {value} }}}}', RICH)
        for verb, form in product(_VERBS, _FORMS)
        for value in chosen.sample(_VALUES, len(_VALUES) // 3)
    ]


_OPERANDS = (
    *("1", "2", "1.0", "1.5", '"1"', '"a"', '""', "true", '"true"', "nil", "1i", "'a'"),
    *(".list", ".m", ".null", ".missing"),
)


def compared() -> list[Case]:
    """Return every comparison of every two kinds of operands."""
    operators = ("eq", "ne", "lt", "le", "gt", "ge")
    return [Case(f"{{{{ {op} {a} {b} }}}}", RICH) for op, a, b in product(operators, _OPERANDS, _OPERANDS)]


def chance(seed: int, count: int) -> Iterator[Case]:
    """Yield templates made by chance, most of which parse."""
    writer = _Writer(Random(seed))
    for _ in range(count):
        yield Case(writer.template(), writer.chance.choice((RICH, OTHER, SPARSE)))


_CALLS = {
    "and": (1, 3),
    "or": (1, 3),
    "not": (1, 1),
    "len": (1, 1),
    "index": (1, 3),
    "slice": (1, 3),
    "eq": (2, 3),
    "ne": (2, 2),
    "lt": (2, 2),
    "le": (2, 2),
    "gt": (2, 2),
    "ge": (2, 2),
    "print": (0, 3),
    "println": (0, 2),
    "printf": (1, 3),
    "html": (1, 2),
    "js": (1, 2),
    "urlquery": (1, 2),
}
"""Go's functions, and how many arguments the random templates give them."""


class _Writer:
    """Writes templates: actions nested in each other over paths, variables, literals and Go's functions."""

    VARIABLES = ("$a", "$b", "$c")
    PATHS = (".", "$", ".name", ".o.name", ".o.deep.er.x", ".list", ".items", ".m", ".nothing", ".null", ".missing.x")
    LITERALS = ("0", "1", "-1", "1.5", '"a"', '""', "true", "false", "nil", "`raw`", "'c'", "2", '"k"')
    FORMATS = ('"%v"', '"%d"', '"%s"', '"%q"', '"%v-%v"', '"%5d|"', '"%t"', '"%.2f"', '"%%"')

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def template(self) -> str:
        text = self.body(0, loop=False)
        if "template" in text:
            text += self.action('define "T"') + self.body(1, loop=False) + self.action("end")
        return ("{{ $a := 1 }}{{ $b := .list }}" if self.maybe(0.7) else "") + text

    def body(self, depth: int, loop: bool) -> str:
        return "".join(self.part(depth, loop) for _ in range(self.chance.randint(0, 3)))

    def part(self, depth: int, loop: bool) -> str:
        kinds = [self.text, self.output, self.output, self.assignment]
        if depth < 3:
            kinds += [lambda: self.choice(depth, loop), lambda: self.range(depth, loop)]
        if loop:
            kinds.append(lambda: self.action(self.chance.choice(("break", "continue"))))
        if depth == 0:
            kinds.append(lambda: self.action(f'template "T" {self.operand(1)}'))
        return self.chance.choice(kinds)()

    def text(self) -> str:
        return self.chance.choice(("x", " y ", "\n", "é ", "{{/* c */}}"))

    def action(self, inside: str) -> str:
        return self.chance.choice(("{{", "{{ ", "{{- ")) + inside + self.chance.choice(("}}", " }}", " -}}"))

    def output(self) -> str:
        """Print what may be a list or map by `print`, so that both sides write it as Go does."""
        return self.action(f"{self.pipeline(0)} | print")

    def assignment(self) -> str:
        operator = self.chance.choice((" := ", " = ", ":="))
        return self.action(self.chance.choice(self.VARIABLES) + operator + self.pipeline(0))

    def choice(self, depth: int, loop: bool) -> str:
        keyword = self.chance.choice(("if", "with"))
        text = self.action(f"{keyword} {self.pipeline(0)}") + self.body(depth + 1, loop)
        while self.maybe(0.3):
            text += self.action(f"else {keyword} {self.pipeline(0)}") + self.body(depth + 1, loop)
        if self.maybe(0.5):
            text += self.action("else") + self.body(depth + 1, loop)
        return text + self.action("end")

    def range(self, depth: int, loop: bool) -> str:
        names = self.chance.choice(("", "", "$a := ", "$a, $b := ", "$a = ", "$b, $c := "))
        text = self.action(f"range {names}{self.operand(0)}") + self.body(depth + 1, loop=True)
        if self.maybe(0.3):
            text += self.action("else") + self.body(depth + 1, loop)
        return text + self.action("end")

    def pipeline(self, depth: int) -> str:
        text = self.call(depth, 0) if self.maybe(0.6) else self.operand(depth)
        while self.maybe(0.2):
            text += self.chance.choice((" | ", "|")) + self.call(depth, 1)
        return text

    def call(self, depth: int, piped: int) -> str:
        name = self.chance.choice(tuple(_CALLS))
        args = [self.operand(depth) for _ in range(max(0, self.chance.randint(*_CALLS[name]) - piped))]
        if name == "printf" and args:
            args[0] = self.chance.choice(self.FORMATS)
        return " ".join((name, *args))

    def operand(self, depth: int) -> str:
        if depth < 3 and self.maybe(0.2):
            return f"({self.pipeline(depth + 1)})" + self.chance.choice(("", "", "", ".k"))
        return self.chance.choice(self.chance.choice((self.PATHS, self.PATHS, self.LITERALS, self.VARIABLES)))
