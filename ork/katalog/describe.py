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
    steps, place = steps[1:] if kind else steps, _root(kind or "Katalog")
    for index, step in enumerate(steps):
        below = place.into(step)
        if below is None:
            hint = _hint(place, step, steps[index + 1 :])
            raise UsageError(f'{place.path or place.kind} has no key "{step}"; {hint}')
        place = below
    return place.description()


def _hint(place: _Place, step: str, rest: list[str]) -> str:
    """Return what a step that leads nowhere was meant to be: a key here, one further down, or one of another kind."""
    names = _names(place.record) if place.record else {}
    if near := did_you_mean(step, names):
        return near
    found = _elsewhere(place, step)
    while found and rest and (below := found.into(rest[0])):
        found, rest = below, rest[1:]
    if found:
        return f"did you mean {'' if found.kind == 'Katalog' else f'{found.kind}.'}{found.path}?"
    return f"it has {', '.join(dict.fromkeys(names.values()))}" if names else "it has no keys"


def _elsewhere(start: _Place, name: str) -> _Place | None:
    """Return the place nearest to the root that has that name, below `start` if there is one."""
    seen: set[int] = set()
    places = [start, *(_root(kind) for kind in FORMS)]
    for place in places:
        if place.record is None or id(place.record) in seen:
            continue
        seen.add(id(place.record))
        if key := _names(place.record).get(name.lower()):
            return place.below(key)
        places += map(place.below, place.record.fields)
    return None


def _root(kind: str) -> _Place:
    whole = FORMS[kind].whole
    return _Place(kind, "", Field(whole, whole.doc, required=True))


class _Place:
    def __init__(self, kind: str, path: str, field: Field, named: bool = False) -> None:
        """`named`: the author's own name has been passed, so that the next step is a key."""
        self.kind, self.path, self.field = kind, path, field
        self.record, self.through = _record(field.shape)
        self._named = named or "<" not in self.through

    def into(self, step: str) -> _Place | None:
        """Return the place below; a step that is no key is a name of the author's, where names are."""
        names = _names(self.record) if self.record else {}
        key = names.get(step) or names.get(step.lower())
        if key is None or self.record is None:
            if step.isdigit() and "[]" in self.through:
                return self
            if self._named or did_you_mean(step, names):
                return None
            return _Place(self.kind, self.path, self.field, named=True)
        return self.below(key)

    def below(self, key: str) -> _Place:
        """Return the place of a key that is there."""
        assert self.record is not None
        path = ".".join(part for part in (self.path + self.through, key) if part)
        return _Place(self.kind, path, self.record.fields[key])

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
