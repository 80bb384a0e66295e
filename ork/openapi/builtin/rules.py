"""What the API server refuses in objects of its own kinds."""

from __future__ import annotations

from ork.base.objects import Object
from ork.openapi.causes import Cause


def check(schema: Object, obj: Object, old: Object | None) -> list[Cause]:  # noqa: ARG001
    """Return why an object may not be stored."""
    return []
