"""The grammars as JSON Schemas, for editors and for people who check documents without `ork`.

They accept what the decoder accepts, except that a schema cannot read included files and cannot tell that an older and
today's spelling stand side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ork.base.objects import Object
from ork.katalog.documents import FORMS
from ork.katalog.grammar.shapes import (
    Choice,
    Either,
    Field,
    Flag,
    Free,
    Length,
    List,
    Map,
    Number,
    Operand,
    Record,
    Shape,
    Text,
    Value,
)
from ork.katalog.leaves import LENGTHS

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: str) -> Object:
    """Return the JSON Schema of `Katalog`, `Simulate` or `E2E`."""
    form, writer = FORMS[kind], _Writer()
    whole = writer.record(form.whole, nullable=False)
    bare = {"then": whole, "else": writer.record(form.bare, nullable=False)} if form.bare else whole
    body = {"if": {"required": ["spec"]}, **bare} if form.bare else bare
    return {"$schema": _DIALECT, "title": kind, "description": form.whole.doc, **body, "$defs": writer.definitions}


def schema_of_record(shape: Record) -> Object:
    """Return the JSON Schema of one block alone."""
    writer = _Writer()
    return {"$schema": _DIALECT, **writer.record(shape, nullable=False), "$defs": writer.definitions}


def files() -> Mapping[str, str]:
    """Return what the folder `schemas` holds of these, by file name."""
    return {f"{kind.lower()}.json": json.dumps(schema_of(kind), indent=1) + "\n" for kind in FORMS}


class _Writer:
    """One schema being written; each record becomes a definition, named once."""

    def __init__(self) -> None:
        self.definitions: Object = {}
        self._names: dict[int, str] = {}

    def shape(self, shape: Shape, *, nullable: bool) -> Object:
        """Return the schema of a shape; `nullable`: nothing may stand there, which is as if the key were absent."""
        if isinstance(shape, Record):
            return self.record(shape, nullable=nullable)
        return _SHAPES[shape.__class__](self, shape, nullable)

    def record(self, shape: Record, *, nullable: bool) -> Object:
        """Return a reference to a record's definition."""
        if id(shape) not in self._names:
            name = self._names[id(shape)] = self._free_name(shape.name)
            self.definitions[name] = {}
            self.definitions[name] = self._defined(shape)
        reference = {"$ref": f"#/$defs/{self._names[id(shape)]}"}
        others = [{"type": "null"}] * nullable + [{"type": "array", "maxItems": 0}] * shape.none
        return {"anyOf": [reference, *others]} if others else reference

    def _free_name(self, name: str) -> str:
        taken, number = name, 2
        while taken in self.definitions:
            taken, number = f"{name}-{number}", number + 1
        return taken

    def _defined(self, shape: Record) -> Object:
        made: Object = {"type": "object", "description": shape.doc, "properties": self._properties(shape)}
        if shape.required:
            made["required"] = list(shape.required)
        patterns: Object = {"^x-": {}} if shape.comments else {}
        if shape.any_case:
            patterns |= {_any_case(name): self.field(field) for name, field in shape.fields.items()}
        if patterns:
            made["patternProperties"] = patterns
        made["additionalProperties"] = False if shape.extra is None else self.shape(shape.extra, nullable=True)
        return made

    def _properties(self, shape: Record) -> Object:
        """Every key that is known, the ones that are not supported yet as never allowed."""
        made: Object = {name: self.field(field) for name, field in shape.fields.items()}
        made |= {key: {**self.field(_at(shape, path)), "deprecated": True} for key, path in shape.older.items()}
        made |= {alias: made[name] for alias, name in shape.aliases.items()}
        made |= dict.fromkeys(sorted(shape.idle), _IDLE)
        return made if shape.extra is None else made | dict.fromkeys(sorted(shape.later), False)

    def field(self, field: Field) -> Object:
        """Return the schema of one key, with what people read in an editor."""
        doc = field.doc + (f" Default: {field.default}." if field.default else "")
        return {**self.shape(field.shape, nullable=not field.required), "description": doc}

    def list(self, shape: List, nullable: bool) -> Object:
        """A list, whose items may be `{include: FILE}`."""
        item = self.shape(shape.item, nullable=False)
        if shape.include:
            item = {"if": {"type": "object", "required": ["include"]}, "then": _INCLUDE, "else": item}
        made: Object = {"type": ["array", "null"] if nullable else "array", "items": item}
        return made | ({"minItems": shape.least} if shape.least else {})

    def map(self, shape: Map, nullable: bool) -> Object:
        """A map with the author's own keys, or the list as which it was written once."""
        blank = isinstance(shape.value, Record) and not shape.value.required
        made: Object = {
            "type": ["object", "null"] if nullable else "object",
            "additionalProperties": self.shape(shape.value, nullable=blank),
        }
        if shape.key.pattern:
            made["propertyNames"] = {"pattern": f"^(?:{shape.key.pattern})$"}
        if shape.listed is None:
            return made
        return {"anyOf": [made, {"type": "array", "items": self._listed(shape, *shape.listed), "deprecated": True}]}

    def _listed(self, shape: Map, key: str, value: str) -> Object:
        name = self.shape(shape.key, nullable=False)
        if value:
            held = self.shape(shape.value, nullable=False)
            properties = {key: name, value: held}
            return {"type": "object", "properties": properties, "required": [key, value], "additionalProperties": False}
        assert isinstance(shape.value, Record)
        entry = Record(f"{shape.value.name}-listed", shape.value.doc, shape.value.fields, older=shape.value.older)
        entry.fields[key] = Field(shape.key, "The entry's name.", required=True)
        return self.record(entry, nullable=False)

    def either(self, shape: Either, nullable: bool) -> Object:
        """One schema for each form."""
        forms = [form for form in (shape.scalar, shape.map, shape.list) if form is not None]
        made = [self.shape(form, nullable=False) for form in forms]
        absent = nullable and (shape.scalar is None)
        return {"anyOf": [*made, {"type": "null"}]} if absent else {"anyOf": made} if len(made) > 1 else made[0]


_IDLE = {"description": "Speaks to a Go program; it has no effect.", "deprecated": True}
_INCLUDE = {
    "properties": {"include": {"type": "string", "description": "A file whose items take the place of this one."}},
    "patternProperties": {"^x-": {}},
    "additionalProperties": False,
}


def _at(shape: Record, path: tuple[str, ...]) -> Field:
    """Return the field at a path of records."""
    field = shape.fields[path[0]]
    return field if len(path) == 1 else _at(_inner(field.shape), path[1:])


def _inner(shape: Shape) -> Record:
    assert isinstance(shape, Record), "an older spelling moves its value into records only"
    return shape


def _any_case(text: str) -> str:
    """Return a pattern for a word in any letter case, in the words that every dialect has."""
    return "^" + "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in text) + "$"


def _choice(_: _Writer, shape: Choice, __: bool) -> Object:
    listed: Object = {"enum": [*shape.values, *shape.older]}
    if not shape.any_case:
        return listed
    return {"anyOf": [listed, *({"type": "string", "pattern": _any_case(value)} for value in shape.values)]}


def _number(_: _Writer, shape: Number, __: bool) -> Object:
    bounds = {"minimum": shape.least, "maximum": shape.most}
    kind = "integer" if shape.whole else "number"
    return {"type": kind, **{name: bound for name, bound in bounds.items() if bound is not None}}


def _text(_: _Writer, shape: Text, __: bool) -> Object:
    return {"type": "string"} | ({"pattern": f"^(?:{shape.pattern})$"} if shape.pattern else {})


def _length(_: _Writer, shape: Length, __: bool) -> Object:
    blank = "|" if shape.blank else ""
    return {"type": "string", "pattern": f"^(?:{LENGTHS[shape.long_units]}{blank})$"}


def _typed(*types: str) -> Callable[[_Writer, Any, bool], Object]:
    made: Object = {"type": list(types) if len(types) > 1 else types[0]}
    return lambda *_: made


_SHAPES: dict[type, Callable[[_Writer, Any, bool], Object]] = {
    Text: _text,
    Choice: _choice,
    Number: _number,
    Flag: _typed("boolean"),
    Length: _length,
    Value: _typed("string", "number", "boolean"),
    Operand: _typed("string", "number", "boolean", "null"),
    Free: lambda *_: {},
    List: _Writer.list,
    Map: _Writer.map,
    Either: _Writer.either,
}
