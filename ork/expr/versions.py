"""Semantic versions and npm's ranges of them, for the operator `semver` and the notes about versions."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ork.base.patterns import pattern

if TYPE_CHECKING:
    from semantic_version import Version

_LOOSE = pattern(r"[vV=]?\s*([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?([-+].*)?", re.DOTALL)
_AFTER_SIGN = pattern(r"(?<=[<>=~^])\s+")


@lru_cache(maxsize=1024)
def parse(text: str) -> Version:
    """Return the version that a text writes, `v1.2` as 1.2.0. Raises ValueError."""
    from semantic_version import Version

    found = _LOOSE.fullmatch(text.strip())
    try:
        if found:
            numbers = ".".join(str(int(part or 0)) for part in found.group(1, 2, 3))
            return Version(numbers + (found[4] or ""))
    except ValueError:
        pass
    raise ValueError(f'"{text[:60]}" is not a version; write it as 1.2.3')


@lru_cache(maxsize=256)
def within(spec: str) -> Callable[[str], bool]:
    """Return the test whether a version lies in a range, as npm writes it (`>=1.2 <2`, `^1.2`, `1.x`); a comma may
    stand between two bounds. What is no version lies in none. Raises ValueError for what is no range."""
    from semantic_version import NpmSpec

    try:
        wanted: Any = NpmSpec(_AFTER_SIGN.sub("", " ".join(spec.replace(",", " ").split())))
    except ValueError:
        raise ValueError(f'"{spec[:60]}" is not a range of versions; write it as ">=1.2 <2", "^1.2" or "1.x"') from None

    def test(text: str) -> bool:
        try:
            return bool(wanted.match(parse(text)))
        except ValueError:
            return False

    return test
