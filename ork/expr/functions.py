"""The functions that expressions can call: Go's own, the notes, and what a katalog adds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from ork.base.records import NamedTuple

T = TypeVar("T")


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


class OnDemand(Mapping[str, T]):
    """A mapping whose names are known, and whose values are made when they are asked for."""

    def __init__(self, names: Collection[str], find: Callable[[str], T]) -> None:
        self._names, self._find = names, find

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._find(name)

    def __contains__(self, name: object) -> bool:
        """Tell whether the name is known; nothing is made."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Layers(Mapping[str, Function]):
    """Functions over functions: a name means that of the first layer that has it. Nothing is copied, so notes that
    nobody calls are not even loaded."""

    def __init__(self, *layers: Functions) -> None:
        self._layers = layers

    def __getitem__(self, name: str) -> Function:
        for layer in self._layers:
            if name in layer:
                return layer[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return any(name in layer for layer in self._layers)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(name for layer in self._layers for name in layer))

    def __len__(self) -> int:
        return sum(1 for _ in self)
