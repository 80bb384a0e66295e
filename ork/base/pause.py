"""The garbage collector, kept out while something large is built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_collector(*, for_good: bool = False) -> Iterator[None]:
    """Collect nothing inside: what makes many objects, all of which stay, has each pass for nothing.

    With `for_good` what is there then is left out of later passes too: for a process that ends soon.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if for_good and was_on:
            gc.freeze()
        if was_on:
            gc.enable()
