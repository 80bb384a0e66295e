"""JSON patch (RFC 6902) and JSON merge patch (RFC 7386), as an API server carries them out.

An API server is laxer than the RFC: `replace` makes a key that is not there, `copy` takes null from where nothing is.

Nothing is mutated: a patched document shares what the patch does not touch. A library would copy the whole document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ork.base.errors import OrkError

_ABSENT: Any = object()
MAX_OPERATIONS = 10_000


class PatchError(OrkError):
    """A JSON patch that is malformed, or that does not fit the document."""


def merge(document: Any, patch: Any) -> Any:
    """Return the document with a merge patch laid over it: a null takes a key away, a list is replaced whole.

    As an API server does it, the maps in such a list lose their nulls too, unless it replaces a map.
    """
    if patch.__class__ is not dict:
        return _pruned(patch) if patch.__class__ is list and document.__class__ is not dict else patch
    base = document if document.__class__ is dict else {}
    out = None
    for key, value in patch.items():
        there = base.get(key)
        if value is None:
            if key in base:
                out = dict(base) if out is None else out
                del out[key]
        elif (merged := merge(there, value)) is not there:
            out = dict(base) if out is None else out
            out[key] = merged
    return base if out is None else out


def _pruned(value: Any) -> Any:
    if value.__class__ is list:
        return [_pruned(item) for item in value]
    return merge(None, value) if value.__class__ is dict else value


def apply(document: Any, operations: Any) -> Any:
    """Return the document after every operation of a JSON patch, in order. Raises PatchError."""
    if not isinstance(operations, list):
        raise PatchError("a JSON patch must be a list of operations")
    if len(operations) > MAX_OPERATIONS:
        raise PatchError(f"The allowed maximum operations in a JSON patch is {MAX_OPERATIONS}, got {len(operations)}")
    for operation in operations:
        document = _carry_out(document, operation)
    return document


def _carry_out(document: Any, operation: Any) -> Any:
    name = operation.get("op") if isinstance(operation, dict) else None
    carry_out = _OPERATIONS.get(str(name))
    if carry_out is None:
        raise PatchError(f"Unexpected kind: {name if name is not None else 'unknown'}")
    return carry_out(document, operation)


def _pointer(operation: Mapping[str, Any], key: str = "path") -> tuple[str, ...]:
    text = operation.get(key)
    if not isinstance(text, str) or (text and not text.startswith("/")):
        raise PatchError(f"the operation {operation.get('op')} needs a {key} that begins with a slash")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:])


def _value(operation: Mapping[str, Any]) -> Any:
    if "value" not in operation:
        raise PatchError(f"{operation['op']} operation does not have a value: {operation.get('path')}")
    return operation["value"]


def _add(document: Any, operation: Mapping[str, Any]) -> Any:
    return _at(document, _pointer(operation), _setter(_value(operation)))


def _replace(document: Any, operation: Mapping[str, Any]) -> Any:
    path, value = _pointer(operation), _value(operation)

    def replaced(holder: Any, step: str) -> Any:
        if isinstance(holder, list) and _get(holder, step) is _ABSENT:
            raise PatchError(f"replace operation does not apply: doc is missing key: {_text(path)}: missing value")
        return _put(holder, step, value)

    return _at(document, path, replaced) if path else value


def _remove(document: Any, operation: Mapping[str, Any]) -> Any:
    path = _pointer(operation)

    def removed(holder: Any, step: str) -> Any:
        if _get(holder, step) is _ABSENT:
            text = f"Unable to remove nonexistent key: {step}: missing value"
            raise PatchError(f"remove operation does not apply: {text}")
        return _without(holder, step)

    return _at(document, path, removed)


def _test(document: Any, operation: Mapping[str, Any]) -> Any:
    path, wanted = _pointer(operation), _value(operation)
    found = _find(document, path)
    if (None if found is _ABSENT else found) != wanted:
        raise PatchError(f"testing value {_text(path)} failed: test failed")
    return document


def _copy(document: Any, operation: Mapping[str, Any]) -> Any:
    found = _find(document, _pointer(operation, "from"))
    return _at(document, _pointer(operation), _setter(None if found is _ABSENT else found))


def _move(document: Any, operation: Mapping[str, Any]) -> Any:
    value = _source(document, operation)
    without = _at(document, _pointer(operation, "from"), _without)
    return _at(without, _pointer(operation), _setter(value))


def _source(document: Any, operation: Mapping[str, Any]) -> Any:
    path = _pointer(operation, "from")
    found = _find(document, path)
    if found is _ABSENT:
        text = f"doc is missing from path: {_text(path)}: missing value"
        raise PatchError(f"{operation['op']} operation does not apply: {text}")
    return found


_OPERATIONS: Mapping[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "add": _add,
    "remove": _remove,
    "replace": _replace,
    "move": _move,
    "copy": _copy,
    "test": _test,
}

Change = Callable[[Any, str], Any]
"""Makes the new holder out of the holder of the last step, and that step."""


def _at(document: Any, path: Sequence[str], change: Change) -> Any:
    """Return the document with the holder of the path's last step changed."""
    if not path:
        return change({"": document}, "").get("")
    step = path[0]
    if len(path) == 1:
        if not isinstance(document, dict | list):
            raise PatchError(f"the operation does not apply: doc is missing path: {step}: missing value")
        return change(document, step)
    below = _get(document, step)
    if below is _ABSENT or below is None:
        raise PatchError(f"the operation does not apply: doc is missing path: {step}: missing value")
    return _put(document, step, _at(below, path[1:], change))


def _find(document: Any, path: Sequence[str]) -> Any:
    for step in path:
        document = _get(document, step)
        if document is _ABSENT:
            return _ABSENT
    return document


def _get(holder: Any, step: str) -> Any:
    if isinstance(holder, dict):
        return holder.get(step, _ABSENT)
    if isinstance(holder, list):
        index = _index(step, len(holder))
        return _ABSENT if index is None else holder[index]
    return _ABSENT


def _index(step: str, length: int) -> int | None:
    """Return the index that a step names in a list of that length; negative ones count from the end."""
    try:
        index = int(step)
    except ValueError:
        return None
    index += length if index < 0 else 0
    return index if 0 <= index < length else None


def _put(holder: Any, step: str, value: Any) -> Any:
    if isinstance(holder, dict):
        return {**holder, step: value}
    out = list(holder)
    out[_index(step, len(holder)) or 0] = value
    return out


def _setter(value: Any) -> Change:
    """Return the change that sets a key, or inserts into a list before an index (`-` is its end)."""

    def added(holder: Any, step: str) -> Any:
        if isinstance(holder, dict):
            return {**holder, step: value}
        at = len(holder) if step == "-" else _index(step, len(holder) + 1)
        if at is None:
            text = f"Unable to access invalid index: {step}: invalid index referenced"
            raise PatchError(f"add operation does not apply: {text}")
        return [*holder[:at], value, *holder[at:]]

    return added


def _without(holder: Any, step: str) -> Any:
    if isinstance(holder, dict):
        return {key: value for key, value in holder.items() if key != step}
    at = _index(step, len(holder))
    return holder if at is None else [*holder[:at], *holder[at + 1 :]]


def _text(path: Sequence[str]) -> str:
    return "".join(f"/{step}" for step in path)
