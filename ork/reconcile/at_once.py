"""A story that waits for nothing, told without an event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def at_once(story: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, and return what it returns; none of its ports may suspend."""
    try:
        story.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    story.close()
    raise RuntimeError("a port suspended where nothing may wait")
