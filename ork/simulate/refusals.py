"""Requests that the API server refuses because the scenario says so: `fail` in `changes`."""

from __future__ import annotations

from collections.abc import Sequence

from ork.cluster.memory.status import ApiError, failure
from ork.katalog.scenario import Change, Failing
from ork.simulate.report import Result

_REASONS = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Gone",
    413: "RequestEntityTooLarge",
    422: "Invalid",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}


class Refusals:
    """What is still to be refused."""

    def __init__(self) -> None:
        self._pending: list[tuple[Change, Failing]] = []
        self._left: list[int] = []
        self._met: set[int] = set()

    def add(self, change: Change, failing: Failing) -> None:
        """Refuse the next requests of a form."""
        self._pending.append((change, failing))
        self._left.append(failing.times)

    def check(self, verbs: Sequence[str], resource: str) -> None:
        """Let a request pass that goes by any of these verbs. Raises ApiError where it is to be refused."""
        for index, (_, failing) in enumerate(self._pending):
            if self._left[index] and failing.verb in ("", *verbs) and failing.resource in ("", resource.lower()):
                self._left[index] -= 1
                self._met.add(index)
                raise _refusal(failing)

    def unmet(self) -> list[Result]:
        """Return a failure for every `fail` that no request met."""
        return [
            Result(change.path, change.span, False, "no such request was made, so nothing was refused")
            for index, (change, _) in enumerate(self._pending)
            if index not in self._met
        ]


def _refusal(failing: Failing) -> ApiError:
    message = f"refused with {failing.status}, as the scenario says"
    return failure(failing.status, _REASONS.get(failing.status, ""), message)
