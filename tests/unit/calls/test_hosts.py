"""Which hosts and addresses a call may lead to."""

from __future__ import annotations

import pytest

from ork.calls.hosts import forbidden, matches, target


@pytest.mark.parametrize(
    ("host", "patterns", "held"),
    [
        ("api.example.org", ["api.example.org"], True),
        ("api.example.org", ["API.Example.org"], True),
        ("api.example.org.", ["api.example.org"], True),
        ("api.example.org", ["*.example.org"], True),
        ("a.b.example.org", ["*.example.org"], True),
        ("example.org", ["*.example.org"], False),
        ("evilexample.org", ["*.example.org"], False),
        ("api.example.org.evil.com", ["api.example.org"], False),
    ],
)
def test_a_pattern_is_a_name_or_everything_below_one(host: str, patterns: list[str], held: bool) -> None:
    assert matches(host, patterns) is held


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "0.1.2.3",
        "169.254.169.254",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
    ],
)
def test_an_inner_address_is_recognised_however_it_is_written(address: str) -> None:
    assert forbidden(address)


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "192.168.1.1", "8.8.8.8", "2001:db8::1", "fd00::1", "64:ff9b::808:808"]
)
def test_other_addresses_may_be_dialled(address: str) -> None:
    assert not forbidden(address)


@pytest.mark.parametrize(
    ("url", "host", "shown"),
    [
        ("https://API.example.org/x?q=1#f", "api.example.org", "https://API.example.org/x"),
        ("http://u:p@h:8080", "h", "http://h:8080"),
        ("http://[::1]:80/a", "::1", "http://[::1]:80/a"),
    ],
)
def test_a_url_has_one_reading(url: str, host: str, shown: str) -> None:
    found = target(url)
    assert found is not None
    assert (found.host, found.shown) == (host, shown)


@pytest.mark.parametrize(
    "url",
    ["", "x", "http://", "http:///x", "http://a b/", "http://a\\b/", "http://a\n/", "http://a:b/", "http://a@b@c/"],
)
def test_what_could_be_read_in_two_ways_is_no_url(url: str) -> None:
    assert target(url) is None
