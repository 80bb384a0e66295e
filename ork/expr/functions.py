"""The functions that expressions can call: Go's own, the notes, and what a katalog adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Function(NamedTuple):
    """One callable name of the language."""

    name: str
    call: Callable[..., Any]
    """Takes the evaluated arguments; a function with `needs_env` takes the `Env` first."""
    least: int
    most: int | None
    """How many arguments it takes; None is no limit."""
    needs_env: bool = False
    needs_scope: bool = False
    """A user note: takes scope and env before its arguments."""
    reads: frozenset[tuple[str, ...]] = frozenset()


Functions = Mapping[str, Function]
"""By name: what one expression may call."""
