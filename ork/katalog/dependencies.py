"""`dependsOn` between the entries of a Katalog: every name is known, and nobody waits for itself."""

from __future__ import annotations

from collections.abc import Mapping as MappingType

from ork.base.findings import Span
from ork.base.records import NamedTuple
from ork.base.text import did_you_mean
from ork.katalog.collect import Findings
from ork.katalog.trail import Trail, path_text
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, Sequence

STARTED = "started"
"""What is waited for where nothing is said."""


class Dependency(NamedTuple):
    """One name in a `dependsOn`."""

    name: str
    span: Span


def check(entries: MappingType[str, Mapping], trail: Trail, findings: Findings) -> None:
    """Report names that no entry has, and cycles."""
    graph: dict[str, list[Dependency]] = {}
    for name, entry in entries.items():
        graph[name] = []
        for dependency in _declared(entry):
            if dependency.name in entries:
                graph[name].append(dependency)
            if problem := _unmet(dependency.name, entries):
                where = path_text(((trail, name), "dependsOn"))
                findings.error("ORK0211", dependency.span, *problem, path=where)
    for cycle in _cycles(graph):
        chain = " → ".join((cycle[-1].name, *(step.name for step in cycle)))
        where = path_text(((trail, cycle[-1].name), "dependsOn"))
        findings.error("ORK0212", cycle[-1].span, f"these entries wait for each other: {chain}", path=where)


def _unmet(name: str, entries: MappingType[str, Mapping]) -> tuple[str, str] | None:
    """Say why nothing will ever be what another entry waits for, and what to do."""
    if name not in entries:
        hint = did_you_mean(name, entries) or f"the entries are {', '.join(entries)}"
        return f"there is no CRD entry `{name}`", hint
    if entries[name].value("enabled", True) is False:
        return f"the CRD entry `{name}` is disabled, so it never starts", "enable it, or do not wait for it"
    return None


def depends_on(entry: Mapping) -> dict[str, str]:
    """Return what an entry waits for: other entries by name, and whether they must have `started` or be `healthy`."""
    node = entry.get("dependsOn")
    if not isinstance(node, Mapping):
        return dict.fromkeys((dependency.name for dependency in _declared(entry)), STARTED)
    return {name: _state(value) for name, value in node.entries.items()}


def _state(node: AnyNode) -> str:
    if isinstance(node, Mapping):
        return str(node.value("condition", STARTED))
    return node.text if isinstance(node, Scalar) and node.text else STARTED


def _declared(entry: Mapping) -> list[Dependency]:
    node = entry.get("dependsOn")
    if isinstance(node, Mapping):
        return [Dependency(name, node.key_span(name)) for name in node.entries]
    names = node.elements if isinstance(node, Sequence) else [] if node is None else [node]
    return [Dependency(name.text, name.span) for name in names if isinstance(name, Scalar)]


def _cycles(graph: MappingType[str, list[Dependency]]) -> list[list[Dependency]]:
    """Return one cycle for each group of entries that wait for each other, its steps in the order of waiting."""
    done: set[str] = set()
    found: list[list[Dependency]] = []
    for start in graph:
        if start not in done:
            cycle = _walk(start, graph, done)
            if cycle:
                found.append(cycle)
    return found


def _walk(start: str, graph: MappingType[str, list[Dependency]], done: set[str]) -> list[Dependency]:
    """Follow the names from an entry, without recursion; return the first cycle that is met."""
    trail: list[Dependency] = []
    active = {start: 0}
    stack = [iter(graph[start])]
    while stack:
        step = next(stack[-1], None)
        if step is None:
            stack.pop()
            finished = trail.pop().name if trail else start
            done.add(finished)
            del active[finished]
            continue
        if step.name in active:
            done.update(active)
            return [*trail[active[step.name] :], step]
        if step.name not in done:
            trail.append(step)
            active[step.name] = len(trail)
            stack.append(iter(graph[step.name]))
    return []
