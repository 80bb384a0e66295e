"""`when` and `or`: from nodes to conditions, and what the schema says of their comparisons (language, section 5)."""

from __future__ import annotations

from typing import Any

from ork.base.text import closest, did_you_mean
from ork.expr.conditions import ALWAYS, Condition, ConditionError, Guard, condition
from ork.expr.env import Place
from ork.expr.operators import NAMES, OPERATORS, SHORT, Operand
from ork.katalog.comparisons import doubts
from ork.katalog.expressions import Expressions, Site
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence, to_data


def guard(expressions: Expressions, node: Mapping, site: Site, trail: Trail) -> Guard:
    """Return what `when` and `or` of a construct demand. A wrong condition is reported and left out."""
    if "when" not in node.entries and "or" not in node.entries:
        return ALWAYS
    every, some = (_block(expressions, node.sequence(key), site, (trail, key)) for key in ("when", "or"))
    return Guard(every, some)


def _block(expressions: Expressions, node: Sequence | None, site: Site, trail: Trail) -> tuple[Condition, ...]:
    found = (
        compile_condition(expressions, element, site, (trail, index))
        for index, element in enumerate(node.elements if node else ())
        if isinstance(element, Mapping)
    )
    return tuple(one for one in found if one is not None)


def compile_condition(
    expressions: Expressions, node: Mapping, site: Site, trail: Trail, *, unique: bool = False
) -> Condition | None:
    """Return one condition; None, and findings, where it is wrong. Only a validation rule may ask for `unique`."""
    chosen = _operator(expressions, node, trail)
    field_node = node.scalar("field")
    if field_node is None:
        if _refused(node, "field"):
            return None
        hint = "write a dot path such as `spec.enabled`, or a template"
        expressions.findings.error("ORK0402", node.span, "a condition needs a `field`", hint, path=path_text(trail))
        return None
    field = expressions.field(field_node, site, (trail, "field"))
    if chosen is None or field is None:
        return None
    name, operand_node, where = chosen
    if name == "unique" and not unique:
        message = "`unique` looks at other CRs, which only a rule of `validation.rules` can do"
        expressions.findings.error("ORK0405", node.head, message, path=path_text(trail))
        return None
    try:
        operand = _operand(expressions, operand_node, site, (trail, where))
        made = condition(field, name, operand, _flag(node, "negate"), str(node.value("valueType", "")))
    except ConditionError as error:
        about = operand_node if error.about == "operand" and operand_node is not None else node.get(error.about) or node
        expressions.findings.error("ORK0403", about.span, error.message, error.hint, path=path_text(trail))
        return None
    doubts(expressions, made, operand_node or node, site, trail)
    return made


def _refused(node: Mapping, *keys: str) -> bool:
    """Tell whether the decoder left out one of these keys, and so has said why."""
    return any(key in node.keys and key not in node.entries for key in keys)


def _meant(node: Mapping) -> bool:
    """Tell whether the decoder left out what was meant to be the operator, and so has said why."""
    left_out = (key for key in node.keys if key not in node.entries)
    return any(closest(key, [*NAMES, "operator"]) for key in left_out)


def _flag(node: Mapping, key: str) -> bool:
    return node.value(key) is True


def _operator(expressions: Expressions, node: Mapping, trail: Trail) -> tuple[str, AnyNode | None, str] | None:
    """Return operator, operand and the operand's key; None, and a finding, where there is not exactly one."""
    short = [key for key in node.entries if key in SHORT]
    written = node.scalar("operator")
    if written is not None and short:
        _two(expressions, node, "operator", short[0], trail)
    elif len(short) > 1:
        _two(expressions, node, short[0], short[1], trail)
    elif written is not None:
        return _long(expressions, node, written, trail)
    elif short:
        return SHORT[short[0]], node.entries[short[0]], short[0]
    elif not _meant(node):
        hint = 'such as `equals: "true"`, or `operator: eq` with `value:`'
        expressions.findings.error("ORK0401", node.span, "a condition needs an operator", hint, path=path_text(trail))
    return None


def _two(expressions: Expressions, node: Mapping, first: str, second: str, trail: Trail) -> None:
    message = f"a condition has one operator; here are `{first}` and `{second}`"
    hint = "write two conditions: those of `when` must all hold"
    expressions.findings.error("ORK0401", node.keys[second].span, message, hint, path=path_text(trail))


def _long(
    expressions: Expressions, node: Mapping, written: Scalar, trail: Trail
) -> tuple[str, AnyNode | None, str] | None:
    name = NAMES.get(written.text)
    if name is not None:
        return _valued(expressions, node, name, trail)
    hint = did_you_mean(written.text, NAMES) or f"one of {', '.join(OPERATORS)}"
    message = f"`{written.text}` is no operator"
    expressions.findings.error("ORK0401", written.span, message, hint, path=path_text((trail, "operator")))
    return None


def _valued(expressions: Expressions, node: Mapping, name: str, trail: Trail) -> tuple[str, AnyNode | None, str] | None:
    operand = node.get("value")
    if operand is not None or OPERATORS[name].operand is Operand.FLAG:
        return name, operand, "value"
    if not _refused(node, "value"):
        hint = 'say what it compares with; `value: ""` is the empty text'
        message = f"`operator: {name}` needs a `value`"
        expressions.findings.error("ORK0401", node.keys["operator"].span, message, hint, path=path_text(trail))
    return None


def _operand(expressions: Expressions, node: AnyNode | None, site: Site, trail: Trail) -> Any:
    """Return the operand: scalars as they are read, texts with actions as templates, lists of both."""
    if isinstance(node, Sequence):
        return [_operand(expressions, element, site, (trail, i)) for i, element in enumerate(node.elements)]
    if not isinstance(node, Scalar):
        return None if node is None else to_data(node)
    if not node.is_text or "{{" not in node.text:
        return node.value
    template = expressions.template(node, Place.CONDITION, site, trail)
    return node.text if template is None else template
