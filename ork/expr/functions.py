"""The functions that expressions can call: Go's own, the notes, and what a katalog adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    check: Callable[[Sequence[Any]], None] | None = None
    """Looks at the arguments when an expression is parsed (None for those that only evaluation knows); raises
    ValueError."""
    subject_first: bool = False
    """A value that comes down a pipeline is its first argument, where Go passes it last: `.spec.tier | default "x"`
    and `default .spec.tier "x"` are one call (language, section 4.5)."""


Functions = Mapping[str, Function]
"""By name: what one expression may call."""
