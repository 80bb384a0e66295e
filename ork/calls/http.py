"""One attempt of an external call over HTTP: bounded in time and size, and in where it may lead."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from datetime import timedelta
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ork.base import durations
from ork.base.requests import CallRequest, CallResult
from ork.calls import hosts
from ork.calls.refused import Refused
from ork.calls.retry import REDIRECTS

if TYPE_CHECKING:
    import httpx

BODY_LIMIT = 2**20
"""How many bytes of a body are read, decompressed."""

MOST_REDIRECTS = 5
_DEFAULT_PORTS = {"http": 80, "https": 443}
_WORDS = {
    "ConnectError": "cannot connect",
    "ReadError": "the connection broke before the answer was complete",
    "WriteError": "the connection broke while the request was sent",
    "CloseError": "the connection broke",
    "RemoteProtocolError": "the answer is no valid HTTP",
    "LocalProtocolError": "the request is no valid HTTP",
    "ProxyError": "the proxy refuses",
    "InvalidURL": "the url is not valid",
    "gaierror": "the name of the host is not known",
}


class Route(Enum):
    """Which connections a call may use. They are pooled apart: one opened for a trusted host is not lent to another."""

    AUTHOR = "author"
    """The katalog's author wrote the host: proxies of the environment are used."""
    LISTED = "listed"
    """A CR chose the host, and a list names it literally."""
    GUARDED = "guarded"
    """A CR chose the host: every address is looked at before it is dialled."""


class HttpClient:
    """Sends attempts over pooled connections; belongs to one event loop."""

    def __init__(self, allow_hosts: Sequence[str] = ()) -> None:
        self._allow_hosts = allow_hosts
        self._clients: dict[Route, httpx.AsyncClient] = {}

    async def __aenter__(self) -> HttpClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()

    async def send(self, request: CallRequest) -> CallResult:
        """Make one attempt. Never raises: whatever goes wrong is in the result."""
        import asyncio

        try:
            # One limit for connecting, TLS, headers and the whole body: an endpoint that drips gains nothing.
            async with asyncio.timeout(request.timeout.total_seconds()):
                return await self._follow(request)
        except TimeoutError:
            return _failed(f"no complete answer within {durations.text(request.timeout)}")
        except Refused as refused:
            return _failed(str(refused), refused.status)
        except Exception as error:  # The endpoint may do anything; none of it may end the turn.
            return _failed(_words(error))

    async def _follow(self, request: CallRequest) -> CallResult:
        import httpx

        client, url = self._client(request), httpx.URL(request.url)
        known = hosts.target(request.url)
        if known is None or known.host != url.host.lower():
            raise Refused("the url can be read in two ways")
        for _ in range(MOST_REDIRECTS + 1):
            response = await client.send(_request(request, url), stream=True, follow_redirects=False)
            try:
                if not _redirects(request, response):
                    return CallResult(response.status_code, dict(response.headers), await _body(response), "")
                url = _next(request, response, url)
            finally:
                await response.aclose()
        raise Refused(f"more than {MOST_REDIRECTS} redirects")

    def _client(self, request: CallRequest) -> httpx.AsyncClient:
        if not request.host_from_cr:
            route = Route.AUTHOR
        else:
            route = Route.GUARDED if hosts.limited(request, self._allow_hosts) else Route.LISTED
        if route not in self._clients:
            self._clients[route] = _open(route)
        return self._clients[route]


def _open(route: Route) -> httpx.AsyncClient:
    from http.cookiejar import DefaultCookiePolicy

    import httpx

    context = httpx.create_ssl_context()
    options: dict[str, Any] = {"timeout": None, "trust_env": route is Route.AUTHOR}
    if route is Route.GUARDED:
        from ork.calls.guarded import GuardedTransport

        client = httpx.AsyncClient(transport=GuardedTransport(context), **options)
    else:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=32)
        client = httpx.AsyncClient(verify=context, limits=limits, **options)
    # No endpoint may leave something behind for the next call.
    client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


def _request(request: CallRequest, url: httpx.URL) -> httpx.Request:
    import httpx

    standard = {"User-Agent": "ork", "Accept": "*/*", "Accept-Encoding": "gzip"}
    given = {name.lower() for name in request.headers}
    headers = {name: value for name, value in standard.items() if name.lower() not in given} | dict(request.headers)
    encoded = [(name.encode("ascii"), value.encode()) for name, value in headers.items()]
    return httpx.Request(request.method, url, headers=encoded, content=request.body or None)


def _redirects(request: CallRequest, response: httpx.Response) -> bool:
    status = response.status_code
    return status in REDIRECTS and "location" in response.headers and status != request.expect


def _next(request: CallRequest, response: httpx.Response, url: httpx.URL) -> httpx.URL:
    """Return where a redirect leads: only a GET follows, and only to its own host. Raises Refused."""
    status = response.status_code
    if request.method != "GET":
        raise Refused(f"answered {status}, a redirect, which only a GET follows", status)
    there = url.join(response.headers["location"])
    upgraded = (url.scheme, there.scheme) == ("http", "https") and _port(there) == 443
    same = there.host == url.host and (upgraded or (there.scheme, _port(there)) == (url.scheme, _port(url)))
    if not same:
        raise Refused(
            f"answered {status}, a redirect to {there.scheme}://{there.netloc.decode()}, which is not followed", status
        )
    return there.copy_with(userinfo=url.userinfo)


def _port(url: httpx.URL) -> int | None:
    return url.port or _DEFAULT_PORTS.get(url.scheme)


async def _body(response: httpx.Response) -> bytes:
    """Read at most the limit, decompressing no further than that: a small answer can stand for a huge one."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise Refused(f"its body is encoded as {encoding}, which was not asked for", response.status_code)
    inflater = zlib.decompressobj(47) if "gzip" in encoding else None
    body = bytearray()
    try:
        async for chunk in response.aiter_raw():
            room = BODY_LIMIT - len(body)
            body += inflater.decompress(chunk, room) if inflater else chunk[:room]
            if len(body) >= BODY_LIMIT:
                break
    except zlib.error:
        raise Refused("its body is no valid gzip", response.status_code) from None
    return bytes(body)


def _failed(error: str, status: int | None = None) -> CallResult:
    return CallResult(status, {}, b"", error)


def _words(error: Exception) -> str:
    words = _WORDS.get(type(error).__name__, type(error).__name__)
    detail = (error.strerror if isinstance(error, OSError) else "") or str(error)
    return f"{words}: {detail}" if detail else words


async def sleep(length: timedelta) -> None:
    """Let real time pass."""
    import asyncio

    await asyncio.sleep(length.total_seconds())
