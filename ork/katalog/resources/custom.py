"""`custom` entries: whole objects of any kind."""

from __future__ import annotations

from ork.katalog.expressions import Expressions
from ork.katalog.kinds import Kinds, Known, not_kubernetes
from ork.katalog.resources.entries import Body, Declared, Draft, Spot
from ork.katalog.resources.shapes import Shape
from ork.katalog.yaml.nodes import Mapping

_OF_THE_ENTRY = frozenset(
    ("id", "when", "or", "forEach", "reconcile", "forceConflict", "ignore", "prune", "adopt", "rerun", "hasStatus")
)
_IDENTITY = ("apiVersion", "kind", "metadata")
_NOT_STORED = ("name", "namespace", "namespaced")
_ONCE = frozenset((("batch", "Job"), ("", "Pod"), ("", "PersistentVolumeClaim")))
"""Kinds that are created once wherever they stand."""


def compile_custom(expressions: Expressions, node: Mapping, spot: Spot) -> Draft | None:
    """Return a `custom` entry; None, and findings, where kind or name are missing."""
    declared = Declared(expressions, node, spot)
    if "status" in node.entries:
        message = "writing the status of a custom resource is known, but not supported yet"
        declared.findings.error("ORK0111", node.key_span("status"), message, path=declared.path)
    found = _kind(declared, spot.terms.kinds)
    meta = node.mapping("metadata")
    identity = declared.identity(
        (meta.scalar("name") if meta else None) or node.scalar("name"),
        (meta.scalar("namespace") if meta else None) or node.scalar("namespace"),
        None,
    )
    if found is None or identity is None:
        return None
    kind, schema = found
    once = (kind.group, kind.kind) in _ONCE
    entry, _ = declared.entry(identity, Body(kind, schema, _shape(node, meta), once))
    has_status = "status" in node.entries and node.value("hasStatus", True) is not False
    return Draft(entry._replace(has_status=has_status), node, spot.trail)


def _shape(node: Mapping, meta: Mapping | None) -> Shape:
    rest = {key: value for key, value in node.entries.items() if key not in _OF_THE_ENTRY and key not in _IDENTITY}
    named = {key: rest.pop(key) for key in ("labels", "annotations") if key in rest}
    for key in ("name", "namespace"):
        rest.pop(key, None)
    stored = {key: value for key, value in (meta.entries if meta else {}).items() if key not in _NOT_STORED}
    return {"metadata": {**named, **stored}, **rest} if named or stored else rest


def _kind(declared: Declared, kinds: Kinds) -> Known | None:
    """Return kind and schema. The scope is that of the known kind, else `metadata.namespaced`, else a namespace."""
    words = {key: declared.node.scalar(key) for key in ("apiVersion", "kind")}
    for key, word in words.items():
        if word is not None and "{{" in word.text:
            message = f"`{key}` decides what is created and watched, so it cannot be a template"
            declared.findings.error("ORK0611", word.span, message, "write the literal value", path=declared.path)
            return None
    api_version, name = words["apiVersion"], words["kind"]
    if api_version is None or name is None:
        return None
    if (found := kinds.find(api_version.text, name.text)) is not None:
        return found
    meant = not_kubernetes(api_version.text, name.text)
    if meant is not None:
        message = f"Kubernetes has no {name.text} in {api_version.text}"
        declared.findings.error("ORK0612", name.span, message, meant, path=declared.path)
    meta = declared.node.mapping("metadata")
    namespaced = meta is None or meta.value("namespaced", True) is not False
    return kinds.guess(api_version.text, name.text, namespaced=namespaced)
