"""Scripted answers to external calls, and a record of every call that was made."""

from __future__ import annotations

from collections.abc import Iterable

from ork.base import durations
from ork.base.requests import CallRequest, CallResult, redact
from ork.calls.retry import Send, retrying
from ork.engine.calls import SKIPPED
from ork.katalog.scenario import Response, Scenario
from ork.simulate.clock import VirtualClock
from ork.simulate.operator import Skipped
from ork.simulate.report import Called, Result

BODY_LIMIT = 2**20
"""What a client reads of a body."""


class Responder:
    """Answers calls out of `externalResponses`; the first that matches answers."""

    def __init__(self, scenario: Scenario, clock: VirtualClock, live: Send | None = None) -> None:
        self._responses, self._skip = scenario.responses, scenario.skip_external
        self._clock, self._live = clock, live
        self._attempts = retrying(self._send, clock.sleep)
        self._used: set[int] = set()
        self.unscripted: dict[str, None] = {}
        """The calls that no answer was scripted for, by name."""
        self._made: list[Called] = []
        self._cycle, self._crd, self._owner = 1, "", ""

    def begin_cycle(self, number: int) -> None:
        """Begin a cycle: calls are counted anew."""
        self._cycle = number
        self._made = []

    def working_on(self, crd: str, owner: str) -> None:
        """Say on whose behalf calls are made from here on."""
        self._crd, self._owner = crd, owner

    async def call(self, request: CallRequest) -> CallResult:
        """Make a call, with as many attempts as it wants. Never raises."""
        result = SKIPPED if self._skip else await self._attempts(request)
        status = "" if result.status is None else str(result.status)
        url = redact(request.url, request.hidden)
        made = Called(self._crd, self._owner, request.name, request.method, url, status, result.called, result.error)
        self._made.append(made)
        return result

    def calls(self, skipped: Iterable[Skipped]) -> list[Called]:
        """Return the calls of the cycle: those that were made, then those that were not."""
        made = {(call.crd, call.object, call.name) for call in self._made}
        missed = [
            Called(each.crd, each.owner, name, method, "", "", False, error)
            for each in skipped
            for name, method, error in each.calls
            if (each.crd, each.owner, name) not in made
        ]
        return [*self._made, *missed]

    async def _send(self, request: CallRequest) -> CallResult:
        """Make one attempt. What nobody scripted is refused, unless live calls are allowed."""
        for index, response in enumerate(self._responses):
            if _matches(response, request, self._cycle):
                self._used.add(index)
                return await self._answer(response, request)
        if self._live is not None:
            return await self._live(request)
        self.unscripted[request.name] = None
        return _failed(f"no answer is scripted; add one for {request.name} under externalResponses")

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
