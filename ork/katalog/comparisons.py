"""Conditions that the schema says can never hold, or not as they are meant (language, section 4.6): warnings."""

from __future__ import annotations

from ork.base import paths
from ork.expr.compare import plain
from ork.expr.conditions import Condition
from ork.expr.template import Template
from ork.katalog.doubts import equality
from ork.katalog.expressions import Expressions, Site
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode

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
            if (doubt := equality(name, found, operand)) is not None:
                expressions.findings.warning("ORK0404", about.span, doubt[0], doubt[1], path=path_text(trail))


def _literals(condition: Condition) -> list[str]:
    """Return the texts of a literal operand, the members of a list apart."""
    operand = condition.operand
    if isinstance(operand, str) and condition.operator in _LISTS:
        return [part.strip() for part in operand.split(",")]
    parts = operand if isinstance(operand, list) else [operand]
    return [plain(part) for part in parts if part is not None and not isinstance(part, Template)]
