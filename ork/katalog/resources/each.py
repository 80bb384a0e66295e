"""`forEach`: the list it goes over, and the names that it adds to the scope of its entry."""

from __future__ import annotations

from collections.abc import Mapping as MappingType

from ork.base.paths import Path
from ork.base.records import NamedTuple
from ork.katalog.expressions import Expressions, Site
from ork.katalog.scope import CR_ROOTS, ITEM_ROOTS, MAP_ITEM_ROOTS
from ork.katalog.trail import Trail, path_text
from ork.katalog.types import Found
from ork.katalog.yaml.nodes import Mapping
from ork.openapi.schema import EVERY
from ork.program import ForEach


class Items(NamedTuple):
    """A compiled `forEach`, and the place inside it."""

    each: ForEach | None
    site: Site


def for_each(expressions: Expressions, node: Mapping, site: Site, trail: Trail) -> Items:
    """Return the `forEach` of an entry; a wrong one is reported and adds its names all the same."""
    declared = node.mapping("forEach")
    if declared is None:
        return Items(None, site)
    inside = (trail, "forEach")
    name = str(declared.value("as", "item"))
    field_node = declared.scalar("field")
    field = expressions.field(field_node, site, (inside, "field")) if field_node else None
    if name in CR_ROOTS or name in site.place.roots:
        span = declared.entries["as"].span
        message = f"`as: {name}` would hide `.{name}`, which expressions read here"
        expressions.findings.error("ORK0605", span, message, "choose another name", path=path_text((inside, "as")))
    if field is None or field_node is None:
        return Items(None, site._replace(items=dict.fromkeys((name, *ITEM_ROOTS, *MAP_ITEM_ROOTS))))
    found = expressions.single(field, site)
    if found.type in ("string", "boolean"):
        message = f"`forEach` goes over a list, a map or a number, and `{field_node.text}` is a {found.type}"
        expressions.findings.error("ORK0606", field_node.span, message, path=path_text((inside, "field")))
    names = _names(name, found, field.uses[0].path if field.uses else ())
    return Items(ForEach(field, name), site._replace(items=names))


def _names(name: str, found: Found, path: Path) -> MappingType[str, Path | None]:
    """Return what expressions may read inside, by the type of what is walked, with the path of each element."""
    element = (*path, EVERY)
    if found.type == "array":
        return {name: element, "item": element, "index": None}
    if found.type == "object":
        return {**dict.fromkeys((name, *ITEM_ROOTS, "key")), "value": element}
    if found.type == "integer":
        return dict.fromkeys((name, *ITEM_ROOTS))
    return dict.fromkeys((name, *ITEM_ROOTS, *MAP_ITEM_ROOTS))
