"""Keeps the pauses of Python's garbage collector short, however many objects the caches hold.

A full collection looks at every container that is not frozen: a quarter of a second for ten thousand CRs. What the
caches hold has no cycles and is freed by its reference counts, so it can be kept out of the collector's sight.
"""

from __future__ import annotations

import gc

FREEZE_AFTER = 2000
"""So many objects come into the cache before they are frozen: some 60,000 containers, 10 ms of a collection."""
YOUNG = 20_000
"""So many new containers are there before the young ones are collected; Python's own 700 is for small programs."""


class Collector:
    """Counts what comes into the cache, and freezes it."""

    def __init__(self) -> None:
        gc.set_threshold(YOUNG, 10, 10)
        self.freeze()

    def took_in(self) -> None:
        """Note one more object in the cache."""
        self._coming += 1
        if self._coming >= FREEZE_AFTER:
            self.freeze()

    def freeze(self) -> None:
        """Collect the young generations, and count everything that is left as there to stay."""
        self._coming = 0
        gc.collect(1)
        gc.freeze()
