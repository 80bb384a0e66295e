"""The API on a socket of this machine, and the kubeconfig that finds it."""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ork.base import listening
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
    from ork.cluster.server.asgi import Application

    certificate = self_signed(host) if tls else None
    at = listening.listener(host, port)
    address = Address(host, at.getsockname()[1], certificate.certificate if certificate else b"")
    async with listening.served(Application(api), at, _context(certificate) if certificate else None):
        yield address


def _context(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        context.load_cert_chain(*certificate.written(Path(folder)))
    return context


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
