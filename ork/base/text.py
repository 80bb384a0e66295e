"""Small helpers for messages to people."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_SHORT = 3
"""Words of so many letters resemble many others, so that they must be nearer."""


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was probably meant to be, or None where nothing is near."""
    return _closest(word, tuple(known))


@lru_cache(maxsize=1024)
def _closest(word: str, known: tuple[str, ...]) -> str | None:
    """One mistake is often made a thousand times in a file, and looking for what is near is slow."""
    import difflib

    options = {name.lower(): name for name in known}
    low = word.lower()
    twisted = [name for name in options if sorted(name) == sorted(low)]
    found = twisted or difflib.get_close_matches(low, options, n=1, cutoff=0.65 if len(word) > _SHORT else 0.8)
    return options[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean "enabled"?`, or the empty string where nothing is near."""
    found = closest(word, known)
    return f'did you mean "{found}"?' if found else ""


def cut(text: str, limit: int = 256) -> str:
    """Return the text, shortened to `limit` characters with an ellipsis at its end."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
