"""Names, labels and keys as Kubernetes takes them, as far as they are written literally."""

from __future__ import annotations

from collections.abc import Iterator

from ork.base.findings import Span
from ork.base.objects import Kind
from ork.base.patterns import pattern
from ork.base.records import NamedTuple
from ork.base.text import cut
from ork.katalog.variables import ACTION
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.labels import MANAGED_BY_LABEL, OWNER_LABEL, PREFIX
from ork.openapi import names, naming

_OURS = (OWNER_LABEL, MANAGED_BY_LABEL)
_CONTROL = pattern(r"\{\{-|-\}\}|\{\{\s*(?:if|else|range|with|end|define|block|template|break|continue)\b")


class Complaint(NamedTuple):
    """What Kubernetes would refuse, and where it stands."""

    span: Span
    message: str
    hint: str


def name_complaints(name: Scalar | None, kind: Kind) -> Iterator[Complaint]:
    """Complain about a name that can never be one, whatever its expressions give."""
    shown = None if name is None else _outline(name.text)
    if name is not None and shown is not None:
        yield from _name(name, shown, kind.group, kind.kind)


def label_complaints(node: Mapping) -> Iterator[Complaint]:
    """Complain about labels and annotations of an entry."""
    overlay = node.mapping("metadata")
    for holder in (node, overlay):
        if holder is not None:
            yield from _labels(holder)


def reserved_labels(node: Mapping) -> Iterator[Complaint]:
    """Complain about labels of an entry that are set for it."""
    overlay = node.mapping("metadata")
    for holder in (node, overlay):
        labels = holder.mapping("labels") if holder is not None else None
        for key in labels.keys if labels else ():
            if labels is not None and (key in _OURS or key.startswith(PREFIX)):
                hint = "choose a label of your own"
                yield Complaint(labels.key_span(key), f"ork sets the label `{cut(key, 80)}` itself", hint)


def metadata_complaints(meta: Mapping, group: str, kind: str) -> Iterator[Complaint]:
    """Complain about name, labels and annotations of a whole object."""
    name = meta.scalar("name")
    if name is not None and name.is_text:
        yield from _name(name, name.text, group, kind)
    yield from _labels(meta)


def _name(name: Scalar, shown: str, group: str, kind: str) -> Iterator[Complaint]:
    rule = naming.rule_of(group, kind)
    if rule.fits(shown):
        message = f'"{cut(name.text, 80)}" can be no name of a {kind}'
        yield Complaint(name.span, message, f"a name has {rule.words}")


def _labels(holder: Mapping) -> Iterator[Complaint]:
    yield from _keys(holder.mapping("annotations"), "an annotation", names.annotation_key)
    yield from _keys(holder.mapping("labels"), "a label", names.qualified)
    yield from _values(holder.mapping("labels"))


def data_complaints(data: Mapping | None) -> Iterator[Complaint]:
    """Complain about the keys of a ConfigMap or Secret."""
    for key in data.entries if data else ():
        if data is not None and names.config_key(key):
            yield Complaint(data.key_span(key), f'"{cut(key, 80)}" can be no key', "a key has letters, digits, `-_.`")


def _keys(node: Mapping | None, what: str, rule: names.NameRule) -> Iterator[Complaint]:
    for key in node.entries if node else ():
        if node is not None and rule(key):
            hint = "a key has letters, digits, `-_.`, at most 63, after a domain and `/` if it has one"
            yield Complaint(node.key_span(key), f'"{cut(key, 80)}" can be no key of {what}', hint)


def _values(node: Mapping | None) -> Iterator[Complaint]:
    for value in node.entries.values() if node else ():
        if not isinstance(value, Scalar) or not value.is_text:
            continue
        shown = _outline(value.text)
        if shown is not None and names.label_value(shown):
            hint = "a label's value has at most 63 letters, digits, `-_.`, a letter or digit first and last"
            yield Complaint(value.span, f'"{cut(value.text, 80)}" can be no value of a label', hint)


def _outline(text: str) -> str | None:
    """Return the text with a letter for each action; None where actions decide which of it is there."""
    return None if _CONTROL.search(text) else ACTION.sub("x", text)
