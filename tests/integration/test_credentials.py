"""Credentials that age: tokens and certificates of exec plugins, and files that somebody rotates, are taken up anew."""

from __future__ import annotations

import asyncio
import json
import ssl
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from aiohttp import web

from ork.base.errors import OutsideError
from ork.cluster.kube.client import Client
from ork.cluster.kube.config import Target, connect
from ork.cluster.server.certificates import Certificate, self_signed

HOST = "127.0.0.1"


class Server:
    """An API server that knows one caller at a time."""

    def __init__(self, folder: Path, callers: tuple[Certificate, ...] = ()) -> None:
        self.known: Any = None
        """The header's value, or the certificate (PEM), of whom it answers."""
        self.connections: set[Any] = set()
        self.certificate = self_signed(HOST)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(*self.certificate.written(folder))
        if callers:
            self.tls.verify_mode = ssl.CERT_REQUIRED
            for caller in callers:
                self.tls.load_verify_locations(cadata=caller.certificate.decode())

    async def answer(self, request: web.Request) -> web.Response:
        """Answer whoever is known; 401 to all others."""
        transport = request.transport
        assert transport is not None
        self.connections.add(transport.get_extra_info("peername"))
        der = transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
        caller = ssl.DER_cert_to_PEM_cert(der).encode() if der else request.headers.get("Authorization")
        if caller == self.known:
            return web.json_response({})
        return web.json_response({"kind": "Status", "code": 401, "message": "Unauthorized"}, status=401)


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[str]:
    """Serve, and give the URL."""
    application = web.Application()
    application.router.add_get("/version", server.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, HOST, 0, ssl_context=server.tls)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"https://{HOST}:{port}"
    finally:
        await runner.cleanup()


class Plugin:
    """An exec plugin that gives out whatever stands in a file."""

    def __init__(self, folder: Path) -> None:
        self._status, self._program = folder / "status.json", folder / "plugin"
        self._program.write_text(
            f"#!{sys.executable}\n"
            "import json, pathlib\n"
            f"status = json.loads(pathlib.Path({str(self._status)!r}).read_text())\n"
            "kind = {'apiVersion': 'client.authentication.k8s.io/v1', 'kind': 'ExecCredential'}\n"
            "print(json.dumps({**kind, 'status': status}))\n"
        )
        self._program.chmod(self._program.stat().st_mode | stat.S_IXUSR)

    def gives(self, **status: str) -> None:
        """Give this out from now on."""
        self._status.write_text(json.dumps(status))

    def fails(self) -> None:
        """Fail from now on."""
        self._status.unlink(missing_ok=True)

    @property
    def user(self) -> dict[str, Any]:
        """A kubeconfig's user."""
        version = "client.authentication.k8s.io/v1"
        command = str(self._program)
        return {"exec": {"apiVersion": version, "command": command, "interactiveMode": "Never"}}


def kubeconfig(folder: Path, url: str, server: Server, user: dict[str, Any], **cluster: str) -> Path:
    authority = folder / "ca.crt"
    authority.write_bytes(server.certificate.certificate)
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me"}}],
        "clusters": [{"name": "here", "cluster": {"server": url, "certificate-authority": str(authority), **cluster}}],
        "users": [{"name": "me", "user": user}],
    }
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump(config))
    return path


@asynccontextmanager
async def client(path: Path) -> AsyncIterator[Client]:
    """A client by a kubeconfig."""
    found = Client(await connect(Target(path)))
    try:
        yield found
    finally:
        await found.close()


def of(certificate: Certificate) -> dict[str, str]:
    """What an exec plugin says of a certificate."""
    return {"clientCertificateData": certificate.certificate.decode(), "clientKeyData": certificate.key.decode()}


def test_a_token_that_is_refused_is_asked_for_again(tmp_path: Path) -> None:
    async def story() -> None:
        server, plugin = Server(tmp_path), Plugin(tmp_path)
        async with serving(server) as url:
            plugin.gives(token="first")
            async with client(kubeconfig(tmp_path, url, server, plugin.user)) as found:
                server.known = "Bearer first"
                await found.greet()
                plugin.gives(token="second")
                server.known = "Bearer second"
                await found.greet()

    asyncio.run(story())


def test_a_plugin_that_fails_makes_nobody_of_us(tmp_path: Path) -> None:
    """Else a cluster would answer whoever asks without a name that he may not, and nobody would know why."""
    server, plugin = Server(tmp_path), Plugin(tmp_path)
    plugin.fails()
    path = kubeconfig(tmp_path, "https://127.0.0.1:1", server, plugin.user)
    with pytest.raises(OutsideError, match=r"exec: process returned 1"):
        asyncio.run(connect(Target(path)))


def test_what_was_good_stays_in_use_while_a_plugin_fails_and_a_refusal_says_why_there_is_nothing_better(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        server, plugin = Server(tmp_path), Plugin(tmp_path)
        async with serving(server) as url:
            plugin.gives(token="first")
            async with client(kubeconfig(tmp_path, url, server, plugin.user)) as found:
                plugin.fails()
                server.known = "Bearer second"
                with pytest.raises(OutsideError, match=r"Unauthorized \(new credentials .*: exec: process returned 1"):
                    await found.greet()
                server.known = "Bearer first"
                await found.greet()

    asyncio.run(story())


def test_a_certificate_that_is_refused_is_asked_for_again_and_no_old_connection_is_used(tmp_path: Path) -> None:
    async def story() -> None:
        first, second = self_signed("127.0.0.2"), self_signed("127.0.0.3")
        server, plugin = Server(tmp_path, (first, second)), Plugin(tmp_path)
        async with serving(server) as url:
            plugin.gives(**of(first))
            async with client(kubeconfig(tmp_path, url, server, plugin.user)) as found:
                server.known = first.certificate
                await asyncio.gather(*(found.greet() for _ in range(3)))
                plugin.gives(**of(second))
                server.known = second.certificate
                old = set(server.connections)
                await found.greet()
                server.connections.clear()
                await asyncio.gather(*(found.greet() for _ in range(3)))
                assert not old & server.connections

    asyncio.run(story())


def test_certificate_files_that_somebody_replaces_are_read_again(tmp_path: Path) -> None:
    async def story() -> None:
        first, second = self_signed("127.0.0.2"), self_signed("127.0.0.3")
        server, own = Server(tmp_path, (first, second)), tmp_path / "own"
        own.mkdir()
        certificate, key = first.written(own)
        user = {"client-certificate": str(certificate), "client-key": str(key)}
        async with serving(server) as url, client(kubeconfig(tmp_path, url, server, user)) as found:
            server.known = first.certificate
            await found.greet()
            second.written(own)
            server.known = second.certificate
            await found.greet()

    asyncio.run(story())


def test_a_server_is_known_by_the_name_that_the_kubeconfig_gives(tmp_path: Path) -> None:
    async def story() -> None:
        server = Server(tmp_path)
        server.known = "Bearer me"
        async with serving(server) as url:
            for name, good in (("localhost", True), ("elsewhere.example.org", False)):
                path = kubeconfig(tmp_path, url, server, {"token": "me"}, **{"tls-server-name": name})
                async with client(path) as found:
                    if good:
                        await found.greet()
                    else:
                        with pytest.raises(Exception, match="certificate verify failed"):
                            await found.greet()

    asyncio.run(story())
