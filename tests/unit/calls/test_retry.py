"""Attempts and pauses of a call, around answers that the test chooses, in time that does not pass."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from ork.base.requests import CallRequest, CallResult
from ork.calls.retry import retrying

Build = Callable[..., CallRequest]
URL = "http://api.example.org/check?key=s3cret"


def answer(status: int | None, error: str = "", **headers: str) -> CallResult:
    return CallResult(status, {name.replace("_", "-"): value for name, value in headers.items()}, b"", error)


def run(request: CallRequest, *answers: CallResult, allow: tuple[str, ...] = ()) -> tuple[CallResult, list[float], int]:
    """Return the result, the pauses in seconds, and how many attempts were made."""
    pauses: list[float] = []
    left = list(answers)

    async def send(_: CallRequest) -> CallResult:
        return left.pop(0)

    async def sleep(length: timedelta) -> None:
        pauses.append(length.total_seconds())

    try:
        retrying(send, sleep, allow)(request).__await__().send(None)
    except StopIteration as stop:
        return stop.value, pauses, len(answers) - len(left)
    raise AssertionError("it suspended")


def test_a_success_is_returned_as_it_is(a_request: Build) -> None:
    assert run(a_request(URL), answer(204)) == (answer(204), [], 1)


@pytest.mark.parametrize(
    ("expect", "status", "error"),
    [
        (0, 399, ""),
        (0, 304, ""),
        (0, 302, "GET http://api.example.org/check: answered 302"),
        (302, 302, ""),
        (0, 404, "GET http://api.example.org/check: answered 404"),
        (0, 500, "GET http://api.example.org/check: answered 500"),
        (201, 201, ""),
        (201, 200, "GET http://api.example.org/check: answered 200, expected 201"),
        (404, 404, ""),
    ],
)
def test_an_expected_status_is_a_success_and_without_one_any_below_400_but_a_redirect(
    a_request: Build, expect: int, status: int, error: str
) -> None:
    result, _, _ = run(a_request(URL, expect=expect), answer(status))
    assert (result.status, result.error) == (status, error)


def test_the_delay_comes_before_the_first_attempt_only(a_request: Build) -> None:
    request = a_request(URL, delay=timedelta(seconds=9), attempts=2)
    assert run(request, answer(500), answer(200))[1] == [9.0, 1.0]


def test_pauses_grow_up_to_the_maximum_without_jitter(a_request: Build) -> None:
    request = a_request(URL, attempts=5, backoff_limit=timedelta(seconds=5), multiplier=2.0)
    result, pauses, attempts = run(request, *[answer(None, "connection refused")] * 5)
    assert (pauses, attempts) == ([1.0, 2.0, 4.0, 5.0], 5)
    assert result.error == "GET http://api.example.org/check: connection refused"


def test_a_huge_multiplier_only_reaches_the_maximum(a_request: Build) -> None:
    request = a_request(URL, attempts=3, multiplier=1e300)
    assert run(request, *[answer(500)] * 3)[1] == [1.0, 30.0]


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry_After": "7"}, 7.0),
        ({"retry_after": "7000"}, 30.0),
        ({"Retry_After": "9" * 40}, 30.0),
        ({"Retry_After": "Mon, 05 Jan 2026 10:00:12 GMT", "Date": "Mon, 05 Jan 2026 10:00:00 GMT"}, 12.0),
        ({"Retry_After": "Mon, 05 Jan 2026 09:00:00 GMT", "Date": "Mon, 05 Jan 2026 10:00:00 GMT"}, 0.0),
        ({"Retry_After": "Mon, 05 Jan 2026 10:00:12 GMT"}, 1.0),
        ({"Retry_After": "soon", "Date": "today"}, 1.0),
    ],
)
def test_retry_after_is_honoured_up_to_the_maximum(a_request: Build, headers: dict[str, str], pause: float) -> None:
    assert run(a_request(URL, attempts=2), answer(503, **headers), answer(200))[1] == [pause]


def test_secrets_and_the_query_never_reach_an_error(a_request: Build) -> None:
    request = a_request("http://user:s3cret@api.example.org/s3cret?key=s3cret", hidden=("s3cret",))
    result, _, _ = run(request, answer(None, "cannot send s3cret"))
    assert "s3cret" not in result.error
    assert "user" not in result.error


@pytest.mark.parametrize(
    ("url", "changes", "allow", "problem"),
    [
        ("ftp://example.org/", {}, (), "the scheme ftp is not allowed"),
        ("file:///etc/passwd", {}, (), "no absolute http or https URL"),
        ("/relative", {}, (), "no absolute http or https URL"),
        ("http://example.org\\@evil.org/", {}, (), "no absolute http or https URL"),
        ("http://evil.org/", {"allowed_hosts": ("good.org",)}, (), "the host evil.org is not among the allowed hosts"),
        ("http://good.org/", {"allowed_hosts": ("good.org",)}, ("other.org",), "not among the allowed hosts (other"),
        ("http://169.254.169.254/", {"host_from_cr": True}, (), "address of this machine or link"),
        ("http://[::1]/", {"host_from_cr": True}, (), "address of this machine or link"),
    ],
)
def test_a_call_that_may_not_be_made_is_not_sent(
    a_request: Build, url: str, changes: dict[str, object], allow: tuple[str, ...], problem: str
) -> None:
    result, _, attempts = run(a_request(url, delay=timedelta(seconds=1), attempts=3, **changes), allow=allow)
    assert attempts == 0
    assert (result.status, result.called) == (None, False)
    assert problem in result.error
