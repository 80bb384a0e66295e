"""Comparisons that the schema says can never hold, or not as they are meant (language, section 4.6): warnings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ork.base import paths
from ork.base.text import did_you_mean
from ork.expr.compare import plain
from ork.expr.conditions import Condition
from ork.expr.template import Template
from ork.katalog.expressions import Expressions, Site
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import Found
from ork.katalog.yaml.nodes import AnyNode
from ork.openapi import schema as openapi

_LISTS = frozenset(("in", "notIn"))
_EQUALITIES = _LISTS | {"eq", "neq"}
_ORDERINGS = frozenset(("gt", "gte", "lt", "lte", "between", "notBetween"))


def doubts(expressions: Expressions, condition: Condition, about: AnyNode, site: Site, trail: Trail) -> None:
    """Warn where the type of the field makes a comparison pointless. `about` is the operand's node."""
    found = expressions.single(condition.field, site)
    if found.type == "any":
        return
    name = f".{paths.text(condition.field.uses[0].path)}"
    if condition.operator in _ORDERINGS and found.type == "string" and not condition.value_type:
        hint = "say what is compared with `valueType: quantity`, `duration`, `int` or `float`"
        message = f"`{name}` is a string, and `{condition.operator}` compares numbers"
        expressions.findings.warning("ORK0404", about.span, message, hint, path=path_text(trail))
    if condition.operator in _EQUALITIES:
        for operand in _literals(condition):
            if (doubt := _equality(name, found, operand)) is not None:
                expressions.findings.warning("ORK0404", about.span, doubt[0], doubt[1], path=path_text(trail))


def _literals(condition: Condition) -> list[str]:
    """Return the texts of a literal operand, the members of a list apart."""
    operand = condition.operand
    if isinstance(operand, str) and condition.operator in _LISTS:
        return [part.strip() for part in operand.split(",")]
    parts = operand if isinstance(operand, list) else [operand]
    return [plain(part) for part in parts if part is not None and not isinstance(part, Template)]


def _equality(name: str, found: Found, text: str) -> tuple[str, str] | None:
    """Return message and hint where a value of that type never has that text."""
    if text == "":
        return None
    options = openapi.enum(found.schema)
    if options is not None:
        return _enumerated(name, [plain(option) for option in options if option is not None], text)
    check = _FITS.get(found.type)
    if check is None or check(text):
        return None
    return f'`{name}` is {_NOUNS[found.type]}: it is never equal to "{text}"', _HINTS.get(found.type, "")


def _enumerated(name: str, options: list[str], text: str) -> tuple[str, str] | None:
    if text in options:
        return None
    hint = did_you_mean(text, options) or f"its values are {', '.join(options)}"
    return f'`{name}` never has the value "{text}"', hint


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_FITS: Mapping[str, Callable[[str], bool]] = {
    "boolean": lambda text: text in ("true", "false"),
    "integer": _is_number,
    "number": _is_number,
}
_NOUNS = {"boolean": "a boolean", "integer": "an integer", "number": "a number"}
_HINTS = {"boolean": 'write "true" or "false"'}
