"""One request after the other, for callers without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ork.base.objects import Object
from ork.cluster.kube import client as kube
from ork.cluster.memory.status import failure


class Requests:
    """Sends requests; what the server refuses is the ApiError that the store in memory raises, too."""

    def __init__(self, runner: asyncio.Runner, client: kube.Client) -> None:
        self._runner, self._client = runner, client

    def __call__(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Object | None = None,
        content_type: str = kube.JSON,
    ) -> Object:
        """Send one request and return the answer. Raises ApiError, and OutsideError where there is none."""
        try:
            return self._runner.run(self._client.request(method, path, query, body, content_type))
        except kube.ApiError as error:
            if not error.code:
                raise kube.as_outside(error) from error
            raise failure(error.code, error.reason, str(error)) from error
