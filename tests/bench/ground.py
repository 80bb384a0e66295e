"""What the operator benchmarks stand on: a real API server, many CRs, and somebody who looks when what is there."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import yaml

from tests.bench.peers.access import Access
from tests.controlplane.controlplane import ControlPlane

APPS = "/apis/demo.io/v1/namespaces/{}/apps"
CRD = Path(__file__).parent / "peers" / "crd.yaml"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
AT_ONCE = 20


class Ground:
    """An administrator of the API server."""

    def __init__(self, plane: ControlPlane, access: Access, session: aiohttp.ClientSession) -> None:
        self.plane, self._access, self._session = plane, access, session

    async def send(self, method: str, path: str, body: Any = None) -> Any:
        """Send one request and return the JSON answer."""
        async with self._session.request(method, self._access.server + path, json=body) as answer:
            answer.raise_for_status()
            return await answer.json()

    async def namespace(self) -> str:
        """Make a namespace."""
        name = f"b-{uuid.uuid4().hex[:6]}"
        await self.send("POST", "/api/v1/namespaces", {"metadata": {"name": name}})
        return name

    async def create(self, namespace: str, name: str) -> None:
        """Create an App."""
        app = {"apiVersion": "demo.io/v1", "kind": "App", "metadata": {"name": name}}
        await self.send("POST", APPS.format(namespace), {**app, "spec": {"image": "nginx:1.25", "replicas": 1}})

    async def fill(self, namespace: str, count: int) -> None:
        """Create many Apps."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> None:
            async with gate:
                await self.create(namespace, f"app-{number}")

        await asyncio.gather(*map(one, range(count)))

    async def requests(self) -> int:
        """Return how many requests for single objects of the kinds that matter the server has answered so far."""
        async with self._session.get(f"{self._access.server}/metrics") as answer:
            text = await answer.text()
        return sum(int(float(line.rsplit(" ", 1)[1])) for line in text.splitlines() if _counts(line))

    @asynccontextmanager
    async def sights(self, path: str, pattern: str) -> AsyncIterator[dict[str, float]]:
        """Watch a collection; give the moment at which each object's news first matched, by name."""
        seen: dict[str, float] = {}
        version = (await self.send("GET", f"{path}?limit=1"))["metadata"]["resourceVersion"]
        task = asyncio.create_task(self._look(f"{path}?watch=true&resourceVersion={version}", pattern, seen))
        try:
            yield seen
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _look(self, path: str, pattern: str, seen: dict[str, float]) -> None:
        # The lines are not parsed, so that the onlooker costs next to nothing.
        matching, name = re.compile(pattern.encode()), re.compile(rb'"name":"(app-[^"]+)"')
        async with self._session.get(self._access.server + path) as answer:
            pending = b""
            async for chunk in answer.content.iter_any():
                *lines, pending = (pending + chunk).split(b"\n")
                for line in lines:
                    if matching.search(line) and (found := name.search(line)):
                        seen.setdefault(found[1].decode(), time.monotonic())


def _counts(line: str) -> bool:
    if not line.startswith("apiserver_request_total{"):
        return False
    return bool(re.search(r'resource="(apps|deployments|configmaps)"', line)) and not re.search(
        r'verb="(WATCH|LIST|POST)"', line
    )


async def until(holds: Any, seconds: float = 300.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def ground() -> AsyncIterator[Ground]:
    """Start an API server that knows Apps."""
    with TemporaryDirectory(prefix="ork-bench-") as folder, ControlPlane(Path(folder)) as plane:
        access = Access.read(plane.kubeconfig)
        async with access.session(limit=AT_ONCE * 2) as session:
            found = Ground(plane, access, session)
            crd = yaml.safe_load(CRD.read_text())
            await found.send("POST", CRDS, crd)
            while not _established(await found.send("GET", f"{CRDS}/{crd['metadata']['name']}")):
                await asyncio.sleep(0.1)
            await asyncio.sleep(1.0)
            yield found


def _established(crd: Any) -> bool:
    conditions = crd.get("status", {}).get("conditions") or ()
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)
