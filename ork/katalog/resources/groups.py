"""Entries of the resource groups: the short form, the native overlay, and the labels that bind pods to their owner."""

from __future__ import annotations

from typing import Any

from ork.expr.tree import compile_tree
from ork.katalog.expressions import Expressions
from ork.katalog.kinds import native
from ork.katalog.resources.entries import Body, Declared, Draft, Identity, Spot
from ork.katalog.resources.leaves import PodLabels
from ork.katalog.resources.shapes import Layers, Shape, Step, as_map, merge, put, reach
from ork.katalog.resources.syntax import data_complaints
from ork.katalog.resources.table import GROUPS, Group
from ork.katalog.yaml.nodes import Mapping, Scalar
from ork.program import Entry

_SELECTOR: tuple[Step, ...] = ("spec", "selector", "matchLabels")
_POD_LABELS: tuple[Step, ...] = ("spec", "template", "metadata", "labels")
_SERVICE_SELECTOR: tuple[Step, ...] = ("spec", "selector")


def compile_entry(expressions: Expressions, node: Mapping, spot: Spot) -> Draft | None:
    """Return one entry of a group; None, and findings, where it has no name."""
    group = GROUPS[spot.group]
    declared = Declared(expressions, node, spot)
    identity = declared.identity(_named(node, "name"), _named(node, "namespace"), group.suffix)
    if identity is None:
        return None
    for complaint in data_complaints(node.mapping("data")):
        declared.findings.error("ORK0613", *complaint, path=declared.path)
    shape = _complete(declared, group, _shape(group, node, identity), identity)
    body = Body(group.kind, native(group.kind).schema, shape, group.once, group.copied)
    entry, tree = declared.entry(identity, body)
    draft = Draft(entry, node, spot.trail, group.workload)
    if group.name == "services" and reach(shape, _SERVICE_SELECTOR) is None and not _external(node):
        return draft._replace(finish=lambda final, labels: _selecting(final, tree, labels))
    return draft


def _named(node: Mapping, key: str) -> Scalar | None:
    """Return the name or namespace of the short form, else of the native metadata."""
    overlay = node.mapping("metadata")
    return node.scalar(key) or (overlay.scalar(key) if overlay else None)


def _shape(group: Group, node: Mapping, identity: Identity) -> Shape:
    """Return the object's shape: short form, native overlay, and what every object of the group has."""
    schema = native(group.kind).schema
    shape = _short(group, node, identity)
    for key in ("metadata", "spec"):
        overlay = node.mapping(key)
        if overlay is not None:
            over = overlay.without("name", "namespace") if key == "metadata" else overlay
            shape = merge(shape, {key: over}, schema)
    for path, value in group.fixed:
        if reach(shape, path) is None:
            shape = put(shape, path, value)
    return _selecting_pods(shape, node, PodLabels(identity.name)) if group.workload else shape


def _short(group: Group, node: Mapping, identity: Identity) -> Shape:
    shape: Shape = {}
    for key in ("labels", "annotations"):
        if key in node.entries:
            shape = put(shape, ("metadata", key), node.entries[key])
    for field in group.fields:
        value = field.adapt(node.entries[field.name], node) if field.name in node.entries else None
        if value is not None:
            shape = put(shape, field.path, value)
    return _container_named(shape, group, identity)


def _container_named(shape: Shape, group: Group, identity: Identity) -> Shape:
    """Name the first container like the object."""
    first = (*group.pods, "containers", 0)
    container = as_map(reach(shape, first)) if group.pods else None
    return shape if container is None else put(shape, first, {"name": identity.name, **container})


def _selecting_pods(shape: Shape, node: Mapping, labels: PodLabels) -> Shape:
    """Return a workload's shape with its selector, and with pods that carry what it selects."""
    declared = reach(shape, _SELECTOR)
    selected: tuple[Shape, ...] = (labels,) if declared is None else (labels, declared)
    mine = tuple(one for one in (node.get("labels"), reach(shape, _POD_LABELS)) if one is not None)
    shape = put(shape, _SELECTOR[:2], {"matchLabels": _layers(selected)})
    return put(shape, _POD_LABELS[:3], {"labels": _layers((*mine, *selected))})


def _layers(maps: tuple[Shape, ...]) -> Shape:
    return maps[0] if len(maps) == 1 else Layers(maps)


def _complete(declared: Declared, group: Group, shape: Shape, identity: Identity) -> Shape:
    """Report what an entry must say and does not; something stands there then, so that it is said once."""
    for field in group.fields:
        if field.required and reach(shape, field.path) is None:
            shape = _container_named(put(shape, field.path, ""), group, identity)
            if not _refused(declared.node, field.name):
                message, hint = f"an entry of `{group.name}` needs `{field.name}`", f"add `{field.name}:`"
                declared.findings.error("ORK0601", declared.node.head, message, hint, path=declared.path)
    return shape


def _refused(node: Mapping, key: str) -> bool:
    """Tell whether the decoder left the key out, and so has said why."""
    return key in node.keys and key not in node.entries


def _external(node: Mapping) -> bool:
    """Tell whether a Service is a name for something outside, which selects nothing."""
    native_spec = node.mapping("spec")
    return "ExternalName" in (node.value("type"), native_spec.value("type") if native_spec else None)


def _selecting(entry: Entry, tree: Any, labels: PodLabels) -> Entry:
    """Return a Service's entry that selects pods by these labels."""
    return entry._replace(build=compile_tree(put(tree, _SERVICE_SELECTOR, labels)), reads=entry.reads | labels.reads)
