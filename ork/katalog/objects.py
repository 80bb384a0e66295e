"""Kubernetes objects out of YAML, read as `kubectl` reads them, and the files in which documents name them."""

from __future__ import annotations

from typing import Any

from ork.base.findings import Span
from ork.base.objects import Object
from ork.katalog.collect import Findings
from ork.katalog.sources import ReadError, Sources, beside
from ork.katalog.yaml.nodes import AnyNode, Mapping, Scalar
from ork.katalog.yaml.scalars import NUMERIC, WORDS, UnwritableError, number


def to_object(node: AnyNode, out: Findings) -> Any:
    """Return plain data with keys as `kubectl` reads them: a plain `on:` is the key `"true"`.

    Keys that no object can have, or that become the same, are reported and left out.
    """
    if isinstance(node, Scalar):
        return node.value
    if not isinstance(node, Mapping):
        return [to_object(element, out) for element in node.elements]
    made: Object = {}
    for key, value in node.entries.items():
        name = _key(node, key, out)
        if name in made:
            span = node.key_span(key)
            out.error("ORK0003", span, f'`{key}` is read as the key "{name}", which stands here already', "quote it")
        elif name is not None:
            made[name] = to_object(value, out)
    return made


def _key(node: Mapping, key: str, out: Findings) -> str | None:
    if key not in WORDS and key[:1] not in NUMERIC:
        return key
    written = node.keys.get(key)
    if written is None or written.style:
        return key
    if key in WORDS and WORDS[key] is None:
        out.error("ORK0006", written.span, "nothing cannot be a key", 'quote it: "null"')
        return None
    return {True: "true", False: "false"}[WORDS[key]] if key in WORDS else _number_key(key)


def _number_key(key: str) -> str:
    try:
        return str(number(key)) if key else key
    except UnwritableError:
        return key


def listed(root: AnyNode) -> list[AnyNode]:
    """Return the items of a `List`, or the document itself where it is none."""
    items = root.sequence("items") if isinstance(root, Mapping) and root.value("kind") == "List" else None
    return items.elements if items else [root]


def objects_in(file: str, sources: Sources, out: Findings) -> list[tuple[Object, Mapping]]:
    """Return the Kubernetes objects of a file, each with its node; the items of a `List` one by one. What is no object
    is reported. Raises ReadError."""
    found: list[tuple[Object, Mapping]] = []
    for root in sources.documents(file, out.items):
        for node in listed(root):
            if isinstance(node, Mapping) and _is_object(node):
                found.append((to_object(node, out), node))
            else:
                hint = "an object has `apiVersion`, `kind` and `metadata.name`"
                out.error("ORK0206", node.head, "this is no Kubernetes object", hint)
    return found


def _is_object(node: Mapping) -> bool:
    metadata = node.mapping("metadata")
    named = metadata is not None and (_text(metadata, "name") or _text(metadata, "generateName"))
    return bool(_text(node, "apiVersion") and _text(node, "kind") and named)


def _text(node: Mapping, key: str) -> str:
    found = node.value(key)
    return found if isinstance(found, str) else ""


def named_objects(
    target: Scalar, file: str, sources: Sources, out: Findings, path: str
) -> list[tuple[Object, Mapping]]:
    """Return the objects of a file that a document in `file` names; one that cannot be read is reported there."""
    named = beside(file, target.text)
    try:
        return objects_in(named, sources, out)
    except ReadError as error:
        unreadable(error, target.span, out, path)
        return []


def unreadable(error: ReadError, span: Span, out: Findings, path: str) -> None:
    """Report a file that a document names and that cannot be read."""
    hint = "the path is relative to the file that names it"
    out.error("ORK0205", span, f"{error.path} cannot be read: {error.detail}", hint, path=path)
