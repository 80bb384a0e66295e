"""The API on a socket: TLS with a token, watches that stream and end, controllers between two requests."""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import yaml

from ork.base.errors import OutsideError
from ork.cluster.memory.store import Store
from ork.cluster.server.api import Api
from ork.cluster.server.serving import Address, kubeconfig, served
from tests.unit.cluster.world import CONFIG_MAP, DEPLOYMENT, config_map, deployment

TOKEN = "secret"
MAPS = "/api/v1/namespaces/default/configmaps"


class Served:
    """A served store and a client that knows its address."""

    def __init__(self, api: Api, address: Address, http: httpx.AsyncClient) -> None:
        self.api, self.address, self.http = api, address, http


@asynccontextmanager
async def serving(tls: bool = False) -> AsyncIterator[Served]:
    api = Api(Store(), TOKEN)
    async with served(api, tls=tls) as address:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        context = ssl.create_default_context(cadata=address.certificate.decode()) if tls else False
        async with httpx.AsyncClient(base_url=address.url, headers=headers, verify=context, trust_env=False) as http:
            yield Served(api, address, http)


def run(body: Callable[[Served], Awaitable[None]], tls: bool = False) -> None:
    async def whole() -> None:
        async with serving(tls) as there:
            await body(there)

    asyncio.run(whole())


async def lines(answer: httpx.Response, count: int) -> list[dict[str, Any]]:
    out = []
    async for line in answer.aiter_lines():
        out.append(json.loads(line))
        if len(out) == count:
            break
    return out


def test_a_kubeconfig_finds_the_server_and_trusts_it() -> None:
    async def body(there: Served) -> None:
        config = yaml.safe_load(kubeconfig(there.address, TOKEN))
        cluster = config["clusters"][0]["cluster"]
        authority = base64.b64decode(cluster["certificate-authority-data"]).decode()
        context = ssl.create_default_context(cadata=authority)
        token = config["users"][0]["user"]["token"]
        async with httpx.AsyncClient(verify=context, trust_env=False) as http:
            headers = {"Authorization": f"Bearer {token}"}
            assert (await http.get(f"{cluster['server']}{MAPS}", headers=headers)).status_code == 200
            assert (await http.get(f"{cluster['server']}{MAPS}")).status_code == 403

    run(body, tls=True)


def test_objects_are_written_and_read() -> None:
    async def body(there: Served) -> None:
        made = await there.http.post(MAPS, json=dict(config_map(data={"a": "1"})))
        assert (made.status_code, made.headers["content-type"]) == (201, "application/json")
        listed = (await there.http.get(MAPS, params={"fieldSelector": "metadata.name=settings"})).json()
        assert [obj["data"] for obj in listed["items"]] == [{"a": "1"}]
        warned = await there.http.post(MAPS, json={**config_map("b"), "odd": 1})
        assert warned.headers["warning"] == '299 - "unknown field \\"odd\\""'

    run(body)


def test_a_watch_streams_events_as_they_come() -> None:
    async def body(there: Served) -> None:
        params = {"watch": "true", "resourceVersion": there.api.store.version}
        async with there.http.stream("GET", MAPS, params=params) as answer:
            there.api.store.create(CONFIG_MAP, "default", config_map("a"))
            there.api.store.delete(CONFIG_MAP, "default", "a")
            assert [event["type"] for event in await lines(answer, 2)] == ["ADDED", "DELETED"]

    run(body)


def test_a_watch_that_falls_behind_ends_with_an_error() -> None:
    async def body(there: Served) -> None:
        params = {"watch": "true", "resourceVersion": there.api.store.version}
        async with there.http.stream("GET", MAPS, params=params) as answer:
            there.api.store.create(CONFIG_MAP, "default", config_map("a"))
            there.api.store.state.history.compact()
            events = [json.loads(line) async for line in answer.aiter_lines()]
        assert [(event["type"], event["object"]["code"]) for event in events] == [("ERROR", 410)]

    run(body)


def test_controllers_follow_every_write() -> None:
    async def body(there: Served) -> None:
        path = "/apis/apps/v1/namespaces/default/deployments"
        assert (await there.http.post(path, json=dict(deployment(replicas=2)))).json()["status"] == {}
        assert there.api.store.get(DEPLOYMENT, "default", "web")["status"]["readyReplicas"] == 2

    run(body)


def test_a_body_that_is_too_large_is_not_read_whole() -> None:
    async def body(there: Served) -> None:
        answer = await there.http.post(MAPS, content=b"x" * (3 * 1024 * 1024 + 1))
        assert (answer.status_code, answer.json()["reason"]) == (413, "RequestEntityTooLarge")

    run(body)


def test_a_port_that_is_in_use_is_told() -> None:
    async def body(there: Served) -> None:
        with pytest.raises(
            OutsideError, match=f"cannot listen on 127.0.0.1:{there.address.port}: .*choose another port"
        ):
            async with served(there.api, port=there.address.port):
                pass

    run(body)
