"""Shapes to trees of templates: every field checked against the Kubernetes schema, every value coerced to its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.base.findings import Span
from ork.base.objects import Object
from ork.base.text import did_you_mean
from ork.expr.env import Place
from ork.expr.template import MISSING, Reads
from ork.expr.tree import compile_tree
from ork.katalog.expressions import Expressions, Site
from ork.katalog.resources.leaves import Encoded, Join, Layer, Leaf, Switched, encode
from ork.katalog.resources.shapes import Fields, Joined, Layers, Secret, Shape, Switch, as_list, as_map, step, written
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import Mapping, Node, Scalar, Sequence
from ork.openapi import schema as openapi
from ork.openapi.coercion import coerce

_NOUNS = {
    "object": "a map",
    "array": "a list",
    "string": "a string",
    "integer": "an integer",
    "boolean": "a boolean",
    "number": "a number",
}
_COLLECTIONS = ("object", "array")
_FEW = 8
"""So many fields are listed where none is near."""
_NEVER_THOSE = ("integer", "number", "boolean")
"""What neither a map nor a list can be converted to."""


class Lift:
    """Lifts the shapes of one entry. `reads` grows by what its templates read."""

    def __init__(
        self, expressions: Expressions, site: Site, entry: Mapping, trail: Trail, place: Place = Place.VALUE
    ) -> None:
        self.expressions, self.site, self.entry, self.trail, self.place = expressions, site, entry, trail, place
        self.reads: Reads = frozenset()

    def tree(self, shape: Shape, schema: Object, field: str) -> Any:
        """Return the tree of a shape whose schema is known; `field` is its native path. A wrong value is reported and
        gives `MISSING`."""
        lift = _LIFTS.get(shape.__class__)
        if lift is not None:
            return lift(self, shape, schema, field)
        self.reads |= getattr(shape, "reads", frozenset())
        return shape

    def build(self, shape: Shape, schema: Object, field: str) -> Callable[..., Any]:
        """Return the tree of a shape as one callable."""
        return compile_tree(self.tree(shape, schema, field))

    def error(self, code: str, span: Span, message: str, hint: str = "") -> None:
        """Report a fault of the entry."""
        self.expressions.findings.error(code, span, message, hint, path=path_text(self.trail))

    def map(self, shape: Shape, schema: Object, field: str) -> Any:
        """Lift a map, holding its keys to the schema."""
        if self._misplaced(shape, "object", schema, field):
            return MISSING
        entries = as_map(shape) or {}
        for name in openapi.required(schema):
            if name not in entries:
                span = shape.head if isinstance(shape, Mapping) else self.entry.head
                self.error("ORK0602", span, f"`{_join(field, name)}` is required and not declared", f"add `{name}:`")
        found = {}
        for key, value in entries.items():
            inside = openapi.child(schema, key)
            if inside is None:
                self._unknown(shape, key, schema, field)
            elif (lifted := self.tree(value, inside, _join(field, key))) is not MISSING:
                found[key] = lifted
        return found

    def list(self, shape: Shape, schema: Object, field: str) -> Any:
        """Lift a list."""
        if self._misplaced(shape, "array", schema, field):
            return MISSING
        items = step(schema, openapi.EVERY)
        lifted = [self.tree(one, items, f"{field}[{index}]") for index, one in enumerate(as_list(shape) or ())]
        return [one for one in lifted if one is not MISSING]

    def layers(self, shape: Layers, schema: Object, field: str) -> Any:
        """Lift maps that are laid over each other when they are rendered."""
        return Layer(tuple(self.build(one, schema, field) for one in shape.maps))

    def joined(self, shape: Joined, schema: Object, field: str) -> Any:
        """Lift two lists that are merged when they are rendered."""
        return Join(self.build(shape.under, schema, field), self.build(shape.over, schema, field), schema)

    def secret(self, shape: Secret, _: Object, field: str) -> Any:
        """Lift a text that becomes base64."""
        inner = self.scalar(shape.node, {"type": "string"}, field)
        if inner is MISSING:
            return inner
        return encode(inner) if isinstance(inner, str) else Encoded(inner)

    def switch(self, shape: Switch, _: Object, field: str) -> Any:
        """Lift a constant that depends on a boolean."""
        if not (shape.node.is_text and "{{" in shape.node.text):
            wanted = self.scalar(shape.node, {"type": "boolean"}, field)
            return shape.value if wanted is True else MISSING
        condition = self.expressions.template(shape.node, Place.CONDITION, self.site, self.trail)
        if condition is None:
            return MISSING
        self.reads |= condition.reads
        return Switched(condition, shape.value)

    def scalar(self, node: Scalar, schema: Object, field: str) -> Any:
        """Lift a leaf: a constant of the right type, or a template with what makes its value one."""
        if node.is_text and "{{" in node.text:
            return self._template(node, schema, field)
        kind = openapi.type_of(schema)
        if node.value is None and kind != "string":
            return MISSING
        if kind == "string" and not node.is_text and schema.get("format") != "quantity":
            hint = f'quote it: "{node.text}"'
            message = f"`{self._said(node, field)}` is a string, and YAML reads {node.noun} here"
            self.error("ORK0603", node.span, message, hint)
            return MISSING
        if self._misplaced(node, "", schema, field):
            return MISSING
        return self._constant(node, schema, field)

    def _constant(self, node: Scalar, schema: Object, field: str) -> Any:
        try:
            value = coerce(schema, node.value)
        except ValueError as error:
            self.error("ORK0603", node.span, f"`{self._said(node, field)}`: {error}")
            return MISSING
        options = openapi.enum(schema)
        if options is not None and value not in options:
            hint = did_you_mean(str(value), map(str, options)) or f"one of {', '.join(map(str, options))}"
            self.error("ORK0603", node.span, f'`{self._said(node, field)}` cannot be "{value}"', hint)
        return value

    def _said(self, node: Node, field: str) -> str:
        """Return the short key that a value is written under, else the native field that it becomes."""
        return next((key for key, one in self.entry.entries.items() if one is node), field)

    def _template(self, node: Scalar, schema: Object, field: str) -> Any:
        template = self.expressions.template(node, self.place, self.site, self.trail)
        if template is None:
            return MISSING
        self.reads |= template.reads
        kind = openapi.type_of(schema)
        if not template.lone:
            return template if kind in ("string", "any") else Leaf(template, schema, field)
        found = self.expressions.single(template, self.site)
        if found.certain and found.type == kind:
            return template
        if found.declared and found.type in _COLLECTIONS and kind in _NEVER_THOSE:
            message = f"`{self._said(node, field)}` is {_NOUNS[kind]}, and this is {_NOUNS[found.type]}"
            self.error("ORK0603", node.span, message)
            return MISSING
        demanded = self.place is Place.VALUE and not self.expressions.omissible(template, self.site)
        return Leaf(template, schema, field, demanded=demanded)

    def _misplaced(self, shape: Shape, kind: str, schema: Object, field: str) -> bool:
        """Report a map, list or scalar where the schema wants another of the three."""
        wanted = openapi.type_of(schema)
        if wanted in ("any", kind) or (kind not in _COLLECTIONS and wanted not in _COLLECTIONS):
            return False
        span = shape.head if isinstance(shape, Node) else self.entry.head
        have = shape.noun if isinstance(shape, Node) else _NOUNS[kind]
        self.error("ORK0603", span, f"`{field}` is {_NOUNS.get(wanted, wanted)}, not {have}")
        return True

    def _unknown(self, shape: Shape, key: str, schema: Object, field: str) -> None:
        key_node = written(shape).get(key) or (None if field else self.entry.keys.get(key))
        where = f"`{field}`" if field else "the object"
        names = [name for name in openapi.names(schema) if field or name not in ("apiVersion", "kind")]
        hint = did_you_mean(key, names) or (f"it has {', '.join(names)}" if 0 < len(names) <= _FEW else "")
        span = key_node.span if key_node else self.entry.head
        self.error("ORK0604", span, f"there is no field `{key}` in {where}", hint)


_LIFTS: dict[type, Callable[[Lift, Any, Object, str], Any]] = {
    Scalar: Lift.scalar,
    Mapping: Lift.map,
    dict: Lift.map,
    Fields: Lift.map,
    Sequence: Lift.list,
    list: Lift.list,
    Secret: Lift.secret,
    Switch: Lift.switch,
    Joined: Lift.joined,
    Layers: Lift.layers,
}


def _join(field: str, name: str) -> str:
    return f"{field}.{name}" if field else name
