"""`operatorBox.status`: the fields that are written to the CR (language, section 11)."""

from __future__ import annotations

from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.expr.conditions import guard_reads
from ork.expr.env import Place
from ork.expr.tree import compile_tree
from ork.katalog import conditions, dotted, scope
from ork.katalog.expressions import AFTER, Expressions, Site
from ork.katalog.resources.native import Lift
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import Found
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.program import StatusField

_SITE = Site(scope.STATUS, AFTER)


class Status(NamedTuple):
    """The compiled block."""

    fields: tuple[StatusField, ...] = ()
    conditions: bool = True


def status(expressions: Expressions, node: Mapping, trail: Trail) -> Status:
    """Return the status fields in order; wrong ones are reported and left out."""
    nodes = node.sequence("fields")
    made = (
        _field(expressions, one, ((trail, "fields"), index))
        for index, one in enumerate(nodes.elements if nodes else ())
        if isinstance(one, Mapping)
    )
    fields = tuple(field for field in made if field is not None)
    return Status(fields, node.value("conditions", True) is not False)


def _field(expressions: Expressions, node: Mapping, trail: Trail) -> StatusField | None:
    guard = conditions.guard(expressions, node, _SITE, trail)
    path_node, value = node.scalar("path"), node.get("value")
    target = None if path_node is None else _path(expressions, path_node, (trail, "path"))
    if target is None or value is None:
        return None
    path, found = target
    lift = Lift(expressions, _SITE, node, (trail, "value"), Place.STATUS)
    tree = lift.tree(value, found.schema, f"status.{'.'.join(path)}")
    clear = node.value("clearOnFalse") is True
    return StatusField(path, compile_tree(tree), guard, clear, node.head, lift.reads | guard_reads(guard))


def _path(expressions: Expressions, node: Scalar, trail: Trail) -> tuple[Path, Found] | None:
    """Return a path below `status`; None, and a finding, where the CRD's schema would prune it."""
    path = dotted.parse(node.text)
    if path is None:
        hint = "write a path below `status`, such as `phase`"
        message = f"`{node.text}` is no path"
        expressions.findings.error("ORK0620", node.span, message, hint, path=path_text(trail))
        return None
    found = expressions.types.look(("status", *path))
    if found.failed < 0:
        return path, found
    _, message, hint = expressions.types.fault(("status", *path), found)
    if path[0] == "status":
        hint = "the path begins below `status`"
    text = f"{message}: the API server would drop it"
    expressions.findings.error("ORK0620", node.span, text, hint, path=path_text(trail))
    return None
