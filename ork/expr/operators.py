"""The operators of conditions as one table: how each is spelled, what it takes, and when it holds (language,
section 5)."""

from __future__ import annotations

import operator as relations
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.expr import compare, versions
from ork.expr.compare import plain, shown

Test = Callable[[Any], bool]
"""Tells whether a field's value meets one operand. Raises ValueError where the value cannot be compared with it."""


class OperandError(ValueError):
    """An operand that its operator cannot take; `hint` says what it takes."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Operand(Enum):
    """What an operator takes."""

    VALUE = "value"
    """Any scalar, or a list or map that is compared as compact JSON."""
    TEXT = "text"
    """A scalar, as text."""
    MEASURE = "measure"
    """A number, quantity or duration, or a value of the declared type."""
    RANGE = "range"
    """Two measures, the smaller first: `[1, 10]` or `"1,10"`."""
    MEMBERS = "members"
    """A list, or text with commas."""
    PATTERN = "pattern"
    """A regular expression of RE2."""
    FLAG = "flag"
    """true or false; absent is true."""
    TYPE = "type"
    """The name of a type."""
    VERSIONS = "versions"
    """A range of versions, as npm writes it."""


class Operator(NamedTuple):
    """One row of the table."""

    name: str
    """The canonical name, as in `operator: eq`."""
    short: tuple[str, ...]
    """The keys that spell it with its operand, as in `equals: x`."""
    words: str
    """How a sentence says it: `equals`, `is one of`."""
    operand: Operand
    build: Callable[[Any, str], Test]
    """Makes the test of one operand and `valueType`; raises ValueError for an operand that it cannot take."""
    inverse: bool = False
    """The test's answer is turned round: `notIn` is `in`, inverted."""
    missing: bool | None = None
    """Whether it holds for a missing field; None where the test itself says so."""

    @property
    def typed(self) -> bool:
        """Tell whether `valueType` means something here."""
        return self.operand in (Operand.VALUE, Operand.MEASURE, Operand.RANGE, Operand.MEMBERS)

    @property
    def measures(self) -> bool:
        """Tell whether it compares sizes: an empty text has none and is as good as missing."""
        return self.operand in (Operand.MEASURE, Operand.RANGE)


# ── tests ───────────────────────────────────────────────────────────────────────────────────────
def _equal(operand: Any, value_type: str) -> Test:
    if value_type not in ("", "string"):
        typed = compare.cast(operand, value_type)
        return lambda value: not _empty(value) and compare.cast(value, value_type) == typed
    wanted = plain(operand)
    return lambda value: (value if value.__class__ is str else plain(value)) == wanted


def _ordered(relation: Callable[[Any, Any], bool]) -> Callable[[Any, str], Test]:
    def build(operand: Any, value_type: str) -> Test:
        if value_type:
            typed = compare.cast(operand, value_type)
            return lambda value: relation(compare.cast(value, value_type), typed)
        right = compare.measured(operand)

        def test(value: Any) -> bool:
            if right.number is not None and value.__class__ in (int, float):
                return relation(value, right.number)
            return relation(*compare.pair(compare.side(value), right))

        return test

    return build


_at_least, _at_most = _ordered(relations.ge), _ordered(relations.le)


def _between(operand: Any, value_type: str) -> Test:
    bounds = operand if isinstance(operand, list) else _split(operand)
    if len(bounds) != 2:
        raise OperandError(f"{shown(operand)} is no range", 'write two bounds, such as [1, 10] or "1,10"')
    low, high = bounds
    above, below = _at_least(low, value_type), _at_most(high, value_type)
    if not below(low):
        raise OperandError(f"nothing lies between {shown(low)} and {shown(high)}", "write the smaller bound first")
    return lambda value: above(value) and below(value)


def _member(operand: Any, value_type: str) -> Test:
    members = operand if isinstance(operand, list) else _split(_scalar(operand))
    if value_type in ("", "string"):
        texts = frozenset(map(plain, members))
        return lambda value: plain(value) in texts
    typed = frozenset(compare.cast(member, value_type) for member in members if not _empty(member))
    takes_empty = any(map(_empty, members))
    return lambda value: takes_empty if _empty(value) else compare.cast(value, value_type) in typed


def _contains(operand: Any, _: str) -> Test:
    wanted = plain(_scalar(operand))

    def test(value: Any) -> bool:
        return wanted in (map(plain, value) if isinstance(value, list) else plain(value))

    return test


def _prefix(operand: Any, _: str) -> Test:
    wanted = plain(_scalar(operand))
    return lambda value: plain(value).startswith(wanted)


def _suffix(operand: Any, _: str) -> Test:
    wanted = plain(_scalar(operand))
    return lambda value: plain(value).endswith(wanted)


def _regex(operand: Any, _: str) -> Test:
    search = _pattern(plain(_scalar(operand)))
    return lambda value: search(plain(value)) is not None


def _exists(operand: Any, _: str) -> Test:
    wanted = _flag(operand)
    return lambda value: (plain(value) != "") is wanted


def _type_of(operand: Any, _: str) -> Test:
    wanted = "null" if operand is None else plain(operand)
    if wanted not in compare.TYPE_NAMES:
        hint = did_you_mean(wanted, compare.TYPE_NAMES) or f"one of {', '.join(compare.TYPE_NAMES)}"
        raise OperandError(f"{shown(operand)} is no type", hint)
    return lambda value: compare.type_name(value) == wanted


def _satisfies(operand: Any, _: str) -> Test:
    within = versions.within(plain(_scalar(operand)))
    return lambda value: within(plain(value))


def _unique(operand: Any, _: str) -> Test:
    if not _flag(operand):
        raise OperandError("unique cannot be turned off", "leave the condition out")

    def test(_: Any) -> bool:
        raise ValueError("only a validation rule can ask whether a value is unique")

    return test


# ── operands ────────────────────────────────────────────────────────────────────────────────────
def _empty(value: Any) -> bool:
    return value is None or value == ""


def _split(operand: Any) -> list[str]:
    return [part.strip() for part in plain(operand).split(",")]


def _scalar(operand: Any) -> Any:
    if operand is None or isinstance(operand, list | dict):
        raise OperandError(f"a {compare.type_name(operand)} is no operand here", "write a text or a number")
    return operand


def _flag(operand: Any) -> bool:
    if operand is None:
        return True
    flag: bool = compare.cast(operand, "bool")
    return flag


@lru_cache(maxsize=256)
def _pattern(text: str) -> Callable[[str], Any]:
    """Compile for RE2, once for each pattern: those that come out of a template too."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        found: Callable[[str], Any] = re2.compile(text, options).search
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise OperandError(f"{shown(text)} is no regular expression: {reason}", _RE2) from None
    return found


_RE2 = "the syntax is RE2's: no look-around, no back-references"


# ── the table ───────────────────────────────────────────────────────────────────────────────────
_ROWS = (
    Operator("eq", ("equals",), "equals", Operand.VALUE, _equal),
    Operator("neq", ("notEquals",), "does not equal", Operand.VALUE, _equal, inverse=True),
    Operator("gt", ("greaterThan", "gt"), "is greater than", Operand.MEASURE, _ordered(relations.gt), missing=False),
    Operator("gte", ("min", "gte", "greaterThanOrEqual"), "is at least", Operand.MEASURE, _at_least, missing=False),
    Operator("lt", ("lessThan", "lt"), "is less than", Operand.MEASURE, _ordered(relations.lt), missing=False),
    Operator("lte", ("max", "lte", "lessThanOrEqual"), "is at most", Operand.MEASURE, _at_most, missing=False),
    Operator("between", ("between",), "is between", Operand.RANGE, _between, missing=False),
    Operator("notBetween", ("notBetween",), "is not between", Operand.RANGE, _between, inverse=True, missing=False),
    Operator("in", ("in",), "is one of", Operand.MEMBERS, _member),
    Operator("notIn", ("notIn",), "is none of", Operand.MEMBERS, _member, inverse=True),
    Operator("contains", ("contains",), "contains", Operand.TEXT, _contains, missing=False),
    Operator("notContains", ("notContains",), "does not contain", Operand.TEXT, _contains, inverse=True, missing=True),
    Operator("prefix", ("prefix", "startsWith"), "starts with", Operand.TEXT, _prefix, missing=False),
    Operator("notPrefix", ("notPrefix",), "does not start with", Operand.TEXT, _prefix, inverse=True, missing=True),
    Operator("suffix", ("suffix", "endsWith"), "ends with", Operand.TEXT, _suffix, missing=False),
    Operator("notSuffix", ("notSuffix",), "does not end with", Operand.TEXT, _suffix, inverse=True, missing=True),
    Operator("regex", ("regex", "matches"), "matches", Operand.PATTERN, _regex, missing=False),
    Operator("notRegex", ("notRegex",), "does not match", Operand.PATTERN, _regex, inverse=True, missing=True),
    Operator("exists", ("exists",), "is set", Operand.FLAG, _exists),
    Operator("notExists", ("notExists",), "is not set", Operand.FLAG, _exists, inverse=True),
    Operator("typeOf", ("typeOf",), "is of type", Operand.TYPE, _type_of),
    Operator("semver", ("semver",), "satisfies", Operand.VERSIONS, _satisfies, missing=False),
    Operator("unique", ("unique",), "is unique", Operand.FLAG, _unique),
)

OPERATORS: Mapping[str, Operator] = {row.name: row for row in _ROWS}
"""By canonical name. `unique` may stand in a validation rule only, and the engine answers it: it alone sees the other
CRs."""

SHORT: Mapping[str, str] = {key: row.name for row in _ROWS for key in row.short}
"""From a key of a condition to the operator that it spells: `equals` → `eq`."""

NAMES: Mapping[str, str] = {**SHORT, **{name: name for name in OPERATORS}}
"""From what may stand after `operator:` to the canonical name: the names and, since people write them, the keys."""
