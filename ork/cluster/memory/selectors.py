"""Label and field selectors, in the text form that requests carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ork.base import paths
from ork.base.objects import Object
from ork.base.patterns import pattern
from ork.openapi import causes, names

Labels = Mapping[str, str]
Test = Callable[[Labels], bool]


class SelectorError(ValueError):
    """A selector that cannot be read; the text is what an API server says."""


_TOKEN = pattern(r"\s*(?:(?P<op>==|!=|=|>|<|!|\(|\)|,)|(?P<word>[^\s=!<>(),]+))")


def everything(labels: Labels) -> bool:  # noqa: ARG001
    """Match all."""
    return True


def parse_labels(text: str) -> Test:
    """Return the test of a label selector such as `app=web,tier in (a, b),!canary`. Raises SelectorError."""
    if not text.strip():
        return everything
    tests = _Parser(text).requirements()
    return tests[0] if len(tests) == 1 else lambda labels: all(test(labels) for test in tests)


def field(path: str, missing: str = "") -> Callable[[Object], str]:
    """Return what reads a field, by its dotted path, as a field selector compares it."""
    steps = tuple(path.split("."))

    def read(obj: Object) -> str:
        value = paths.get(obj, steps)
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        return text or missing

    return read


def _in(key: str, values: frozenset[str]) -> Test:
    return lambda labels: labels.get(key) in values


def _not_in(key: str, values: frozenset[str]) -> Test:
    return lambda labels: labels.get(key) not in values


def _exists(key: str) -> Test:
    return lambda labels: key in labels


def _absent(key: str) -> Test:
    return lambda labels: key not in labels


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            found = _TOKEN.match(text, at)
            if found is None:
                raise _unexpected(text[at:].strip(), "identifier")
            self._tokens.append((found.lastgroup or "", found[found.lastgroup or 0]))
            at = found.end()
        self._at = 0

    def requirements(self) -> list[Test]:
        tests = [self._requirement()]
        while self._peek() == ("op", ","):
            self._next()
            tests.append(self._requirement())
        kind, word = self._peek()
        if kind:
            raise _unexpected(word, "',' or 'end of string'")
        return tests

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("", "")

    def _next(self) -> tuple[str, str]:
        token = self._peek()
        self._at += 1
        return token

    def _requirement(self) -> Test:
        if self._peek() == ("op", "!"):
            self._next()
            return _absent(self._key())
        key = self._key()
        kind, word = self._peek()
        if not kind or (kind, word) == ("op", ","):
            return _exists(key)
        self._next()
        if word in ("=", "==", "!="):
            value = _label_value(key, self._value())
            return (_not_in if word == "!=" else _in)(key, frozenset((value,)))
        if word in ("in", "notin"):
            return (_in if word == "in" else _not_in)(key, self._values(key))
        if word in (">", "<"):
            return _bound(key, word, self._value())
        raise _unexpected(word, "in, notin, =, ==, !=, gt, lt")

    def _key(self) -> str:
        kind, word = self._next()
        if kind != "word":
            raise _unexpected(word, "!, identifier, or 'end of string'")
        if complaints := names.qualified(word):
            wrong = causes.invalid("<nil>", word, "; ".join(complaints))
            raise SelectorError(f"unable to parse requirement: {wrong}")
        return word

    def _value(self) -> str:
        kind, word = self._peek()
        if not kind or (kind, word) == ("op", ","):
            return ""
        if kind != "word":
            raise _unexpected(word, "identifier")
        return self._next()[1]

    def _values(self, key: str) -> frozenset[str]:
        if self._next() != ("op", "("):
            word = self._tokens[self._at - 1][1] if self._at <= len(self._tokens) else ""
            raise SelectorError(f"unable to parse requirement: found '{word}' expected: '('")
        values = [""]
        while (token := self._next()) != ("op", ")"):
            if token == ("op", ","):
                values.append("")
            elif token[0] != "word" or values[-1]:
                raise _unexpected(token[1], "',', ')' or identifier")
            else:
                values[-1] = _label_value(key, token[1])
        return frozenset(values)


def _unexpected(found: str, expected: str) -> SelectorError:
    return SelectorError(f"unable to parse requirement: found '{found}', expected: {expected}")


def _label_value(key: str, value: str) -> str:
    if names.label_value(value):
        raise SelectorError(
            f"unable to parse requirement: values[0][{key}]: "
            f"{causes.invalid('', value, '; '.join(names.label_value(value))).message}"
        )
    return value


def _bound(key: str, operator: str, text: str) -> Test:
    _label_value(key, text)
    if not re.fullmatch("[0-9]+", text) or int(text) >= 1 << 63:
        raise SelectorError(
            f'unable to parse requirement: values[0][{key}]: Invalid value: "{text}": '
            "for 'Gt', 'Lt' operators, the value must be an integer"
        )
    limit = int(text)

    def holds(labels: Labels) -> bool:
        value = labels.get(key, "")
        if not re.fullmatch(r"[+-]?\d+", value):
            return False
        return int(value) > limit if operator == ">" else int(value) < limit

    return holds


FieldTest = tuple[str, str, bool]
"""A path, the text it is compared with, and whether they must be equal."""


def parse_fields(text: str) -> list[FieldTest]:
    """Return the comparisons of a field selector such as `metadata.name=web,status.phase!=Failed`.

    A backslash escapes a comma, an equals sign and itself. Raises SelectorError.
    """
    out = []
    for part in _split_fields(text):
        if not part:
            continue
        found = re.match(r"((?:[^=!\\]|\\.)*)(==|!=|=)(.*)\Z", part, re.DOTALL)
        if found is None:
            raise SelectorError(f"invalid selector: '{part}'; can't understand '{part}'")
        if found[1] or found[3]:
            out.append((found[1], _unescaped(found[3]), found[2] != "!="))
    return out


def _split_fields(text: str) -> list[str]:
    return re.findall(r"((?:[^,\\]|\\.|\\\Z)*)(?:,|\Z)", text, re.DOTALL)


def _unescaped(value: str) -> str:
    if not re.fullmatch(r"(?:[^\\=]|\\[\\,=])*", value, re.DOTALL):
        raise SelectorError(f"invalid field selector: unescaped character in value: {value}")
    return re.sub(r"\\([\\,=])", r"\1", value)
