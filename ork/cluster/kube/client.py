"""One pooled HTTP client for the API server: JSON in and out, back-pressure honoured, errors as one class."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from copy import copy
from functools import lru_cache
from io import BytesIO
from math import inf
from typing import Self
from urllib.parse import quote, urlencode

import aiohttp
import orjson
from yarl import URL

from ork.base.errors import OrkError, OutsideError
from ork.base.objects import Kind, Object, Ref
from ork.base.records import NamedTuple
from ork.base.requests import WriteError
from ork.base.text import cut
from ork.cluster.kube.connection import Connection
from ork.cluster.kube.decoding import decode
from ork.cluster.kube.sockets import Sockets
from ork.cluster.wire import fault_of

TIMEOUT = 30.0
"""Seconds for one request, connecting included."""
BUSY_ATTEMPTS = 5
"""How often a request is sent in all while the server answers that it is busy (429)."""
LARGE = 2**20
"""Bytes of a body that must not hold up the event loop."""
LAST_ROUNDS = 5
"""Rounds of the event loop in which connections that were closed, or whose handshake was given up, end."""
JSON = "application/json"
_USUAL = aiohttp.ClientTimeout(total=TIMEOUT)


Counted = Callable[[str, int], None]


class Sent(NamedTuple):
    """One request, ready to go."""

    method: str
    url: URL
    data: bytes | None = None
    content_type: str = JSON


class ApiError(OrkError):
    """The API server refused a request, or did not answer (code 0). Only the message of a `Status` is kept."""

    def __init__(self, code: int, reason: str, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.code, self.reason, self.retry_after = code, reason, retry_after


class Client:
    """Requests to one API server. Close it with `close`."""

    def __init__(self, connection: Connection, counted: Counted | None = None) -> None:
        """`counted` is told of each request's method and the answer's code, 0 where there was none."""
        self._connection, self._proxy, self._counted = connection, connection.proxy, counted
        self._left: Callable[[], float] = _for_ever
        self._dry = False
        self._sockets = Sockets()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=100, keepalive_timeout=60, socket_factory=self._sockets),
            headers={"Accept": JSON, "User-Agent": "ork"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def close(self) -> None:
        """End all connections."""
        await self._session.close()
        self._sockets.end()
        for _ in range(LAST_ROUNDS):
            await asyncio.sleep(0)

    def fenced(self, left: Callable[[], float]) -> Self:
        """Return a client over the same connections whose requests all end within `left()` seconds; where none are
        left, nothing is sent (the lease's renew deadline, also for repeated attempts)."""
        other = copy(self)
        other._left = left
        return other

    def dry(self) -> Self:
        """Return a client over the same connections whose writes change nothing: the server says what would come."""
        other = copy(self)
        other._dry = True
        return other

    async def greet(self) -> None:
        """Make sure that the server is there and knows us. Raises OutsideError."""
        try:
            await self.request("GET", "/version")
        except ApiError as error:
            raise as_outside(error) from error

    async def request(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        body: Object | None = None,
        content_type: str = JSON,
    ) -> Object:
        """Send one request and return the JSON answer. Raises ApiError."""
        if self._dry and method != "GET":
            query = {**(query or {}), "dryRun": "All"}
            if method == "DELETE" and body is not None:  # whose query is not read where there is a body
                body = {**body, "dryRun": ["All"]}
        sent = Sent(method, self._url(path, query), orjson.dumps(body) if body is not None else None, content_type)
        for attempt in range(1, BUSY_ATTEMPTS + 1):
            try:
                return await self._attempt(sent)
            except ApiError as error:
                if error.code != 429 or attempt == BUSY_ATTEMPTS:
                    raise
                await asyncio.sleep(max(error.retry_after, 0.1 * attempt))
        raise AssertionError("the last attempt returns or raises")

    async def find(self, ref: Ref) -> Object | None:
        """Read one object; None where it is not there. Raises ApiError."""
        try:
            return await self.request("GET", path_of_ref(ref))
        except ApiError as error:
            if error.code == 404:
                return None
            raise

    async def stream(self, path: str, query: Mapping[str, str], quiet: float) -> AsyncIterator[Object]:
        """Give the JSON lines of an answer as they come; silence of `quiet` seconds ends it with an ApiError."""
        limits = aiohttp.ClientTimeout(total=None, connect=TIMEOUT, sock_read=quiet)
        try:
            answer = await self._send(Sent("GET", self._url(path, query)), limits)
            try:
                async for line in _lines(answer):
                    yield decode(line)
            finally:
                _cut(answer)
        except orjson.JSONDecodeError as error:
            raise ApiError(0, "BrokenStream", f"a watch of {path} was cut in the middle of a line") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._unreachable("GET", error) from error

    async def _attempt(self, sent: Sent) -> Object:
        left = self._left()
        if left <= 0:
            raise ApiError(0, "Fenced", "this replica does not hold the lease any more, so it writes nothing")
        try:
            answer = await self._send(sent, _USUAL if left > TIMEOUT else aiohttp.ClientTimeout(total=left))
            found: Object = decode(await answer.read())
        except orjson.JSONDecodeError as error:
            raise ApiError(0, "BadAnswer", f"{sent.method} {sent.url.path} was not answered with JSON") from error
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            raise self._unreachable(sent.method, error) from error
        return found

    async def _send(self, sent: Sent, limits: aiohttp.ClientTimeout) -> aiohttp.ClientResponse:
        """Return a good answer, still unread; the request is sent once more with fresh credentials after a 401."""
        for renew in (False, True):
            headers = {"Content-Type": sent.content_type}
            if token := await self._connection.authorization(renew=renew):
                headers["Authorization"] = token
            answer = await self._session.request(
                sent.method,
                sent.url,
                data=_body(sent.data),
                headers=headers,
                # Of a renewed context: connections that were made with another certificate are not used any more.
                ssl=self._connection.tls or True,
                server_hostname=self._connection.server_name,
                proxy=self._proxy,
                allow_redirects=False,
                timeout=limits,
            )
            self._count(sent.method, answer.status)
            if answer.status < 300:
                return answer
            error = await _error(answer)
            if error.code != 401:
                raise error
        raise self._not_known(error)

    def _url(self, path: str, query: Mapping[str, str] | None) -> URL:
        # Encoded here, since the library would take each URL to pieces to see whether it must.
        text = f"{path}?{_encoded(tuple(query.items()))}" if query else path
        return URL(self._connection.server + text, encoded=True)

    def _count(self, method: str, code: int) -> None:
        if self._counted is not None:
            self._counted(method, code)

    def _not_known(self, error: ApiError) -> ApiError:
        """Return a refusal with the reason why there are no better credentials."""
        problem = self._connection.problem
        text = cut(f"{error} (new credentials cannot be had: {problem})") if problem else str(error)
        return ApiError(error.code, error.reason, text)

    def _unreachable(self, method: str, error: BaseException) -> ApiError:
        self._count(method, 0)
        what = "did not answer in time" if isinstance(error, TimeoutError) else f"cannot be reached: {_cause(error)}"
        return ApiError(0, "Unreachable", cut(f"the API server {self._connection.server} {what}"))


def _cause(error: BaseException) -> str:
    """Say what is wrong with a connection; the library would also say how it was to be made."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return str(error.certificate_error)
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"{error.host}:{error.port}: {_in_words(error.os_error)}"
    return str(error) or type(error).__name__


def _in_words(error: OSError) -> str:
    """An error of one address has the system's number, and no words of it."""
    if isinstance(error, ssl.SSLError) or not error.errno or error.errno < 0:
        return error.strerror or str(error)
    return os.strerror(error.errno).lower()


def _body(data: bytes | None) -> bytes | BytesIO | None:
    """A large body is sent piece by piece, which the library wants to be told."""
    return data if data is None or len(data) < LARGE else BytesIO(data)


@lru_cache(maxsize=256)
def _encoded(query: tuple[tuple[str, str], ...]) -> str:
    """Return a query as it stands in a URL; most writes have the same one."""
    return urlencode(query)


def _for_ever() -> float:
    return inf


async def _lines(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Give whole lines of any length: aiohttp's own line reader refuses long ones."""
    pending: list[bytes] = []
    async for chunk in answer.content.iter_any():
        *lines, rest = chunk.split(b"\n")
        if lines:
            pending.append(lines[0])
            yield b"".join(pending)
            pending = []
            for line in lines[1:]:
                yield line
        if rest:
            pending.append(rest)
    if pending:
        yield b"".join(pending)


def _cut(answer: aiohttp.ClientResponse) -> None:
    """End a connection without the farewell of TLS, which a server in the middle of an answer may never return."""
    if answer.connection is not None and answer.connection.transport is not None:
        answer.connection.transport.abort()
    answer.close()


async def _error(answer: aiohttp.ClientResponse) -> ApiError:
    text = await answer.read()
    try:
        status = orjson.loads(text)
    except orjson.JSONDecodeError:
        status = None
    retry_after = answer.headers.get("Retry-After", "")
    wait = float(retry_after) if retry_after.isdecimal() else 0.0
    if isinstance(status, dict) and status.get("kind") == "Status":
        return ApiError(answer.status, str(status.get("reason", "")), cut(str(status.get("message", ""))), wait)
    # Any other body may be a proxy's page or an endpoint's secret, so it is not repeated.
    return ApiError(answer.status, "", f"{answer.method} {answer.url.path} was answered with {answer.status}", wait)


_ADVICE = {401: "the credentials of the kubeconfig are not accepted: log in again", 403: "ask for the permission"}


def as_outside(error: ApiError) -> OutsideError:
    """Return the error as the end of a command, with what to do."""
    return OutsideError(f"{error}; {_ADVICE.get(error.code, 'check the address and the network')}")


def as_write_error(error: ApiError) -> WriteError:
    """Return the error as one of a write to the CR, or of what a turn reads beside it."""
    return WriteError(fault_of(error.code, str(error), error.retry_after))


def path_of(kind: Kind, namespace: str = "", name: str = "", subresource: str = "") -> str:
    """Return the URL path of a collection or an object; names are encoded (a ClusterRole's may hold any character)."""
    base = f"/apis/{kind.group}/{kind.version}" if kind.group else f"/api/{kind.version}"
    if kind.namespaced and namespace:
        base += f"/namespaces/{namespace}"
    return "/".join(part for part in (base, kind.plural, quote(name, safe=":"), subresource) if part)


def path_of_ref(ref: Ref, subresource: str = "") -> str:
    """Return the URL path of one object."""
    return path_of(ref.kind, ref.namespace, ref.name, subresource)
