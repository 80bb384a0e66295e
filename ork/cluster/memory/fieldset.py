"""Sets of field paths in the form of `fieldsV1`, with the algebra that field ownership needs.

A set is a tree: keys are path elements (`f:spec`, `k:{"name":"main"}`, `v:"a"`), values the sets below them. An empty
tree below a key means that the path itself is a member; a path that is a member and has members below it holds the key
`.` beside them. The empty tree at the root is the empty set. Sets are never mutated: results share what they keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Fields = dict[str, Any]

SELF = "."
EMPTY: Fields = {}
MEMBER: Fields = {}
_ALONE: Fields = {SELF: {}}


def member(below: Fields | None) -> Fields:
    """Return the tree of a path that is a member itself, over what is `below` it."""
    return below if below and SELF in below else {SELF: {}, **below} if below else MEMBER


def is_member(node: Fields) -> bool:
    """Tell whether the path at this node is in the set itself."""
    return not node or SELF in node


def union(left: Fields, right: Fields) -> Fields:
    """Return the paths of either set."""
    if not left or not right:
        return left or right
    out = dict(left)
    for key, theirs in right.items():
        ours = out.get(key)
        if ours is None:
            out[key] = theirs
        elif ours or theirs:
            out[key] = union(ours or _ALONE, theirs or _ALONE)
    return out


def intersection(left: Fields, right: Fields) -> Fields:
    """Return the paths of both sets."""
    out: Fields = {}
    for key, ours in left.items():
        theirs = right.get(key)
        if theirs is None:
            continue
        if key == SELF:
            out[key] = MEMBER
        elif both := intersection(ours or _ALONE, theirs or _ALONE):
            out[key] = _folded(both)
    return out


def difference(left: Fields, right: Fields) -> Fields:
    """Return the paths of the left set that are not in the right one; what lies below a path stays."""
    if not right:
        return left
    out: Fields = {}
    for key, ours in left.items():
        theirs = right.get(key)
        if theirs is None:
            out[key] = ours
        elif key != SELF and (rest := difference(ours or _ALONE, theirs or _ALONE)):
            out[key] = _folded(rest)
    return out


def without(left: Fields, right: Fields) -> Fields:
    """Return the left set without the paths of the right one and all that lies below them."""
    out: Fields = {}
    for key, ours in left.items():
        theirs = right.get(key)
        if theirs is None:
            out[key] = ours
        elif not is_member(theirs) and (rest := without(ours or _ALONE, theirs)):
            out[key] = _folded(rest)
    return out


def paths(fields: Fields, at: str = "") -> Iterator[str]:
    """Yield each path of the set as messages show it: `.spec.containers[name="main"].image`."""
    for key in sorted(fields):
        below = fields[key]
        if key == SELF:
            yield at
            continue
        here = at + element(key)
        if below:
            yield from paths(below, here)
        else:
            yield here


def element(key: str) -> str:
    """Return one path element as messages show it."""
    import json

    form, _, rest = key.partition(":")
    if form == "f":
        return f".{rest}"
    if form == "k":
        return "[" + ",".join(f"{name}={json.dumps(value)}" for name, value in json.loads(rest).items()) + "]"
    return f"[={rest}]" if form == "v" else f"[{rest}]"


def _folded(node: Fields) -> Fields:
    return MEMBER if len(node) == 1 and SELF in node else node
