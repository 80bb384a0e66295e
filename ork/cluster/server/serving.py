"""The API on a socket of this machine, and the kubeconfig that finds it."""

from __future__ import annotations

import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from ork.base.errors import OutsideError
from ork.base.records import NamedTuple
from ork.cluster.server.api import Api
from ork.cluster.server.certificates import Certificate, self_signed


class Address(NamedTuple):
    """Where a server listens."""

    host: str
    port: int
    certificate: bytes = b""
    """In PEM, where it speaks TLS."""

    @property
    def url(self) -> str:
        """`https://127.0.0.1:8001`."""
        return f"http{'s' if self.certificate else ''}://{self.host}:{self.port}"


@asynccontextmanager
async def served(api: Api, host: str = "127.0.0.1", port: int = 0, tls: bool = True) -> AsyncIterator[Address]:
    """Serve an API while the context lasts; port 0 takes a free one. Raises OutsideError where the port is in use.

    `tls` makes a certificate for this run, which `kubectl` needs before it sends a token.
    """
    import asyncio

    import uvicorn

    from ork.cluster.server.asgi import Application

    listener = _listener(host, port)
    config = uvicorn.Config(
        Application(api),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        timeout_graceful_shutdown=1,
    )
    certificate = self_signed(host) if tls else None
    started = asyncio.Event()

    class Server(uvicorn.Server):
        """Leaves the process's signals alone, and says when it listens."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

    config.load()
    if certificate:
        config.ssl = _context(certificate)
    server = Server(config)
    running = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        await started.wait()
        yield Address(host, listener.getsockname()[1], certificate.certificate if certificate else b"")
    finally:
        server.should_exit = True
        await running
        listener.close()


def _context(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        context.load_cert_chain(*certificate.written(Path(folder)))
    return context


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise OutsideError(f"cannot listen on {host}:{port}: {error.strerror}; choose another port") from error
    return listener


def kubeconfig(address: Address, token: str) -> str:
    """Return a kubeconfig for the server, with the administrator's token."""
    import base64

    from ork.base import yaml_writer

    cluster = {"server": address.url}
    if address.certificate:
        cluster["certificate-authority-data"] = base64.b64encode(address.certificate).decode()
    return yaml_writer.dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "ork", "cluster": cluster}],
            "users": [{"name": "ork", "user": {"token": token}}],
            "contexts": [{"name": "ork", "context": {"cluster": "ork", "user": "ork"}}],
            "current-context": "ork",
        }
    )
