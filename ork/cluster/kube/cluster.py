"""The writes of reconcile on a real cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from ork.base.clock import Clock, rfc3339
from ork.base.objects import Kind, Object, Ref, uid
from ork.base.requests import Done, Expect, Failure, Verb, Write
from ork.base.text import cut
from ork.cluster.kube.client import ApiError, Client, as_write_error, path_of, path_of_ref
from ork.cluster.wire import body_of, delete_options, fault_of, status_configuration

EVENTS = Kind("", "v1", "Event", "events", True)
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
AT_ONCE = 10
"""So many writes of one wave are under way at a time."""
_CONTENT_TYPES = {Verb.APPLY: APPLY, Verb.PATCH: MERGE}


class KubeCluster:
    """Carries out writes as field manager `manager`; several at once within a wave."""

    def __init__(self, client: Client, manager: str, clock: Clock) -> None:
        self._client, self._manager, self._clock = client, manager, clock

    async def write(self, wave: Sequence[Write]) -> Done:
        """Carry out writes side by side; what fails is in the answer, never raised."""
        answers = await self._beside(wave) if len(wave) > 1 else [await self._one(wave[0])]
        applied = {
            write.ref: answer
            for write, answer in zip(wave, answers, strict=True)
            if not isinstance(answer, Failure) and answer is not None
        }
        return Done(applied, tuple(answer for answer in answers if isinstance(answer, Failure)))

    async def _beside(self, wave: Sequence[Write]) -> list[Object | Failure | None]:
        """Carry out writes, a few at once: a CR with a thousand children must leave connections to others."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one(write: Write) -> Object | Failure | None:
            async with places:
                return await self._one(write)

        return await asyncio.gather(*map(one, wave))

    async def read(self, ref: Ref) -> Object | None:
        """Read one object; None where it is not there. Raises WriteError."""
        try:
            return await self._client.find(ref)
        except ApiError as error:
            raise as_write_error(error) from error

    async def status(self, ref: Ref, status: Object, uid: str) -> Object:
        """Apply the whole owned status; returns the CR. Raises WriteError."""
        body = status_configuration(ref, status)
        body["metadata"]["uid"] = uid
        return await self._cr(ref, APPLY, body, "status", force="true")

    async def mark(
        self, cr: Object, ref: Ref, finalizers: Sequence[str], annotations: Mapping[str, str | None]
    ) -> Object:
        """Set finalizers and annotations, unless the CR changed meanwhile; returns it. Raises WriteError."""
        metadata: Object = {
            "uid": uid(cr),
            "resourceVersion": cr["metadata"]["resourceVersion"],
            "finalizers": list(finalizers),
        }
        if annotations:
            metadata["annotations"] = dict(annotations)
        return await self._cr(ref, MERGE, {"metadata": metadata})

    async def event(self, ref: Ref, kind: str, reason: str, message: str, uid: str = "") -> None:
        """Record an Event on the CR. One that could not be recorded is no fault of the turn."""
        try:
            event = self._event(ref, kind, reason, message, uid)
            await self._client.request("POST", path_of(EVENTS, event["metadata"]["namespace"]), None, event)
        except ApiError:
            return

    def _event(self, ref: Ref, kind: str, reason: str, message: str, uid: str) -> Object:
        now = rfc3339(self._clock.now())
        # `kubectl describe` shows the Events of a uid, not of a name.
        involved = {"apiVersion": ref.kind.api_version, "kind": ref.kind.kind, "name": ref.name, "uid": uid}
        namespace = ref.namespace or "default"
        return {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"generateName": f"{cut(ref.name, 200)}.", "namespace": namespace},
            "involvedObject": involved | ({"namespace": ref.namespace} if ref.namespace else {}),
            "type": kind,
            "reason": reason,
            "message": cut(message, 1024),
            "source": {"component": self._manager},
            "firstTimestamp": now,
            "lastTimestamp": now,
            "count": 1,
        }

    async def apply(self, kind: Kind, obj: Object, *, dry_run: bool = False) -> Object:
        """Apply a whole object by force, as for CRDs and the files of `--dev`. Raises ApiError."""
        metadata = obj["metadata"]
        path = path_of(kind, metadata.get("namespace", ""), metadata["name"])
        query = {"fieldManager": self._manager, "force": "true"} | ({"dryRun": "All"} if dry_run else {})
        return await self._client.request("PATCH", path, query, obj, APPLY)

    async def _cr(self, ref: Ref, content_type: str, body: Object, subresource: str = "", **query: str) -> Object:
        options = {"fieldManager": self._manager, **query}
        try:
            return await self._client.request("PATCH", path_of_ref(ref, subresource), options, body, content_type)
        except ApiError as error:
            raise as_write_error(error) from error

    async def _one(self, write: Write) -> Object | Failure | None:
        try:
            if write.verb is Verb.DELETE:
                await self._delete(write)
                return None
            query = {"fieldManager": self._manager}
            if write.verb is Verb.APPLY:
                query["force"] = "true" if write.force else "false"
            content_type = _CONTENT_TYPES[write.verb]
            path = path_of_ref(write.ref, write.subresource)
            return await self._client.request("PATCH", path, query, body_of(write), content_type)
        except ApiError as error:
            exists = write.expect is Expect.ABSENT and error.code == 409
            return Failure(write, fault_of(error.code, f"{write.ref}: {error}", error.retry_after), exists)

    async def _delete(self, write: Write) -> None:
        try:
            await self._client.request("DELETE", path_of_ref(write.ref), None, delete_options(write.uid))
        except ApiError as error:
            if error.code != 404:
                raise
