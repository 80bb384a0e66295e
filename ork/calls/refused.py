"""The exception of a call that is broken off on purpose."""

from __future__ import annotations


class Refused(Exception):
    """The attempt was not made or not carried through; `status` is what the server had answered by then."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
