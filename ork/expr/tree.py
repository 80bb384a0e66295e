"""Objects whose leaves are expressions: what a resource entry's fields become."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ork.base.records import NamedTuple
from ork.expr.env import Env, Scope
from ork.expr.template import MISSING, Reads, Template

Build = Callable[[Scope, Env], Any]
"""Renders one tree. Constant parts of the result are shared between calls; a map key or list item whose value is
`MISSING` is left out."""


class _Constant(NamedTuple):
    """A part that is the same for every object."""

    value: Any


def compile_tree(tree: Any) -> Build:
    """Compile maps, lists, scalars, `Template`s and other `Build`s, nested in any way, to one callable."""
    return _build(_part(tree))


def reads(tree: Any) -> Reads:
    """Return what the templates of a tree read, and other callables that say so by an attribute `reads`."""
    return frozenset(path for leaf in _leaves(tree) for path in getattr(leaf, "reads", ()))


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(item)
    else:
        yield tree


def _part(tree: Any) -> _Constant | Build:
    if isinstance(tree, dict):
        return _map({key: _part(value) for key, value in tree.items()})
    if isinstance(tree, list | tuple):
        return _list([_part(item) for item in tree])
    if isinstance(tree, Template) and tree.literal:
        return _Constant(tree.text)
    return tree if callable(tree) else _Constant(tree)


def _build(part: _Constant | Build) -> Build:
    if not isinstance(part, _Constant):
        return part
    value = part.value
    return lambda _scope, _env: value


def _map(parts: dict[str, _Constant | Build]) -> _Constant | Build:
    constant = {key: part.value if isinstance(part, _Constant) else None for key, part in parts.items()}
    renders = [(key, part) for key, part in parts.items() if not isinstance(part, _Constant)]
    if not renders:
        return _Constant(constant)

    def build(scope: Scope, env: Env) -> Any:
        made = constant.copy()
        for key, render in renders:
            value = render(scope, env)
            if value is MISSING:
                del made[key]
            else:
                made[key] = value
        return made

    return build


def _list(parts: list[_Constant | Build]) -> _Constant | Build:
    if all(isinstance(part, _Constant) for part in parts):
        return _Constant([part.value for part in parts if isinstance(part, _Constant)])
    renders = [_build(part) for part in parts]

    def build(scope: Scope, env: Env) -> Any:
        made = [render(scope, env) for render in renders]
        return [value for value in made if value is not MISSING]

    return build
