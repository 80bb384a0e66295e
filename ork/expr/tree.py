"""Objects whose leaves are expressions: what a resource entry's fields become."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ork.expr.env import Env, Scope
from ork.expr.template import Reads

Build = Callable[[Scope, Env], Any]
"""Renders one tree. Constant parts of the result are shared between calls; a map key or list item whose value is
`MISSING` is left out."""


def compile_tree(tree: Any) -> Build:
    """Compile maps, lists, scalars, `Template`s and other `Build`s, nested in any way, to one callable."""
    raise NotImplementedError


def reads(tree: Any) -> Reads:
    """Return what the templates of a tree read."""
    raise NotImplementedError
