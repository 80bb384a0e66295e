"""`mutation` and `validation`: from nodes to rules (language, section 10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as MappingType
from typing import TypeVar

from ork.base.objects import Object
from ork.base.paths import Path
from ork.expr.builtins import BUILTINS
from ork.expr.conditions import guard_reads
from ork.expr.env import Place
from ork.expr.template import Template, parse
from ork.expr.tree import compile_tree
from ork.katalog import conditions, dotted, scope
from ork.katalog.calls import Calls
from ork.katalog.expressions import Expressions, Site
from ork.katalog.resources.native import Lift
from ork.katalog.scope import LAST, Moment, Stage
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import Found
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.openapi import schema as openapi
from ork.program import Assertion, Mutation, Rules

NO_MESSAGE = parse("", Place.STATUS, BUILTINS)
"""The engine says in its own words what does not hold."""

_TYPES: MappingType[str, Object] = {
    "string": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "quantity": {"type": "string"},
    "duration": {"type": "string"},
}
_CHANGEABLE = frozenset((("metadata", "labels"), ("metadata", "annotations")))

MUTATION_SITE = Site(scope.RULE, Moment(Stage.MUTATION, LAST))
VALIDATION_SITE = Site(scope.RULE, Moment(Stage.VALIDATION, LAST))


def rules(expressions: Expressions, entry: Mapping, trail: Trail, allowed: tuple[str, ...]) -> Rules:
    """Return the rules of a CRD entry, without those that `serve.fields` adds."""
    mutation, validation = entry.mapping("mutation"), entry.mapping("validation")
    mutating = Calls(expressions, scope.RULE, Stage.MUTATION, allowed)
    validating = Calls(expressions, scope.RULE, Stage.VALIDATION, allowed)
    found = Rules()
    if mutation is not None:
        inside = (trail, "mutation")
        found = found._replace(
            mutation_calls=mutating.compile(mutation.sequence("external"), (inside, "external")),
            mutations=tuple(_each(_mutation, expressions, mutation, inside)),
        )
    if validation is not None:
        inside = (trail, "validation")
        found = found._replace(
            validation_calls=validating.compile(validation.sequence("external"), (inside, "external")),
            assertions=tuple(_each(_assertion, expressions, validation, inside)),
        )
    return found


Rule = TypeVar("Rule", Assertion, Mutation)


def _each(
    compile_rule: Callable[[Expressions, Mapping, Trail], Rule | None],
    expressions: Expressions,
    block: Mapping,
    trail: Trail,
) -> Iterator[Rule]:
    nodes = block.sequence("rules")
    for index, node in enumerate(nodes.elements if nodes else ()):
        if isinstance(node, Mapping):
            made = compile_rule(expressions, node, ((trail, "rules"), index))
            if made is not None:
                yield made


def _assertion(expressions: Expressions, node: Mapping, trail: Trail) -> Assertion | None:
    site = VALIDATION_SITE
    condition = conditions.compile_condition(expressions, node, site, trail, unique=True)
    message_node = node.scalar("message")
    message: Template | None = NO_MESSAGE
    if message_node is not None and message_node.text:
        message = expressions.template(message_node, Place.STATUS, site, (trail, "message"))
    guard = conditions.guard(expressions, node, site, trail)
    if condition is None or message is None:
        return None
    return Assertion(
        condition=condition,
        message=message,
        deny=node.value("action", "deny") != "warn",
        guard=guard,
        at_reconcile=_at_reconcile(node),
        link=str(node.value("link", "")),
        span=node.head,
        reads=condition.reads | guard_reads(guard) | message.reads,
    )


def _mutation(expressions: Expressions, node: Mapping, trail: Trail) -> Mutation | None:
    field = node.scalar("field")
    path = None if field is None else mutable(expressions, field, (trail, "field"))
    declared = [key for key in ("default", "override") if key in node.entries]
    if len(declared) != 1:
        both = "`default` or `override`, and not both" if declared else "`default` or `override`"
        expressions.findings.error("ORK0802", node.head, f"a mutation says {both}", path=path_text(trail))
        return None
    if path is None:
        return None
    return mutation(expressions, node, path, declared[0], trail)


def mutable(expressions: Expressions, field: Scalar, trail: Trail) -> Path | None:
    """Return the path that a mutation changes: something in `spec`, a label or an annotation."""
    path = dotted.parse(field.text)
    if path is None or (path[0] != "spec" and path[:2] not in _CHANGEABLE):
        message = f"`{field.text}` is nothing that a mutation can change"
        hint = "write a path below `spec`, `metadata.labels` or `metadata.annotations`"
        expressions.findings.error("ORK0801", field.span, message, hint, path=path_text(trail))
        return None
    found = expressions.types.look(path)
    if found.failed < 0:
        return path
    _, message, hint = expressions.types.fault(path, found)
    expressions.findings.error("ORK0801", field.span, message, hint, path=path_text(trail))
    return None


def mutation(expressions: Expressions, node: Mapping, path: Path, key: str, trail: Trail) -> Mutation:
    """Return the change that `default` or `override` of a rule or served field makes."""
    guard = conditions.guard(expressions, node, MUTATION_SITE, trail)
    lift = Lift(expressions, MUTATION_SITE, node, (trail, key))
    schema = _TYPES.get(str(node.value("valueType"))) or _schema(expressions.types.look(path))
    tree = lift.tree(node.entries[key], schema, ".".join(path))
    return Mutation(
        path=path,
        value=compile_tree(tree),
        override=key == "override",
        guard=guard,
        at_reconcile=_at_reconcile(node),
        span=node.head,
        reads=lift.reads | guard_reads(guard),
    )


def _schema(found: Found) -> Object:
    """Return a field's schema without its `required`: a mutation may fill in a part of an object."""
    return {key: value for key, value in found.schema.items() if key != "required"} or openapi.ANY


def _at_reconcile(node: Mapping) -> bool:
    fires = node.mapping("fires")
    return fires is None or fires.value("reconcile", True) is not False
