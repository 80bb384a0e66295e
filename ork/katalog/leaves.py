"""Whether a leaf is what its shape wants: one small check for each kind of leaf."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ork.base import durations
from ork.katalog import refusals
from ork.katalog.collect import Findings
from ork.katalog.grammar.shapes import Choice, Flag, Length, Number, Operand, Text, Value
from ork.katalog.trail import Trail
from ork.katalog.yaml.nodes import AnyNode, Scalar

UNIT = r"(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)"
LONG_UNIT = UNIT.replace("|h)", "|h|d|w|y)")
LENGTHS = {False: rf"0|(?:{UNIT})+", True: rf"0|(?:{LONG_UNIT})+"}
"""Durations as patterns, without and with the long units; nothing of ours may be negative."""


def _text(out: Findings, node: AnyNode, shape: Text, trail: Trail | None) -> AnyNode | None:
    if not isinstance(node, Scalar) or node.value.__class__ is not str:
        refusals.no_text(out, node, shape, trail)
        return None
    if shape.pattern and not refusals.fits(shape, node.value):
        refusals.malformed(out, node, shape.what, trail)
        return None
    return node


def _choice(out: Findings, node: AnyNode, shape: Choice, trail: Trail | None) -> AnyNode | None:
    if not isinstance(node, Scalar) or not node.is_text:
        refusals.no_text(out, node, shape, trail)
        return None
    if node.value in shape.values:
        return node
    today = shape.older.get(node.value)
    if today is None and shape.any_case:
        today = next((value for value in shape.values if value.lower() == node.value.lower()), None)
    elif today is not None:
        refusals.older_value(out, node, today, trail)
    if today is None:
        refusals.no_choice(out, node, shape, trail)
        return None
    return Scalar(node.source, node.start, node.end, today, node.text, node.style)


def _number(out: Findings, node: AnyNode, shape: Number, trail: Trail | None) -> AnyNode | None:
    kinds = (int,) if shape.whole else (int, float)
    if not isinstance(node, Scalar) or node.value.__class__ not in kinds:
        refusals.wrong(out, node, shape, trail)
        return None
    if (shape.least is not None and node.value < shape.least) or (shape.most is not None and node.value > shape.most):
        refusals.out_of_range(out, node, shape, trail)
        return None
    return node


def _flag(out: Findings, node: AnyNode, shape: Flag, trail: Trail | None) -> AnyNode | None:
    if isinstance(node, Scalar) and node.value.__class__ is bool:
        return node
    refusals.wrong(out, node, shape, trail)
    return None


def _length(out: Findings, node: AnyNode, shape: Length, trail: Trail | None) -> AnyNode | None:
    if not isinstance(node, Scalar) or not node.is_text:
        refusals.wrong(out, node, shape, trail)
        return None
    if shape.blank and not node.value:
        return None
    if re.fullmatch(LENGTHS[shape.long_units], node.value) and _countable(node.value, shape):
        return node
    refusals.malformed(out, node, "a duration", trail, 'write a number with a unit, such as "30s", "5m" or "1h30m"')
    return None


def _countable(text: str, shape: Length) -> bool:
    try:
        durations.parse(text, long_units=shape.long_units)
    except ValueError:
        return False
    return True


def _value(out: Findings, node: AnyNode, shape: Value, trail: Trail | None) -> AnyNode | None:
    if isinstance(node, Scalar) and not node.is_null:
        return node
    refusals.wrong(out, node, shape, trail)
    return None


def _operand(out: Findings, node: AnyNode, shape: Operand, trail: Trail | None) -> AnyNode | None:
    if isinstance(node, Scalar):
        return node
    refusals.wrong(out, node, shape, trail)
    return None


LEAVES: dict[type, Callable[[Findings, AnyNode, Any, Trail | None], AnyNode | None]] = {
    Text: _text,
    Choice: _choice,
    Number: _number,
    Flag: _flag,
    Length: _length,
    Value: _value,
    Operand: _operand,
}
