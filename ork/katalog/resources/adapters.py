"""How short fields that are no plain copies become native ones (resources.md)."""

from __future__ import annotations

from collections.abc import Callable

from ork.katalog.resources.shapes import Secret, Shape, Switch
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar

Adapter = Callable[[AnyNode, Mapping], Shape]
"""Takes the field and the whole entry; None leaves the field out."""

_SOURCES = ("secretRef", "configMapRef")
_PROBES = {"startup": "startupProbe", "liveness": "livenessProbe", "readiness": "readinessProbe"}
_PROBE_WORDS = frozenset(("type", "path", "port"))


def native(node: AnyNode, _: Mapping) -> Shape:
    """The field is the native one."""
    return node


def strings(node: AnyNode, _: Mapping) -> Shape:
    """A list of texts, or a single one."""
    return [node] if isinstance(node, Scalar) else node


def encoded(node: AnyNode, _: Mapping) -> Shape:
    """A map of plain texts that are written as base64."""
    if not isinstance(node, Mapping):
        return None
    return {key: Secret(value) for key, value in node.entries.items() if isinstance(value, Scalar)}


def headless(node: AnyNode, _: Mapping) -> Shape:
    """A Service without an address of its own."""
    return Switch(node, "None") if isinstance(node, Scalar) else None


def env_from(node: AnyNode, _: Mapping) -> Shape:
    """`{secretRef: [{name, prefix}], configMapRef: […]}`, or the native list."""
    if not isinstance(node, Mapping):
        return node
    return [_source(kind, item) for kind in _SOURCES for item in (node.sequence(kind) or ())]


def _source(kind: str, item: AnyNode) -> Shape:
    if not isinstance(item, Mapping):
        return {kind: {"name": item}}
    found: dict[str, Shape] = {kind: {key: value for key, value in item.entries.items() if key != "prefix"}}
    return found | ({"prefix": item.entries["prefix"]} if "prefix" in item.entries else {})


def probes(node: AnyNode, entry: Mapping) -> Shape:
    """`{startup, liveness, readiness}`; the port is the container's unless the probe names one."""
    if not isinstance(node, Mapping):
        return None
    port = entry.get("port")
    return {_PROBES[key]: _probe(probe, port) for key, probe in node.entries.items() if isinstance(probe, Mapping)}


def _probe(probe: Mapping, port: AnyNode | None) -> Shape:
    rest = {key: value for key, value in probe.entries.items() if key not in _PROBE_WORDS}
    if not _PROBE_WORDS & probe.entries.keys():
        return rest
    path, kind = probe.get("path"), probe.value("type")
    action = "httpGet" if kind == "http" or (kind is None and path is not None) else "tcpSocket"
    where = {"path": path, "port": probe.get("port") or port}
    return rest | {action: {key: value for key, value in where.items() if value is not None}}
