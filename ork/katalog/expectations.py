"""`expect` of a Simulate document → claims, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ork.katalog.scenario import Absence, Claim, ErrorClaim, Expect, OpClaim
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar, to_data


def expectation(node: Mapping, path: str) -> Expect:
    """Return one block, and those under its `crds`."""
    crds = node.mapping("crds")
    blocks = {name: block for name, block in (crds.entries if crds else {}).items() if isinstance(block, Mapping)}
    return Expect(
        steady=_claim(node, "steady", path),
        steady_at=_claim(node, "steadyAt", path),
        no_errors=_claim(node, "noErrors", path),
        gated=_claim(node, "gated", path),
        status=_claim(node, "status", path),
        errors=tuple(_error(at, one) for at, one in items(node, "errors", path)),
        ops=tuple(_op(at, one) for at, one in items(node, "ops", path)),
        absent=tuple(_absence(at, one) for at, one in items(node, "absent", path)),
        crds={name: expectation(block, f"{path}.crds.{name}") for name, block in blocks.items()},
        crd_spans={name: crds.key_span(name) for name in blocks} if crds else {},
    )


def _claim(node: Mapping, key: str, path: str) -> Claim | None:
    found = node.get(key)
    return None if found is None else Claim(to_data(found), f"{path}.{key}", node.key_span(key))


def _op(path: str, node: Mapping) -> OpClaim:
    return OpClaim(
        path=path,
        span=node.head,
        cycle=node.value("cycle"),
        verb=node.value("verb", ""),
        resource=node.value("resource", "").lower(),
        name=node.value("name", ""),
        namespace=node.value("namespace"),
        exactly=node.value("count"),
        at_least=node.value("atLeast"),
        fields=data(node.mapping("fields")),
        absent=node.value("absent", False),
    )


def _absence(path: str, node: Mapping) -> Absence:
    resource, verb, name = (node.value(key, "") for key in ("resource", "verb", "name"))
    return Absence(path, node.head, resource.lower(), node.value("cycle"), verb, name)


def _error(path: str, node: Mapping) -> ErrorClaim:
    return ErrorClaim(path, node.head, node.value("contains", ""), node.value("cycle"))


def items(node: Mapping, key: str, path: str = "") -> Iterator[tuple[str, Mapping]]:
    """Go over the maps of a list, each with its path: `expect.ops[0]`."""
    prefix = f"{path}.{key}" if path else key
    for index, item in enumerate(node.sequence(key) or ()):
        if isinstance(item, Mapping):
            yield f"{prefix}[{index}]", item


def texts(node: Mapping | None) -> dict[str, str]:
    """Return a map of texts, empty where there is none."""
    entries = node.entries if node else {}
    return {key: value.text for key, value in entries.items() if isinstance(value, Scalar)}


def data(node: AnyNode | None) -> Any:
    """Return a node as plain data; an empty map where there is none."""
    return {} if node is None else to_data(node)
