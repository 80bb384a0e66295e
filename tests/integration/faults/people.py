"""Those who use the cluster while things go wrong: they create CRs, change them and delete them."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from ork.base.objects import Kind, Object
from ork.cluster.kube.client import ApiError, Client, path_of
from tests.controlplane.controlplane import ControlPlane
from tests.integration.clients import client_of
from tests.integration.faults.katalogs import APPS

PARTS = ("a", "b", "c")
PATIENCE = 60.0
"""Seconds for which a request is tried while the server is away."""


class User:
    """Writes CRs, and knows what it asked for."""

    def __init__(self, client: Client, namespace: str, random: Random) -> None:
        self.client, self.namespace, self._random = client, namespace, random
        self.wants: dict[str, Object] = {}
        """The CRs that have to be there in the end, as they were asked for."""

    # ── single steps ────────────────────────────────────────────────────────────────────────────
    async def create(self, name: str, kind: Kind = APPS, **spec: Any) -> None:
        """Create a CR; one that is still going is waited for."""
        meta = {"name": name, "namespace": self.namespace}
        cr = {"apiVersion": kind.api_version, "kind": kind.kind, "metadata": meta, "spec": spec}
        self.wants[name] = cr
        await self._insist("POST", path_of(kind, self.namespace), cr, again=409)

    async def change(self, name: str, **spec: Any) -> None:
        """Change the CR."""
        cr = self.wants[name]
        self.wants[name] = {**cr, "spec": {**cr["spec"], **spec}}
        await self._insist("PATCH", path_of(APPS, self.namespace, name), {"spec": spec})

    async def delete(self, name: str) -> None:
        """Delete the CR."""
        del self.wants[name]
        await self._insist("DELETE", path_of(APPS, self.namespace, name), None, fine=404)

    async def _insist(
        self, method: str, path: str, body: Object | None, again: int | None = None, fine: int | None = None
    ) -> None:
        content_type = "application/merge-patch+json" if method == "PATCH" else "application/json"
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await self.client.request(method, path, None, body, content_type)
                    return
                except ApiError as error:
                    if error.code == fine or (error.code == again and await self._is(path, body)):
                        return
                    if error.code not in (0, 429, 500, 503, again):
                        raise
                await asyncio.sleep(0.1)

    async def _is(self, path: str, body: Object | None) -> bool:
        """Tell whether a create that found an object has made it itself, in an attempt whose answer was lost."""
        assert body is not None
        try:
            there = await self.client.request("GET", f"{path}/{body['metadata']['name']}")
        except ApiError:
            return False
        same = all(there["spec"].get(key) == value for key, value in body["spec"].items())
        return same and "deletionTimestamp" not in there["metadata"]

    # ── a busy day ──────────────────────────────────────────────────────────────────────────────
    async def work(self, steps: int, pause: float = 0.05, names: int = 12) -> None:
        """Take that many steps at random: creations, changes and deletions of some names."""
        for _ in range(steps):
            name = f"app-{self._random.randrange(names)}"
            if name not in self.wants:
                await self.create(name, **self._spec())
            elif self._random.random() < 0.25:
                await self.delete(name)
            else:
                await self.change(name, **self._spec())
            await asyncio.sleep(pause * self._random.random() * 2)

    def _spec(self) -> Object:
        parts = [part for part in PARTS if self._random.random() < 0.6]
        return {"image": f"nginx:{self._random.randrange(100)}", "parts": parts, "far": self._random.random() < 0.3}


@asynccontextmanager
async def user(plane: ControlPlane, seed: int = 1) -> AsyncIterator[User]:
    """Give a user with a namespace of their own, and one beside it whose name ends in `-far`."""
    namespace = f"f-{uuid.uuid4().hex[:8]}"
    async with client_of(plane.kubeconfig) as client:
        for name in (namespace, f"{namespace}-far"):
            body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            await client.request("POST", "/api/v1/namespaces", None, body)
        yield User(client, namespace, Random(seed))
