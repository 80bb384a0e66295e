"""One attempt over real sockets: what is sent, what is read, and what an endpoint can do to us. TLS and proxies are
left to httpx's own tests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import timedelta
from http.server import ThreadingHTTPServer

import pytest

from ork.base.requests import CallRequest, CallResult
from ork.calls.http import BODY_LIMIT, HttpClient

Ask = Callable[..., CallResult]
Build = Callable[..., CallRequest]
SHORT = timedelta(milliseconds=150)


def test_method_headers_and_body_arrive(ask: Ask) -> None:
    result = ask("/echo", method="POST", headers={"X-Source": "ork", "Content-Type": "text/plain"}, body=b"hello")
    told = json.loads(result.body)
    assert (result.status, result.error) == (200, "")
    assert (told["method"], told["body"]) == ("POST", "hello")
    assert told["headers"]["X-Source"] == "ork"
    assert told["headers"]["Content-Type"] == "text/plain"


def test_a_status_of_any_kind_is_an_answer(ask: Ask) -> None:
    result = ask("/status/503")
    assert (result.status, result.error) == (503, "")
    assert result.headers["retry-after"] == "7"


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_the_timeout_bounds_the_whole_attempt(ask: Ask, path: str) -> None:
    result = ask(path, timeout=SHORT)
    assert result.status is None
    assert result.error == "no complete answer within 150ms"


@pytest.mark.parametrize("path", ["/huge", "/bomb"])
def test_no_more_than_a_mebibyte_is_read(ask: Ask, path: str) -> None:
    result = ask(path)
    assert (result.status, result.error) == (200, "")
    assert len(result.body) == BODY_LIMIT


def test_a_compressed_answer_is_unpacked(ask: Ask) -> None:
    assert ask("/small").body == b'{"ok": true}'


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/lie", "its body is no valid gzip"),
        ("/brotli", "its body is encoded as br, which was not asked for"),
        ("/cut", "the answer is no valid HTTP: "),
        ("/nonsense", "the answer is no valid HTTP: "),
    ],
)
def test_a_broken_answer_is_an_error_in_words(ask: Ask, path: str, error: str) -> None:
    assert ask(path).error.startswith(error)


def test_bytes_that_are_no_text_are_passed_on(ask: Ask) -> None:
    assert ask("/bytes").body == b"\xff\xfe\x00"


def test_a_get_follows_a_redirect_to_its_own_host_with_its_headers(ask: Ask) -> None:
    result = ask("/redirect/same", headers={"Authorization": "Bearer t"})
    assert json.loads(result.body)["headers"]["Authorization"] == "Bearer t"


@pytest.mark.parametrize(
    ("path", "method", "error"),
    [
        ("/redirect/away", "GET", "answered 302, a redirect to http://localhost:"),
        ("/redirect/port", "GET", "answered 302, a redirect to http://127.0.0.1:1, which is not followed"),
        ("/redirect/same", "POST", "answered 302, a redirect, which only a GET follows"),
        ("/redirect/loop", "GET", "more than 5 redirects"),
    ],
)
def test_any_other_redirect_is_a_failure(ask: Ask, path: str, method: str, error: str) -> None:
    assert ask(path, method=method).error.startswith(error)


def test_a_redirect_that_is_not_followed_keeps_its_status(ask: Ask) -> None:
    assert ask("/redirect/away").status == 302


def test_a_redirect_that_is_expected_is_an_answer(ask: Ask) -> None:
    result = ask("/redirect/away", expect=302)
    assert (result.status, result.error) == (302, "")


def test_nothing_of_an_answer_is_kept_for_the_next_call(endpoint: ThreadingHTTPServer, a_request: Build) -> None:
    url = f"http://127.0.0.1:{endpoint.server_address[1]}/echo"

    async def twice() -> CallResult:
        async with HttpClient() as client:
            await client.send(a_request(url))
            return await client.send(a_request(url))

    assert "Cookie" not in json.loads(asyncio.run(twice()).body)["headers"]


def test_a_refused_connection_is_an_error_in_words(endpoint: ThreadingHTTPServer, a_request: Build) -> None:
    async def once() -> CallResult:
        async with HttpClient() as client:
            return await client.send(a_request("http://127.0.0.1:1/"))

    assert asyncio.run(once()).error.startswith("cannot connect: ")


@pytest.mark.parametrize("url", ["http://127.0.0.1:99999/", "http://exa mple/", "http://[::1/", "http://a\\@b/", "x"])
def test_a_url_that_makes_no_sense_never_raises(a_request: Build, url: str) -> None:
    async def once() -> CallResult:
        async with HttpClient() as client:
            return await client.send(a_request(url))

    assert asyncio.run(once()).error


def test_what_the_system_says_of_a_host_is_told_without_its_number(a_request: Build) -> None:
    async def once() -> CallResult:
        async with HttpClient() as client:
            return await client.send(a_request("http://nobody.invalid/", host_from_cr=True))

    error = asyncio.run(once()).error
    assert error.startswith("the name of the host is not known: ")
    assert "Errno" not in error


def test_a_header_that_http_cannot_carry_never_raises(ask: Ask) -> None:
    assert ask("/echo", headers={"X-Bad": "a\nb"}).error.startswith("the request is no valid HTTP")
    assert ask("/echo", headers={"Ünicode": "x"}).error


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1", "2130706433"])
def test_a_host_that_the_cr_chose_does_not_lead_to_this_machine(
    endpoint: ThreadingHTTPServer, a_request: Build, host: str
) -> None:
    url = f"http://{host}:{endpoint.server_address[1]}/echo"

    async def once(*allow: str) -> CallResult:
        async with HttpClient(allow) as client:
            return await client.send(a_request(url, host_from_cr=True))

    refused = asyncio.run(once())
    assert refused.error.endswith("is an address of this machine or link, where a host that the CR chose may not lead")
    assert endpoint.seen == []  # type: ignore[attr-defined]
    assert asyncio.run(once(host)).status == 200, "unless a list names it literally"


def test_a_host_that_the_cr_chose_is_called_at_the_address_that_was_looked_at(
    outer_endpoint: ThreadingHTTPServer, a_request: Build
) -> None:
    address, port = outer_endpoint.server_address[:2]

    async def once() -> CallResult:
        async with HttpClient() as client:
            url = f"http://{address!s}:{port}/echo"
            return await client.send(a_request(url, method="POST", body=b"{}", host_from_cr=True))

    result = asyncio.run(once())
    assert (result.status, result.error) == (200, "")
    assert json.loads(result.body)["body"] == "{}"
