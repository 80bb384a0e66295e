"""The functions of a Katalog: Go's, the notes, and the author's own (language, section 4.5)."""

from __future__ import annotations

from ork.base.findings import Related, Span
from ork.base.records import NamedTuple
from ork.expr import notes
from ork.expr.functions import Functions
from ork.expr.notes import Definition, NoteFault
from ork.katalog.collect import Findings
from ork.katalog.gates import sentinel
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence
from ork.program import SENTINELS


class _Written(NamedTuple):
    """A user note and where it stands."""

    definition: Definition
    name: Scalar
    expression: Scalar


def functions(document: Mapping, findings: Findings) -> Functions:
    """Return what expressions of this Katalog may call, sentinels apart."""
    builtins = notes.functions()
    written = _by_name(_written(document), findings)
    if not written:
        return builtins
    known = {**builtins, **{name: sentinel(name) for name in SENTINELS}}
    made = notes.user_notes([note.definition for note in written.values()], known)
    for fault in made.faults:
        _report(fault, written[fault.definition.name], findings)
    for name in made.overridden:
        message = f"the note `{name}` takes the place of the built-in one"
        findings.info("ORK0310", written[name].name.span, message, "give it another name if that is not meant")
    return {name: function for name, function in made.functions.items() if name in written or name not in SENTINELS}


def _by_name(found: list[_Written], findings: Findings) -> dict[str, _Written]:
    """Return the notes by name; of two with the same one the first counts, and the other is reported."""
    written: dict[str, _Written] = {}
    for note in found:
        name = note.definition.name
        first = written.setdefault(name, note)
        if first is not note:
            related = (Related(first.name.span, "the first one"),)
            message = f"two notes are called `{name}`"
            findings.error("ORK0309", note.name.span, message, "give each its own name", related=related)
    return written


def _written(document: Mapping) -> list[_Written]:
    """Return the notes beside `spec` and in it."""
    found: list[_Written | None] = []
    for holder in (document, document.mapping("spec")):
        block = holder.get("notes") if holder else None
        nodes = block.sequence("functions") if isinstance(block, Mapping) else block
        found += map(_note, nodes if isinstance(nodes, Sequence) else ())
    return [note for note in found if note is not None]


def _note(node: AnyNode) -> _Written | None:
    name, expression = (node.scalar(key) if isinstance(node, Mapping) else None for key in ("name", "expression"))
    if name is None or expression is None:
        return None
    return _Written(Definition(name.text, expression.text, expression.locate), name, expression)


def _report(fault: NoteFault, written: _Written, findings: Findings) -> None:
    findings.error("ORK0309", _span(fault, written), fault.message, fault.hint)


def _span(fault: NoteFault, written: _Written) -> Span:
    if fault.about == "name":
        return written.name.span
    return written.expression.locate(fault.start, fault.end) if fault.end else written.expression.span
