"""What generated code calls: steps into values, loops, output."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from ork.expr.values import MAX_OUTPUT, named

FILENAME = "<expression>"
"""What generated code objects call their file: a traceback tells them by it."""
MAX_STEPS = 1_000_000
"""How many loop steps and template calls one evaluation may take."""
MAX_RANGE = 100_000
"""How far `range` counts."""
MAX_DEPTH = 100
"""How deep templates may call each other."""

Budget = list[int]
"""The steps that are left, in one mutable cell."""


class StepError(TypeError):
    """A path leads into something that is no map."""

    def __init__(self, value: Any, left: Sequence[str]) -> None:
        super().__init__(f"{named(value)} has no field {left[0]}")
        self.value, self.left = value, left
        """What was reached, and the steps that could not be taken."""


def walk(value: Any, *steps: str) -> Any:
    """Return what stands at the end of the steps; None where one is missing. Raises StepError."""
    for taken, step in enumerate(steps):
        if value.__class__ is dict or isinstance(value, dict):
            value = value.get(step)
        elif value is None:
            return None
        else:
            raise StepError(value, steps[taken:])
    return value


def each(value: Any, budget: Budget | None = None) -> Sequence[Any]:
    """Return the elements that `range` walks: of a list, of a map by key, or the numbers below an int."""
    elements: Sequence[Any] = value if value.__class__ is list else _elements(value)
    if budget is not None:
        _spend(budget, len(elements))
    return elements


def pairs(value: Any, budget: Budget | None = None) -> Iterable[tuple[Any, Any]]:
    """Return index and element, or key and value, of what `range` walks; false where there is nothing."""
    if value.__class__ is not list and not isinstance(value, dict):
        if value.__class__ is int:
            raise ValueError("a number is walked with one variable, not with two")
        value = _elements(value)
    if budget is not None:
        _spend(budget, len(value))
    if not value:
        return ()
    return sorted(value.items()) if isinstance(value, dict) else enumerate(value)


def _elements(value: Any) -> Sequence[Any]:
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    if value.__class__ is int:
        return range(_counted(value))
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return value
    raise ValueError(f"range cannot walk {named(value)}")


def _counted(number: int) -> int:
    if number > MAX_RANGE:
        raise ValueError(f"range counts to {MAX_RANGE} at most, not to {number}")
    return number


def _spend(budget: Budget, steps: int) -> None:
    budget[0] -= steps
    if budget[0] < 0:
        raise ValueError(f"more than {MAX_STEPS} steps")


def enter(depth: int, budget: Budget) -> None:
    """Count a call of a template. Raises ValueError where there are too many, or one inside the other."""
    if depth > MAX_DEPTH:
        raise ValueError(f"templates call each other more than {MAX_DEPTH} deep")
    _spend(budget, 1)


def too_long() -> NoReturn:
    """Refuse output that grows too long."""
    raise ValueError(f"the text is longer than {MAX_OUTPUT} characters")
