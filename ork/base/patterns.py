"""Regular expressions that are compiled when they are first used: some take longer than a whole command should."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        """Compile, and keep what was asked for, so that this is not asked again."""
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` gives, without the work before it is needed. A faulty text raises at the first use."""
    return cast("re.Pattern[str]", _Lazy(text, flags))
