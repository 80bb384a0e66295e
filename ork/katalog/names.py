"""What one effective box has by name: its external calls, and the kinds of children that it declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ork.base.findings import Related
from ork.base.objects import Kind
from ork.base.records import NamedTuple
from ork.katalog.collect import Findings
from ork.katalog.kinds import Kinds, Known, native
from ork.katalog.resources.table import GROUPS
from ork.katalog.scope import Moment, Stage
from ork.katalog.types import Types
from ork.katalog.yaml.nodes import AnyNode, Scalar, Sequence
from ork.katalog.yaml.nodes import Mapping as MapNode


class Child(NamedTuple):
    """A name under `.children`."""

    kind: Kind
    types: Types
    single: bool
    """The object itself; else a map of them by name."""
    several: bool
    """More than one object may be meant."""


class BoxNames(NamedTuple):
    """The names that expressions of a box can read."""

    calls: Mapping[str, Moment]
    children: Mapping[str, Child]
    """By kind and plural, in lower case."""
    surface: str = ""


NO_NAMES = BoxNames({}, {})

Lists = Mapping[Stage, Sequence | None]
"""The lists of calls of a box and its rules, by when they run."""


def call_names(lists: Lists, findings: Findings) -> dict[str, Moment]:
    """Return when each call runs. A name is unique over all lists of a box, since their results are one namespace."""
    found: dict[str, Moment] = {}
    first: dict[str, Scalar] = {}
    for stage, nodes in lists.items():
        for order, node in enumerate(nodes.elements if nodes else ()):
            name = node.scalar("name") if isinstance(node, MapNode) else None
            if name is None:
                continue
            if name.text in found:
                _twice(name, first[name.text], findings)
                continue
            found[name.text], first[name.text] = Moment(stage, order), name
    return found


def _twice(name: Scalar, first: Scalar, findings: Findings) -> None:
    message = f"two external calls of this box are named `{name.text}`; their results would overwrite each other"
    related = (Related(first.span, "the first one"),)
    findings.error("ORK0701", name.span, message, "give each call of a box its own name", related=related)


def children(blocks: tuple[MapNode | None, ...], managed: Sequence | None, kinds: Kinds) -> dict[str, Child]:
    """Return the children that the resource blocks of a box declare, and the kinds that its hook makes."""
    counts: dict[Kind, int] = {}
    types: dict[Kind, Types] = {}
    for known, count in (*_declared(blocks, kinds), *_managed(managed, kinds)):
        counts[known.kind] = counts.get(known.kind, 0) + count
        types[known.kind] = kinds.types(known)
    found: dict[str, Child] = {}
    for kind, count in counts.items():
        found.setdefault(kind.kind.lower(), Child(kind, types[kind], True, count > 1))
        found.setdefault(kind.plural.lower(), Child(kind, types[kind], False, True))
    return found


def _managed(names: Sequence | None, kinds: Kinds) -> Iterator[tuple[Known, int]]:
    """Go over the kinds that a hook makes; it may make any number of each."""
    for node in names or ():
        if isinstance(node, Scalar) and (known := kinds.named(node.text)) is not None:
            yield known, 2


def _declared(blocks: tuple[MapNode | None, ...], kinds: Kinds) -> Iterator[tuple[Known, int]]:
    """Go over the entries: what each makes, and 2 where it makes several."""
    for block in blocks:
        for group, nodes in block.entries.items() if block else ():
            if group == "external" or not isinstance(nodes, Sequence):
                continue
            for node in nodes.elements:
                known = _kind_of(group, node, kinds)
                if known is not None and isinstance(node, MapNode):
                    yield known, 2 if "forEach" in node.entries else 1


def _kind_of(group: str, node: AnyNode, kinds: Kinds) -> Known | None:
    if group in GROUPS:
        return native(GROUPS[group].kind)
    words = [node.value(key) for key in ("apiVersion", "kind")] if isinstance(node, MapNode) else []
    if not all(isinstance(word, str) and word and "{{" not in word for word in words) or not words:
        return None
    return kinds.find(*words) or kinds.guess(*words, namespaced=True)
