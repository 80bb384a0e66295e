"""Compiling a schema's nodes once each, also where a schema contains itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from ork.base.objects import Object

F = TypeVar("F")


class Memo(dict[Hashable, Any]):
    """Closures by schema node and builder; lives as long as the compiled schema."""

    def compiled(self, schema: Object, build: Callable[[Object, Memo], F]) -> F:
        """Return the closure of that node, built at the first call; inside its own building, a stand-in for it."""
        key = (id(schema), build)
        if key not in self:
            self[key] = lambda *args: self[key](*args)
            self[key] = build(schema, self)
        found: F = self[key]
        return found
