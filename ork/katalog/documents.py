"""Which kind of document a file holds, and the grammar that it follows (language, sections 1 and 14)."""

from __future__ import annotations

from ork.base.findings import Finding
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.decode import decode
from ork.katalog.grammar.e2e import BARE_E2E, E2E, E2E_SPEC
from ork.katalog.grammar.katalog import KATALOG
from ork.katalog.grammar.shapes import Record
from ork.katalog.grammar.simulate import BARE_SIMULATE, SIMULATE, SIMULATE_SPEC
from ork.katalog.sources import Sources
from ork.katalog.yaml.nodes import AnyNode, Mapping

_API = "orkestra."
"""How the apiVersion of every `ork` document begins, old or new."""

_LATER = ("Motif", "Komposer")


class Form(NamedTuple):
    """How a kind of document may be written: whole, and bare (the keys of `spec` at the top)."""

    whole: Record
    bare: Record | None = None


FORMS = {
    "Katalog": Form(KATALOG),
    "Simulate": Form(SIMULATE, BARE_SIMULATE),
    "E2E": Form(E2E, BARE_E2E),
}
"""The documents of `ork`, by kind."""

_SIMULATE = frozenset(SIMULATE_SPEC.fields)
_HEAD = frozenset(("apiVersion", "kind", "metadata", "spec"))
_TELLING = frozenset(("katalog", "cr", "crFiles", "expect", "externalResponses"))
"""Keys that hardly any other file has: beside them an unknown key is a mistake, not the sign of a stranger's file."""
_ONLY_E2E = frozenset(E2E_SPEC.fields) - _SIMULATE


def kind_of(node: AnyNode) -> str:
    """Return `Katalog`, `Simulate` or `E2E`; another word where an `ork` document names an unknown kind; the empty
    string for everything else, such as a CustomResourceDefinition or a CR."""
    if not isinstance(node, Mapping):
        return ""
    version, kind = str(node.value("apiVersion", "")), node.scalar("kind")
    if version and not version.startswith(_API):
        return ""
    if kind is not None and (version or kind.text in FORMS):
        return kind.text
    return _inferred(node)


def _inferred(node: Mapping) -> str:
    """Return the kind that the keys of a document without `kind` mean."""
    spec = node.mapping("spec") or node
    keys = {key for holder in (spec, node) for key in holder.entries if key not in _HEAD and not key.startswith("x-")}
    if "crds" in keys:
        return "Katalog"
    if not keys & _TELLING and not keys <= _SIMULATE | _ONLY_E2E:
        return ""
    return "E2E" if keys & _ONLY_E2E else "Simulate" if keys else ""


def decoded(node: AnyNode, sources: Sources, findings: list[Finding]) -> Mapping | None:
    """Return an `ork` document as its grammar wants it; None, and a finding, where it is none, or of a kind that is not
    supported yet. A bare document keeps its keys at the top: see `spec_of`."""
    kind = kind_of(node)
    form = FORMS.get(kind)
    if form is None or not isinstance(node, Mapping):
        _refuse(node, kind, Findings(findings))
        return None
    bare = form.bare is not None and "spec" not in node.entries
    return decode(node, form.bare if bare and form.bare else form.whole, sources, findings)


def spec_of(document: Mapping) -> Mapping:
    """Return where the keys of a decoded Simulate or E2E document stand: its `spec`, or itself if it is bare."""
    return document.mapping("spec") or document


def _refuse(node: AnyNode, kind: str, out: Findings) -> None:
    span = node.head
    if isinstance(node, Mapping) and (named := node.get("kind")) is not None:
        span = named.span
    if kind in _LATER:
        out.error("ORK0111", span, f"the kind {kind} is known, but not supported yet", path="kind")
    elif kind:
        hint = did_you_mean(kind, FORMS) or f"one of {', '.join(FORMS)}"
        out.error("ORK0109", span, f'there is no kind "{kind}" of document', hint, path="kind")
    else:
        out.error("ORK0109", span, "this is no document of ork", f"say its `kind`: {', '.join(FORMS)}")
