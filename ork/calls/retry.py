"""Attempts, pauses and limits of an external call, around whatever sends one attempt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from ork.base.requests import CallRequest, CallResult, redact, retry_after
from ork.calls import hosts

Send = Callable[[CallRequest], Awaitable[CallResult]]
"""Makes one attempt, within `request.timeout`. Never raises."""

REDIRECTS = frozenset((301, 302, 303, 307, 308))

Sleep = Callable[[timedelta], Awaitable[None]]


def retrying(send: Send, sleep: Sleep, allow_hosts: Sequence[str] = ()) -> Send:
    """Return a caller that waits, tries, judges the answer and tries again as the request says, without jitter.

    Its results name what failed, never a secret of the request. A call that may not be made is not sent.
    """

    async def call(request: CallRequest) -> CallResult:
        if problem := hosts.refusal(request, allow_hosts):
            return _told(request, CallResult(None, {}, b"", problem, called=False))
        if request.delay:
            await sleep(request.delay)
        result = _judged(request, await send(request))
        pause = request.backoff
        for _ in range(request.attempts - 1):
            if not result.error:
                break
            await sleep(_pause(request, result, pause))
            pause = _longer(request, pause)
            result = _judged(request, await send(request))
        return _told(request, result)

    return call


def expected(request: CallRequest, status: int) -> bool:
    """Tell whether a status is a success: the declared one, else any below 400 but a redirect that nobody followed."""
    return status == request.expect if request.expect else status < 400 and status not in REDIRECTS


def _judged(request: CallRequest, result: CallResult) -> CallResult:
    if result.error or result.status is None or expected(request, result.status):
        return result
    wish = f", expected {request.expect}" if request.expect else ""
    return result._replace(error=f"answered {result.status}{wish}")


def _pause(request: CallRequest, result: CallResult, pause: timedelta) -> timedelta:
    """Return how long to wait: as the server asks, else the back-off; never longer than the declared maximum."""
    asked = retry_after(result)
    return min(pause if asked is None else asked, request.backoff_limit)


def _longer(request: CallRequest, pause: timedelta) -> timedelta:
    seconds = min(pause.total_seconds() * request.multiplier, request.backoff_limit.total_seconds())
    return timedelta(seconds=seconds)


def _told(request: CallRequest, result: CallResult) -> CallResult:
    if not result.error:
        return result
    found = hosts.target(request.url)
    where = found.shown if found else "(no URL)"
    return result._replace(error=redact(f"{request.method} {where}: {result.error}", request.hidden))
