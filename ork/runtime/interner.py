"""What makes objects lighter on their way into the cache."""

from __future__ import annotations

from typing import Any

from ork.base.objects import Object

DEEPEST = 100
"""Levels of an object that are looked at."""


class Interner:
    """Takes weight off objects as they come in: equal short texts become one, as the JSON reader does it with keys."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self.cut = False

    def shared(self, obj: Object) -> Object:
        """Return an equal object that shares its texts with those before it; `cut` tells whether it is nested so deeply
        that the rest was left out, before anything that walks through it runs out of stack."""
        if len(self._texts) > 20_000:
            self._texts.clear()
        self.cut = False
        lean: Object = self._share(obj, DEEPEST)
        return lean

    def _share(self, value: Any, left: int) -> Any:
        kind = value.__class__
        if kind is str:
            # Uids, digests and times are all different: to keep each here for ever would be a leak.
            return value if len(value) > 40 or value[:1].isdigit() else self._texts.setdefault(value, value)
        if kind is not dict and kind is not list:
            return value
        if not left:
            self.cut = True
            return None
        share = self._share
        if kind is list:
            return [share(item, left - 1) for item in value]
        return {key: share(item, left - 1) for key, item in value.items()}
