"""The few shapes that a value of a document can have. They hold data only; `decode`, `json_schema` and `describe` each
walk them in their own way."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from functools import cached_property

from ork.base.paths import Path
from ork.base.records import NamedTuple


class Text(NamedTuple):
    """A string. What YAML reads as something else without quotes is refused."""

    what: str = ""
    """What the text is, with its article, for messages and `ork explain`: `a DNS label`."""
    pattern: str = ""
    """A regular expression that matches the whole text; written so that Python and JSON Schema read it alike."""


class Choice(NamedTuple):
    """A string out of a closed list."""

    values: tuple[str, ...]
    older: Mapping[str, str] = {}
    """Spellings that stand for one of the values."""
    later: bool = False
    """Every other value is one that the original system may know and `ork` does not carry out yet."""
    any_case: bool = False


class Number(NamedTuple):
    """A number, written as one."""

    least: float | None = None
    most: float | None = None
    whole: bool = True


class Flag(NamedTuple):
    """`true` or `false`."""


class Length(NamedTuple):
    """A duration such as `30s`."""

    long_units: bool = False
    """Also `90d` and `1y`."""
    blank: bool = False
    """The empty text is as good as no key."""


class Value(NamedTuple):
    """A text, number or boolean: what a template gives, or the plain value (`replicas: 3`, `"3"`,
    `"{{ .spec.replicas }}"`)."""

    what: str = ""


class Operand(NamedTuple):
    """Any scalar, null included."""


class Free(NamedTuple):
    """Anything at all: native Kubernetes fields, patches, bodies."""

    what: str = ""


class List(NamedTuple):
    """A list."""

    item: Shape
    include: str = ""
    """The key under which an included file holds further items; empty: an item cannot be `{include: …}`."""
    least: int = 0


class Map(NamedTuple):
    """A map with keys of the author's choice."""

    value: Shape
    key: Text = Text()
    listed: tuple[str, str] | None = None
    """The older spelling as a list: the key's field, and the value's (empty: the rest of the item is the value)."""
    key_name: str = "name"
    """What a key is, for paths in messages and `ork explain`: `<name>`."""


class Either(NamedTuple):
    """A shape for each form that the value may have; None: it may not have it."""

    scalar: Shape | None = None
    map: Shape | None = None
    list: Shape | None = None


class Field(NamedTuple):
    """One key of a record."""

    shape: Shape
    doc: str
    """One sentence for people."""
    required: bool = False
    default: str = ""
    """What holds without the key, as it would be written."""


_INCLUDE = Field(Text("the path of a file"), "A file with keys of this block; they stand under the ones written here.")


class Record:
    """A map with known keys."""

    def __init__(  # noqa: PLR0913
        self,
        name: str,
        doc: str,
        fields: Mapping[str, Field],
        *,
        older: Mapping[str, Path] | None = None,
        later: tuple[str, ...] = (),
        idle: tuple[str, ...] = (),
        aliases: Mapping[str, str] | None = None,
        any_case: bool = False,
        extra: Shape | None = None,
        include: bool = False,
        comments: bool = False,
        none: bool = False,
        otherwise: str = "",
    ) -> None:
        self.name, self.doc = name, doc
        self.fields = dict(fields)
        self.older = older or {}
        """Older spellings: the path, from this record, where the value stands today (`ORK0110`)."""
        self.later = frozenset(later)
        """Keys of the original system that `ork` does not carry out yet (`ORK0111`)."""
        self.idle = frozenset(idle)
        """Keys that mean something to a Go program only (`ORK0112`)."""
        self.aliases = aliases or {}
        """Second names of fields, as good as the first."""
        self.any_case = any_case
        """Keys may be written in any letter case."""
        self.extra = extra
        """The shape of every other key; None: there is no other key."""
        self.include = include
        """`include: FILE` merges that file's keys under the ones that stand here."""
        if include:
            self.fields["include"] = _INCLUDE
        self.comments = comments
        """Keys that begin with `x-` are ignored."""
        self.none = none
        """`[]` says the same as `{}`: nothing of this."""
        self.otherwise = otherwise
        """What to do instead of writing a key that is not carried out yet, or known and near to none."""

    @cached_property
    def required(self) -> tuple[str, ...]:
        """The keys that must be there."""
        return tuple(name for name, field in self.fields.items() if field.required)

    @cached_property
    def fragment(self) -> Record:
        """What a file holds that this record includes: the same keys, none of them required."""
        made = copy(self)
        made.fields = {name: field._replace(required=False) for name, field in self.fields.items()}
        made.comments = True
        vars(made).pop("required", None)
        return made

    @cached_property
    def spellings(self) -> Mapping[str, str]:
        """Every lower-case spelling of a field, alias or later key, to its name."""
        names = {name.lower(): name for name in (*self.fields, *self.later)}
        return names | {alias.lower(): name for alias, name in self.aliases.items()}


Leaf = Text | Choice | Number | Flag | Length | Value | Operand
Shape = Leaf | Free | List | Map | Either | Record
