"""An endpoint of external calls that hangs, then fails, then is well: whoever needs it waits, and nobody else does."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ork.base.objects import Kind
from ork.cluster.kube.client import path_of
from tests.controlplane.controlplane import ControlPlane
from tests.integration.faults.katalogs import APP, APPS, CALLER, CALLERS, katalog
from tests.integration.faults.people import User, user
from tests.integration.faults.processes import process, quiet
from tests.integration.faults.whole import converges, simulated
from tests.integration.proxy import proxy

STREAMS = 4
ANSWERS = 'externalResponses: [{name: facts, status: 200, body: \'{"answer": "well"}\'}]\n'


class Endpoint:
    """Answers every GET with a small JSON document, as well as it can at the moment."""

    def __init__(self) -> None:
        self.delay, self.status, self.asked, self.port = 0.0, 200, 0, 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request and end the connection."""
        try:
            await reader.readuntil(b"\r\n\r\n")
            self.asked += 1
            status = self.status
            await asyncio.sleep(self.delay)
            body = json.dumps({"answer": "well"}).encode()
            head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # whoever asked has gone, or the test ends
        finally:
            writer.close()


@asynccontextmanager
async def endpoint() -> AsyncIterator[Endpoint]:
    """Give an endpoint on loopback."""
    found = Endpoint()
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


async def _is_ready(someone: User, kind: Kind, name: str) -> None:
    path = path_of(kind, someone.namespace, name)
    async with asyncio.timeout(30):
        while (await someone.client.request("GET", path)).get("status", {}).get("phase") != "Ready":
            await asyncio.sleep(0.05)


@pytest.mark.timeout(120)
def test_a_slow_endpoint_holds_up_only_those_who_ask_it(shaken: ControlPlane, tmp_path: Path) -> None:
    async def story() -> None:
        async with user(shaken, 11) as someone, proxy(shaken) as between, endpoint() as slow:
            text = katalog(someone.namespace, APP, CALLER.replace("URL", f"http://127.0.0.1:{slow.port}"))
            with process(tmp_path, text, between, "-n", someone.namespace) as operator:
                await operator.watching(STREAMS)
                slow.delay = 60.0
                for number in range(8):  # more than there are workers for them
                    await someone.create(f"caller-{number}", CALLERS)
                begun = time.monotonic()
                await someone.create("app-a", image="nginx:1")
                await _is_ready(someone, APPS, "app-a")
                assert time.monotonic() - begun < 5.0
                assert slow.asked  # and is still being waited for
                slow.delay, slow.status = 0.0, 500
                await asyncio.sleep(1.0)
                operator.kill()
                operator.start()
                slow.status = 200
                wanted = simulated(text, someone.wants.values(), ANSWERS)
                await converges(someone.client, wanted, someone.namespace)
                await quiet(between)
                asked = slow.asked
                await asyncio.sleep(2.0)
                assert slow.asked <= asked + 8  # at most one resync falls into these two seconds
                assert await operator.stop() == 0

    asyncio.run(story())
