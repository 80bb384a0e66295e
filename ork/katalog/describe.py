"""What the grammar knows of one key, for `ork explain spec.crds.operatorBox.preReconcile`."""

from __future__ import annotations

import re

from ork.base.errors import UsageError
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.documents import FORMS
from ork.katalog.grammar.shapes import Either, Field, List, Map, Record, Shape
from ork.katalog.refusals import wanted


class Key(NamedTuple):
    """One key of a block."""

    name: str
    wants: str
    """What may stand there: `a list of maps`."""
    doc: str
    required: bool
    default: str
    """As it would be written; empty where there is none."""


class Description(NamedTuple):
    """One place of a document."""

    kind: str
    path: str
    """`spec.crds.<name>.operatorBox`."""
    wants: str
    doc: str
    required: bool
    default: str
    keys: tuple[Key, ...]
    """What may stand below it, in the order of the grammar."""
    later: tuple[str, ...]
    """Keys that are known and not supported yet."""


def describe(path: str) -> Description:
    """Return what may stand at a path of a Katalog, or of the document whose kind is the path's first word.

    Names and indices in it are skipped: `spec.crds.operatorBox`, `spec.crds.app.operatorBox` and
    `Simulate.spec.expect.ops[0].verb` are all fine. Raises UsageError where the path leads nowhere.
    """
    steps = [step for step in re.sub(r"\[[^\]]*\]", "", path).split(".") if step]
    kind = next((kind for kind in FORMS if steps and steps[0].lower() == kind.lower()), None)
    root = FORMS[kind or "Katalog"].whole
    place = _Place(kind or "Katalog", "", Field(root, root.doc, required=True))
    for step in steps[1:] if kind else steps:
        place = place.into(step)
    return place.description()


class _Place:
    def __init__(self, kind: str, path: str, field: Field) -> None:
        self.kind, self.path, self.field = kind, path, field
        self.record, self.through = _record(field.shape)

    def into(self, step: str) -> _Place:
        """Return the place below; a step that is no key is a name of the author's, where names are."""
        names = _names(self.record) if self.record else {}
        key = names.get(step) or names.get(step.lower())
        if key is None or self.record is None:
            if self.through and not did_you_mean(step, names):
                return self
            hint = did_you_mean(step, names) or (f"it has {', '.join(names.values())}" if names else "it has no keys")
            raise UsageError(f'{self.path or self.kind} has no key "{step}"; {hint}')
        below = ".".join(part for part in (self.path + self.through, key) if part)
        return _Place(self.kind, below, self.record.fields[key])

    def description(self) -> Description:
        """Return what is known of it."""
        record = self.record
        keys = tuple(
            Key(name, wants(field.shape), field.doc, field.required, field.default)
            for name, field in (record.fields.items() if record else ())
        )
        shape, doc, required, default = self.field
        later = tuple(sorted(record.later)) if record else ()
        return Description(self.kind, self.path, wants(shape), doc, required, default, keys, later)


def _record(shape: Shape) -> tuple[Record | None, str]:
    """Return the record that stands at or below a shape, and what is on the way to it: `[]`, `.<name>`."""
    if isinstance(shape, List):
        found, way = _record(shape.item)
        return found, "[]" + way
    if isinstance(shape, Map):
        found, way = _record(shape.value)
        return found, f".<{shape.key_name}>{way}"
    if isinstance(shape, Either):
        forms = [form for form in (shape.map, shape.list, shape.scalar) if form is not None]
        return next((made for form in forms if (made := _record(form))[0]), (None, ""))
    return (shape, "") if isinstance(shape, Record) else (None, "")


def _names(record: Record) -> dict[str, str]:
    return {name.lower(): name for name in record.fields} | {name: name for name in record.fields}


def wants(shape: Shape) -> str:
    """Return what may stand at a shape: `a list of maps`, `a map of texts`."""
    if isinstance(shape, List):
        return f"a list of {_many(wants(shape.item))}"
    if isinstance(shape, Map):
        return f"a map by {shape.key_name} of {_many(wants(shape.value))}"
    if isinstance(shape, Either):
        forms = [wants(form) for form in (shape.scalar, shape.map, shape.list) if form is not None]
        return " or ".join(dict.fromkeys(forms))
    return wanted(shape)


def _many(words: str) -> str:
    return f"{words[2:]}s" if words in ("a map", "a text") else f"({words})"
