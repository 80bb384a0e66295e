"""The vocabulary of the rules for Kubernetes' own kinds: what a field must be, and what holds for a struct as a whole.

A rule yields causes. The rule of a field is asked only where the field is set; `Rules.needs` says which must be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from ork.base import quantities
from ork.base.objects import Object
from ork.base.records import NamedTuple
from ork.openapi import names
from ork.openapi.causes import Cause, below, duplicate, forbidden, invalid, not_supported, required

FieldRule = Callable[[Any, str], Iterable[Cause]]
"""Takes a field's value and its path."""

StructRule = Callable[[Object, str], Iterable[Cause]]
"""Takes a struct and its path."""

ChangeRule = Callable[[Object, Object], Iterable[Cause]]
"""Takes a whole object, and what is stored."""

IMMUTABLE = "field is immutable"


class Rules(NamedTuple):
    """What holds for one struct."""

    fields: Mapping[str, FieldRule] = {}
    whole: tuple[StructRule, ...] = ()
    needs: Mapping[str, str] = {}
    """Fields that may not be empty, and what to say about it."""
    creation: tuple[StructRule, ...] = ()
    """For a kind's own struct, when it is created."""
    changes: tuple[ChangeRule, ...] = ()
    """For a kind's own struct, when it is updated."""


def inside(value: Any, *path: str) -> Any:
    """Return what stands at a path, or None."""
    for step in path:
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value


def demand(*fields: str) -> Mapping[str, str]:
    """Return the fields that must be there, without a reason."""
    return dict.fromkeys(fields, "")


# ── fields ──────────────────────────────────────────────────────────────────────────────────────
def free(_value: Any, _path: str) -> Iterator[Cause]:
    """Want nothing, not even what the schema's enumeration says: the rule of the whole struct does."""
    return iter(())


def minimum(lowest: int, text: str = "") -> FieldRule:
    """Want a number that is not below `lowest`."""

    def rule(value: Any, path: str) -> Iterator[Cause]:
        if value < lowest:
            yield invalid(path, value, text or f"must be greater than or equal to {lowest}")

    return rule


not_negative = minimum(0)


def between(lowest: int, highest: int) -> FieldRule:
    """Want a number of that range."""

    def rule(value: Any, path: str) -> Iterator[Cause]:
        if not lowest <= value <= highest:
            yield invalid(path, value, f"must be between {lowest} and {highest}, inclusive")

    return rule


port = between(1, 65535)


def port_if_set(value: Any, path: str) -> Iterable[Cause]:
    """Want the number of a port; 0 is none."""
    return port(value, path) if value else ()


user_id = between(0, 2**31 - 1)


def port_or_name(value: Any, path: str) -> Iterable[Cause]:
    """Want the number or the name of a port."""
    return strictly(names.port_name)(value, path) if isinstance(value, str) else port(value, path)


def amount_or_percent(value: Any, path: str) -> Iterator[Cause]:
    """Want a number that is not negative, or at most 100 percent."""
    if isinstance(value, str):
        yield from strictly(names.percent)(value, path)
        if percent_of(value) > 100:
            yield invalid(path, value, "must not be greater than 100%")
    else:
        yield from not_negative(value, path)


def percent_of(value: Any) -> int:
    """Return the number of a percentage; 0 for what is none."""
    digits = value.removesuffix("%") if isinstance(value, str) else ""
    return int(digits) if digits.isdigit() else 0


def named(rule: names.NameRule) -> FieldRule:
    """Want a text, where it is not empty, to which a name rule has no complaint."""

    def check(value: Any, path: str) -> Iterator[Cause]:
        if value:
            yield from (invalid(path, value, text) for text in rule(value))

    return check


def strictly(rule: names.NameRule) -> FieldRule:
    """Want a text, be it empty, to which a name rule has no complaint."""

    def check(value: Any, path: str) -> Iterator[Cause]:
        yield from (invalid(path, value, text) for text in rule(value))

    return check


def chosen(*options: str, shown: str = "") -> FieldRule:
    """Want one of these texts; an empty one is missing where `shown` says what there is, else it is none of them."""

    def rule(value: Any, path: str) -> Iterator[Cause]:
        if not value and shown:
            yield required(path, shown)
        elif value not in options:
            yield not_supported(path, value, options)

    return rule


def listed(*options: str) -> FieldRule:
    """Want one of these texts, which are shown in this order."""

    def rule(value: Any, path: str) -> Iterator[Cause]:
        if value and value not in options:
            yield not_supported(path, value, options)

    return rule


def each(*rules: FieldRule) -> FieldRule:
    """Want every element of a list to fulfil the rules."""

    def check(value: Any, path: str) -> Iterator[Cause]:
        for index, item in enumerate(value):
            for rule in rules:
                yield from rule(item, f"{path}[{index}]")

    return check


def keys(rule: names.NameRule) -> FieldRule:
    """Want every key of a map to be a name of that sort."""

    def check(value: Any, path: str) -> Iterator[Cause]:
        for key in value:
            yield from (invalid(f"{path}[{key}]", key, text) for text in rule(key))

    return check


def unique(field: str) -> FieldRule:
    """Want the elements of a list to differ in that field."""

    def check(value: Any, path: str) -> Iterator[Cause]:
        seen: set[str] = set()
        for index, item in enumerate(value):
            name = item.get(field) if isinstance(item, dict) else None
            if name and name in seen:
                yield duplicate(f"{path}[{index}].{field}", name)
            seen.add(name or "")

    return check


def labels(value: Any, path: str) -> Iterator[Cause]:
    """Want a map of labels."""
    for key, text in (value or {}).items():
        yield from (invalid(path, key, complaint) for complaint in names.qualified(key))
        yield from (invalid(path, text, complaint) for complaint in names.label_value(text))


@lru_cache(4096)
def amount(text: str) -> Decimal:
    """Return the value of a quantity, which is known to be one."""
    return quantities.parse(str(text))


def positive_amount(value: Any, path: str) -> Iterator[Cause]:
    """Want a quantity above zero."""
    if amount(value) <= 0:
        yield invalid(path, value, "must be greater than zero")


def relative(value: str | None, path: str) -> Iterator[Cause]:
    """Want a path, where there is one, that stays below where it begins."""
    if not value:
        return
    if value.startswith("/"):
        yield invalid(path, value, "must be a relative path")
    yield from no_way_up(value, path)


def no_way_up(value: str, path: str) -> Iterator[Cause]:
    """Want a path without `..`."""
    if ".." in value.split("/"):
        yield invalid(path, value, "must not contain '..'")


_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"


def domain_path(value: str, path: str) -> Iterator[Cause]:
    """Want a path that begins with a domain: `example.com/x`."""
    domain, _, rest = value.partition("/")
    if not domain or not rest:
        yield invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    yield from named(names.subdomain)(domain, path)
    if not re.fullmatch(_PATH, rest):
        yield invalid(path, rest, f"Invalid path (regex used for validation is '{_PATH}')")


# ── structs ─────────────────────────────────────────────────────────────────────────────────────
def one_of(what: str, *options: str) -> StructRule:
    """Want at most one of these fields; the first in this order counts."""

    def rule(value: Object, path: str) -> Iterator[Cause]:
        found = [option for option in options if value.get(option) is not None]
        for extra in found[1:]:
            yield forbidden(below(path, extra), f"may not specify more than 1 {what}")

    return rule


def needs(what: str, *options: str) -> StructRule:
    """Want one of these fields."""

    def rule(value: Object, path: str) -> Iterator[Cause]:
        if all(value.get(option) is None for option in options):
            yield required(path, what)

    return rule


# ── changes ─────────────────────────────────────────────────────────────────────────────────────
def immutable(*paths: str, shown: bool = True) -> ChangeRule:
    """Want fields, by their dotted paths, as they were; `shown` tells whether the cause shows what they became."""

    def rule(new: Object, old: Object) -> Iterator[Cause]:
        for path in paths:
            value = inside(new, *path.split("."))
            if value != inside(old, *path.split(".")):
                yield invalid(path, value if shown else None, IMMUTABLE)

    return rule


def frozen(*fields: str) -> ChangeRule:
    """Want the content of an object as it was once it says that it is immutable."""
    text = "field is immutable when `immutable` is set"

    def rule(new: Object, old: Object) -> Iterator[Cause]:
        if not old.get("immutable"):
            return
        if not new.get("immutable"):
            yield forbidden("immutable", text)
        for field in fields:
            if (new.get(field) or {}) != (old.get(field) or {}):
                yield forbidden(field, text)

    return rule
