"""Scripted answers to external calls, and a record of every call that was made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from ork.base import durations
from ork.base.requests import CallRequest, CallResult
from ork.katalog.scenario import Response
from ork.simulate.clock import VirtualClock
from ork.simulate.report import Result

BODY_LIMIT = 2**20
"""What a client reads of a body."""

Send = Callable[[CallRequest], Awaitable[CallResult]]
"""One attempt of a call."""


class Made(NamedTuple):
    """A call that was made, and what came of it."""

    request: CallRequest
    result: CallResult


class Responder:
    """Answers calls out of `externalResponses`; the first that matches answers."""

    def __init__(self, responses: Sequence[Response], clock: VirtualClock, live: Send | None = None) -> None:
        self._responses, self._clock, self._live = responses, clock, live
        self._used: set[int] = set()
        self.cycle = 1

    async def send(self, request: CallRequest) -> CallResult:
        """Make one attempt. What nobody scripted is refused, unless live calls are allowed."""
        for index, response in enumerate(self._responses):
            if _matches(response, request, self.cycle):
                self._used.add(index)
                return await self._answer(response, request)
        if self._live is not None:
            return await self._live(request)
        return _failed(f"no answer is scripted for {request.method} {redacted(request.url, request)}; "
                       f"add one for {request.name} under externalResponses")

    async def _answer(self, response: Response, request: CallRequest) -> CallResult:
        if response.delay >= request.timeout:
            await self._clock.sleep(request.timeout)
            return _failed(f"no answer within {durations.text(request.timeout)}")
        await self._clock.sleep(response.delay)
        if response.refused:
            return _failed("connection refused")
        return CallResult(response.status, response.headers, response.body[:BODY_LIMIT], "")

    def unused(self) -> list[Result]:
        """Return a failure for every scripted answer that no call asked for."""
        return [
            Result(response.path, response.span, False, f"{_described(response)}: no call asked for it")
            for index, response in enumerate(self._responses)
            if index not in self._used
        ]


def redacted(text: str, request: CallRequest) -> str:
    """Return a text without the secrets of a call."""
    for secret in request.hidden:
        text = text.replace(secret, "***")
    return text


def _matches(response: Response, request: CallRequest, cycle: int) -> bool:
    return (
        response.name in ("", request.name)
        and response.url in ("", request.url)
        and response.method.upper() in ("", request.method)
        and response.cycle in (None, cycle)
    )


def _described(response: Response) -> str:
    words = [f"the answer to {response.name or response.url or 'any call'}"]
    if response.cycle is not None:
        words.append(f"in cycle {response.cycle}")
    return " ".join(words)


def _failed(error: str) -> CallResult:
    return CallResult(None, {}, b"", error)
