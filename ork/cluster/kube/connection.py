"""An API server's address, its TLS context, and credentials that are renewed as they age."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from ork.base.records import NamedTuple

RENEW_EVERY = 60.0
"""Seconds after which credentials are asked for again; service account tokens rotate, exec plugins' expire."""


class Endpoint(NamedTuple):
    """Where an API server is, and how it is told from others."""

    server: str
    """The base URL, without a slash at its end."""
    ca_file: str | None = None
    ca_data: str | None = None
    """In PEM."""
    verify: bool = True
    server_name: str | None = None
    """Whose certificate it shows, where that is not the URL's host."""
    proxy: str | None = None


class Credentials(NamedTuple):
    """Who we are: a header, a certificate, or both."""

    authorization: str | None = None
    cert_file: str | None = None
    key_file: str | None = None


Renew = Callable[[], Awaitable[Credentials]]
"""Returns fresh credentials."""


class Connection:
    """The way to one API server."""

    def __init__(
        self, endpoint: Endpoint, namespace: str, credentials: Credentials, renew: Renew | None = None
    ) -> None:
        """Without `renew` the credentials never age. Raises OSError for certificates that cannot be loaded."""
        self._endpoint, self._renew = endpoint, renew
        self.server, self.namespace = endpoint.server, namespace
        self.server_name = endpoint.server_name
        self._now = asyncio.get_running_loop().time
        self._renewed = self._now()
        self._renewal = asyncio.Lock()
        self._authorization, self._certificate = credentials.authorization, _certificate(credentials)
        self.tls = _context(endpoint, credentials)
        """The TLS context, another one when our certificate is; None for plain http."""
        self.problem = ""
        """Why credentials could not be renewed the last time; empty where they were."""

    @property
    def proxy(self) -> str | None:
        """The proxy of the configuration, else of the environment (`HTTPS_PROXY`, `NO_PROXY`), if any; as everywhere
        in Kubernetes, the environment's is not meant for this machine itself."""
        own, address = self._endpoint.proxy, urlsplit(self.server)
        if own or _is_here(address.hostname or "") or proxy_bypass(address.netloc):
            return own
        return getproxies().get(address.scheme)

    async def authorization(self, *, renew: bool = False) -> str | None:
        """Return the Authorization header; `renew` asks for fresh credentials first (after a 401)."""
        asked = self._now()
        if self._renew is not None and (renew or asked - self._renewed > RENEW_EVERY):
            async with self._renewal:
                if self._renewed <= asked:
                    await self._refresh(self._renew)
        return self._authorization

    async def _refresh(self, renew: Renew) -> None:
        self._renewed = self._now()
        try:
            self._take(await renew())
            self.problem = ""
        except Exception as error:  # what cannot be renewed just now (a file is being written) may still be good
            self.problem = str(error) or type(error).__name__

    def _take(self, credentials: Credentials) -> None:
        certificate = _certificate(credentials)
        if certificate != self._certificate:
            self.tls, self._certificate = _context(self._endpoint, credentials), certificate
        self._authorization = credentials.authorization


def _is_here(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _certificate(credentials: Credentials) -> bytes:
    return Path(credentials.cert_file).read_bytes() if credentials.cert_file else b""


def _context(endpoint: Endpoint, credentials: Credentials) -> ssl.SSLContext | None:
    if not endpoint.server.startswith("https"):
        return None
    context = ssl.create_default_context(cafile=endpoint.ca_file, cadata=endpoint.ca_data)
    if not endpoint.verify:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if credentials.cert_file:
        context.load_cert_chain(credentials.cert_file, credentials.key_file)
    return context
