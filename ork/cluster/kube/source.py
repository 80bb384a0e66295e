"""Lists in pages and watches with bookmarks, as informers want them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from random import Random

from ork.base.objects import Object
from ork.cluster.kube.client import ApiError, Client, path_of
from ork.cluster.source import EventType, Page, Refusal, Scope, SourceError, WatchEvent

PAGE_SIZE = 500
WATCH_SECONDS = 300
"""The shortest life that a watch asks for; the longest is twice that, so that they do not all end at once."""
QUIET = 90.0
"""Seconds without a byte, bookmarks included, after which a watch counts as dead (servers bookmark every minute)."""

_REFUSALS = {401: Refusal.STRANGER, 403: Refusal.FORBIDDEN, 404: Refusal.UNKNOWN, 410: Refusal.EXPIRED}


class KubeSource:
    """Lists and watches of a real API server."""

    def __init__(self, client: Client, random: Random) -> None:
        self._client, self._random = client, random

    async def list(self, scope: Scope) -> AsyncIterator[Page]:
        """Give every object of the scope in pages of one snapshot. Raises SourceError."""
        token = ""
        # The items of a built-in kind's list do not say what they are.
        kind = {"apiVersion": scope.kind.api_version, "kind": scope.kind.kind}
        while True:
            query = _selectors(scope) | {"limit": str(PAGE_SIZE)} | ({"continue": token} if token else {})
            try:
                answer = await self._client.request("GET", path_of(scope.kind, scope.namespace), query)
            except ApiError as error:
                raise _refused(error) from error
            items = [{**kind, **item} for item in answer.get("items") or ()]
            yield Page(items, answer["metadata"]["resourceVersion"])
            token = answer["metadata"].get("continue") or ""
            if not token:
                return
            await asyncio.sleep(0)

    async def watch(self, scope: Scope, since: str) -> AsyncIterator[WatchEvent]:
        """Give what happened after `since`, until the server ends the stream. Raises SourceError."""
        seconds = int(WATCH_SECONDS * (1 + self._random.random()))
        query = _selectors(scope) | {
            "watch": "true",
            "resourceVersion": since,
            "allowWatchBookmarks": "true",
            "timeoutSeconds": str(seconds),
        }
        try:
            async for line in self._client.stream(path_of(scope.kind, scope.namespace), query, QUIET):
                yield _event(line)
        except ApiError as error:
            raise _refused(error) from error


def _selectors(scope: Scope) -> dict[str, str]:
    selectors: Mapping[str, str] = {"labelSelector": scope.labels, "fieldSelector": scope.fields}
    return {key: value for key, value in selectors.items() if value}


def _event(line: Object) -> WatchEvent:
    if line["type"] == "ERROR":
        status = line["object"]
        raise _refused(ApiError(status.get("code", 0), status.get("reason", ""), status.get("message", "")))
    return WatchEvent(EventType(line["type"]), line["object"])


def _refused(error: ApiError) -> SourceError:
    return SourceError(_REFUSALS.get(error.code, Refusal.UNAVAILABLE), str(error), error.retry_after)
