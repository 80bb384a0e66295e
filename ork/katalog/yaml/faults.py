"""What to say where a text is no YAML, or YAML that no Kubernetes object can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yaml.error import MarkedYAMLError, YAMLError

from ork.base.findings import Finding, Related, Severity, Span
from ork.base.patterns import pattern
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar

if TYPE_CHECKING:
    from ork.katalog.yaml.source import Source

_TEMPLATE = pattern(r"(?:^|[:\-,\[{]\s)\s*\{\{")
_QUOTE = 'a value that begins with `{{` must be quoted: "{{ … }}"'
_TAB = "YAML is indented with spaces: replace the tab"
_NEAR = 500
"""So many characters before and behind a fault are looked at for its cause."""
_REMEDIES = {
    "did not find expected ',' or ']'": "close the list with `]`, and put a comma between its items",
    "did not find expected ',' or '}'": "close the map with `}`, and put a comma between its keys",
    "did not find expected key": "keys of one map begin in the same column",
    "did not find expected '-' indicator": "items of one list begin in the same column",
    "mapping values are not allowed in this context": "quote a text that holds a colon and a space",
    "could not find expected ':'": "write `key: value`",
    "found unexpected end of stream": "close the quotes",
    "exceeded maximum nesting depth": "split it into flatter pieces",
    "found character that cannot start any token": "quote the text",
}
"""By what libyaml says is the problem."""


def error(code: str, span: Span, message: str, hint: str = "") -> Finding:
    """Return an error without a path: reading comes before any meaning."""
    return Finding(code, Severity.ERROR, span, message, hint)


def syntax(source: Source, fault: YAMLError) -> Finding:
    """Return what libyaml says, with its position and, where the mistake is a common one, the remedy."""
    if not isinstance(fault, MarkedYAMLError):
        return _unreadable(source, fault)
    mark: Any = fault.problem_mark or fault.context_mark
    at = min(mark.index if mark else 0, len(source.text))
    message = str(fault.problem or fault.context or fault)
    related: tuple[Related, ...] = ()
    if fault.context and fault.context_mark:
        begun: Any = fault.context_mark
        message = f"{fault.context}: {message}"
        related = (Related(source.span(begun.index, begun.index), fault.context),)
    finding = error(
        "ORK0001", source.span(at, at + 1), f"this is not YAML: {message}", _remedy(source, at, fault.problem)
    )
    return finding._replace(related=related)


def _remedy(source: Source, at: int, problem: str | None) -> str:
    number, column = source.position(at)
    line = source.line(number)[max(0, column - _NEAR) : column + _NEAR]
    if source.text[at : at + 1] == "\t" or line.startswith("\t"):
        return _TAB
    return _QUOTE if _TEMPLATE.search(line) else _REMEDIES.get(problem or "", "")


def _unreadable(source: Source, fault: YAMLError) -> Finding:
    """A character that YAML does not allow; the reader's position is its offset in bytes."""
    found = _FORBIDDEN.search(source.text)
    at = found.start() if found else 0
    name = f"the character U+{ord(source.text[at]):04X} may not stand in YAML" if found else str(fault)
    return error("ORK0001", source.span(at, at + 1), f"this is not YAML: {name}", 'write it as an escape in "…"')


_FORBIDDEN = pattern("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def bad_key(node: AnyNode, event: Any) -> Finding:
    """Return the finding for a key that is nothing, a list or a map."""
    if isinstance(node, Mapping) and event.flow_style:
        message = "a template without quotes is a map to YAML, and a map cannot be a key"
        return error("ORK0006", node.span, message, _QUOTE)
    noun = "nothing" if isinstance(node, Scalar) else node.noun
    return error("ORK0006", node.span, f"{noun} cannot be a key", "a key is a text")


def bad_merge(node: AnyNode) -> Finding:
    """Return the finding for a `<<` that names no map."""
    return error("ORK0008", node.span, f"`<<` merges maps, not {node.noun}", "name an anchor of a map: `<<: *name`")


def bad_alias(name: str, span: Span, opened: Span | None) -> Finding:
    """Return the finding for an alias that names nothing, or a node that it stands in itself."""
    if opened is None:
        return error("ORK0004", span, f"`*{name}` names no anchor above it", f"write `&{name}` where the value stands")
    finding = error("ORK0004", span, f"`*{name}` stands inside the value that it names", "write the value out")
    return finding._replace(related=(Related(opened, f"`&{name}` begins here"),))
