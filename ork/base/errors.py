"""The root of every error that `ork` raises on purpose."""

from __future__ import annotations


class OrkError(Exception):
    """Something that a user can understand and mend; its text says what is wrong, where, and what to do."""


class UsageError(OrkError):
    """The call itself is wrong: no such file, no permission, an unknown target (exit code 2)."""


class OutsideError(OrkError):
    """The world outside failed: cluster, network, port (exit code 3)."""


def in_words(error: OSError) -> str:
    """Return the system's own words for what went wrong, as they stand after a colon."""
    return (error.strerror or str(error)).lower()
